r"""Formulas: LaTeX becomes MathML when the site is built; a page needs no script, and a bad formula fails the build.

The conversion is math-core's. It refuses what it cannot read; what it would drop or show wrongly in silence
is refused here. Besides LaTeX, the colours of `knit.colours` are commands: ``\query{q}`` is a q in the
colour of queries, in the light scheme and in the dark.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from types import MappingProxyType
from xml.etree import ElementTree as ET

import math_core

from knit import colours
from knit.weave.maths_refusals import MathsError, error_at, refuse_what_cannot_be_set, refuse_what_would_be_lost
from knit.weave.maths_text import written

__all__ = ["COLOURS", "MathsError", "plain", "render"]

LENT = MappingProxyType(
    {
        colours.MUTED: ("Apricot", "#FFB882"),
        colours.QUERY: ("Bittersweet", "#D04C17"),
        colours.KEY: ("Cerulean", "#00ADE7"),
        colours.VALUE: ("Dandelion", "#FFB94C"),
        colours.SCORE: ("Emerald", "#00B1A0"),
        colours.WEIGHT: ("Fuchsia", "#833794"),
        colours.GOOD: ("Goldenrod", "#FFDB57"),
        colours.BAD: ("Lavender", "#FDA0CC"),
    }
)
"""The colour of LaTeX's xcolor, with its value, that passes through math-core in place of one of ours."""

COLOURS = MappingProxyType({colours.VARIABLES[ours].removeprefix("--knit-"): name for ours, (name, _) in LENT.items()})
VARIABLES = MappingProxyType({value: colours.VARIABLES[ours] for ours, (_, value) in LENT.items()})

CONVERTER = math_core.LatexToMathML(
    fancy_error=False, macros={ours: rf"\textcolor{{{name}}}{{#1}}" for ours, name in COLOURS.items()}
)

EXCHANGED = MappingProxyType(
    {
        # A name that is HTML's and not XML's.
        "&ApplyFunction;": "\u2061",
        # Browsers know no menclose; the only kind that comes through is the box.
        '<menclose notation="box">': '<mrow class="knit-boxed">',
        "</menclose>": "</mrow>",
        # Browsers set a combining arrow beside the letter unless it may grow to the letter's width.
        '<mo stretchy="false">\u20d7': '<mo stretchy="true">\u20d7',
    }
)
"""What math-core writes, and what is written instead."""

STRUT = '<mspace height=".66em"></mspace>'
"""As high as a digit, in each root: browsers hang the root's sign at its bar, far below a low letter such as r."""

COMMANDS = MappingProxyType({"⊤": r"\top ", "⊥": r"\bot ", "∅": r"\emptyset "})
"""Characters for which math-core wants the command."""
TEXT = re.compile(r"(\\text[a-z]*\s*\{[^{}]*\})")

REMEMBERED = 10_000
"""The languages share their formulas, and a served site is built again and again."""


@lru_cache(maxsize=REMEMBERED)
def render(latex: str, *, display: bool) -> str:
    """Turn a formula into HTML.

    Parameters
    ----------
    latex : str
        The formula without its dollars.
    display : bool
        Whether it stands on a line of its own.

    Returns
    -------
    str
        A ``math`` element in a ``span`` that scrolls when the formula is wider than the page. The element's
        ``alttext`` keeps the LaTeX.

    Raises
    ------
    MathsError
        When the formula is wrong, or would be shown wrongly.

    """
    source = latex.strip()
    mathml = _mathml(source, display=display)
    kind = "knit-maths knit-maths-display" if display else "knit-maths"
    opening = f'<span class="{kind}"><math alttext="{escape(" ".join(source.split()))}"'
    return mathml.replace("<math", opening, 1).replace("<msqrt>", f"<msqrt>{STRUT}") + "</span>"


@lru_cache(maxsize=REMEMBERED)
def plain(latex: str) -> str:
    r"""Write a formula as text, for tables of contents, page titles, alternative texts and search.

    ``\sqrt{d_k}`` becomes ``√dₖ`` and ``QK^\top`` becomes ``QKᵀ``.

    Raises
    ------
    MathsError
        For the formulas that `render` refuses, and for no other.

    """
    return written(ET.fromstring(_mathml(latex.strip(), display=False)))  # noqa: S314 - made here


def _mathml(source: str, *, display: bool) -> str:
    refuse_what_would_be_lost(source)
    try:
        mathml = CONVERTER.convert_with_local_state(_with_commands(source), displaystyle=display)
    except math_core.LatexError as error:
        position, _, message = str(error).partition(": ")
        raise error_at(message.rstrip("."), source, _place(int(position), source)) from None
    for value, variable in VARIABLES.items():
        mathml = mathml.replace(f"color:{value};", f"color:var({variable})")
    for theirs, ours in EXCHANGED.items():
        mathml = mathml.replace(theirs, ours)
    refuse_what_cannot_be_set(mathml)
    return mathml


def _with_commands(source: str) -> str:
    # Odd parts are texts, where every character may stand for itself.
    parts = TEXT.split(source)
    parts[::2] = [re.sub("|".join(COMMANDS), lambda match: COMMANDS[match[0]], part) for part in parts[::2]]
    return "".join(parts)


def _place(position: int, source: str) -> int:
    """Give the place in the source of a position in what math-core read."""
    return next(i for i in range(len(source) + 1) if i == len(source) or len(_with_commands(source[:i])) >= position)
