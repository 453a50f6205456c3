"""Blocks: what unfolds, admonitions and captions are written so that they become what they are meant to be.

Markdown takes one that is not for text, and says nothing: an answer would stand open, a caption would be a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit.check.leftovers import without_pieces
from knit.problem import Problem
from knit.project import Course
from knit.read.page import Page

KINDS = (
    *("note", "abstract", "info", "tip", "success", "question", "warning", "failure", "danger", "bug", "example"),
    "quote",
)
"""The kinds that Material has a colour and an icon for."""

MORE = ("number", "choice", "inline", "end")
"""Words that can follow the kind: how a question is answered, where a block stands."""

NAMES = ("caption", "figure-caption", "table-caption", "admonition", "details", "tab", "html", "definition", *KINDS)
"""Blocks of pymdownx between slashes."""

OPENING = re.compile(
    r'^[ \t>]*(?P<mark>!!!|\?\?\?\+?)(?P<words>[^"\n]*)(?P<title>"[^\n]*")?(?P<rest>[^"\n]*)$', re.MULTILINE
)
SLASHES = re.compile(r"^[ \t>]*(?P<slashes>/{3,})[ \t]*(?P<name>[^\s|]*)[^\n]*$", re.MULTILINE)
TAB = 4


def blocks(course: Course) -> Iterator[Problem]:
    """Yield what is wrong with the blocks of every page."""
    for page in course.pages:
        yield from course.kept.unless_clean(("blocks", page.digest), _blocks(page))


def _blocks(page: Page) -> Iterator[Problem]:
    text = without_pieces(page)
    for match in OPENING.finditer(text):
        for what in _unfolding(match, page.text[match.end() :]):
            yield Problem(page.path, *page.place(match.start("mark")), what)
    opened: list[re.Match[str]] = []
    for match in SLASHES.finditer(text):
        if match["name"]:
            opened.append(match)
            if match["name"] not in NAMES:
                what = f"there is no block {match['name']}: write /// caption"
                yield Problem(page.path, *page.place(match.start("slashes")), what)
        elif opened and opened[-1]["slashes"] == match["slashes"]:
            opened.pop()
        else:
            what = "these slashes close no block: write /// caption above its text"
            yield Problem(page.path, *page.place(match.start("slashes")), what)
    for match in opened:
        what = f"the block that opens here is never closed: write {match['slashes']} on a line of its own below it"
        yield Problem(page.path, *page.place(match.start("slashes")), what)


def _unfolding(match: re.Match[str], below: str) -> Iterator[str]:
    """Say what is wrong with the line that opens a block, and with where its text stands."""
    kind, *more = match["words"].split() or [""]
    unknown = [word for word in more if word not in MORE]
    if kind not in KINDS:
        yield f"there is no kind of block {kind or 'without a name'}: write one of {', '.join(KINDS)}"
    elif unknown and match["title"]:
        yield f"after the kind of a block stands {unknown[0]}: write at most one of {', '.join(MORE)}"
    elif unknown or match["rest"].strip():
        words = " ".join([kind, *(word for word in more if word in MORE)])
        yield f'the title of a block stands in double quotes: write {match["mark"]} {words} "…"'
    first = next((line for line in below.split("\n") if line.strip(" \t>")), "")
    if _depth(first) < _depth(match[0]) + TAB:
        yield "nothing stands in this block: indent its text by four spaces more than this line"


def _depth(line: str) -> int:
    text = line.replace(">", " ").expandtabs(TAB)
    return len(text) - len(text.lstrip(" "))
