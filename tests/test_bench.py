"""The benchmark sees an old number: a page that says another one than the script computes is stale."""

import pytest

from bench.generate import LANGUAGES, Size
from bench.states import states
from bench.ways import Ours, expected

NUMBERS = {"mean_1": 0.5, "spread_1": 1.25, "top_1": 2.0, "mean_2": 3.0, "spread_2": 4.0, "top_2": 5.0}


@pytest.fixture
def published(tmp_path):
    """A lesson's built pages, as plain Python would have them."""
    state = states(Size(1, snippets=2, figures=1))["label"]
    values = {"lesson_0001": NUMBERS}
    way = Ours(tmp_path / "ours", tmp_path / "accepted")
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
