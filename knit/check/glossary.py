"""Terms: a lesson uses the glossary's words, and the glossary tells the truth of where they first stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from knit.problem import Problem
from knit.project import Course
from knit.read.glossary import EXEMPT, Glossary
from knit.read.page import Page
from knit.weave.weaver import Woven


def terms(course: Course, woven: Mapping[str, Woven]) -> Iterator[Problem]:
    """Yield uses of rejected words, and entries whose first lesson is another than they say."""
    glossary = course.glossary
    if glossary.error:
        yield Problem(glossary.path, glossary.error_line, 1, glossary.error)
    for page in course.pages:
        if page.meta.get(EXEMPT) is True or PurePosixPath(page.path).stem == "glossary":
            continue
        yield from course.kept.unless_clean(("terms", page.digest, glossary.digest), _rejected(page, glossary))
    first: dict[tuple[str, str], str] = {}
    for page in course.lessons:
        for term in woven[page.path].terms:
            first.setdefault((page.language, term), PurePosixPath(page.path).stem)
    for entry in glossary.entries:
        for language in course.layout.languages:
            found = first.get((language, entry.id), "no lesson")
            if found != entry.first:
                message = f"{entry.id} says that {entry.first} uses it first; in {language} {found} does"
                yield Problem(glossary.path, entry.line, 1, message)


def _rejected(page: Page, glossary: Glossary) -> Iterator[Problem]:
    for start, word, reason, entry in glossary.rejected(page):
        advice = f"write {entry.names[page.language]} ({' '.join(reason.split())})"
        yield Problem(page.path, *page.place(start), f"{word} is not the course's word: {advice}")
