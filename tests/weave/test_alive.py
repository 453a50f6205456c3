"""Figures that come alive: what is woven for an interactive piece, and what is refused."""

import json
import re
from html import unescape

import pytest

from knit.weave.weaver import weave

FIGURE = "![The curve rises](fig:growth)"
ALIVE = FIGURE + "{ piece=grow from=balloon }"


@pytest.fixture
def balloons(workshop):
    """A course whose script has a value to start from, and with one piece."""
    workshop.write("docs/assets/js/pieces/grow.js", "export const words = {}\n")
    workshop.edit(
        "snippets/balls.py",
        "radius = 1.5",
        "radius = 1.5\n"
        "balloon = {'radius': radius, 'third': 1 / 3, 'words': [{'zh': \"吹 '气' & 放气\", 'en': \"it's <up>\"}]}",
    )
    return workshop


def page(workshop, source, language="en"):
    """Weave a source as the page about balls."""
    course, _ = workshop.look()
    there = next(each for each in course.pages if each.path == f"docs/{language}/balls.md")
    return weave(type(there)(there.path, language, source, there.meta), course)


def test_a_piece_starts_from_a_value_in_the_readers_words(balloons):
    for language, words in (("zh", "吹 '气' & 放气"), ("en", "it's <up>")):
        woven = page(balloons, ALIVE, language)
        assert woven.problems == []
        html = woven.html[0]
        given = re.match(r"<knit-piece id=\"piece-balloon\" name=\"grow\" from='([^']*)'>", html)[1]
        assert json.loads(unescape(given)) == {"radius": 1.5, "third": 1 / 3, "words": [words]}
        figure = page(balloons, FIGURE, language).html[0]
        assert html == f'<knit-piece id="piece-balloon" name="grow" from=\'{given}\'>{figure}</knit-piece>'


def test_what_a_piece_starts_from_is_published(balloons):
    shown = {(each.kind, each.name): each.text for each in page(balloons, ALIVE).shown}
    assert '"third":0.333333,' in shown["values", "balloon:piece"]
    assert ("figures", "growth") in shown


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (FIGURE + "{ piece=grwo from=balloon }", "there is no piece docs/assets/js/pieces/grwo.js; is it grow?"),
        (FIGURE + "{ piece=grow from=baloon }", "has no name baloon; is it balloon?"),
        (FIGURE + "{ piece=grow from=balloon.size }", "there is no size in what has the entries radius, third, words"),
        (FIGURE + "{ piece=grow }", "write { piece=NAME from=VALUE }"),
        (FIGURE + "{piece=grow from=balloon}", "write { piece=NAME from=VALUE }"),
        ("![A ball](ball.png){ piece=grow from=balloon }", "ball.png is no figure of a script"),
    ],
)
def test_what_is_wrong_is_told(balloons, source, told):
    problems = page(balloons, source).problems
    assert [told in str(problem) for problem in problems] == [True], problems


def test_twins_start_from_the_same(balloons):
    for language in ("zh", "en"):
        path = f"docs/{language}/balls.md"
        balloons.edit(path, "(fig:growth)", "(fig:growth){ piece=grow from=balloon }")
    assert [problem for problem in balloons.problems() if "the languages differ" in problem] == []
    balloons.edit("docs/en/balls.md", "from=balloon", "from=table")
    told = [problem for problem in balloons.problems() if "the languages differ" in problem]
    assert len(told) == 1
    assert "the piece grow from balloon" in told[0]
    assert "the piece grow from table" in told[0]
