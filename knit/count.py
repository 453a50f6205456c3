"""What can be counted of a course itself: its pages show it as ``{{ course.claims:d }}``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from knit.read.numerals import typed, woven
from knit.read.page import plain
from knit.read.pieces import ClaimLink

if TYPE_CHECKING:
    from knit.kept import Kept
    from knit.project import Course
    from knit.read.page import Page
    from knit.shelf import Record

COURSE = "course"
"""The name by which pages refer to the course itself."""

PREMISE = re.compile(r"\]\{[^{}]*\.premise[^{}]*\}")


def counted(course: Course) -> Mapping[str, float]:
    """Count a course's pages, numbers, claims, figures and scripts.

    ``values`` are references to values, in text, formulas and alternative texts; ``premises`` numbers that an author
    marked as chosen; ``coverage`` the share of woven among all numbers that are neither structural nor premises.
    """
    pages = [course.counts[page.path] for page in course.pages]
    values, numbers = sum(page["values"] for page in pages), sum(page["typed"] for page in pages)
    results = [outcome.result for outcome in course.results.outcomes.values() if outcome.result]
    return {
        "languages": len(course.layout.languages),
        "pages": len(course.pages),
        "scripts": len(course.results.outcomes),
        "values": values,
        "typed": numbers,
        "premises": sum(page["premises"] for page in pages),
        "coverage": values / ((values + numbers) or 1),
        "claims": len(course.results.claims),
        "figures": sum(len(result.figures) for result in results),
        "citations": sum(len(page["citations"]) for page in pages),
    }


def counts(page: Page, kept: Kept) -> Record:
    """Count a page, which takes as long as reading it: what is kept of the same page is not counted again.

    Its ``title`` stands with the counts; ``citations`` are claims' names, each with its line and the section that it
    stands in: its explicit id, and its heading unless that is the page's own or has something woven in.
    """
    slot = kept.slot(page.path)
    if slot and (found := slot.find("counts", page.digest)) is not None:
        return found
    version = {
        "key": page.digest,
        "title": page.title,
        "values": woven(page),
        "typed": sum(1 for _ in typed(page)),
        "premises": len(PREMISE.findall(page.text)),
        "citations": list(_citations(page)),
    }
    if slot:
        slot.add("counts", version)
    return version


def _citations(page: Page) -> Iterator[list[str | int | None]]:
    for piece in page.pieces:
        if isinstance(piece, ClaimLink):
            above = [heading for heading in page.headings if heading.start < piece.start and heading.id]
            section = above[-1] if above else None
            named = section is not None and section is not page.headings[0] and plain(section.text)
            text = section.text if section is not None and named else ""
            yield [piece.name, page.place(piece.start)[0], section.id if section else None, text]
