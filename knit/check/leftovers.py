"""What looks like something that is woven, and is not whole: a page would show it as it was typed.

A reference without its end, a dollar that begins no formula, code outside a fence, a
heading underlined instead of marked, and characters that no page can show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit.problem import Problem
from knit.project import Course
from knit.read.page import Page

REFERENCE = "these braces are no reference: write {{ name:.2f }}, on one line, with one space inside each pair"
LEFT = tuple(
    (re.compile(pattern, re.MULTILINE), what)
    for pattern, what in (
        (r"\{\{|\}\}|｛｛|｝｝", REFERENCE),
        (r"\$", r"this dollar is no formula's: close it on the same paragraph without a space inside, or write \$"),
        (r"^[ \t]*-+8<-+", "code is shown inside a fence: write ```python above it and ``` below"),
        (r"^[^\s#>|/!?<].*\n[ ]{0,3}(?:=+|-{2,})[ \t]*$", "an underlined heading: write it with # and its {#id}"),
        ("[\x00-\x08\x0b-\x1f\x7f\ue000\ue001\ufffd]", "a character that no page can show: take it out"),
    )
)


def leftovers(course: Course) -> Iterator[Problem]:
    """Yield the first of each kind on a line."""
    for page in course.pages:
        yield from course.kept.unless_clean(("leftovers", page.digest), _leftovers(page))


def _leftovers(page: Page) -> Iterator[Problem]:
    text = without_pieces(page)
    for pattern, what in LEFT:
        told = 0
        for match in pattern.finditer(text):
            line, column = page.place(match.start())
            if line != told:
                yield Problem(page.path, line, column, what)
            told = line


def without_pieces(page: Page) -> str:
    """Give a page's text with all that was understood blanked, every offset kept."""
    letters = list(page.text)
    for piece in page.pieces:
        letters[piece.start : piece.end] = ["\n" if c == "\n" else " " for c in letters[piece.start : piece.end]]
    return "".join(letters)
