"""Brings along, within a file that is downloaded, the scripts that its own script imports."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache

from knit.project import Source
from knit.weave.fences import own_comments

REMEMBERED = 1000
"""A served site is built again and again."""


def imported(source: Source, beside: Mapping[str, Source]) -> dict[str, Source]:
    """Find the scripts that a script imports, and what these import: by name, each after what it imports itself.

    ``beside`` are all scripts by name.
    """
    found: dict[str, Source] = {}

    def follow(one: Source) -> None:
        if one.words.isdisjoint(beside):
            return  # it names none: no need to read its syntax
        for name in _imports(one):
            if name in beside and name not in found and beside[name] is not source:
                follow(beside[name])
                found[name] = beside[name]

    follow(source)
    return found


def embedded(name: str, source: Source, language: str, languages: tuple[str, ...]) -> str:
    """Write the call of `module` that brings a script along, with the comments of one language."""
    text = "\n".join(own_comments(source.text.splitlines(), language, languages))
    literal = text.replace("\\", "\\\\").replace("'''", "\\'\\'\\'")
    return f"module(\"{name}\", '''\\\n{literal}\n''')"


def whole(source: Source, beside: Mapping[str, Source], language: str, languages: tuple[str, ...]) -> str:
    """Write a script that needs nothing but the installed packages, with the comments of one language."""
    lines = list(own_comments(source.text.splitlines(), language, languages))
    parts = [embedded(name, other, language, languages) for name, other in imported(source, beside).items()]
    if parts:
        before = source.text.splitlines()[: _first_import(source.tree)]
        at = len(list(own_comments(before, language, languages)))
        lines[at:at] = ["from knit import module", "", *"\n\n".join(parts).split("\n"), ""]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=REMEMBERED)
def _imports(source: Source) -> tuple[str, ...]:
    """Give the modules that a script imports."""
    found: list[str] = []
    for node in ast.walk(source.tree):
        match node:
            case ast.Import(names=names):
                found += (alias.name for alias in names)
            case ast.ImportFrom(module=str(name), level=0):
                found.append(name)
    return tuple(found)


def _first_import(tree: ast.Module) -> int:
    """Give the number of lines before what may come after the docstring and imports from ``__future__``."""
    for node in tree.body:
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom(module="__future__"):
                continue
        return node.lineno - 1
    return 0
