"""All problems of a course: of its scripts, of each page, between the languages, and with what was published."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from knit.check.blocks import blocks
from knit.check.captions import copies
from knit.check.coverage import coverage
from knit.check.glossary import terms
from knit.check.leftovers import leftovers
from knit.check.links import dead_links
from knit.check.marks import marks
from knit.check.origins import with_origin
from knit.check.parity import pages_by_name, parity
from knit.check.published import differences
from knit.check.statements import statements
from knit.check.unused import unused
from knit.notebook.check import notebooks
from knit.problem import Problem, several
from knit.project import Course
from knit.weave.kept import Weavings
from knit.weave.weaver import Woven


def look_ahead(course: Course, running: Iterable[str]) -> None:
    """Look, while scripts run, at what these and all pages say: that is known then when it is asked for."""
    for script in running:
        course.results.sources[script].study()
    for look in (coverage, leftovers, blocks, copies, parity):
        deque(look(course), maxlen=0)


def woven_pages(course: Course) -> dict[str, Woven]:
    """Weave every page of a course, by path: those of one script after those of another, which may still run."""
    weavings = Weavings(course)
    by_script = sorted(course.pages, key=lambda page: (page.meta.get("script") is None, str(page.meta.get("script"))))
    found = {page.path: weavings.woven(page) for page in by_script}
    return {page.path: found[page.path] for page in course.pages}


def problems(course: Course, woven: Mapping[str, Woven] | None = None, *, published: bool = True) -> list[Problem]:
    """Find every problem of a course, in the order of files and lines, each once; first what many come of.

    ``woven`` are the woven pages by path, where they are woven already.
    ``published`` says whether the course is to be published: then what readers see must be what was accepted, and
    nothing may be left over. An author at work changes the one all the time, and makes things before showing them.
    """
    woven = woven_pages(course) if woven is None else woven
    found = set(course.results.problems())
    found.update(_without_pages(course))
    found.update(Problem(page.path, page.fault_line, 1, page.fault) for page in course.pages if page.fault)
    for page in course.pages:
        if not page.fault:  # else what cannot be woven comes of that
            found.update(once(woven[page.path].problems))
    found.update(coverage(course))
    found.update(leftovers(course))
    found.update(blocks(course))
    found.update(statements(course))
    found.update(marks(course))
    found.update(dead_links(course, woven))
    found.update(parity(course, [*found, *(problem for each in woven.values() for problem in each.problems)]))
    found.update(copies(course))
    found.update(notebooks(course))
    moved: set[Problem] = set()
    if _whole(course):
        found.update(terms(course, woven))
        if published:
            wrong = {problem.path for problem in found}
            failing = {page.language for page in course.pages if page.path in wrong}
            moved.update(differences(course, woven, failing))
            found.update(unused(course, woven))
    course.kept.save()
    # A script's fault is told where a page shows it; on its own only when no page does.
    found.update(moved)
    shown = {(problem.script, problem.script_line) for problem in found if problem.script}
    left = sorted(problem for problem in found if (problem.path, problem.line) not in shown)
    return with_origin(course, left, moved)


def _whole(course: Course) -> bool:
    """Whether every page is there in every language and can be read: else much would be missed that is not gone."""
    first, *others = pages_by_name(course).values()
    return not any(page.fault for page in course.pages) and all(each.keys() == first.keys() for each in others)


def _without_pages(course: Course) -> Iterator[Problem]:
    """Tell of a language that has no page: nothing would be checked, and nothing published."""
    for language in course.layout.languages:
        if not any(page.language == language for page in course.pages):
            yield Problem(
                (course.layout.docs / language).as_posix(), 1, 1, "there is no page in this folder: write one"
            )


def once(found: list[Problem]) -> list[Problem]:
    """Tell a cause in a script once a page, at the first place that shows it."""
    first: dict[tuple[str, str | None, int | None], list[Problem]] = {}
    for problem in found:
        cause = (problem.message, problem.script, problem.script_line)
        first.setdefault(cause, []).append(problem)
    return [
        replace(same[0], message=f"{same[0].message} (and in {several(len(same) - 1, 'more place')})")
        if len(same) > 1
        else same[0]
        for same in first.values()
    ]
