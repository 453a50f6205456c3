r"""Formulas: LaTeX becomes MathML when the site is built; a page needs no script, and a bad formula fails the build.

The conversion is math-core's. It refuses what it cannot read; what it would drop or show wrongly in silence
is refused here. Besides LaTeX, the colours of `knit.colours` are commands: ``\query{q}`` is a q in the
colour of queries, in the light scheme and in the dark.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import escape, unescape
from types import MappingProxyType
from xml.etree import ElementTree as ET

import math_core

from knit import colours
from knit.weave.maths_glyphs import CHARACTERS
from knit.weave.maths_text import written

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

SHOWN = re.compile(r"<m[ino](?: [^>]*)?>([^<]+)<")
TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|.", re.DOTALL)
ENVIRONMENT = re.compile(r"\s*\{([^{}]*)\}")
REFUSED = MappingProxyType(
    {
        "%": r"% begins a comment: write \%",
        r"\eqref": "formulas have no numbers to refer to",
        **dict.fromkeys([r"\cancel", r"\bcancel", r"\xcancel", r"\sout"], "browsers do not strike through"),
        **dict.fromkeys(
            [r"\color", r"\textcolor"],
            "a fixed colour cannot suit both schemes: write " + ", ".join(f"\\{name}" for name in COLOURS),
        ),
    }
)
"""What math-core reads, but a page cannot show, by the reason."""

SPACES = " \t\r\n\u00a0"
NUMBERED = frozenset({"equation", "align", "gather", "multline", "alignat", "flalign"})

COMMANDS = MappingProxyType({"⊤": r"\top ", "⊥": r"\bot ", "∅": r"\emptyset "})
"""Characters for which math-core wants the command."""
TEXT = re.compile(r"(\\text[a-z]*\s*\{[^{}]*\})")

EXCERPT = 24

REMEMBERED = 10_000
"""The languages share their formulas, and a served site is built again and again."""


class MathsError(ValueError):
    """A formula that cannot be shown. Its message is one line: what is wrong, and where in the formula."""


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
    return mathml.replace("<math", opening, 1) + "</span>"


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
    _refuse_what_would_be_lost(source)
    try:
        mathml = CONVERTER.convert_with_local_state(_with_commands(source), displaystyle=display)
    except math_core.LatexError as error:
        position, _, message = str(error).partition(": ")
        raise _error(message.rstrip("."), source, _place(int(position), source)) from None
    for value, variable in VARIABLES.items():
        mathml = mathml.replace(f"color:{value};", f"color:var({variable})")
    for theirs, ours in EXCHANGED.items():
        mathml = mathml.replace(theirs, ours)
    for token in SHOWN.finditer(mathml):
        for character in unescape(token[1]):
            # What is as wide as a Chinese character comes from the page's own font.
            if character not in CHARACTERS and unicodedata.east_asian_width(character) not in "WF":
                raise MathsError(f"the mathematical font has no {character} (U+{ord(character):04X})")
    return mathml


def _with_commands(source: str) -> str:
    # Odd parts are texts, where every character may stand for itself.
    parts = TEXT.split(source)
    parts[::2] = [re.sub("|".join(COMMANDS), lambda match: COMMANDS[match[0]], part) for part in parts[::2]]
    return "".join(parts)


def _place(position: int, source: str) -> int:
    """Give the place in the source of a position in what math-core read."""
    return next(i for i in range(len(source) + 1) if i == len(source) or len(_with_commands(source[:i])) >= position)


def _refuse_what_would_be_lost(source: str) -> None:
    """Refuse what math-core drops or misreads in silence."""
    if not source:
        raise MathsError("the formula is empty")
    depth = 0
    for match in TOKEN.finditer(source):
        piece, start, after = match[0], match.start(), source[match.end() :]
        if piece in REFUSED:
            raise _error(REFUSED[piece], source, start)
        if not piece[-1].isprintable() and piece[-1] not in SPACES:
            raise _error(f"a character that has no place in a formula (U+{ord(piece[-1]):04X})", source, start)
        depth += (piece == r"\begin") - (piece == r"\end")
        if piece == r"\begin" and (name := ENVIRONMENT.match(after)) and name[1] in NUMBERED:
            raise _error(f"{name[1]} numbers its lines: write aligned", source, start)
        if piece == "\\\\" and not depth:
            raise _error(r"\\ breaks lines only inside an environment such as aligned", source, start)
        if piece == "\\\\" and after.startswith("["):
            raise _error(r"\\ takes no distance; before a bracket, leave a space", source, start)


def _error(message: str, source: str, position: int) -> MathsError:
    rest = " ".join(source[position:].split())
    shortened = rest if len(rest) <= EXCERPT else rest[:EXCERPT] + "…"
    end = f"at the end of {' '.join(source.split())[-EXCERPT:]}"
    line = f"{message[:1].lower()}{message[1:]}, {f'at character {position + 1}: {shortened}' if rest else end}"
    return MathsError("".join(character if character.isprintable() else "�" for character in line))
