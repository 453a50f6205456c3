"""Shows a script's figure in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knit.notebook.standalone import standalone


class Drawing:
    """A figure in one language; a notebook shows what ``_repr_svg_`` gives."""

    def __init__(self, svg: str) -> None:
        self._svg = svg

    def _repr_svg_(self) -> str:
        return self._svg


def show(function: Callable[..., Any], language: str = "en") -> Drawing:
    """Draw a function that ``@figure`` marks, with its words in one language: the last line of a notebook's cell."""
    # Scripts import knit, and few of them draw on their own: matplotlib is heavy.
    from knit.run.drawing import draw  # noqa: PLC0415

    return Drawing(standalone(draw(function, language)))
