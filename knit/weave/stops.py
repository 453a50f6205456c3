"""Keeps a formula or a badge on one line with the stop behind it, and with the bracket or quotation mark before it.

To browsers a formula is a box, beside which any line may end: a stop would begin the next one, or a bracket stay alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

OPENINGS = "[「『《“‘（(]+"
STOPS = "[，。；：！？、）”’」』》,.;:!?)]+"
UNBROKEN = ('<span class="knit-maths"', '<span class="knit-claim"')


def with_stops(place: str) -> re.Pattern[str]:
    """Give the pattern of a piece with what belongs to it; ``place`` is the pattern of a piece, its number named n."""
    piece = rf"(?P<piece>(?:<a\b[^<>]*>)?{place}(?:</a>)?)"
    return re.compile(rf"(?P<before>{OPENINGS})?{piece}(?P<stop>{STOPS})?")


def kept(pattern: re.Pattern[str], text: str, pieces: Sequence[str]) -> str:
    """Put each piece that is one box in a line, and what belongs to it, in an element that is not broken."""

    def keep(match: re.Match[str]) -> str:
        if not pieces[int(match["n"])].startswith(UNBROKEN):
            return match[0]
        return together(match["before"] or "", match["piece"], match["stop"] or "")

    return pattern.sub(keep, text)


def together(before: str, piece: str, stop: str) -> str:
    """Put a piece and what stands before and behind it, if anything does, in an element that is not broken."""
    return f'<span class="knit-keep">{before}{piece}{stop}</span>' if before or stop else piece
