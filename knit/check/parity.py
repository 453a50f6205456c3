"""Parity: a page and its twin in another language hold the same things in the same order."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import zip_longest

from knit.problem import Problem
from knit.project import Course
from knit.read.page import Page
from knit.read.pieces import ClaimLink, CodeSpan, Fence, Formula, Image, Piece, Value
from knit.weave.fences import SNIPPET

ADMONITION = re.compile(r"^[ \t>]*(?P<kind>(?:!!!|\?\?\?\+?)[ \t]+[\w-]+)", re.MULTILINE)
PREMISE = re.compile(r"\[(?P<premise>[^\[\]]*)\]\{[^{}]*\.premise[^{}]*\}")
DIGITS = re.compile(r"[-−]?[\d,.]+\s?%?")


def parity(course: Course) -> Iterator[Problem]:
    """Yield every first difference between a page and its twin, naming both lines."""
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
                yield from course.kept.unless_clean(("parity", page.digest, twin.digest), _difference(page, twin))
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


def _difference(page: Page, twin: Page) -> Iterator[Problem]:
    for mine, theirs in zip_longest(list(_things(page)), list(_things(twin))):
        if mine and theirs and mine[1] == theirs[1]:
            continue
        here, there = mine or (len(page.text), "nothing more"), theirs or (len(twin.text), "nothing more")
        line, column = page.place(here[0])
        twin_line, _ = twin.place(there[0])
        message = f"has {here[1]} where {twin.path}:{twin_line} has {there[1]}: the languages differ"
        yield Problem(page.path, line, column, message)
        return


def _things(page: Page) -> Iterator[tuple[int, str]]:
    """Give what must be the same in every language: offsets and descriptions, in order."""
    found = [place for piece in page.pieces for place in _described(page, piece)]
    found += [
        (heading.start, f"a heading of level {heading.level} with the id {heading.id}") for heading in page.headings
    ]
    code = [(piece.start, piece.end) for piece in page.pieces if isinstance(piece, Fence | CodeSpan)]
    for match in (*ADMONITION.finditer(page.text), *PREMISE.finditer(page.text)):
        if not any(start <= match.start() < end for start, end in code):
            found.append((match.start(), _marked(match)))
    yield from sorted(found, key=lambda place: place[0])


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
