"""Finds the numbers that an author typed: the numerals of a page that are neither woven nor structural.

Structural are the numbers of lists, sections and labels (L3, P1.a, §2), small shapes and axes (2×2,
d = 2), indices and exponents, and in formulas the constants 0, 1 and 2 of algebra. Marked as premises are those
in ``[…]{.premise}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knit.read.page import Page
from knit.read.pieces import BadReference, ClaimLink, CodeSpan, Fence, Formula, Image, Piece, Value

NUMERAL = re.compile(
    r"(?<![A-Za-z\d_.])(?:[-−])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE]-?\d+)?[½⅓⅔¼¾⅕⅛]?\s?%?|[½⅓⅔¼¾⅕⅛]"
)
WORDLESS = frozenset({"", "text", ".text"})
"""Info words of fences that hold no language's code: a typed one looks like what a script printed."""

NOT_PROSE = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"\[[^\[\]]*\]\{[^{}]*\.premise[^{}]*\}",  # marked by the author
        r"(?<=\])\([^()\s]+",  # where links lead
        r"\{[:#.][^{}]*\}",  # attributes
        r"</?[A-Za-z][^<>]*>",  # tags of raw HTML
        r"<?https?://\S+",
        r"^\[(?!\^)[^\]]+\]:.*$",  # link definitions
        r"\[\^[^\]]+\]",  # marks of footnotes
        r"^[ \t]*-+8<-+.*$",  # code outside a fence, which is told
        r"^[ \t>]*(?:///|!!!|\?\?\?\+?)[ \t]*[\w | -]*",  # blocks, admonitions: their words, not their titles
        r"^[ \t>]*\d+[.)](?=[ \t])",  # numbers of lists
        r"^#{1,6}[ \t]+\d+(?:\.\d+)*[.、:：]",  # numbers of headings
    )
]
STRUCTURAL = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"§§?\s*\d+(?:\.\d+)*(?:\s*[–-]\s*\d+(?:\.\d+)*)?",
        r"第\s*\d+(?:\.\d+)*(?:\s*[到至、–-]\s*(?:第\s*)?\d+(?:\.\d+)*(?=\s*[节条行列课步]))?",
        r"\b(?:lessons?|sections?|exercises?|steps?|figures?|tables?|rows?|columns?|days?|appendix)\s+\d+(?:\.\d+)*",
        r"(?:练习|图|表|步骤|附录)\s*\d+(?:\.\d+)*",
        r"\b\d\s*[×x]\s*\d\b",
        r"\b[a-z](?:_\w+)?\s*[=>≥<≤]\s*\d\b(?!\.\d)",
        r"[A-Za-z]-\d+\b",
    )
]
IN_FORMULAS = [
    re.compile(pattern)
    for pattern in (
        r"[_^]\s*-?\d\b",
        r"[_^]\s*\{[^{}]*\}",
        r"\\\\\s*\[[^\]]*\]",
        r"\\[hv]space\*?\{[^{}]*\}",
        r"\\begin\{array\}\{[^{}]*\}",
        r"(?<![\d.,])[012](?![\d.,]|\{,\})",
        r"\d\s*\\times\s*\d(?![\d.])",
        r"(?<=[dn=])\s*=\s*\d(?![\d.,])",
    )
]


@dataclass(frozen=True)
class Typed:
    """A number that the author typed: its offset in the page's text and how it is written."""

    start: int
    text: str


def typed(page: Page) -> Iterator[Typed]:
    """Yield the numbers of a page that are neither woven, nor structural, nor marked as premises."""
    # Compiling these takes longer than a build without news spends on all of a course's pages.
    from knit.read.number_words import CHINESE, ENGLISH  # noqa: PLC0415

    mask = list(page.text)
    formulas: list[tuple[int, int]] = []
    for piece in page.pieces:
        _hide(page, piece, mask, formulas)
    prose = "".join(mask)
    for start, end in formulas:
        formula = prose[start:end]
        for pattern in IN_FORMULAS:
            formula = pattern.sub(_blank, formula)
        prose = prose[:start] + formula + prose[end:]
    for pattern in NOT_PROSE + STRUCTURAL:
        prose = pattern.sub(_blank, prose)
    for pattern in (NUMERAL, CHINESE, ENGLISH):
        for match in pattern.finditer(prose):
            yield Typed(match.start(), re.sub(r"\s", " ", match[0].rstrip()))


def woven(page: Page) -> int:
    """Count the values that a page has woven in, those of its tables' fences not counted."""
    return sum(_values(piece) for piece in page.pieces)


def _values(piece: Piece) -> int:
    match piece:
        case Value():
            return 1
        case Formula():
            return len(piece.values)
        case Image():
            return sum(map(_values, piece.inner))
    return 0


def _hide(page: Page, piece: Piece, mask: list[str], formulas: list[tuple[int, int]]) -> None:
    """Blank what is no prose of the author's, keeping every offset."""
    match piece:
        case Value() | BadReference() | CodeSpan() | ClaimLink():
            _erase(mask, piece.start, piece.end)
        case Formula():
            formulas.append((piece.start, piece.end))
            for value in piece.values:
                _erase(mask, value.start, value.end)
        case Image():
            _erase(mask, piece.alt_start + len(piece.alt), piece.end)
            for inner in piece.inner:
                _hide(page, inner, mask, formulas)
        case Fence() if not WORDLESS.isdisjoint(piece.info or ("",)) and ".premise" not in piece.info:
            _erase(mask, piece.start, piece.body_start)  # its words are the author's, and look like a script's
        case Fence():
            header = piece.body_start + (len(piece.body[0]) if piece.kind == "table" and piece.body else 0)
            _erase(mask, piece.start, piece.body_start)
            _erase(mask, header, piece.end)
            if header > piece.body_start:
                for inner in page.between(piece.body_start, header):
                    _hide(page, inner, mask, formulas)


def _erase(mask: list[str], start: int, end: int) -> None:
    mask[start:end] = ["\n" if letter == "\n" else " " for letter in mask[start:end]]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
