"""An extension of Griffe: what stands behind ``array`` in docstrings is a shape, where others have a type.

A name of an axis, as in ``array(heads, n, d)``, is no link to a module of the same name; ``array(n,)`` keeps its comma.
Of several arguments on one line, each has its own default; Griffe gives all of them the first one's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import griffe


class Axes(griffe.Extension):
    """Takes from a module's name in a docstring's types where it would be looked up; keeps commas and defaults."""

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **kwargs: Any) -> None:  # noqa: ANN401
        """Look at the docstrings of a package that is loaded."""
        del loader, kwargs
        for each in _with_docstrings(pkg):
            _own_defaults(each)
            for shape in _shapes(each):
                for name in shape.iterate():
                    if isinstance(name, griffe.ExprName) and name.parent is not None and _is_module(name, pkg):
                        name.parent = None
                if isinstance(shape, griffe.ExprCall) and len(shape.arguments) == 1:
                    shape.arguments = [griffe.ExprTuple(shape.arguments, implicit=True)]


def _with_docstrings(inside: griffe.Object) -> Iterator[griffe.Object]:
    if inside.docstring is not None:
        yield inside
    for member in inside.members.values():
        if isinstance(member, griffe.Object):  # and not the alias of one, which is met where it stands
            yield from _with_docstrings(member)


def _items(documented: griffe.Object) -> Iterator[Any]:
    assert documented.docstring is not None  # noqa: S101 - asked for above
    for section in documented.docstring.parsed:
        yield from section.value if isinstance(section.value, list) else ()


def _own_defaults(documented: griffe.Object) -> None:
    if not isinstance(documented, griffe.Function | griffe.Class):
        return
    for item in _items(documented):
        if isinstance(item, griffe.DocstringParameter) and item.name in documented.parameters:
            item.value = documented.parameters[item.name].default


def _shapes(documented: griffe.Object) -> Iterator[griffe.Expr]:
    found = (getattr(item, "annotation", None) for item in _items(documented))
    # Several arguments on one line share theirs, which is to be met once.
    yield from {id(shape): shape for shape in found if isinstance(shape, griffe.Expr)}.values()


def _is_module(name: griffe.ExprName, package: griffe.Module) -> bool:
    inside = f"{package.path}."
    path = name.canonical_path
    if not path.startswith(inside):
        return False
    try:
        return bool(package[path.removeprefix(inside)].is_module)
    except (KeyError, griffe.AliasResolutionError):
        return False
