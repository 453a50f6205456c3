r"""Takes labels apart: ``$d_k$`` and ``$10^{-3}$`` have slanted letters, indices and exponents.

That is all the mathematics that labels have: SVG text has no roots or fractions, and what TeX has commands for has
a character of its own, so authors write ``λ``, ``√d`` and ``q·k`` rather than ``\lambda`` and ``\sqrt{d}``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from knit.run.figure_fault import NotDrawn

SMALL: Final = 0.72
"""The size of an index or exponent, in that of what it belongs to."""

SHIFTS: Final[Mapping[str, float]] = MappingProxyType({"_": -0.2, "^": 0.38})
"""How far an index or exponent is above the baseline, in ems."""

UPRIGHT: Final = frozenset({r"\mathdefault", r"\mathrm", r"\operatorname", r"\text"})
"""Commands whose argument is not slanted; matplotlib writes the first around the powers of a logarithmic axis."""

SIGNS: Final[Mapping[str, str]] = MappingProxyType({"-": "−", "*": "∗", r"\times": "×", r"\cdot": "·"})
TOKEN: Final = re.compile(r"\\[A-Za-z]+|\\.|.")


class Run(NamedTuple):
    """Characters that look the same: their size and rise in ems of the label, and whether they are slanted."""

    text: str
    size: float = 1.0
    rise: float = 0.0
    italic: bool = False


def runs(label: str, *, maths: bool) -> list[Run]:
    """Take a line of a label apart; where it has no maths, dollar signs stand for themselves.

    Raises
    ------
    NotDrawn
        If its maths is more than indices and exponents, or its braces do not match.

    """
    if not maths:
        return [Run(label)]
    found: list[Run] = []
    for number, part in enumerate(re.split(r"(?<!\\)\$", label)):
        if number % 2:
            reader = _Reader(label, TOKEN.findall(part))
            found += reader.rest(1.0, 0.0, italic=True)
            if reader.tokens:
                raise NotDrawn(f"the label {label!r} has a closing brace too many")
        else:
            found += [Run(part.replace(r"\$", "$"))] if part else []
    merged = found[:1]
    for run in found[1:]:
        if merged[-1][1:] == run[1:]:
            merged[-1] = run._replace(text=merged[-1].text + run.text)
        else:
            merged.append(run)
    return merged


class _Reader:
    """Reads the tokens between two dollar signs."""

    def __init__(self, label: str, tokens: list[str]) -> None:
        self.label = label
        self.tokens = tokens

    def rest(self, size: float, rise: float, *, italic: bool) -> list[Run]:
        """Read up to a closing brace or the end."""
        found: list[Run] = []
        while self.tokens and self.tokens[0] != "}":
            found += self.next(size, rise, italic=italic)
        return found

    def next(self, size: float, rise: float, *, italic: bool) -> list[Run]:
        """Read one token with what belongs to it."""
        if not self.tokens:
            raise NotDrawn(f"the label {self.label!r} ends where something should follow")
        first = self.tokens.pop(0)
        if first in SHIFTS:
            return self.next(size * SMALL, rise + SHIFTS[first] * size, italic=italic)
        if first in UPRIGHT:
            return self.next(size, rise, italic=False)
        if first == "{":
            found = self.rest(size, rise, italic=italic)
            if not self.tokens:
                raise NotDrawn(f"the label {self.label!r} has a brace that is not closed")
            self.tokens.pop(0)
            return found
        if first == " ":
            return []
        char = SIGNS.get(first, first)
        if char.startswith("\\") and char[1:].isalpha():
            raise NotDrawn(
                f"the label {self.label!r} has {char}, but labels know no TeX: write the sign itself (λ, √d)"
            )
        char = char.removeprefix("\\")
        slanted = italic and char.isalpha() and unicodedata.east_asian_width(char) not in "WF"
        return [Run(char, size, rise, slanted)]
