"""A course at one moment: its pages as read, its scripts' results, and what is asked of both again and again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from knit.count import counted, counts
from knit.kept import Kept
from knit.layout import Layout
from knit.read.glossary import EXEMPT, Glossary
from knit.read.page import Page
from knit.results import Results
from knit.shelf import Record


class Citation(NamedTuple):
    """A place in a page that cites a claim, and the section it stands in: its explicit id, and its heading."""

    page: str
    line: int
    section: str | None
    heading: str


def is_lesson(page: Page) -> bool:
    """Whether a page has a script of its own, and does not quote rejected words on purpose."""
    return bool(page.meta.get("script")) and not page.meta.get(EXEMPT)


@dataclass(frozen=True)
class Course:
    """A course at one moment: its pages as read and its scripts' results."""

    layout: Layout
    results: Results
    pages: tuple[Page, ...]
    glossary: Glossary = field(default_factory=Glossary)
    kept: Kept = field(default_factory=Kept)

    @cached_property
    def lessons(self) -> tuple[Page, ...]:
        """The pages with a script of their own, by name: where terms are linked and counted."""
        return tuple(page for page in self.pages if is_lesson(page))

    @cached_property
    def counts(self) -> dict[str, Record]:
        """What is counted of each page, by path."""
        return {page.path: counts(page, self.kept) for page in self.pages}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each page, by path."""
        return {path: found["title"] for path, found in self.counts.items()}

    @cached_property
    def counted(self) -> Mapping[str, float]:
        """What can be counted of the course itself."""
        return counted(self)

    @cached_property
    def citations(self) -> dict[tuple[str, str], list[Citation]]:
        """Every place that cites a claim, by the claim's name and the page's language."""
        found: dict[tuple[str, str], list[Citation]] = {}
        for page in self.pages:
            for name, *where in self.counts[page.path]["citations"]:
                found.setdefault((name, page.language), []).append(Citation(page.path, *where))
        return found
