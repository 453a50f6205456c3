"""Errors seeded into the real lessons: a wrong number typed for any woven value is caught, and so is any swap."""

import random
import re
import shutil
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from knit import settings
from knit.check.coverage import coverage
from knit.check.parity import parity
from knit.cli import main
from knit.problem import Refused
from knit.project import Project
from knit.read.page import Page
from knit.read.pieces import Fence, Formula, Image, Value
from knit.weave.format import show
from knit.weave.names import Names

ROOT = Path(__file__).parents[2]
LESSONS = ("l1-inner-product", "l2-matrix-multiplication", "l3-variance", "l4-position")
DIGIT = re.compile(r"\d")


@pytest.fixture(scope="module")
def course():
    layout, limits = settings.read(ROOT)
    with closing(Project(layout, limits)) as project:
        return project.course()


def twins(course, lesson):
    """The pages of a lesson, by language."""
    return {page.language: page for page in course.pages if page.path.endswith(f"/{lesson}.md")}


def values(page):
    """Every woven value of a page, wherever it stands."""
    return [value for piece in page.pieces for value in inside(page, piece)]


def inside(page, piece):
    match piece:
        case Value():
            yield piece
        case Formula():
            yield from piece.values
        case Image():
            for inner in piece.inner:
                yield from inside(page, inner)
        case Fence() if piece.kind == "table":
            header = page.between(piece.body_start, piece.body_start + len(piece.body[0]))
            yield from (inner for inner in header if isinstance(inner, Value))


def wrong(course, page, value):
    """What an author could type in a value's place: as it is shown, its last digit another."""
    try:
        found = Names(page, course.layout, course.results, course).value(value.path)
        shown = show(found.value, value.spec, page.language).plain
    except Refused:
        return "7.31"
    digits = list(DIGIT.finditer(shown))
    if len(digits) == 0 or "(" in shown:
        return "7.31"
    last = digits[-1]
    return f"{shown[: last.start()]}{(int(last[0]) + 1) % 10}{shown[last.end() :]}"


def edited(page, *changes):
    """The page with other texts in the place of pieces."""
    text = page.text
    for piece, new in sorted(changes, key=lambda change: -change[0].start):
        text = text[: piece.start] + new + text[piece.end :]
    return Page.read(page.path, page.language, page.front + text)


def told(course, *pages):
    """What `knit check` tells of these pages, of numbers and of the languages' agreement."""
    alone = replace(course, pages=pages)
    return [*parity(alone), *coverage(replace(course, pages=pages[:1]))]


def reference(page, value):
    return page.text[value.start : value.end]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("lesson", LESSONS)
def test_every_wrong_number_typed_for_a_woven_value_is_caught(course, lesson, language):
    pages = twins(course, lesson)
    page, twin = pages.pop(language), *pages.values()
    assert told(course, page, twin) == []
    assert len(values(page)) > 100
    passed = [
        (page.place(value.start)[0], reference(page, value))
        for value in values(page)
        if not told(course, edited(page, (value, wrong(course, page, value))), twin)
    ]
    assert passed == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_two_values_swapped_in_one_language_or_between_the_languages_are_caught(course, lesson):
    zh, en = (twins(course, lesson)[language] for language in ("zh", "en"))
    for first, second in pairwise(values(zh)):
        if (first.path, first.spec) != (second.path, second.spec):
            swapped = edited(zh, (first, reference(zh, second)), (second, reference(zh, first)))
            assert list(parity(replace(course, pages=(swapped, en))))
    choose = random.Random(5)  # noqa: S311
    for _ in range(50):
        one, other = choose.choice(values(zh)), choose.choice(values(en))
        if (one.path, one.spec) != (other.path, other.spec):
            pages = edited(zh, (one, reference(en, other))), edited(en, (other, reference(zh, one)))
            assert list(parity(replace(course, pages=pages)))


def test_the_whole_command_tells_the_line(course, tmp_path, monkeypatch, capsys):
    for folder in ("docs", "snippets", "attn"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / ".cache/knit", tmp_path / ".cache/knit", ignore=shutil.ignore_patterns("pages", "fonts"))
    shutil.copyfile(ROOT / "mkdocs.yml", tmp_path / "mkdocs.yml")
    monkeypatch.chdir(tmp_path)
    choose = random.Random(7)  # noqa: S311
    for lesson, language in zip(LESSONS, ("zh", "en", "zh", "en"), strict=True):
        page = twins(course, lesson)[language]
        value = choose.choice(values(page))
        file = tmp_path / page.path
        file.write_text(page.front + edited(page, (value, wrong(course, page, value))).text, "utf-8")
        assert main(["check"]) == 1
        places = {line.partition(": ")[0] for line in capsys.readouterr().out.splitlines()}
        assert f"{page.path}:{page.place(value.start)[0]}" in places
        file.write_text(page.front + page.text, "utf-8")
