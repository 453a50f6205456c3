"""A script's outline: the lines of its statements and what its functions look up, held without its syntax."""

from __future__ import annotations

import ast
import dis
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CodeType

from knit.read.script import NO_PYTHON


@dataclass(frozen=True)
class Function:
    """A module-level function: its lines, decorators included, and the names that it looks up outside itself."""

    lines: range
    names: tuple[str, ...]


@dataclass(frozen=True)
class Outline:
    """The outline of one script.

    ``begin`` is the line after its docstring, ``statements`` are the lines of each statement, ``report`` is where
    ``if __name__ == "__main__"`` stands, which only a script has use for.
    """

    begin: int
    statements: tuple[range, ...]
    functions: Mapping[str, Function]
    report: int | None


def outline(tree: ast.Module) -> Outline:
    """Read the outline off a script's syntax tree."""
    begin = 1
    match tree.body[:1]:
        case [ast.Expr(value=ast.Constant(), end_lineno=int(end))]:
            begin = end + 1
    functions = {
        node.name: Function(_lines(node), tuple(_names(node)))
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    report = next((node.lineno for node in tree.body if _is_report(node)), None)
    return Outline(begin, tuple(map(_lines, tree.body)), functions, report)


def _lines(node: ast.stmt) -> range:
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    return range(first, (node.end_lineno or first) + 1)


def _is_report(node: ast.stmt) -> bool:
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
    return False


def _names(function: ast.FunctionDef) -> Iterator[str]:
    try:
        made = compile(ast.Module([function], []), "", "exec", dont_inherit=True)
    except NO_PYTHON:  # which running the script tells
        return
    yield from dict.fromkeys(_looked_up(made))


def _looked_up(made: CodeType) -> Iterator[str]:
    """Yield the names that code looks up outside itself."""
    for step in dis.get_instructions(made):
        if step.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
            yield str(step.argval)
    for inner in made.co_consts:
        if isinstance(inner, CodeType):
            yield from _looked_up(inner)
