"""All problems of a course: of its scripts, of each page, and between the languages."""

from __future__ import annotations

from knit.check.parity import parity
from knit.problem import Problem
from knit.project import Course
from knit.weave.weaver import weave


def problems(course: Course) -> list[Problem]:
    """Find every problem of a course, in the order of files and lines, each once."""
    found = set(course.results.problems())
    for page in course.pages:
        found.update(weave(page, course).problems)
    found.update(parity(course))
    # A script's fault is told where a page shows it; on its own only when no page does.
    shown = {(problem.script, problem.script_line) for problem in found if problem.script}
    return sorted(p for p in found if (p.path, p.line) not in shown)
