"""An alternative text says what is to be seen: it is no copy of the caption, which a screen reader reads as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from knit.problem import Problem
from knit.project import Course
from knit.read.page import Page
from knit.read.pieces import Image

CAPTION = re.compile(
    r"[^\S\n]*(?:\{[^{}\n]*\})?\s*^[ \t>]*///+[ \t]*[\w-]*caption\b[^\n]*\n(?P<text>.*?)^[ \t>]*///+",
    re.MULTILINE | re.DOTALL,
)
LETTERS = re.compile(r"\w+")
COPIED = 0.9
"""Share of letters in common from which on one text is a copy of the other."""


def copies(course: Course) -> Iterator[Problem]:
    """Yield the alternative texts that repeat their captions."""
    for page in course.pages:
        yield from course.kept.unless_clean(("captions", page.digest), _copies(page))


def _copies(page: Page) -> Iterator[Problem]:
    for piece in page.pieces:
        if isinstance(piece, Image) and (caption := CAPTION.match(page.text, piece.end)):
            alt, said = (_letters(text) for text in (piece.alt, caption["text"]))
            same = SequenceMatcher(None, alt, said, autojunk=False)
            if alt and same.quick_ratio() >= COPIED and same.ratio() >= COPIED:
                what = f"the alternative text of {piece.target} copies the caption: say what is to be seen"
                yield Problem(page.path, *page.place(piece.start), what)


def _letters(text: str) -> str:
    return " ".join(LETTERS.findall(text)).casefold()
