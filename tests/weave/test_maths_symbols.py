"""Letters that stand for a term: in its colour in every formula, and never as an index."""

from xml.etree import ElementTree as ET

import pytest

from knit.check.course import woven_pages
from knit.read.glossary import COLOURED, Glossary
from knit.weave.maths import COLOURS, render
from knit.weave.maths_symbols import coloured

SYMBOLS = {"q": "query", "Q": "query", "k": "key", "K": "key", "V": "value"}

FORMULAS = [
    (r"q\cdot k", ["q", "k"]),
    (r"q_1k_2-q_{k}", ["q", "k", "q"]),
    (r"QK^\top/\sqrt{d_k}", ["Q", "K"]),
    (r"XW^Q", ["Q"]),
    (r"X_{qa}W^K_{ak}", ["K"]),
    (r"\sum_{k=1}^{K}e^{q_k}", ["K", "q"]),
    (r"\underbrace{Q,V}_{k\times k}", ["Q", "V"]),
    (r"\tilde q\,\text{query k}", ["q"]),
    (r"x+y", []),
]


@pytest.mark.parametrize(("latex", "letters"), FORMULAS)
@pytest.mark.parametrize("display", [False, True])
def test_letters_are_coloured_and_indices_are_not(latex, letters, display):
    before = render(latex, display=display)
    after = coloured(before, SYMBOLS)
    found = [e for e in ET.fromstring(after).iter() if e.get("class", "") in {f"knit-{c}" for c in SYMBOLS.values()}]
    assert [element.text for element in found] == letters
    assert all(element.get("class") == f"knit-{SYMBOLS[element.text]}" for element in found)
    for colour in set(SYMBOLS.values()):
        after = after.replace(f' class="knit-{colour}"', "")
    assert after == before


def test_every_such_term_has_a_colour():
    assert set(COLOURED) <= set(COLOURS)


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        ("id: query, symbols: [q, Q]", ""),
        ("id: vector, symbols: [x]", "the entry vector has symbols, but no colour of its own"),
        ("id: key, symbols: k", "the entry key has the symbols 'k': write a list such as [q, Q]"),
    ],
)
def test_symbols_are_read_from_the_glossary(tmp_path, entry, error):
    (tmp_path / "glossary.yml").write_text(f"- {{{entry}, en: a, says: {{en: b}}}}\n", "utf-8")
    glossary = Glossary.read(tmp_path, "glossary.yml", ("en",))
    assert glossary.error.startswith(error)
    assert glossary.symbols == ({} if error else {"q": "query", "Q": "query"})


def test_a_lesson_shows_them(workshop):
    workshop.write(
        "docs/glossary.yml",
        "- {id: query, symbols: [R], zh: 半径线, en: radius line, says: {zh: 甲, en: a}}\n",
    )
    workshop.edit("docs/en/balls.md", "#top}", "#top}\n\n$R$\n")
    woven = woven_pages(workshop.look()[0])
    assert any('<mi class="knit-query">R</mi>' in html for html in woven["docs/en/balls.md"].html)
