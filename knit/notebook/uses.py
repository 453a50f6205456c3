"""What a function of a script uses of the script's other names, found without running it."""

from __future__ import annotations

import ast
import dis
from collections.abc import Callable, Iterator
from types import CodeType

from knit.project import Source


def span(node: ast.stmt) -> range:
    """Give the lines of a statement, decorators included."""
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    return range(first, (node.end_lineno or first) + 1)


def is_report(node: ast.stmt) -> bool:
    """Whether a statement is ``if __name__ == "__main__"``, which only a script has use for."""
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
    return False


def used(name: str, source: Source, ends: Callable[[str], bool]) -> list[str]:
    """Give the module-level names that a function uses, and the functions among them use, in the script's order.

    Parameters
    ----------
    name : str
        The function's; it is among the names.
    source : Source
        The script.
    ends : callable
        Says whether a function is not looked into.

    """
    functions = {node.name: node for node in source.tree.body if isinstance(node, ast.FunctionDef)}
    found: set[str] = set()
    ahead = [name]
    while ahead:
        one = ahead.pop()
        if one not in source.places or one in found:
            continue
        found.add(one)
        if one in functions and not ends(one):
            ahead += _looked_up(compile(ast.Module([functions[one]], []), source.path, "exec", dont_inherit=True))
    return sorted(found, key=lambda each: source.places[each])


def _looked_up(made: CodeType) -> Iterator[str]:
    """Yield the names that code looks up outside itself."""
    for step in dis.get_instructions(made):
        if step.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
            yield str(step.argval)
    for inner in made.co_consts:
        if isinstance(inner, CodeType):
            yield from _looked_up(inner)
