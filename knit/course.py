"""A course at one moment: its pages as read, its scripts' results, and what is asked of both again and again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from knit.count import counted
from knit.kept import Kept
from knit.layout import Layout
from knit.read.glossary import EXEMPT, Glossary
from knit.read.numerals import Typed, typed
from knit.read.page import Page
from knit.read.pieces import ClaimLink, Heading
from knit.results import Results


@dataclass(frozen=True)
class Citation:
    """A place in a page that cites a claim, and the heading (with an explicit id) that it stands under."""

    page: Page
    line: int
    section: Heading | None


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
    def typed(self) -> dict[str, tuple[Typed, ...]]:
        """The numbers that authors typed, by page."""
        return {page.path: tuple(typed(page)) for page in self.pages}

    @cached_property
    def counted(self) -> Mapping[str, float]:
        """What can be counted of the course itself."""
        return counted(self)

    @cached_property
    def citations(self) -> dict[tuple[str, str], list[Citation]]:
        """Every place that cites a claim, by the claim's name and the page's language."""
        found: dict[tuple[str, str], list[Citation]] = {}
        for page in self.pages:
            for piece in page.pieces:
                if isinstance(piece, ClaimLink):
                    above = [heading for heading in page.headings if heading.start < piece.start and heading.id]
                    citation = Citation(page, page.place(piece.start)[0], above[-1] if above else None)
                    found.setdefault((piece.name, page.language), []).append(citation)
        return found
