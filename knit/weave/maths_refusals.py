"""What is refused in formulas besides what math-core refuses: what a page would show wrongly, or not at all."""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from itertools import accumulate
from types import MappingProxyType

from knit.weave.maths_glyphs import CHARACTERS

SHOWN = re.compile(r"<m[ino](?: [^>]*)?>([^<]+)<")
TAG = re.compile(r"<[^>]*[^>/]>")
TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|.", re.DOTALL)
ENVIRONMENT = re.compile(r"\s*\{([^{}]*)\}")
REFUSED = MappingProxyType(
    {
        "%": r"% begins a comment: write \%",
        r"\eqref": "formulas have no numbers to refer to",
        **dict.fromkeys([r"\cancel", r"\bcancel", r"\xcancel", r"\sout"], "browsers do not strike through"),
        **dict.fromkeys(
            [r"\color", r"\textcolor"],
            r"a fixed colour cannot suit both schemes: write \query, \key, \value or another of knit.colours",
        ),
    }
)
"""What math-core reads, but a page cannot show, by the reason."""

SPACES = " \t\r\n\u00a0"
NUMBERED = frozenset({"equation", "align", "gather", "multline", "alignat", "flalign"})

EXCERPT = 24
LONGEST, DEEPEST = 5_000, 50
"""More would not be read by anybody, and far more ends math-core's process."""


class MathsError(ValueError):
    """A formula that cannot be shown. Its message is one line: what is wrong, and where in the formula."""


def refuse_what_would_be_lost(source: str) -> None:
    """Refuse what math-core drops or misreads in silence."""
    if not source:
        raise MathsError("the formula is empty")
    if len(source) > LONGEST:
        raise MathsError(f"the formula is longer than {LONGEST} characters")
    depth = level = 0
    for match in TOKEN.finditer(source):
        piece, start, after = match[0], match.start(), source[match.end() :]
        if piece in REFUSED:
            raise error_at(REFUSED[piece], source, start)
        if not piece[-1].isprintable() and piece[-1] not in SPACES:
            raise error_at(f"a character that has no place in a formula (U+{ord(piece[-1]):04X})", source, start)
        level += (piece == "{") - (piece == "}")
        if level > DEEPEST:
            raise error_at(f"more than {DEEPEST} braces inside each other", source, start)
        depth += (piece == r"\begin") - (piece == r"\end")
        if piece == r"\begin" and (name := ENVIRONMENT.match(after)) and name[1] in NUMBERED:
            raise error_at(f"{name[1]} numbers its lines: write aligned", source, start)
        if piece == "\\\\" and not depth:
            raise error_at(r"\\ breaks lines only inside an environment such as aligned", source, start)
        if piece == "\\\\" and after.startswith("["):
            raise error_at(r"\\ takes no distance; before a bracket, leave a space", source, start)


def refuse_what_cannot_be_set(mathml: str) -> None:
    """Refuse characters that the font has not, and what is nested too deep."""
    for token in SHOWN.finditer(mathml):
        for character in unescape(token[1]):
            # What is as wide as a Chinese character comes from the page's own font.
            if character not in CHARACTERS and unicodedata.east_asian_width(character) not in "WF":
                raise MathsError(f"the mathematical font has no {character} (U+{ord(character):04X})")
    depths = accumulate(1 if tag[0][1] != "/" else -1 for tag in TAG.finditer(mathml))
    if max(depths) > 2 * DEEPEST:
        raise MathsError(f"the formula is nested more than {2 * DEEPEST} deep")


def error_at(message: str, source: str, position: int) -> MathsError:
    """Give the error that names a place in a formula."""
    rest = " ".join(source[position:].split())
    shortened = rest if len(rest) <= EXCERPT else rest[:EXCERPT] + "…"
    end = f"at the end of {' '.join(source.split())[-EXCERPT:]}"
    line = f"{message[:1].lower()}{message[1:]}, {f'at character {position + 1}: {shortened}' if rest else end}"
    return MathsError("".join(character if character.isprintable() else "�" for character in line))
