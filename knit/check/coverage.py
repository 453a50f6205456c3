"""Number coverage: every number that a page shows is woven, structural or a marked premise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from knit.problem import Problem, Refused
from knit.project import Course
from knit.read.numerals import typed
from knit.read.page import Page
from knit.read.pieces import Fence
from knit.shelf import write
from knit.weave.fences import SNIPPET
from knit.weave.format import show
from knit.weave.names import Names

PLAIN = re.compile(r"[-−]?(?P<whole>\d[\d,]*)(?:\.(?P<decimals>\d+))?(?P<percent>\s?%)?")
MOST = 3
"""Names proposed for one number."""

TELLING = 3
"""Digits from which on a number is looked for inside arrays too: shorter ones are everywhere."""


PYTHON = frozenset({"python", "py", "python3", "pycon", ".python", ".py", ".python3", ".pycon"})
SHOWN = ("title", "description")
"""What of a page's front matter readers see: in tabs and in search engines."""


def coverage(course: Course) -> Iterator[Problem]:
    """Yield a problem for each typed number, with the names whose value is written like it; and for code never run."""
    for page in course.pages:
        yield from course.kept.unless_clean(("coverage", page.digest), _coverage(page, course))


def _coverage(page: Page, course: Course) -> Iterator[Problem]:
    yield from _front_matter(page)
    yield from _code(page)
    for number in typed(page):
        line, column = page.place(number.start)
        names = list(proposals(page, course, number.text))[:MOST]
        advice = f"write {' or '.join(names)}" if names else f"weave it, or mark it [{number.text}]{{.premise}}"
        yield Problem(page.path, line, column, f"the number {number.text} is typed: {advice}")


def fix(course: Course) -> dict[str, int]:
    """Weave, in the pages' files, each typed number that one value alone is written like; count them by page."""
    fixed: dict[str, int] = {}
    for page in course.pages:
        text = page.text
        for number in sorted(typed(page), key=lambda number: number.start, reverse=True):
            names = list(islice(proposals(page, course, number.text), 2))
            if len(names) == 1:
                end = number.start + len(number.text)
                # Next to a TeX brace a reference needs a space, so that no three braces meet.
                before = " " if text[: number.start].endswith("{") else ""
                after = " " if text[end:].startswith("}") else ""
                text = f"{text[: number.start]}{before}{names[0]}{after}{text[end:]}"
                fixed[page.path] = fixed.get(page.path, 0) + 1
        if page.path in fixed:
            write(course.layout.root / page.path, page.front + text)
    return fixed


def _front_matter(page: Page) -> Iterator[Problem]:
    for key in SHOWN:
        for number in typed(Page("", page.language, str(page.meta.get(key, "")))):
            line = next((n for n, text in enumerate(page.front.splitlines(), 1) if text.startswith(f"{key}:")), 1)
            what = f"the number {number.text} is typed in the {key}, where nothing can be woven: say it in words"
            yield Problem(page.path, line, 1, what)


def _code(page: Page) -> Iterator[Problem]:
    """Tell of Python typed into a page, which nobody runs."""
    for piece in page.pieces:
        if not isinstance(piece, Fence) or ".premise" in piece.info or not PYTHON.intersection(piece.info):
            continue
        if any(line.strip(" >\t") and not SNIPPET.match(line) for line in piece.body):
            what = "this code is typed and never run: mark it as a section of the script, and embed it by --8<--"
            yield Problem(page.path, *page.place(piece.start), what)


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
