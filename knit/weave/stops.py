"""Keeps a formula or a badge on one line with the stop behind it, which browsers would let begin the next."""

from __future__ import annotations

import re
from collections.abc import Sequence

STOPS = "[，。；：！？、）”’」』》,.;:!?)]+"
UNBROKEN = ('<span class="knit-maths"', '<span class="knit-claim"')


def before_stop(place: str) -> re.Pattern[str]:
    """Give the pattern of a piece with a stop behind it; ``place`` is the pattern of a piece, its number named n."""
    return re.compile(rf"(?P<piece>(?:<a\b[^<>]*>)?{place}(?:</a>)?)(?P<stop>{STOPS})")


def kept(pattern: re.Pattern[str], text: str, pieces: Sequence[str]) -> str:
    """Put each piece that is one box in a line, and the stop behind it, in an element that is not broken."""

    def keep(match: re.Match[str]) -> str:
        if not pieces[int(match["n"])].startswith(UNBROKEN):
            return match[0]
        return f'<span class="knit-keep">{match["piece"]}{match["stop"]}</span>'

    return pattern.sub(keep, text)
