"""A lesson rendered by plain Python-Markdown: no MkDocs anywhere."""

import re
from html import unescape
from html.parser import HTMLParser

import markdown
import pytest

from knit.weave.extension import KnitExtension


@pytest.fixture
def render(geometry):
    def convert(text, language="en", script="balls.py"):
        md = markdown.Markdown(
            extensions=[
                "attr_list", "tables", "toc", "admonition", "md_in_html",
                "pymdownx.superfences", "pymdownx.snippets", "pymdownx.blocks.caption",
                KnitExtension(root=str(geometry), language=language, script=script),
            ],
            extension_configs={
                "pymdownx.snippets": {
                    "base_path": [str(geometry / "snippets")],
                    "check_paths": True,
                    "dedent_subsections": True,
                }
            },
        )  # fmt: skip
        return md.convert(text), md

    return convert


DATA = '<data value="1.5" data-of="balls.radius">1.5</data>'


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("{{ radius:.1f }}", f"<p>{DATA}</p>"),
        ("**{{ radius:.1f }}** and *{{ radius:.1f }}*", f"<p><strong>{DATA}</strong> and <em>{DATA}</em></p>"),
        ("## R {{ radius:.1f }} {#r}", f'<h2 id="r">R {DATA}</h2>'),
        ("- {{ radius:.1f }}", f"<li>{DATA}</li>"),
        ("[see {{ radius:.1f }}](x.md)", f'<a href="x.md">see {DATA}</a>'),
        ("| a |\n|---|\n| {{ radius:.1f }} |", f"<td>{DATA}</td>"),
        ('!!! note "N {{ radius:.1f }}"\n    in', f"N {DATA}"),
        ("!!! note\n    in {{ radius:.1f }}", f"in {DATA}"),
        ("![a {{ radius:.1f }}](x.png)", 'alt="a 1.5"'),
        ("<div>{{ radius:.1f }}</div>", f"<div>{DATA}</div>"),
        ("<div markdown>{{ radius:.1f }}</div>", DATA),
        ("`{{ radius:.1f }}`", "<code>{{ radius:.1f }}</code>"),
        ("para\n\n    {{ radius:.1f }}", "<code>{{ radius:.1f }}"),
        ("```\n{{ radius:.1f }}\n```", "{{ radius:.1f }}"),
        ("{{ boxes.volume:.0f }}", '<data value="8.0" data-of="boxes.volume">8</data>'),
        ("{{ table[1][2]:.1f }}", ">33.5</data>"),
        ("{{ table[1][0] }}", ">large</data>"),
        ("```output volume\n```", "volume 14.137"),
        ("> ```output volume\n> ```", "volume 14.137"),
        ("[B1](claim:B1)", '#claim-b1"><span class="knit-claim" data-of="balls:B1">B1'),
    ],
)
def test_a_piece_is_woven_where_it_stands(render, source, html):
    assert html in render(source)[0]


def test_a_formula_has_the_value_in_it(render):
    html, _ = render("$r = {{ radius:.1f }}$ and $v = {{ radii:.0f }}$")
    assert html.count("<math") == 2
    assert re.search(r"<mn>1\.5</mn>", html)


def test_a_heading_is_plain_text_in_the_table_of_contents(render):
    _, md = render("# Ball of {{ radius:.1f }} {#b}")
    assert [(token["id"], token["name"]) for token in md.toc_tokens] == [("b", "Ball of 1.5")]


def test_code_shows_the_comments_of_its_language_only(render):
    fence = '```python\n--8<-- "balls.py:volume"\n```'
    for language, shown, hidden in (("en", "twice the radius", "半径"), ("zh", "半径翻一倍", "twice")):
        html, _ = render(fence, language)
        assert shown in html
        assert hidden not in html
        assert "8&lt;" not in html
        assert f"{language}:" not in html


def test_a_computed_table_has_the_lessons_header(render):
    fence = "```table table\n| which | $r$ | volume |\n|:--|--:|--:|\n| | .0f | .2f |\n```"
    html, _ = render(fence)

    class Cells(HTMLParser):
        found: list[str]

        def handle_starttag(self, tag, attrs):  # noqa: ARG002 - as HTMLParser calls it
            if tag == "td":
                self.found.append("")
                self.inside = True

        def handle_endtag(self, tag):
            if tag == "td":
                self.inside = False

        def handle_data(self, data):
            if getattr(self, "inside", False):
                self.found[-1] += data

    cells = Cells()
    cells.found = []
    cells.feed(html)
    volume = 4 / 3 * 3.141592653589793
    assert cells.found == ["small", "1", f"{volume:.2f}", "large", "2", f"{8 * volume:.2f}"]


def test_a_figure_is_in_the_pages_language(render):
    for language, label, other in (("en", "radius", "半径"), ("zh", "半径", "radius")):
        html, _ = render("![Curve $r^2$ at {{ radius:.1f }}](fig:growth)\n\n/// caption\nGrows.\n///", language)
        assert 'role="img"' in html
        assert "at 1.5" in re.search(r'aria-label="([^"]*)"', html)[1]
        svg = html[html.index("<svg") : html.index("</svg>")]
        assert label in svg
        assert other not in svg
        assert "<figcaption>" in html


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("{{ nothing:.2f }}", "page.md:1: snippets/balls.py has no name nothing · snippets/balls.py:1"),
        ("{{ raduis:.2f }}", "is it radius?"),
        ("\n\n{{ radius:zz }}", "page.md:3: radius: bad format 'zz'"),
        ("{{radius}}", "is no reference"),
        ("{{ radius + 1 }}", "is no reference"),
        ("{{ np }}", "np is no value but a module"),
        ("{{ radii[7] }}", "there is no 7 in what has 3 items"),
        ("{{ radii.x }}", "there is no x in what has 3 items"),
        ("![](fig:growth)", "has no alternative text"),
        ("![](x.png)", "has no alternative text"),
        ("![a](fig:nope)", "has no figure nope"),
        ("[B9](claim:B9)", "no script makes the claim B9"),
        ("```output nope\n```", "has no section nope"),
        ("```output\n```", "write ```output SECTION"),
        ("```table radius\n| a |\n|---|\n```", "radius is no list of rows"),
        ("```table table\n| a |\n|---|\n```", "the table has 1 columns, 1 formats, and table has rows of 3"),
        ("```table table\nnothing\n```", "a table's fence holds its header row"),
        ('```python\n--8<-- "balls.py:nope"\n```', "snippets/balls.py has no section nope"),
        ('```python\n--8<-- "nope.py"\n```', "there is no script snippets/nope.py"),
        ("$\\frac{1}{$", "page.md:1: bad formula"),
        ("![a $\\frac{1}{$](fig:growth)", "page.md:1: bad formula"),
    ],
)
def test_what_is_wrong_is_shown_in_its_place(render, source, told):
    html, _ = render(source)
    assert "knit-error" in html
    assert told in unescape(html)


def test_a_formula_or_a_badge_keeps_the_stop_behind_it(render):
    html, _ = render("Take $r^2$。 See [B1](claim:B1), and {{ radius:.1f }}.")
    assert re.search(r'<span class="knit-keep"><span class="knit-maths">.*?</math></span>。</span>', html)
    assert re.search(r'<span class="knit-keep"><a [^>]*><span class="knit-claim"[^>]*>.*?</span></a>,</span>', html)
    assert f"{DATA}.</p>" in html


def test_a_formula_or_a_badge_keeps_the_bracket_or_quotation_mark_before_it(render):
    html, _ = render("于是（$r^2$ 更大）；“$r$”；「[B1](claim:B1) 和（{{ radius:.1f }}）")
    assert re.search(r'于是<span class="knit-keep">（<span class="knit-maths">.*?</math></span></span> 更大', html)
    assert re.search(r'<span class="knit-keep">“<span class="knit-maths">.*?</math></span>”；</span>', html)
    assert re.search(r'<span class="knit-keep">「<a [^>]*><span class="knit-claim"[^>]*>.*?</span></a></span> 和', html)
    assert f"和（{DATA}）</p>" in html  # what is no box is broken by the browser's own rules


def test_the_ledger_sets_the_formulas_of_a_claims_statement(render):
    html, _ = render("```claims\n```")
    assert re.search(r"one of side <span class=.knit-maths.>.*?<mi>s</mi></math></span> takes ", html)
    assert re.search(r"takes <span class=.knit-keep.><span class=.knit-maths.>.*?<msup>.*?</span>\.</span></p>", html)
