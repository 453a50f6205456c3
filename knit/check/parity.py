"""Parity: a page and its twin in another language hold the same things in the same order."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import takewhile

from knit.problem import Problem
from knit.project import Course
from knit.read.page import Page
from knit.read.pieces import ClaimLink, CodeSpan, Fence, Formula, Image, Piece, Value
from knit.weave.fences import SNIPPET

ADMONITION = re.compile(r"^[ \t>]*(?P<kind>(?:!!!|\?\?\?\+?)[ \t]+[\w-]+)", re.MULTILINE)
PREMISE = re.compile(r"\[(?P<premise>[^\[\]]*)\]\{[^{}]*\.premise[^{}]*\}")
DIGITS = re.compile(r"[-−]?[\d,.]+\s?%?")


Thing = tuple[int, str, int]
"""An offset in a page, what stands there, and where the piece begins that holds it."""

Places = frozenset[tuple[int, int]]
"""Lines and columns of a page at which something wrong is told already."""


def parity(course: Course, told: Iterable[Problem] = ()) -> Iterator[Problem]:
    """Yield every first difference between a page and its twin, naming both lines.

    What is ``told`` already may well be what differs: it is taken for what the twin has.
    """
    places: dict[str, set[tuple[int, int]]] = {}
    for problem in told:
        places.setdefault(problem.path, set()).add((problem.line, problem.column))
    docs = course.layout.docs
    by_language = pages_by_name(course)
    first, *others = course.layout.languages
    for other in others:
        for name in sorted(by_language[first].keys() | by_language[other].keys()):
            page = by_language[first].get(name)
            twin = by_language[other].get(name)
            if any(each and each.fault for each in (page, twin)):
                continue  # what cannot be read is told
            if page and twin:
                known = [frozenset(places.get(each.path, ())) for each in (page, twin)]
                parts = ("parity", page.digest, twin.digest, *map(sorted, known))
                yield from course.kept.unless_clean(parts, _difference(page, twin, *known))
            elif there := page or twin:
                missing = (docs / (other if page else first) / name).as_posix()
                yield Problem(there.path, 1, 1, f"has no twin {missing}: write it")


def pages_by_name(course: Course) -> dict[str, dict[str, Page]]:
    """Give the pages of each language by the names that twins share: their paths from the language's folder."""
    found: dict[str, dict[str, Page]] = {language: {} for language in course.layout.languages}
    for page in course.pages:
        folder = (course.layout.docs / page.language).as_posix()
        found[page.language][posixpath.relpath(page.path, folder)] = page
    return found


def _difference(page: Page, twin: Page, told: Places, told_of_twin: Places) -> Iterator[Problem]:
    here, there = _things(page), _things(twin)
    same = sum(1 for _ in takewhile(lambda both: both[0][1] == both[1][1], zip(here, there, strict=False)))
    if same == len(here) == len(there):
        return
    rest, rest_of_twin = ([what for _, what, _ in things[same:]] for things in (here, there))
    for kind, a, b, c, d in SequenceMatcher(None, rest, rest_of_twin, autojunk=False).get_opcodes():
        mine, theirs = (same + a, same + b), (same + c, same + d)
        if kind == "equal" or _any(told, page, here, *mine) or _any(told_of_twin, twin, there, *theirs):
            continue
        start, what, _ = here[mine[0]] if mine[0] < len(here) else _end(page)
        start_of_twin, what_twin_has, _ = there[theirs[0]] if theirs[0] < len(there) else _end(twin)
        line, column = page.place(start)
        place = f"{twin.path}:{twin.place(start_of_twin)[0]}"
        if kind == "insert" and what_twin_has not in rest:
            message = f"lacks {what_twin_has}, which stands at {place}: the languages differ"
        elif kind == "delete" and what not in rest_of_twin:
            message = f"has {what}, which is missing at {place}: the languages differ"
        else:
            message = f"has {what} where {place} has {what_twin_has}: the languages differ"
        yield Problem(page.path, line, column, message)
        return


def _any(told: Places, page: Page, things: list[Thing], first: int, end: int) -> bool:
    """Whether something is told between what is before some things of a page and what is behind them."""
    if not told:
        return False
    after = things[first - 1][0] + 1 if first else 0
    low = page.place(min(after, things[first][2]) if first < end else after)
    high = page.place(things[end][0] if end < len(things) else len(page.text))
    return any(low <= place <= high for place in told)


def _end(page: Page) -> Thing:
    return len(page.text), "nothing more", len(page.text)


def _things(page: Page) -> list[Thing]:
    """Give what must be the same in every language, in order."""
    found = [(start, what, piece.start) for piece in page.pieces for start, what in _described(page, piece)]
    found += [
        (heading.start, f"a heading of level {heading.level} with the id {heading.id}", heading.start)
        for heading in page.headings
    ]
    code = [(piece.start, piece.end) for piece in page.pieces if isinstance(piece, Fence | CodeSpan)]
    for match in (*ADMONITION.finditer(page.text), *PREMISE.finditer(page.text)):
        if not any(start <= match.start() < end for start, end in code):
            found.append((match.start(), _marked(match), match.start()))
    return sorted(found, key=lambda thing: thing[0])


def _marked(match: re.Match[str]) -> str:
    """Describe an admonition by its kind, a premise by its number where it is written in digits."""
    if kind := match.groupdict().get("kind"):
        return f"a block {kind}"
    number = match["premise"].strip("$ ").replace("{,}", ",")
    return f"the premise {number}" if DIGITS.fullmatch(number) else "a premise"


def _described(page: Page, piece: Piece) -> Iterator[tuple[int, str]]:
    match piece:
        case Value():
            yield piece.start, f"the value {piece.path}:{piece.spec}"
        case Formula():
            for value in piece.values:
                yield from _described(page, value)
        case Image():
            yield piece.start, f"the picture {piece.target}"
            if piece.alive is not None:
                yield piece.start, f"the piece {piece.alive} from {piece.given}"
            for inner in piece.inner:
                yield from _described(page, inner)
        case ClaimLink():
            yield piece.start, f"the claim {piece.name}"
        case Fence() if piece.kind in {"output", "table", "claims"}:
            yield piece.start, "the fence " + " ".join(piece.info)
            header = len(piece.body[0]) if piece.kind == "table" and piece.body else 0
            for inner in page.between(piece.body_start, piece.body_start + header):
                yield from _described(page, inner)
        case Fence():
            shown = (match for line in piece.body if (match := SNIPPET.match(line)))
            yield from ((piece.start, f"the code {match['file']}:{match['section']}") for match in shown)
