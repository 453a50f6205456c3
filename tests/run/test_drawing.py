"""Figures as pages get them: the same everywhere, in the course's colours, and refused where they must be."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import font_manager, patheffects

from knit import colours, figure, heatmap
from knit.run.drawing import draw, picker
from knit.run.figure_fault import NotDrawn


def parsed(svg):
    return ET.fromstring(svg)


SVG = "{http://www.w3.org/2000/svg}"


@figure
def waves(ax, t):
    x = np.linspace(0, 6, 200)
    ax.plot(x, np.sin(x), color=colours.QUERY)
    ax.plot(x, np.cos(x), "o--", color=colours.KEY, alpha=0.5, markevery=20)
    ax.fill_between(x, 0, np.sin(x), color=colours.GOOD, alpha=0.2, lw=0)
    ax.annotate(t(zh="峰", en="peak"), (1.6, 1), (3, 0.9), arrowprops={"arrowstyle": "->", "color": colours.INK})
    ax.set_ylim(-0.5, 1.2)
    ax.set_xlabel(t(zh="角度（弧度）", en="angle $x_1$"))
    ax.set_ylabel(t(zh="第一行\n第二行", en="first line\nsecond line"))


@figure(width=5, height=3, columns=2)
def maps(axes, t):
    heatmap(axes[0], np.eye(3), fmt=".1f", rows=list("abc"), columns=t(zh="甲 乙 丙", en="x y z").split())
    heatmap(axes[1], np.linspace(-1, 1, 1600).reshape(40, 40), kind="score")


@figure(width=4, height=3)
def logarithms(fig, t):
    ax = fig.subplots()
    ax.loglog([1, 1e4], [1e-3, 1e3], color=colours.BAD)
    ax.set_title(t(zh="对数", en="logs"))


ALL = [waves, maps, logarithms]
EVERY = pytest.mark.parametrize("function", ALL, ids=lambda function: function.__name__)
BOTH = pytest.mark.parametrize("language", ["zh", "en"])


def texts(svg):
    return ["".join(element.itertext()) for element in parsed(svg).iter(f"{SVG}text")]


@EVERY
@BOTH
def test_is_one_element_that_a_page_can_hold(function, language):
    svg = draw(function, language)
    root = parsed(svg)
    assert (root.tag, root.get("role"), root.get("class")) == (f"{SVG}svg", "img", "knit-figure")
    assert svg.startswith("<svg")
    assert svg.endswith("</svg>")
    used = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert used <= {"svg", "g", "path", "circle", "ellipse", "text", "tspan"}
    # Nothing that another element of the page could meet or that a security policy could forbid.
    attributes = {name for element in root.iter() for name in element.keys()}  # noqa: SIM118 - an element is no mapping
    assert not attributes & {"id", "style", "href", "clip-path", "font-family"}


@EVERY
def test_is_as_large_as_its_mark_says(function):
    root = parsed(draw(function, "en"))
    mark = function.__knit__
    width, height = float(root.get("width")), float(root.get("height"))
    assert (width, height) == pytest.approx((96 * mark.width, 96 * mark.height), abs=0.06)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    # Letters are 9 pixels high on a phone that leaves the figure 350.
    sizes = [
        float(element.get("font-size"))
        for element in root.iter()
        if element.tag == f"{SVG}text" and element.get("font-size")
    ]
    assert min([float(root.get("font-size")), *sizes]) * min(1, 350 / width) >= 9


@EVERY
@BOTH
def test_every_colour_is_a_variable(function, language):
    svg = draw(function, language)
    named = {f"var({variable})" for variable in colours.VARIABLES.values()}
    heat = {name.replace("knit-", "knit-heat-") for name in named}
    painted = [element.get(what) for element in parsed(svg).iter() for what in ("fill", "stroke") if element.get(what)]
    assert set(painted) <= named | heat | {"none"}
    assert "#" not in svg
    assert not re.search(r"rgb|black|white", svg)


def test_the_style_sheet_defines_every_variable_in_each_scheme():
    sheet = (Path(colours.__file__).parent / "site/assets/figures.css").read_text("utf-8")
    blocks = re.findall(r"\{([^{}]*--knit-paper[^{}]*)\}", sheet)
    names = {re.search(r"\((--.*)\)", f"({v})")[1] for v in colours.VARIABLES.values()}
    for block in blocks:
        defined = set(re.findall(r"(--knit-[\w-]+):", block))
        assert names <= defined
        assert {f"--knit-heat-{kind}" for kind in ("query", "key", "value", "score", "weight", "muted")} <= defined
    assert len(blocks) == 3  # light, dark, paper
    assert dict(re.findall(r"(--knit-[\w-]+): (\S+);", blocks[2])) == dict(
        re.findall(r"(--knit-[\w-]+): (\S+);", blocks[0])
    )


def test_words_are_the_languages_own():
    assert {"峰", "角度（弧度）", "第一行", "第二行"} <= set(texts(draw(waves, "zh")))
    assert {"peak", "angle x1", "first line", "second line"} <= set(texts(draw(waves, "en")))
    assert {"甲", "乙", "丙", "1.0"} <= set(texts(draw(maps, "zh")))
    assert {"10−3", "100", "104"} <= set(texts(draw(logarithms, "en")))


def test_no_font_is_looked_for(monkeypatch):
    expected = [draw(waves, language) for language in ("zh", "en")]

    def refuse(*_, **__):
        raise AssertionError("looked for a font of this machine")

    for name in ("findfont", "_find_fonts_by_props", "_findfont_cached"):
        monkeypatch.setattr(font_manager.fontManager, name, refuse, raising=False)
    monkeypatch.setattr(font_manager, "get_font", refuse)
    assert [draw(waves, language) for language in ("zh", "en")] == expected


HERE = "import sys, json; sys.path.insert(0, {folder!r}); from test_drawing import ALL, draw\n"
ALL_DRAWN = "json.dump([draw(f, l) for f in ALL for l in ('zh', 'en')], sys.stdout)"


def test_is_the_same_in_every_process(tmp_path):
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\nfont.size: 30\naxes.grid: True\nsavefig.dpi: 10\n")
    spoil = (
        "import matplotlib as mpl; mpl.rcParams.update({'lines.linewidth': 7, 'text.usetex': True, "
        "'axes.facecolor': 'red', 'font.family': 'serif', 'figure.dpi': 30, 'axes.unicode_minus': False})\n"
    )
    expected = [draw(function, language) for function in ALL for language in ("zh", "en")]
    for seed, extra in (("1", ""), ("2", spoil)):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "MPLCONFIGDIR": str(tmp_path / "cache"), "LC_ALL": "C"}
        code = HERE.format(folder=str(Path(__file__).parent)) + extra + ALL_DRAWN
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, check=True, timeout=120
        )
        assert json.loads(done.stdout) == expected


def test_leaves_the_settings_of_the_script_as_they_were():
    before = dict(mpl.rcParams)

    @figure
    def meddles(ax):
        mpl.rcParams["lines.linewidth"] = 40
        ax.plot([0, 1], color=colours.INK)

    assert draw(meddles, "en") == draw(meddles, "en")
    assert dict(mpl.rcParams) == before


def test_knit_does_not_import_matplotlib():
    code = "import sys, knit; sys.exit(any(name.startswith(('matplotlib', 'numpy')) for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_picker():
    assert picker("zh")(zh="河岸", en="bank") == "河岸"
    with pytest.raises(ValueError, match="no words in 'fr' among"):
        picker("fr")(zh="河岸", en="bank")


def plot(ax, **look):
    ax.plot([0, 1], [0, 1], **look)


REFUSED = {
    "a default colour": (plot, "line2d has no colour: give it one of knit.colours"),
    "bars without colour": (lambda ax: ax.bar([1], [2]), "patch has no colour"),
    "another colour": (
        lambda ax: plot(ax, color="tab:red"),
        "line2d is drawn in #d62728, which is no colour of the course",
    ),
    "a named colour": (lambda ax: ax.text(0, 0, "word", color="k"), "'word' is drawn in #000000"),
    "a colour map": (lambda ax: ax.scatter([1, 2], [1, 2], c=[1, 2]), "PathCollection is drawn in #"),
    "a mesh in a colour map": (lambda ax: ax.pcolormesh(np.eye(2)), "QuadMesh is drawn in #"),
    "a bitmap": (lambda ax: ax.imshow(np.eye(2)), "imshow.*knit.heatmap"),
    "hatching": (lambda ax: ax.bar([1], [2], color=colours.KEY, hatch="/"), "hatching"),
    "nothing": (lambda _: None, "nothing is drawn, but for titles and labels"),
    "an inset with nothing": (lambda ax: ax.inset_axes([0, 0, 1, 1]), "nothing is drawn"),
    "a table in black": (lambda ax: ax.table([["a"]]), "is drawn in #.*, which is no colour of the course"),
    "whiskers in black": (lambda ax: ax.boxplot([1, 2, 3]), "line2d is drawn in #000000.*set_color.* on what the call"),
    "an emoji": (
        lambda ax: ax.text(0, 0, "ok 🧠"),
        "missing glyph: .*'🧠' .U.1F9E0 BRAIN., in the label 'ok 🧠'",
    ),
    "a letter no font has": (
        lambda ax: ax.set_xlabel("\ue000") and plot(ax, color=colours.KEY),
        "missing glyph.*U.E000",
    ),
    "TeX": (lambda ax: ax.text(0, 0, r"$\sqrt{d_k}$"), r"has \\sqrt, but labels know no TeX.*√d"),
    "path effects": (lambda ax: ax.text(0, 0, "halo", path_effects=[patheffects.Normal()]), "path effects on 'halo'"),
    "a round window": (
        lambda ax: (
            plot(ax, color=colours.KEY)
            or ax.lines[0].set_clip_path(mpl.patches.Circle((0, 0), 0.1, transform=ax.transData))
        ),
        "only an upright rectangle",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case):
    body, message = REFUSED[case]

    @figure
    def culprit(ax, _):
        body(ax)

    with pytest.raises(NotDrawn, match=rf"^culprit \(en\): .*{message}") as caught:
        draw(culprit, "en")
    assert "\n" not in str(caught.value)


def test_what_is_on_an_inset_is_on_its_panel():
    @figure
    def within(ax, _):
        plot(ax.inset_axes([0.2, 0.2, 0.5, 0.5]), color=colours.INK)

    @figure
    def over(ax, _):
        plot(ax, color=colours.INK)

    assert draw(within, "en").count('stroke="var(') >= draw(over, "en").count('stroke="var(')


def test_an_empty_panel_is_refused():
    @figure(rows=2)
    def half(axes, _):
        plot(axes[0], color=colours.INK)

    with pytest.raises(NotDrawn, match="nothing is drawn in panel 2 of 2"):
        draw(half, "en")

    @figure(rows=2)
    def hidden(axes, _):
        plot(axes[0], color=colours.INK)
        axes[1].set_axis_off()

    assert "<path" in draw(hidden, "en")


def test_what_the_function_raises_is_passed_on():
    @figure
    def raises(_ax, t):
        t(en="only English")
        return 1 / 0

    with pytest.raises(ZeroDivisionError):
        draw(raises, "en")
    with pytest.raises(ValueError, match="no words in 'zh'"):
        draw(raises, "zh")


def test_a_layout_that_does_not_fit_is_refused():
    @figure(width=1, height=0.3)
    def cramped(ax, _):
        plot(ax, color=colours.INK)
        ax.set_xlabel("a\nb\nc\nd")

    with pytest.raises(NotDrawn, match="collapsed to zero"):
        draw(cramped, "en")
