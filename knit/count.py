"""What can be counted of a course itself: its pages show it as ``{{ course.claims:d }}``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from knit.read.numerals import woven

if TYPE_CHECKING:
    from knit.project import Course

COURSE = "course"
"""The name by which pages refer to the course itself."""

PREMISE = re.compile(r"\]\{[^{}]*\.premise[^{}]*\}")


def counted(course: Course) -> Mapping[str, float]:
    """Count a course's pages, numbers, claims, figures and scripts.

    ``values`` are references to values, in text, formulas and alternative texts; ``premises`` numbers that an author
    marked as chosen; ``coverage`` the share of woven among all numbers that are neither structural nor premises.
    """
    values = sum(woven(page) for page in course.pages)
    typed = sum(len(found) for found in course.typed.values())
    results = [outcome.result for outcome in course.results.outcomes.values() if outcome.result]
    return {
        "languages": len(course.layout.languages),
        "pages": len(course.pages),
        "scripts": len(course.results.outcomes),
        "values": values,
        "typed": typed,
        "premises": sum(len(PREMISE.findall(page.text)) for page in course.pages),
        "coverage": values / ((values + typed) or 1),
        "claims": len(course.results.claims),
        "figures": sum(len(result.figures) for result in results),
        "citations": sum(len(found) for found in course.citations.values()),
    }
