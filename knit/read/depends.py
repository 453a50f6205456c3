"""What a script's names depend on: the names that are read in the lines that make them, directly and in the end."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from knit.read.made import Lines, made


class Depends:
    """The dependencies between a script's names, read from its source without running it.

    Raises
    ------
    SyntaxError
        When the source is no Python.

    """

    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)
        found = made(self.tree)
        self._lines = found.lines
        self._imported = found.imported

    @cached_property
    def _loads(self) -> list[tuple[int, str]]:
        nodes = (node for node in ast.walk(self.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        return [(node.lineno, node.id) for node in nodes]

    def lines(self, name: str) -> list[Lines]:
        """Give the stretches of lines that make a name."""
        return self._lines.get(name, [])

    def origin(self, name: str) -> str | None:
        """Give the module that a name was imported from, if it was."""
        return self._imported[name].rpartition(".")[0] if name in self._imported else None

    def within(self, lines: range) -> set[str]:
        """Give the script's names that are read or made in some of its lines."""
        read = {name for line, name in self._loads if line in lines}
        made_here = {name for name, stretches in self._lines.items() if any(first in lines for first, _ in stretches)}
        return (read & self._lines.keys()) | made_here

    def direct(self, name: str) -> set[str]:
        """Give the script's names that are read in the lines that make a name."""
        stretches = self.lines(name)
        read = {other for line, other in self._loads if any(first <= line <= last for first, last in stretches)}
        return (read & self._lines.keys()) - {name}

    def all(self, name: str) -> set[str]:
        """Give everything that a name depends on in the end, itself included."""
        found, waiting = {name}, [name]
        while waiting:
            new = self.direct(waiting.pop()) - found
            found |= new
            waiting += new
        return found

    def making(self, name: str) -> Iterator[ast.expr | ast.stmt]:
        """Yield the parts of the script that a name depends on in the end."""
        stretches = [lines for each in self.all(name) for lines in self.lines(each)]
        for node in ast.walk(self.tree):
            if isinstance(node, ast.expr | ast.stmt) and any(first <= node.lineno <= last for first, last in stretches):
                yield node
