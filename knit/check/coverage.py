"""Number coverage: every number that a page shows is woven, structural or a marked premise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from knit.problem import Problem, Refused
from knit.project import Course
from knit.read.numerals import typed, woven
from knit.read.page import Page
from knit.weave.format import show
from knit.weave.names import Names

PLAIN = re.compile(r"[-−]?(?P<whole>\d[\d,]*)(?:\.(?P<decimals>\d+))?(?P<percent>\s?%)?")
MOST = 3
"""Names proposed for one number."""

TELLING = 3
"""Digits from which on a number is looked for inside arrays too: shorter ones are everywhere."""


def coverage(course: Course) -> Iterator[Problem]:
    """Yield a problem for each typed number, with the names whose value is written like it."""
    for page in course.pages:
        for number in typed(page):
            line, column = page.place(number.start)
            names = list(proposals(page, course, number.text))[:MOST]
            advice = f"write {' or '.join(names)}" if names else f"weave it, or mark it [{number.text}]{{.premise}}"
            yield Problem(page.path, line, column, f"the number {number.text} is typed: {advice}")


def counts(course: Course) -> tuple[int, int]:
    """Count the numbers of all pages: woven, and typed."""
    return sum(map(woven, course.pages)), sum(1 for page in course.pages for _ in typed(page))


def proposals(page: Page, course: Course, text: str) -> Iterator[str]:
    """Find the page's values that are written like a typed number: references to put in its place."""
    match = PLAIN.fullmatch(text)
    script = Names(page, course.layout, course.results).script
    outcome = course.results.outcomes.get(script or "")
    if match is None or outcome is None or outcome.result is None:
        return
    spec = _spec(match)
    wanted = text.replace("-", "−").replace(" ", "")
    telling = sum(letter.isdigit() for letter in text) >= TELLING
    for name, value in outcome.result.values.items():
        for path, number in _numbers(name, value):
            if path != name and not telling:
                continue
            try:
                if show(number, spec, page.language).plain == wanted:
                    yield f"{{{{ {path}:{spec} }}}}"
            except Refused:
                continue


def _spec(match: re.Match[str]) -> str:
    comma = "," if "," in match["whole"] else ""
    decimals = len(match["decimals"] or "")
    if match["percent"]:
        return f"{comma}.{decimals}%"
    return f"{comma}.{decimals}f" if decimals or not comma else ","


def _numbers(path: str, value: Any) -> Iterator[tuple[str, float]]:  # noqa: ANN401 - plain data of any kind
    match value:
        case bool() | str() | None:
            return
        case int() | float():
            yield path, value
        case list():
            for index, item in enumerate(value):
                yield from _numbers(f"{path}[{index}]", item)
        case dict():
            for key, item in value.items():
                yield from _numbers(f"{path}.{key}", item)
