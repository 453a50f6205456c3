"""The sections of a script and the places of its names, read from its source without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

SECTION = re.compile(r"^\s*#\s*-{1,}8<-{1,}\s*\[(start|end):\s*(?P<name>[\w-]+)\]\s*$")


def sections(source: str) -> dict[str, range]:
    """Find the sections that ``# --8<-- [start:name]`` and ``[end:name]`` mark: name to lines between them."""
    found: dict[str, range] = {}
    open_at: dict[str, int] = {}
    for number, line in enumerate(source.splitlines(), 1):
        if marker := SECTION.match(line):
            name = marker["name"]
            if marker[1] == "start":
                open_at[name] = number + 1
            elif name in open_at:
                found[name] = range(open_at.pop(name), number)
    return found


def places(source: str) -> dict[str, int]:
    """Find the line where each module-level name was last given its value (functions: where defined)."""
    return {name: line for node in ast.parse(source).body for name, line in _bindings(node)}


def _bindings(node: ast.stmt) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name, node.lineno
        return
    if isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield (alias.asname or alias.name).partition(".")[0], node.lineno
        return
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id, child.lineno


def claim_places(source: str) -> dict[str, int]:
    """Find the line of each ``@claim("NAME")`` in a script."""
    found: dict[str, int] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                match decorator:
                    case ast.Call(func=ast.Name(id="claim"), args=[ast.Constant(value=str(name)), *_]):
                        found[name] = node.lineno
    return found
