"""The sections of a script and the places of its names, read from its source without running it."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterator
from typing import NamedTuple

from knit.programs import digest_of

MARK = re.compile(r"^\s*#\s*-+8<-+")
SECTION = re.compile(r"^\s*#\s*-{1,}8<-{1,}\s*\[(start|end):\s*(?P<name>[\w-]+)\]\s*$")


NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What comes of reading a source that is no Python, or that is nested more deeply than can be read."""


class Binding(NamedTuple):
    """A module-level statement that binds a name: its number and line, its kind, and whether it is decorated.

    ``digest`` stands for what it says, where there is another to compare it with.
    """

    number: int
    line: int
    kind: type[ast.stmt]
    decorated: bool
    digest: str


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


def section_faults(source: str) -> Iterator[tuple[int, str]]:
    """Yield the marks of sections that do not pair: line, and what is wrong."""
    begun: dict[str, int] = {}
    ended: set[str] = set()
    for number, line in enumerate(source.splitlines(), 1):
        if not (marker := SECTION.match(line)):
            if MARK.match(line):
                yield number, "this marks no section: write # --8<-- [start:name] or # --8<-- [end:name]"
            continue
        name = marker["name"]
        if marker[1] == "start":
            if name in begun or name in ended:
                yield number, f"the section {name} begins twice: give the second another name"
            begun[name] = number
        elif name not in begun:
            yield number, f"the section {name} ends here and never began"
        else:
            inside = [other for other, start in begun.items() if start > begun[name]]
            if inside:
                yield number, f"the section {name} ends inside {inside[-1]}, which began in it: end that one first"
            if begun.pop(name) == number - 1:
                yield number, f"the section {name} holds nothing"
            ended.add(name)
    for name, number in begun.items():
        yield number, f"the section {name} never ends: write # --8<-- [end:{name}] behind it"


def places(tree: ast.Module) -> dict[str, int]:
    """Find the line where each module-level name was last given its value (functions: where defined)."""
    return {name: line for node in tree.body for name, line in bound(node)}


def bound(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the names that a module-level statement binds, each with its line."""
    waiting = [node]
    while waiting:
        match waiting.pop():
            case ast.FunctionDef(name=name, lineno=line) | ast.AsyncFunctionDef(name=name, lineno=line):
                yield name, line
            case ast.ClassDef(name=name, lineno=line):
                yield name, line
            case ast.Import(names=names, lineno=line) | ast.ImportFrom(names=names, lineno=line):
                yield from (((alias.asname or alias.name).partition(".")[0], line) for alias in names)
            case ast.Name(id=name, ctx=ast.Store(), lineno=line):
                yield name, line
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() as own:
                # Their names are their own, save what := binds in a comprehension.
                for child in ast.walk(own):
                    if isinstance(child, ast.NamedExpr):
                        yield child.target.id, child.target.lineno
            case other:
                waiting += reversed([*ast.iter_child_nodes(other)])


def bindings(tree: ast.Module) -> dict[str, list[Binding]]:
    """Find the module-level statements that bind each name, in order. Those that go on with a value are none."""
    found: dict[str, dict[int, ast.stmt]] = {}
    for number, statement in enumerate(tree.body):
        for name, _ in () if isinstance(statement, ast.AugAssign) else bound(statement):
            found.setdefault(name, {})[number] = statement
    return {
        name: [
            Binding(
                number,
                statement.lineno,
                type(statement),
                bool(getattr(statement, "decorator_list", [])),
                _said(statement) if len(statements) > 1 else "",
            )
            for number, statement in statements.items()
        ]
        for name, statements in found.items()
    }


def _said(statement: ast.stmt) -> str:
    """Give a digest of what a statement says; of one that is nested too deeply to be written, where it stands."""
    try:
        return digest_of(ast.dump(statement))
    except RecursionError:
        return f"line {statement.lineno}"


def names_read(source: str) -> set[str]:
    """Find the module-level names that a script's own code reads, and those that it imports."""
    table = symtable.symtable(source, "", "exec")
    found = {s.get_name() for s in table.get_symbols() if s.is_referenced() or s.is_imported()}
    tables = list(table.get_children())
    while tables:
        inner = tables.pop()
        tables += inner.get_children()
        found |= {s.get_name() for s in inner.get_symbols() if s.is_global() and s.is_referenced()}
    return found


def claim_places(tree: ast.Module) -> dict[str, int]:
    """Find the line of each ``@claim("NAME")`` in a script."""
    found: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                match decorator:
                    case ast.Call(func=ast.Name(id="claim"), args=[ast.Constant(value=str(name)), *_]):
                        found[name] = node.lineno
    return found
