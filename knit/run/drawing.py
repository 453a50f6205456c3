"""Draws a script's figures: a function that is marked as one becomes the SVG of a page."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from string import ascii_letters, digits
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from knit import colours
from knit.claims import MARK, FigureMark
from knit.run.figure_fault import NotDrawn
from knit.run.figure_layout import Layout
from knit.run.figure_paint import PIXEL
from knit.run.figure_style import font_size, style
from knit.run.figure_text import close_fonts, prepare
from knit.run.svg import Canvas

Picker = Callable[..., str]


def draw(function: Callable[..., Any], language: str) -> str:
    """Draw a figure in one language.

    Parameters
    ----------
    function : callable
        Carries the mark of ``knit.figure``. Its first parameter gets the ``Axes`` (an array of them when
        the mark asks for several), or the ``Figure`` if it is called ``fig``; its second a picker of words.
    language : str
        The page's language, such as ``"zh"``.

    Returns
    -------
    str
        One ``<svg>`` element for use within a page: the same on every machine, the same for light and dark.

    Raises
    ------
    NotDrawn
        If it draws nothing, in a colour that is not the course's, or with a character no font has.
    Exception
        Whatever the function raises.

    """
    mark: FigureMark = getattr(function, MARK)
    with style(mark.width):
        figure = Figure(figsize=(mark.width, mark.height), dpi=72 * PIXEL, layout=Layout())
        renderer = Canvas(figure, font_size(mark.width)).renderer
        _call(function, mark, figure, picker(language))
        try:
            _drew_something(figure)
            for text in figure.findobj(Text):
                prepare(text)
            figure.draw(renderer)
        except (NotDrawn, UserWarning) as problem:
            raise NotDrawn(f"{function.__name__} ({language}): {problem}") from problem
    return renderer.svg()


def draw_once() -> None:
    """Draw a figure for nobody: what matplotlib does once a process is then done for every worker forked from it."""

    def curve(ax: Axes) -> None:
        ax.plot([0, 1, 2], [1, 2, 4], ".-", color=colours.QUERY, label=ascii_letters + digits)
        ax.set_ylabel("$x_1$", weight="bold")
        ax.legend()

    setattr(curve, MARK, FigureMark(6.0, 3.6, 1, 1))
    draw(curve, "")
    close_fonts()


def picker(language: str) -> Picker:
    """Make the function ``t(zh=..., en=...)`` that gives the words of one language."""

    def t(**words: str) -> str:
        if language not in words:
            raise ValueError(f"no words in {language!r} among {words}: write t({language}=..., ...)")
        return words[language]

    return t


def _call(function: Callable[..., Any], mark: FigureMark, figure: Figure, t: Picker) -> None:
    first, *others = inspect.signature(function).parameters or [""]
    if first == "fig":
        target: Figure | Axes | np.ndarray = figure
    elif first:
        target = figure.subplots(mark.rows, mark.columns)
    else:
        raise TypeError(f"{function.__name__}() takes no axes to draw on: write def {function.__name__}(ax, t)")
    function(target, *[t][: len(others)])


def _drew_something(figure: Figure) -> None:
    """Refuse a figure or a panel with nothing in it."""
    empty = [ax.axison and not _holds_something(ax) for ax in figure.axes]
    if all(empty) and not (figure.texts or figure.lines or figure.patches):
        raise NotDrawn("nothing is drawn, but for titles and labels" if figure.axes else "nothing is drawn")
    if any(empty):
        raise NotDrawn(f"nothing is drawn in panel {empty.index(True) + 1} of {len(empty)}, but for titles and labels")


def _holds_something(ax: Any) -> bool:  # noqa: ANN401 - matplotlib's types give insets a private class
    """Whether there is more on some axes than what stands around them; insets count with what is on them."""
    return bool(ax.has_data() or ax.texts or ax.artists or ax.tables) or any(map(_holds_something, ax.child_axes))
