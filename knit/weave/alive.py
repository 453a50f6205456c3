"""Interactive pieces: a figure that comes alive, in an element that holds the numbers it starts from.

``![alt](fig:ranking_flips){ piece=ranking from=drag }`` weaves the figure and, around it, a ``knit-piece``. Without
script readers see the figure. With it, ``assets/js/pieces/ranking.js`` takes its place, and starts from the value
``drag`` of the page's script.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from knit.problem import Refused
from knit.weave.names import guess

if TYPE_CHECKING:
    from knit.weave.weaver import Weaver

MODULES = PurePosixPath("assets/js/pieces")
"""Where the pieces' modules are, from the pages' folder; ``kit`` below it is what they share."""

DIGITS = 6
"""Significant digits by which published starting values are compared."""

NOISE = 1e-12
"""Below this a starting value is the rounding of zero, which each machine rounds its own way."""


def alive(weaver: Weaver, name: str, given: str, figure: str) -> str:
    """Give the HTML of a figure that comes alive as a piece.

    Parameters
    ----------
    weaver : Weaver
        The page's.
    name : str
        The piece's name, which is its module's.
    given : str
        Reference to the value that it starts from.
    figure : str
        The HTML of the figure, which stays for readers without script and on paper.

    Raises
    ------
    Refused
        When there is no such piece or value, or the attributes could not be read.

    """
    if not name:
        raise Refused("write { piece=NAME from=VALUE } behind a figure, with one space inside each brace")
    layout = weaver.course.layout
    modules = {path.stem for path in (layout.root / layout.docs / MODULES).glob("*.js")}
    if name not in modules:
        raise Refused(f"there is no piece {layout.docs / MODULES / name}.js{guess(name, modules)}")
    found = weaver.names.value(given)
    start = own_words(found.value, weaver.page.language)
    try:
        exact = escape(_compact(start), quote=False).replace("'", "&#39;")
    except ValueError:
        raise Refused(f"{found.name} has an infinity or NaN in it", found.script, found.line) from None
    weaver.publish(found.script, "values", f"{found.name}:piece", _compact(_rounded(start)), start)
    anchor = found.name.replace(".", "-")
    return f'<knit-piece id="piece-{anchor}" name="{name}" from=\'{exact}\'>{figure}</knit-piece>'


def own_words(value: Any, language: str) -> Any:  # noqa: ANN401 - plain data
    """Put each text in several languages in the page's."""
    match value:
        case dict() if language in value and all(isinstance(text, str) for text in value.values()):
            return value[language]
        case dict():
            return {key: own_words(item, language) for key, item in value.items()}
        case list():
            return [own_words(item, language) for item in value]
    return value


def _rounded(value: Any) -> Any:  # noqa: ANN401 - plain data
    match value:
        case float():
            return float(f"{value:.{DIGITS}g}") if abs(value) > NOISE else 0.0
        case dict():
            return {key: _rounded(item) for key, item in value.items()}
        case list():
            return [_rounded(item) for item in value]
    return value


def _compact(value: Any) -> str:  # noqa: ANN401 - plain data
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
