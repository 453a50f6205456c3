"""Sentences of the glossary and of claims: formulas as on pages, and as text where they cannot stand."""

import re

import pytest

from knit.weave.maths import MathsError, render
from knit.weave.sentences import plain, woven

BOX = render(r"q^\top k", display=False)


@pytest.mark.parametrize(
    ("sentence", "html", "text"),
    [
        ("No formula: 1 < 2.", "No formula: 1 &lt; 2.", "No formula: 1 < 2."),
        (r"Score $q^\top k$ first", f"Score {BOX} first", "Score qᵀk first"),
        (r"分数$q^\top k$。", f'分数<span class="knit-keep">{BOX}。</span>', "分数qᵀk。"),
        (r"（$q^\top k$），", f'<span class="knit-keep">（{BOX}），</span>', "（qᵀk），"),
        (r"“$q^\top k$ is", f'<span class="knit-keep">“{BOX}</span> is', "“qᵀk is"),
        ("costs 5 $", "costs 5 $", "costs 5 $"),
    ],
)
def test_formulas_are_woven_and_written(sentence, html, text):
    assert woven(sentence, {}) == html
    assert plain(sentence) == text


def test_less_than_is_not_taken_for_a_tag():
    assert re.search(r"<mo>&lt;</mo>", woven("$a<b$", {}))
    assert plain("$a<b$") == "a < b"


def test_letters_have_the_colours_of_the_course():
    assert '<mi class="knit-query">q</mi>' in woven("$q$", {"q": "query"})


def test_a_wrong_formula_is_refused_where_it_is_woven_and_stays_as_typed_where_it_is_written():
    with pytest.raises(MathsError):
        woven(r"$\frac{1}{$", {})
    assert plain(r"$\frac{1}{$, then $x^2$") == r"\frac{1}{, then x²"
