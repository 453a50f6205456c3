"""The reading of pages: pieces, places, and text that is none of ours."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mkdocs.utils.meta import get_data

from knit.check.course import problems
from knit.project import Course, Layout, Results
from knit.read.page import Page
from knit.read.pieces import BadReference, ClaimLink, CodeSpan, Fence, Formula, Image, Value
from knit.weave.weaver import weave

SOURCE = """\
---
script: s.py
---
# Title {{ a:.1f }} {#top}

Text `{{ code }}` and ``{{ `code }}`` {{ b.c[0]:,.2f }} <!-- {{ comment }} --> costs \\$5.

$x = {{ a }}$ and $\\frac{1}{ {{ a:.1f }} }$, $${{ d }}$$

```python
{{ fenced }}
```

![alt {{ a }} $y$](fig:f) [P1](claim:P1.a) {{a}} {{ a + 1 }}
"""


def kinds(text):
    return [type(piece) for piece in Page.read("p.md", "en", text).pieces]


def test_the_pieces_of_a_page():
    assert kinds(SOURCE) == [
        Value, CodeSpan, CodeSpan, Value, CodeSpan, CodeSpan, Formula, Formula, Formula,
        Fence, Image, ClaimLink, BadReference, BadReference,
    ]  # fmt: skip


def test_places_are_those_of_the_file():
    page = Page.read("p.md", "en", SOURCE)
    lines = SOURCE.splitlines()
    for piece in page.pieces:
        line, column = page.place(piece.start)
        assert lines[line - 1][column - 1 :].startswith(page.text[piece.start : piece.start + 2].split("\n")[0])


def test_what_a_reference_says():
    values = [piece for piece in Page.read("p.md", "en", SOURCE).pieces if isinstance(piece, Value)]
    assert [(value.path, value.spec) for value in values] == [("a", ".1f"), ("b.c[0]", ",.2f")]


def test_front_matter_and_headings():
    page = Page.read("p.md", "en", SOURCE)
    assert page.meta == {"script": "s.py"}
    assert [(heading.level, heading.id) for heading in page.headings] == [(1, "top")]


@given(
    st.sampled_from(["", "---\nscript: a.py\n---\n", "---\nscript: a.py\n...  \n"]),
    st.sampled_from(["", "\n", "\n\n\n"]),
    st.sampled_from(["", "# A\n", "    b\n\n", "---\nc\n---\n"]),
)
def test_the_text_is_what_mkdocs_takes_for_it(front, gap, text):
    page = Page.read("a.md", "en", front + gap + text)
    if front or gap or not text.startswith("---"):
        assert page.text == get_data(front + gap + text)[0]
    assert page.front + page.text == front + gap + text
    assert page.place(0)[0] == 1 + (page.front).count("\n")


def test_money_is_no_formula():
    assert kinds("It costs $5 and $6.") == []


@pytest.mark.parametrize("text", [
    "```python\nx\n\n{{ a }}\n",
    "```python\nx\n```output b\n```\n\n{{ a }}\n",
    "```python\nx\n\n{{ a }}\n\n```output b\n```\n",
    "~~~\nx\n\n{{ a }}\n```output b\n```\n",
])  # fmt: skip
def test_an_unclosed_fence_ends_at_a_blank_line_or_the_next_fence(text):
    pieces = Page.read("p.md", "en", text).pieces
    assert [piece.body for piece in pieces if isinstance(piece, Fence) and not piece.closed] == [("x",)]
    assert [piece.path for piece in pieces if isinstance(piece, Value)] == ["a"]
    assert all(piece.closed for piece in pieces if isinstance(piece, Fence) and piece.kind == "output")


@pytest.mark.parametrize("text", ["```", "```python", "a\n\n```\n", "````\n```python\nx\n```\n"])
def test_an_unclosed_fence_ends_with_the_page(text):
    (fence,) = [p for p in Page.read("p.md", "en", text).pieces if isinstance(p, Fence) and not p.closed]
    assert 0 <= fence.start < fence.end <= len(text)
    assert fence.body_start <= len(text)


def test_a_fence_of_more_marks_holds_others():
    (fence,) = Page.read("p.md", "en", "````markdown\n```python\nx\n```\n````\n").pieces
    assert fence.closed
    assert len(fence.body) == 3


FRAGMENTS = [
    "{{ a }}", "{{ a:.2f }}", "{{ a.b[0]:words }}", "{{ x", "}}", "{{", "$x$", "$", "$$", "\\$", "`", "```",
    "~~~", "````", "python", "table a", "output a", "claims", "\n", "\n\n", "\r\n", "    ", "> ", "- ", "# ",
    "## T {#t}", "---\n", "===\n", "![alt {{ a }}](fig:f)", "![](fig:f)", "[P](claim:P1)", "[7]{.premise}",
    "{ piece=a from=b }", "|---|", "| a | b |", '--8<-- "s.py:a"', "<!-- ", " -->", "<b>", '!!! note "T"',
    "/// caption\n", "///", "script: s.py", ": ", "七", "，", "é", "\x00", "\ue0000\ue001", "😀",
    "3.14", "10^{-3}", "\\frac{1}{2}", "一百倍", "::", "[[", "]]", "(", ")",
]  # fmt: skip
pages = st.lists(st.sampled_from(FRAGMENTS) | st.characters(exclude_categories=["Cs"]), max_size=30).map("".join)


@given(pages)
def test_any_page_is_read_checked_and_woven_without_a_crash(text):
    page = Page.read("docs/en/p.md", "en", text)
    course = Course(Layout(Path()), Results(), (page,))
    pieces = page.pieces
    assert all(a.end <= b.start for a, b in pairwise(pieces))
    assert page.front + page.text == text
    assert all(0 <= piece.start < piece.end <= len(page.text) for piece in pieces)
    for problem in problems(course):
        assert 1 <= problem.line <= text.count("\n") + 1 or problem.path != page.path
        assert "\n" not in str(problem)


PLAIN = [fragment for fragment in FRAGMENTS if not re.search(r"\{\{|\$|\]\(|```|~~~", fragment)]


@given(
    st.lists(st.sampled_from(PLAIN) | st.characters(exclude_categories=["Cs"], exclude_characters="`~$"), max_size=30)
)
def test_text_without_references_comes_out_unchanged_to_the_byte(parts):
    text = "".join(parts)
    assume("{{" not in text and "](" not in text)
    page = Page.read("docs/en/p.md", "en", text)
    result = weave(page, Course(Layout(Path()), Results(), (page,)))
    assert page.front + result.text == text
    assert (result.html, result.shown) == ([], [])


markdown = st.text(alphabet=st.sampled_from(list("ab1 \n\t#*_`~$|[]()!<>-:.{}\\é中，")), max_size=80)


@given(markdown)
def test_any_text_is_read_without_a_crash(text):
    pieces = Page.read("p.md", "en", text).pieces
    assert all(a.end <= b.start for a, b in pairwise(pieces))


@given(markdown.filter(lambda text: "{{" not in text and "$" not in text and "](" not in text and "```" not in text))
def test_text_without_references_comes_out_unchanged(text):
    page = Page.read("docs/en/p.md", "en", text)
    result = weave(page, Course(Layout(None), Results(), (page,)))
    assert result.text == page.text
    assert result.problems == []
