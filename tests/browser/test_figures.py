"""Figures in Chromium: one drawing in both schemes, readable on a phone, nothing cut off or on top of another."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from knit import colours, figure, heatmap
from knit.run.drawing import draw

SHEET = (Path(colours.__file__).parent / "site/assets/figures.css").read_text("utf-8")
SCHEMES = pytest.mark.parametrize("scheme", ["default", "slate"])
BOTH = pytest.mark.parametrize("code", ["zh", "en"])

# Words as boxes around their ink, and whether they are numbers of an axis, which are muted.
WORDS = r"""svg => {
  const frame = svg.getBoundingClientRect(), scale = frame.width / svg.viewBox.baseVal.width
  const pen = document.createElement('canvas').getContext('2d')
  return [...svg.querySelectorAll('text')].map(text => {
    const toPage = text.getScreenCTM(), walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), x = [], y = []
    for (let place = 0; walk.nextNode(); place += walk.currentNode.length) {
      const {data, parentElement} = walk.currentNode, look = getComputedStyle(parentElement)
      pen.font = `${look.fontStyle} ${look.fontWeight} ${look.fontSize} ${look.fontFamily}`
      const ink = pen.measureText(data), start = text.getStartPositionOfChar(place)
      for (const dx of [0, text.getSubStringLength(place, data.length)]) {
        for (const dy of [-ink.actualBoundingBoxAscent, ink.actualBoundingBoxDescent]) {
          const corner = new DOMPoint(start.x + dx, start.y + dy).matrixTransform(toPage)
          x.push(corner.x - frame.left)
          y.push(corner.y - frame.top)
        }
      }
    }
    return {words: text.textContent, size: parseFloat(getComputedStyle(text).fontSize) * scale,
            tick: /muted/.test(text.closest('[fill]').getAttribute('fill')) && /^[\d.,−/°%]+$/.test(text.textContent),
            box: [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)],
            frame: [frame.width, frame.height]}
  })
}"""
APART = 1 / 5  # of a letter's size, between words; two lines of one label are little more apart
CLEAR = 3 / 8  # between words and what is drawn; a number of an axis may be as near as it likes to its tick


@figure(width=4.5, height=3.2)
def curves(ax, t):
    x = np.linspace(0, 6, 200)
    ax.plot(x, np.sin(x), color=colours.QUERY)
    ax.plot(x, 3 * np.cos(x), color=colours.BAD, lw=4)
    ax.set_ylim(-1.2, 1.2)
    ax.set_title(t(zh="正弦与余弦", en="sine and cosine"))
    ax.set_xlabel(t(zh="角度（弧度）", en="angle in radians"))
    ax.set_ylabel(t(zh="函数值\n没有单位", en="value, without\na unit"))


@figure(width=6, height=3)
def cells(ax, t):
    heatmap(
        ax,
        [[0, 0.5, 1], [1, 0.5, 0]],
        fmt=".1f",
        rows=["q", "k"],
        columns=t(zh="河 岸 陡", en="bank was steep").split(),
    )


@figure(width=4, height=4)
def crowded(ax, t):
    ax.plot([0, 8], [5, 5], color=colours.KEY)
    ax.set_xlim(0, 8)
    ax.set_ylim(0, 8)
    ax.text(1, 5, t(zh="线上", en="on it"))
    ax.text(3, 5.15, t(zh="线旁", en="beside it"))
    ax.text(1, 2.2, t(zh="标签", en="a label"))
    ax.text(1, 1.95, t(zh="标签下", en="under a label"))


@figure(width=4, height=4)
def bare_cells(ax):
    heatmap(ax, np.linspace(0, 1, 40 * 40).reshape(40, 40), kind="value")


@pytest.fixture
def show(chromium):
    """Open a page that holds drawings, in a scheme."""
    contexts = []

    def open_page(*drawings, scheme="default", width=800):
        contexts.append(chromium.new_context(viewport={"width": width, "height": 900}))
        page = contexts[-1].new_page()
        page.set_content(
            f"<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'><style>{SHEET}"
            "body { margin: 20px; font-family: sans-serif; background: var(--knit-paper) }</style>"
            f"<body data-md-color-scheme={scheme}>{''.join(f'<p>{each}</p>' for each in drawings)}"
        )
        return page

    yield open_page
    for context in contexts:
        context.close()


def variable(page, name):
    """A colour of the scheme, as three numbers."""
    value = page.evaluate("name => getComputedStyle(document.body).getPropertyValue(name).trim()", f"--knit-{name}")
    digits = value.removeprefix("#") if len(value) == 7 else "".join(2 * digit for digit in value.removeprefix("#"))
    return np.array([int(digits[start : start + 2], 16) for start in (0, 2, 4)])


def pixels(page):
    return np.array(Image.open(io.BytesIO(page.locator("svg.knit-figure").first.screenshot())).convert("RGB")).astype(
        int
    )


def faults(svg):
    """What is too small, cut off, too near to other words, or has anything but one colour around it."""
    words = svg.evaluate(WORDS)
    svg.page.evaluate(
        """() => {
          // A page's header would lie over what is looked at.
          for (const each of document.querySelectorAll('.md-header, .knit-figure text')) each.style.opacity = 0
        }"""
    )
    image = np.array(Image.open(io.BytesIO(svg.screenshot())).convert("RGB")).astype(int)
    found = [f"{w['words']!r} is {w['size']:.1f} px high" for w in words if w["size"] < 9]
    for number, w in enumerate(words):
        left, top, right, bottom = w["box"]
        if left < -1 or top < -1 or right > w["frame"][0] + 1 or bottom > w["frame"][1] + 1:
            found.append(f"{w['words']!r} is cut off")
        for other in words[:number]:
            apart = np.maximum(w["box"][:2], other["box"][:2]) - np.minimum(w["box"][2:], other["box"][2:])
            if apart.max() < APART * w["size"]:
                found.append(f"{w['words']!r} is too near to {other['words']!r}")
        space = 0 if w["tick"] else CLEAR * w["size"]
        left, top, right, bottom = (
            max(round(edge * image.shape[1] / w["frame"][0]), 0)
            for edge in (left - space, top - space, right + space, bottom + space)
        )
        around = image[top:bottom, left:right].reshape(-1, 3)
        if np.ptp(around, axis=0).max() > 8:
            found.append(f"{w['words']!r} has lines through it or too near")
    return len(words), found


@BOTH
def test_the_colours_of_one_drawing_are_the_schemes(show, code):
    drawing = draw(curves, code)
    strokes = {}
    for scheme in ("default", "slate"):
        page = show(drawing, scheme=scheme)
        line = page.locator("svg path[stroke='var(--knit-query)']")
        strokes[scheme] = line.evaluate("path => getComputedStyle(path).stroke")
        assert strokes[scheme] == f"rgb({', '.join(map(str, variable(page, 'query')))})"
        title = page.locator("svg text", has_text="正弦" if code == "zh" else "sine")
        assert title.evaluate("t => getComputedStyle(t).fill") == f"rgb({', '.join(map(str, variable(page, 'ink')))})"
        assert title.evaluate("t => getComputedStyle(t).fontFamily") == "sans-serif"
    assert strokes["default"] != strokes["slate"]


def test_paper_is_light(show):
    page = show(draw(curves, "en"), scheme="slate")
    before = variable(page, "query")
    page.emulate_media(media="print")
    assert (variable(page, "query") != before).any()
    assert variable(page, "paper").tolist() == [255, 255, 255]


@pytest.mark.parametrize("width", [390, 800])
@BOTH
def test_words_can_be_read(show, code, width):
    page = show(*(draw(each, code) for each in (curves, cells)), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for svg in page.locator("svg.knit-figure").all():
        count, found = faults(svg)
        assert count > 5
        assert found == []


@BOTH
def test_words_that_cannot_be_read_are_told(show, code):
    page = show(draw(crowded, code))
    _, found = faults(page.locator("svg.knit-figure"))
    on, near, under = ("线上", "线旁", "标签下") if code == "zh" else ("on it", "beside it", "under a label")
    assert found == [
        f"{on!r} has lines through it or too near",
        f"{near!r} has lines through it or too near",
        f"{under!r} is too near to {'标签' if code == 'zh' else 'a label'!r}",
    ]


@pytest.mark.parametrize("width", [390, 800])
@BOTH
def test_labels_are_beside_the_axes(show, code, width):
    page = show(draw(curves, code), width=width)
    corner = page.locator("svg.knit-figure").evaluate(
        """svg => {
          const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
          const [x, y, , h] = svg.querySelector('svg').getAttribute('viewBox').split(' ').map(Number)
          return [x * scale, (y + h) * scale]
        }"""
    )
    beside = [
        word["box"][2] <= corner[0] or word["box"][1] >= corner[1]
        for word in page.locator("svg.knit-figure").evaluate(WORDS)
        if not re.match("正弦|sine", word["words"])
    ]
    assert len(beside) > 10
    assert all(beside)


def test_a_figure_is_no_larger_than_drawn(show):
    page = show(draw(curves, "en"), width=1400)
    box = page.locator("svg.knit-figure").bounding_box()
    assert (box["width"], box["height"]) == pytest.approx((432, 307.2), abs=0.5)
    assert box["x"] == pytest.approx((1400 - 432) / 2, abs=1)


@SCHEMES
def test_what_leaves_the_axes_is_not_seen(show, scheme):
    page = show(draw(curves, "en"), scheme=scheme)
    image, bad = pixels(page), variable(page, "bad")
    rows = np.flatnonzero((np.abs(image - bad) < 12).all(axis=-1).any(axis=1))
    window = page.locator("svg svg").first
    top, height = float(window.get_attribute("y")), float(window.get_attribute("height"))
    assert len(rows) > height * 0.9
    assert top - 1.5 <= rows.min()
    assert rows.max() <= top + height + 1.5


@SCHEMES
def test_cells_are_as_full_as_their_numbers(show, scheme):
    page = show(draw(cells, "en"), scheme=scheme)
    image, paper, full = pixels(page), variable(page, "paper"), variable(page, "heat-weight")
    x, y, w, h = map(float, re.findall(r"[-\d.]+", page.locator("svg g[transform]").get_attribute("transform")))
    for (row, column), share in np.ndenumerate([[0, 0.5, 1], [1, 0.5, 0]]):
        pixel = image[round(y + (row - 0.35) * h), round(x + (column + 0.15) * w)]
        assert np.abs(pixel - (share * full + (1 - share) * paper)).max() <= 2


@SCHEMES
def test_cells_without_numbers_touch(show, scheme):
    page = show(draw(bare_cells, "en"), scheme=scheme, width=390)
    image = pixels(page)
    height, width = image.shape[:2]
    middle = image[height // 3, width // 5 : -width // 5]
    # Along a row the colour changes little and never jumps back to the page's.
    assert np.abs(np.diff(middle, axis=0)).max() <= 8


@pytest.mark.parametrize("width", [390, 1440])
@BOTH
def test_the_courses_figures_can_be_read(reader, site, code, width):
    # Without script no interactive piece takes a figure's place.
    window = reader(viewport={"width": width, "height": 900}, device_scale_factor=2, java_script_enabled=False)
    found, seen = [], 0
    for path in site.pages(code):
        page = window.open(path)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        for svg in page.locator("svg.knit-figure").all():
            name = svg.get_attribute("aria-label")
            found += [f"{path}: {name}: {fault}" for fault in faults(svg)[1]]
            found += [] if name else [f"{path}: a figure without a name"]
            seen += 1
    assert found == []
    assert seen >= (30 if site.name == "course" else 0)
