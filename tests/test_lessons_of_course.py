"""Pages send readers only to lessons that exist."""

import re
from pathlib import Path

import pytest

from knit.read.page import Page
from knit.read.pieces import Fence

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [path for path in sorted(DOCS.glob("*/**/*.md")) if path.stem != "authors"]  # its lesson is an example
LABEL = re.compile(r"(?<![\w.])L(\d+)(?![\w.]*\w)")


def test_there_are_pages_and_labels():
    assert any(LABEL.search(path.read_text("utf-8")) for path in PAGES)


@pytest.mark.parametrize("path", [*PAGES, DOCS / "glossary.yml"], ids=lambda path: path.relative_to(DOCS).as_posix())
def test_every_lesson_that_is_named_is_there(path):
    page = Page.read(path.name, "", path.read_text("utf-8"))
    fences = [range(piece.start, piece.end) for piece in page.pieces if isinstance(piece, Fence)]
    for match in LABEL.finditer(page.text):
        if not any(match.start() in fence for fence in fences):
            assert list(DOCS.glob(f"en/l{match[1]}-*.md")), f"line {page.place(match.start())[0]}: {match[0]}"
