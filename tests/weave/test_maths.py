"""LaTeX to MathML: what comes out is checked as parsed MathML; what must not come out is refused."""

import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit import colours
from knit.weave.maths import COLOURS, MathsError, plain, render


def maths(latex, *, display=False):
    """The ``math`` element of a formula."""
    return ET.fromstring(render(latex, display=display)).find("math")


def text(element):
    return "".join(element.itertext())


GOOD = [
    # LaTeX, where in the MathML, the texts found there
    (r"\sqrt{d_k}", "msqrt/msub/*", ["d", "k"]),
    (r"\sqrt[3]{x}", "mroot/*", ["x", "3"]),
    (r"\frac{QK^\top}{\sqrt{d_k}}", "mfrac/*", ["QK⊤", "dk"]),
    (r"\tfrac12", "mfrac[@displaystyle='false']/mn", ["1", "2"]),
    (r"K^\top", "msup/*", ["K", "⊤"]),
    (r"K^⊤", "msup/*", ["K", "⊤"]),
    (r"x_i^2", "msubsup/*", ["x", "i", "2"]),
    (r"\mathbb{R}^{n\times d}", "msup/*", ["ℝ", "n×d"]),
    (r"\mathbf{q}", "mi", ["𝐪"]),
    (r"\mathrm{softmax}(S)", ".//mi", ["softmax", "S"]),
    (r"\operatorname{softmax}(S)", ".//mi", ["softmax", "S"]),
    (r"\text{得分 a}", "mtext", ["得分\u00a0a"]),
    (r"s_{\text{河岸}}", "msub/mtext", ["河岸"]),
    (r"河岸", "mi", ["河", "岸"]),
    (r"\lVert x\rVert", "mo", ["‖", "‖"]),
    (r"2{,}500", "mo[@rspace='0']", [","]),
    (r"\times 10^{-15}", "msup/*", ["10", "−15"]),
    (r"f'(x)", "msup/mo", ["′"]),
    (r"\begin{bmatrix}1&2\\3&4\end{bmatrix}", ".//mtable/mtr/mtd", ["1", "2", "3", "4"]),
    (r"\begin{bmatrix}1\\2\end{bmatrix}", "mrow/mo", ["[", "]"]),
    (r"\begin{pmatrix}1&2\end{pmatrix}", "mrow/mo", ["(", ")"]),
    (r"\begin{aligned}a&=b\\&=c\end{aligned}", "mtable/mtr/mtd", ["a", "=b", "", "=c"]),
    (r"\begin{cases}1&x>0\\0&\text{否则}\end{cases}", "mrow/mtable/mtr/mtd", ["1", "x>0", "0", "否则"]),
    (r"\left\{\frac12\right.", "mrow/mo", ["{", "\u2063"]),
    (r"\Big(x\Big)", "mo[@minsize='1.623em']", ["(", ")"]),
    (r"\overline{ab}", "mover[@accent='true']/*", ["ab", "\u0332"]),
    (r"\widehat{ab}", "mover/mo[@stretchy='true']", ["\u0302"]),
    (r"\vec{q}", "mover/mo[@stretchy='true']", ["\u20d7"]),
    (r"\boxed{a=b}", "mrow[@class='knit-boxed']/*/*", ["a", "=", "b"]),
    (r"a\cdot b\approx c\ne d", "mo", ["⋅", "≈", "≠"]),
    (r"50\%", "*", ["50", "%"]),
    (r"a<b>c\&d", "mo", ["<", ">", "&"]),
]


@pytest.mark.parametrize(("latex", "place", "found"), GOOD)
def test_constructs(latex, place, found):
    assert [text(element) for element in maths(latex).iterfind(place)] == found


DISPLAYED = [
    (r"\sum_{i=1}^{n}x_i", "munderover/*", ["∑", "i=1", "n"]),
    (r"\operatorname*{argmax}_x f", ".//munder/*", ["argmax", "x"]),
    (r"\underbrace{QK^\top}_{\text{分数}}", "munder/*", ["QK⊤⏟", "分数"]),
]


@pytest.mark.parametrize(("latex", "place", "found"), DISPLAYED)
def test_limits_stand_above_and_below_in_displayed_formulas(latex, place, found):
    assert [text(element) for element in maths(latex, display=True).iterfind(place)] == found


def test_negative_thin_space():
    assert "margin-left:-0.1666" in maths(r"a\!b").find("mspace").get("style")


def test_display_is_a_block_and_the_other_is_not():
    assert maths("x", display=True).get("display") == "block"
    assert maths("x").get("display") is None
    assert "knit-maths-display" in render("x", display=True)
    assert "knit-maths-display" not in render("x", display=False)


def test_the_source_is_kept_and_escaped():
    assert maths(r"\text{x} <" + "\n y").get("alttext") == r"\text{x} < y"
    assert ET.fromstring(render(r"a<b\&c", display=False)).find("math").get("alttext") == r"a<b\&c"


@pytest.mark.parametrize("name", COLOURS)
def test_colours_follow_the_scheme(name):
    variable = colours.VARIABLES[getattr(colours, name.upper())]
    element = maths(rf"\{name}{{q}}").find("mrow")
    assert element.get("style") == f"color:var({variable})"
    assert text(element) == "q"
    assert "#" not in render(rf"\{name}{{q}}", display=False)


BAD = [
    (r"\frac{1}", "argument"),
    (r"\sqrt{", '"}"'),
    (r"x}", "character 2"),
    (r"a+\foo b", r'unknown command "\foo", at character 3: \foo b'),
    (r"⊤⊤\foo", r'unknown command "\foo", at character 3: \foo'),
    (r"\text{⊤}⊥\foo", "at character 10"),
    (r"\begin{bmatrix}1", r"\end"),
    (r"\begin{bmatrix}1\end{pmatrix}", r'"\end{pmatrix}"'),
    (r"\begin{foo}x\end{foo}", 'unknown environment "foo"'),
    (r"\left(x", r'"\right"'),
    (r"x\right)", "character 2"),
    (r"a^b^c", "duplicate"),
    (r"x & y", '"&"'),
    (r"a_", "argument"),
    (r"$x$", '"$"'),
    (r"\text{a", '"}"'),
    (r"\htmlClass{q}{x}", "unknown command"),
    ("x\x00", "no place in a formula (U+0000), at character 2"),
    # What math-core lets pass and would show wrongly, or not at all:
    ("", "empty"),
    ("  \n", "empty"),
    ("50% of x", r"write \%, at character 3"),
    (r"a\\b", r"\\ breaks lines only inside"),
    (r"\begin{aligned}a\\b\end{aligned}\\c", "at character 33"),
    (r"\begin{aligned}a\\[4pt]b\end{aligned}", r"\\ takes no distance"),
    (r"\begin{align}a\end{align}", "write aligned"),
    (r"\eqref{x}", "no numbers"),
    (r"\cancel{x}", "strike"),
    (r"\textcolor{red}{x}", r"\query"),
    (r"\color{red}x", r"\query"),
    (r"\mathfrak{g}", "no 𝔤 (U+1D524)"),
    ("naïve", "no ï (U+00EF)"),
    # Nested so deep that math-core's process, or ours, would end:
    ("{" * 51 + "x" + "}" * 51, "braces inside each other, at character 51"),
    (r"\sqrt" * 101 + " x", "nested"),
    ("{" * 10_000, "longer than"),
]


@pytest.mark.parametrize(("latex", "said"), BAD)
@pytest.mark.parametrize("display", [False, True])
def test_bad_formulas_are_refused_in_one_line(latex, said, display):
    with pytest.raises(MathsError) as caught:
        render(latex, display=display)
    message = str(caught.value)
    assert said in message
    assert message.isprintable()
    with pytest.raises(MathsError):
        plain(latex)


@pytest.mark.parametrize(
    "latex",
    [r"\begin{aligned}a\\ [4pt]\end{aligned}", r"\text{50\%}", r"\begin{cases}a\\b\end{cases}", r"\sqrt" * 98 + " x"],
)
def test_what_only_looks_bad_is_not_refused(latex):
    maths(latex)


FRAGMENTS = r"""
x 2 { } _ ^ & \\ % \frac \sqrt \left( \right) \begin{bmatrix} \end{bmatrix} \begin{cases} \end{cases} \text{ 分
\overline \underbrace \sum \cos \operatorname{f} \top ' , - = ( ) | \, \! \mathbf \hat \binom \boxed \query \a
\newcommand{\a}{\a} \xrightarrow{f} \mathrm{d} \not \phantom ⊤ \ \limits [ ] \underset \middle| \sqrt[3]
"""


@given(st.lists(st.sampled_from(FRAGMENTS.split()), max_size=12).map(" ".join) | st.text(max_size=12), st.booleans())
def test_any_text_becomes_mathml_or_one_line(latex, display):
    try:
        html = render(latex, display=display)
    except MathsError as error:
        assert str(error).isprintable()  # noqa: PT017 - it need not be raised
        return
    ET.fromstring(html)
    assert "\n" not in plain(latex)


def test_other_processes_write_the_same():
    program = (
        "from knit.weave.maths import render\n"
        r"print(render(r'\query{q}+\frac{\vec{a}}{\boxed{2{,}500}}⊤', display=True))"
    )
    written = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(written) == 1
    assert re.search(b"<mfrac>", written.pop())
