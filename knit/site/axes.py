"""An extension of Griffe: a name of an axis, as in ``array(heads, n, d)``, is no link to a module of the same name.

Docstrings give shapes where others give types, and what looks like a reference is taken for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import griffe


class Axes(griffe.Extension):
    """Takes from each name in a docstring's types that is a module's the place where it would be looked up."""

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **kwargs: Any) -> None:  # noqa: ANN401
        """Look at the docstrings of a package that is loaded."""
        del loader, kwargs
        for each in _with_docstrings(pkg):
            for name in _names(each):
                if name.parent is not None and _is_module(name, pkg):
                    name.parent = None


def _with_docstrings(inside: griffe.Object) -> Iterator[griffe.Object]:
    if inside.docstring is not None:
        yield inside
    for member in inside.members.values():
        if isinstance(member, griffe.Object):  # and not the alias of one, which is met where it stands
            yield from _with_docstrings(member)


def _names(documented: griffe.Object) -> Iterator[griffe.ExprName]:
    assert documented.docstring is not None  # noqa: S101 - asked for above
    for section in documented.docstring.parsed:
        for item in section.value if isinstance(section.value, list) else ():
            annotation = getattr(item, "annotation", None)
            if isinstance(annotation, griffe.Expr):
                yield from (part for part in annotation.iterate() if isinstance(part, griffe.ExprName))


def _is_module(name: griffe.ExprName, package: griffe.Module) -> bool:
    inside = f"{package.path}."
    path = name.canonical_path
    if not path.startswith(inside):
        return False
    try:
        return bool(package[path.removeprefix(inside)].is_module)
    except (KeyError, griffe.AliasResolutionError):
        return False
