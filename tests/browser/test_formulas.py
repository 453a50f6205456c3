"""Formulas as Chromium sets them: real sizes, the real font, and nothing cut off."""

from importlib.resources import files
from io import BytesIO

import pytest
from PIL import Image

from knit.site.fonts import maths_font
from knit.weave.maths import render

WIDE = r"\lVert q-k\rVert^2=(q_1-k_1)^2+(q_2-k_2)^2=\lVert q\rVert^2+\lVert k\rVert^2-2\,(q_1k_1+q_2k_2)"
MATRIX = r"\begin{bmatrix}1\\2\\3\\4\end{bmatrix}"

FORMULAS = {
    "letter": ("x", False),
    "plain-brackets": (r"(\dfrac{a}{b})", False),
    "brackets": (r"\left(\dfrac{QK^\top}{\sqrt{d_k}}\right)", False),
    "root": (r"\sqrt{\dfrac{a}{b}}", False),
    "small-root": (r"\sqrt{x}", False),
    "matrix": (MATRIX, True),
    "brace": (r"\underbrace{QK^\top}_{\text{分数}}", True),
    "bar": (r"\overline{a+b+c}", False),
    "vector": (r"\vec{q}", False),
    "prime": (r"f'", False),
    "box": (r"\boxed{\frac{a}{b}}", True),
    "wide": (WIDE, True),
    "wide-in-line": (WIDE, False),
}

BOX = "element => { const box = element.getBoundingClientRect(); return [box.x, box.y, box.right, box.bottom] }"


class Sheet:
    """A page of formulas, each under its name."""

    def __init__(self, page):
        self.page = page

    def box(self, place):
        """Left, top, right and bottom."""
        return self.page.locator(place).first.evaluate(BOX)

    def height(self, place):
        _, top, _, bottom = self.box(place)
        return bottom - top

    def width(self, place):
        left, _, right, _ = self.box(place)
        return right - left


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The page, with the style and the font as the site serves them."""
    folder = tmp_path_factory.mktemp("maths")
    style = files("knit.site").joinpath("assets/maths.css").read_text("utf-8")
    (folder / "maths.css").write_text(style, "utf-8")
    (folder / "maths.woff2").write_bytes(maths_font(folder))
    rows = [
        f'<p id="{name}">如 {render(latex, display=display)}，<span>so</span></p>'
        for name, (latex, display) in FORMULAS.items()
    ]
    brace = render(r"\underbrace{q_1k_1+q_2k_2+q_3k_3}_{n}", display=False)
    rows += [f'<p class="braces" style="padding-left:{left}px">{brace}</p>' for left in range(100, 400, 50)]
    (folder / "index.html").write_text(
        '<!doctype html><html lang="zh"><meta charset="utf-8"><title>x</title><link rel="stylesheet" href="maths.css">'
        "<style>:root { color-scheme: light dark } body { margin: 16px; font: 16px/1.6 sans-serif }</style>"
        + "".join(rows),
        "utf-8",
    )
    return folder


@pytest.fixture(scope="module")
def open_sheet(chromium, folder):
    """Open the page in windows of different kinds, each once."""
    sheets = {}

    def open_it(width=1000, scale=1, scheme="light"):
        kind = (width, scale, scheme)
        if kind not in sheets:
            context = chromium.new_context(
                viewport={"width": width, "height": 2000}, device_scale_factor=scale, color_scheme=scheme
            )
            page = context.new_page()
            page.goto((folder / "index.html").as_uri())
            page.evaluate("document.fonts.ready")
            sheets[kind] = Sheet(page)
        return sheets[kind]

    yield open_it
    for sheet in sheets.values():
        sheet.page.context.close()


@pytest.fixture
def sheet(open_sheet):
    return open_sheet()


SCALE = 4


def ink(page, left, top, right, bottom):
    """Left, top, right and bottom of what is painted in a part of a page, in pixels of the page."""
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    picture = Image.open(BytesIO(page.screenshot(clip=clip))).convert("L")
    size = picture.width / clip["width"]
    box = picture.point(lambda grey: 255 * (grey < 128)).getbbox()
    assert box is not None, "nothing is painted"
    return left + box[0] / size, top + box[1] / size, left + box[2] / size, top + box[3] / size


def test_the_font_is_used_for_every_formula(sheet):
    session = sheet.page.context.new_cdp_session(sheet.page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument", {"depth": -1})["root"]
    tokens = session.send("DOM.querySelectorAll", {"nodeId": root["nodeId"], "selector": "mi, mo, mn"})["nodeIds"]
    used = {
        font["familyName"]
        for token in tokens
        for font in session.send("CSS.getPlatformFontsForNode", {"nodeId": token})["fonts"]
    }
    assert used == {"Knit Maths"}


def test_brackets_grow_with_what_they_hold(sheet):
    fraction = sheet.height("#brackets mfrac")
    assert sheet.height("#brackets mrow > mo") >= 0.9 * fraction
    assert sheet.height("#plain-brackets mo") < 0.7 * sheet.height("#plain-brackets mfrac")
    assert sheet.height("#matrix mrow > mo") >= 0.9 * sheet.height("#matrix mtable") > 4 * 16


def test_roots_grow_with_what_they_hold(sheet):
    left, top, right, bottom = sheet.box("#root msqrt")
    inner = sheet.box("#root mfrac")
    assert left < inner[0] < inner[2] <= right
    assert top < inner[1] < inner[3] <= bottom + 1
    assert bottom - top > 1.6 * sheet.height("#small-root msqrt")


def test_no_gap_stays_behind_a_root(sheet):
    for name, held in (("small-root", "mi"), ("root", "mfrac")):
        assert sheet.box(f"#{name} msqrt")[2] == pytest.approx(sheet.box(f"#{name} {held}")[2], abs=0.1)


def test_a_root_does_not_hang_from_a_low_letter(sheet):
    """TeX sets the sign of a root less than a third of the size below the line, whatever it holds."""
    below = sheet.box("#small-root msqrt")[3] - sheet.box("#small-root mi")[3]
    assert 0 < below < 1.1 * 16 / 3


def test_bars_are_as_wide_as_what_they_hold(open_sheet):
    sheet = open_sheet(scale=SCALE)
    left, top, right, _ = sheet.box("#bar mover > mrow")
    painted = ink(sheet.page, left - 3, top - 5, right + 3, top + 1)
    assert painted[0] == pytest.approx(left, abs=1)
    assert painted[2] == pytest.approx(right, abs=1)


def test_an_arrow_stands_over_its_letter(open_sheet):
    sheet = open_sheet(scale=SCALE)
    left, top, right, _ = sheet.box("#vector mi")
    painted = ink(sheet.page, left - 3, top - 5, right + 3, top + 0.5)
    assert (painted[0] + painted[2]) / 2 == pytest.approx((left + right) / 2, abs=1.5)
    assert painted[2] - painted[0] >= 0.6 * (right - left)


def test_a_prime_reaches_hardly_higher_than_its_letter(open_sheet):
    sheet = open_sheet(scale=SCALE)
    left, top, right, bottom = sheet.box("#prime msup > mi")
    prime = sheet.box("#prime msup > mo")
    letter = ink(sheet.page, left, top - 3, right, bottom)
    assert ink(sheet.page, prime[0], top - 12, prime[2], bottom)[1] >= letter[1] - 4.5


def test_braces_are_painted_whole_wherever_they_stand(sheet):
    """Chromium paints a page in tiles, and drops what of a brace reaches into the next."""
    for held in sheet.page.locator(".braces munder munder > mrow").all():
        left, _, right, bottom = held.evaluate(BOX)
        painted = ink(sheet.page, left - 4, bottom + 1, right + 4, bottom + 5)
        assert painted[0] == pytest.approx(left, abs=3)
        assert painted[2] == pytest.approx(right, abs=3)


def test_a_box_stands_around_its_formula(sheet):
    box = sheet.page.locator(".knit-boxed")
    assert float(box.evaluate("box => getComputedStyle(box).borderTopWidth").removesuffix("px")) >= 1
    left, top, right, bottom = sheet.box(".knit-boxed")
    inner = sheet.box(".knit-boxed > *")
    assert left + 4 < inner[0] < inner[2] < right - 4
    assert top + 4 < inner[1] < inner[3] < bottom - 4


@pytest.mark.parametrize("width", [390, 1440])
def test_the_page_is_never_wider_than_the_window(open_sheet, width):
    page = open_sheet(width).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["wide", "wide-in-line"])
def test_a_wide_formula_scrolls_inside_itself(open_sheet, name):
    formula = open_sheet(390).page.locator(f"#{name} .knit-maths")
    widths = formula.evaluate("formula => [formula.clientWidth, formula.scrollWidth]")
    assert widths[0] <= 390 < widths[1]
    assert formula.evaluate("formula => { formula.scrollLeft = 1000; return formula.scrollLeft }") > 0
    assert formula.evaluate("formula => formula.scrollHeight - formula.clientHeight") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_formulas_have_the_colour_of_the_text(open_sheet, scheme):
    page = open_sheet(scheme=scheme).page
    colours = page.evaluate(
        "() => ['body', '#letter mi', '#root msqrt', '.knit-boxed'].map("
        "place => getComputedStyle(document.querySelector(place)).color)"
    )
    assert len(set(colours)) == 1
    assert colours[0] == {"light": "rgb(0, 0, 0)", "dark": "rgb(255, 255, 255)"}[scheme]


def test_nothing_is_cut_off_in_print(open_sheet):
    sheet = open_sheet(width=1001)
    sheet.page.emulate_media(media="print")
    assert (
        sheet.page.locator("#wide .knit-maths").evaluate("formula => getComputedStyle(formula).overflow") == "visible"
    )


@pytest.mark.parametrize("name", ["letter", "root", "prime"])
def test_a_formula_stands_on_the_line(open_sheet, name):
    """What makes a formula scroll moves it neither up nor down."""
    sheet = open_sheet(width=1001)  # in a window that the other tests do not use

    def height():
        return sheet.box(f"#{name} mi")[1] - sheet.box(f"#{name} > span:last-child")[1]

    before = height()
    sheet.page.locator(f"#{name} .knit-maths").evaluate("formula => formula.replaceWith(formula.firstChild)")
    assert before == pytest.approx(height(), abs=0.5)
