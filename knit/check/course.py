"""All problems of a course: of its scripts, of each page, and between the languages."""

from __future__ import annotations

from dataclasses import replace

from knit.check.coverage import coverage
from knit.check.parity import parity
from knit.problem import Problem
from knit.project import Course
from knit.weave.weaver import weave


def problems(course: Course) -> list[Problem]:
    """Find every problem of a course, in the order of files and lines, each once."""
    found = set(course.results.problems())
    for page in course.pages:
        found.update(_once(weave(page, course).problems))
    found.update(parity(course))
    found.update(coverage(course))
    # A script's fault is told where a page shows it; on its own only when no page does.
    shown = {(problem.script, problem.script_line) for problem in found if problem.script}
    return sorted(p for p in found if (p.path, p.line) not in shown)


def _once(found: list[Problem]) -> list[Problem]:
    """Tell a cause in a script once a page, at the first place that shows it."""
    first: dict[tuple[str, str | None, int | None], list[Problem]] = {}
    for problem in found:
        cause = (problem.message, problem.script, problem.script_line)
        first.setdefault(cause, []).append(problem)
    return [
        replace(same[0], message=f"{same[0].message} (and in {len(same) - 1} more places)")
        if len(same) > 1
        else same[0]
        for same in first.values()
    ]
