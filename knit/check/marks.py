"""What scripts say to knit in comments, limits and sections, is told also where nothing needs it at the moment."""

from __future__ import annotations

from collections.abc import Iterator

from knit.problem import Problem
from knit.project import Course
from knit.read.script import section_faults
from knit.run.pool import Limits


def marks(course: Course) -> Iterator[Problem]:
    """Yield the comments that cannot be understood: a known result is not run again, a page need not show a section."""
    for path, source in course.results.sources.items():
        try:
            Limits().of(source.text)
        except ValueError as error:
            yield Problem(path, 1, 1, str(error))
        for line, message in section_faults(source.text):
            yield Problem(path, line, 1, message)
