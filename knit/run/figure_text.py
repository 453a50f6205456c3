"""Labels of figures: what they look like in SVG and how wide they are, whatever fonts this machine has.

Text stays text and is drawn in the reader's own fonts. The layout needs a width all the same: that of DejaVu
Sans, which matplotlib brings along and which is wider than the fonts that phones and computers have, and
one em for every Chinese character, as in every Chinese font.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import matplotlib as mpl
from matplotlib.ft2font import FT2Font, LoadFlags

ASCENT, DESCENT = 0.82, 0.2
"""The height of a line above and below its baseline, in ems."""

SMALL = 0.72
"""The size of an index or exponent, in its label's."""

SUBSCRIPT, SUPERSCRIPT = -0.2, 0.38
"""How far an index or exponent is from its label's baseline, in ems."""

UPRIGHT = {r"\mathdefault", r"\mathrm"}
SIGNS = {r"\times": "×", r"\cdot": "·", "-": "−", "*": "∗"}
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.")
WIDE_LETTERS = {"Lo", "Lm", "Nl", "Po", "Ps", "Pe", "Pd", "Sm", "Sc", "Nd", "Lu", "Ll", "Zs"}
"""Unicode categories of the wide characters that a Chinese font has; emoji (So) are not among them."""


class NotDrawn(ValueError):  # noqa: N818 - reads as what happened
    """A figure that cannot be shown as it was drawn, and what to do about it."""


class Run(NamedTuple):
    """Characters of a label that look the same: their size and rise in ems of the label, and their slant."""

    text: str
    size: float = 1.0
    rise: float = 0.0
    italic: bool = False


def runs(label: str, *, maths: bool) -> list[Run]:
    r"""Take a line of a label apart.

    Between dollar signs letters are slanted, ``_`` and ``^`` (with braces for more than one character) make
    indices and exponents. All else is written as itself: λ and √d rather than ``\lambda`` and ``\sqrt``.
    """
    if not maths:
        return [Run(label)]
    found: list[Run] = []
    for number, part in enumerate(re.split(r"(?<!\\)\$", label)):
        if number % 2:
            tokens = TOKEN.findall(part)
            found += _maths(tokens, label)
            if tokens:
                raise NotDrawn(f"the label {label!r} has a brace too many")
        elif part:
            found.append(Run(part.replace(r"\$", "$")))
    return _merged(found)


def width(label: str, *, maths: bool, bold: bool = False) -> float:
    """Give the width of a line of a label, in ems."""
    return sum(run.size * sum(_advance(char, bold, label) for char in run.text) for run in runs(label, maths=maths))


def markup(label: str, size: float, *, maths: bool) -> str:
    """Give the content of a ``<text>`` element of this size in pixels."""
    pieces = runs(label, maths=maths)
    if all(run == Run(run.text) for run in pieces):
        return escape("".join(run.text for run in pieces))
    parts, rise = [], 0.0
    for run in pieces:
        attributes = f' dy="{_short((rise - run.rise) * size)}"' if run.rise != rise else ""
        attributes += f' font-size="{_short(run.size * size)}"' if run.size != 1 else ""
        attributes += ' font-style="italic"' if run.italic else ""
        text = escape(run.text)
        parts.append(f"<tspan{attributes}>{text}</tspan>" if attributes else text)
        rise = run.rise
    return "".join(parts)


def _maths(tokens: list[str], label: str, size: float = 1.0, rise: float = 0.0, *, italic: bool = True) -> list[Run]:
    """Read tokens up to a closing brace or their end."""
    found: list[Run] = []
    while tokens and tokens[0] != "}":
        token = tokens.pop(0)
        if token in "_^":
            shift = SUBSCRIPT if token == "_" else SUPERSCRIPT
            found += _argument(tokens, label, size * SMALL, rise + shift * size, italic=italic)
        elif token in UPRIGHT:
            found += _argument(tokens, label, size, rise, italic=False)
        elif token == "{":
            tokens.insert(0, token)
            found += _argument(tokens, label, size, rise, italic=italic)
        elif token.startswith("\\") and token[1:].isalpha() and token not in SIGNS:
            raise NotDrawn(f"the label {label!r} has {token}: write the character itself, such as λ or √d (no TeX)")
        elif token != " ":
            char = SIGNS.get(token, token.removeprefix("\\"))
            found.append(Run(char, size, rise, italic and char.isalpha() and not _wide(char)))
    return found


def _argument(tokens: list[str], label: str, size: float, rise: float, *, italic: bool) -> list[Run]:
    """Read one token, or what is within braces."""
    if not tokens:
        raise NotDrawn(f"the label {label!r} ends where an index or exponent should follow")
    if tokens[0] != "{":
        first = [tokens.pop(0)]
        return _maths(first, label, size, rise, italic=italic)
    tokens.pop(0)
    found = _maths(tokens, label, size, rise, italic=italic)
    if not tokens:
        raise NotDrawn(f"the label {label!r} has a brace that is not closed")
    tokens.pop(0)
    return found


def _merged(found: list[Run]) -> list[Run]:
    merged: list[Run] = []
    for run in found:
        if merged and merged[-1][1:] == run[1:]:
            merged[-1] = run._replace(text=merged[-1].text + run.text)
        else:
            merged.append(run)
    return merged


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF" and unicodedata.category(char) in WIDE_LETTERS


def _advance(char: str, bold: bool, label: str) -> float:  # noqa: FBT001 - private
    if _wide(char):
        return 1.0
    font = _font("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")
    if not font.get_char_index(ord(char)):
        name = unicodedata.name(char, "no character")
        raise NotDrawn(f"missing glyph: no usual font has {char!r} (U+{ord(char):04X}, {name}) of the label {label!r}")
    return _advances(font, char)


@cache
def _font(name: str) -> FT2Font:
    return FT2Font(str(Path(mpl.get_data_path()) / "fonts" / "ttf" / name))


@cache
def _advances(font: FT2Font, char: str) -> float:
    return float(font.load_char(ord(char), flags=LoadFlags.NO_SCALE).horiAdvance / font.units_per_EM)
