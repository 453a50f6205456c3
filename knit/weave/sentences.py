"""Sentences with formulas that stand in no page's source: what the glossary says of a term, what a claim states."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape

from knit.weave import maths
from knit.weave.maths_symbols import coloured
from knit.weave.stops import OPENINGS, STOPS, together

FORMULA = re.compile(rf"(?P<before>{OPENINGS})?\$(?P<latex>[^$]+)\$(?P<stop>{STOPS})?")


def woven(sentence: str, symbols: Mapping[str, str]) -> str:
    """Give a sentence as HTML, the letters of its formulas coloured as in the rest of the course.

    Raises
    ------
    MathsError
        When a formula is wrong, or would be shown wrongly.

    """

    def formula(match: re.Match[str]) -> str:
        html = coloured(maths.render(unescape(match["latex"]), display=False), symbols)
        return together(match["before"] or "", html, match["stop"] or "")

    return FORMULA.sub(formula, escape(sentence, quote=False))


def plain(sentence: str) -> str:
    """Give a sentence where formulas cannot stand: in a tooltip, in the search, in a terminal.

    A wrong formula stays as it was typed: it is refused where the sentence is woven.
    """

    def formula(match: re.Match[str]) -> str:
        try:
            text = maths.plain(match["latex"])
        except maths.MathsError:
            text = match["latex"]
        return f"{match['before'] or ''}{text}{match['stop'] or ''}"

    return FORMULA.sub(formula, sentence)
