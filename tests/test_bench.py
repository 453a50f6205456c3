"""The benchmark sees an old number, measures a small course, and knows what a build may take."""

from functools import partial

import pytest

from bench import results
from bench.__main__ import main
from bench.finished import Desk
from bench.generate import LANGUAGES, Size
from bench.growth import slope
from bench.states import states
from bench.targets import limit
from bench.ways import Ours, expected

NUMBERS = {"mean_1": 0.5, "spread_1": 1.25, "top_1": 2.0, "mean_2": 3.0, "spread_2": 4.0, "top_2": 5.0}


@pytest.fixture
def published(tmp_path):
    """A lesson's built pages, as plain Python would have them."""
    state = states(Size(1, snippets=2, figures=1))["label"]
    values = {"lesson_0001": NUMBERS}
    way = Ours(tmp_path / "ours", Desk(tmp_path / "desk"))
    for language in LANGUAGES:
        page = way.root / way.pages.format(language=language, name="lesson_0001")
        page.parent.mkdir(parents=True)
        words = "</p><p>".join(expected(state.lessons[0], language, values))
        page.write_text(f"<p>{words}</p><svg>multiplier</svg>", "utf-8")
    return lambda: way.stale(state, values), way.root / "site/en/lesson_0001/index.html"


def test_what_python_computes_is_fresh(published):
    stale, _ = published
    assert stale() == []


@pytest.mark.parametrize(("old", "new"), [("1.2500", "1.2501"), ("indeed", ""), ("multiplier", "factor")])
def test_an_old_number_word_or_label_is_stale(published, old, new):
    stale, page = published
    text = page.read_text("utf-8")
    assert old in text
    page.write_text(text.replace(old, new), "utf-8")
    assert stale() == ["en/lesson_0001"]


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The file that results are kept in, another than the committed one."""
    monkeypatch.setattr(results, "FILE", tmp_path / "results.json")
    return results.read


def test_a_small_course_is_measured(kept):
    size = ["--lessons", "1", "--snippets", "2", "--figures", "1"]
    assert main([*size, "--rounds", "1", "--peers", "--scenarios", "snippet"]) == 0
    found = kept()["builds"]["1"]
    knit = found["ways"]["knit"]
    assert found["failed"] == {}
    assert {name: cell["executions"] for name, cell in knit.items()} == found["due"]
    assert found["due"] == {"cold": 2, "same": 0, "snippet": 2}
    assert (knit["cold"]["drawn"], knit["same"]["drawn"]) == (1, 0)
    assert not any(cell["stale"] for cell in knit.values())
    assert found["targets"].keys() == {"cold", "same", "snippet"}
    assert found["ways"]["render"]["same"]["seconds"] == {"min": 1.0, "median": 1.0, "max": 1.0}


def test_a_limit_holds_the_pages_and_the_script_that_were_edited():
    took = {"render": 4.0, "plain": 2.0}
    at = partial(limit, lessons=20, seconds=took, empty=2.0)  # a page takes 2 / 40
    assert at("cold") == pytest.approx(1.1 * 6 / 4)
    assert at("same") == 0.6
    assert at("prose") == pytest.approx(0.6 + 0.05 / 4)
    assert at("snippet") == at("label") == pytest.approx(0.6 + (0.05 + 1.3 * 2) / 4)
    assert at("module") is None


@pytest.mark.parametrize("power", [0, 1, 2])
def test_a_slope_is_the_power_of_growth(power):
    numbers = [1, 2, 4, 8, 16]
    assert slope(numbers, [3.0 * number**power for number in numbers]) == power
