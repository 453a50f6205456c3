"""On paper: a chapter of a book, answers open, ink on paper, nothing of the screen's."""

import re
import zlib

import pytest

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
BOTH = pytest.mark.parametrize("code", ["zh", "en"])
LESSONS = ["l1-inner-product", "l2-matrix-multiplication", "l3-variance", "l4-position"]

PAPER = {"width": 657, "height": 964}  # A4 without its margins

# What is seen of those elements.
SEEN = """selector => [...document.querySelectorAll(selector)]
  .filter(each => each.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })
    && each.getBoundingClientRect().height > 0)
  .map(each => each.className || each.localName)"""
SCREEN = (
    ".md-header, .md-tabs, .md-sidebar, .md-footer, .md-search, .md-top, .md-skip, article button, .knit-live, "
    ".knit-guess, .knit-progress, .knit-trace, .knit-how, .knit-download, .with-script, .headerlink, .md-clipboard"
)
ANSWERS = """() => [...document.querySelectorAll('article details:not(.knit-progress)')].map(fold => {
  const last = [...fold.children].filter(each => !each.matches('summary, .knit-guess')).at(-1)
  const box = last.getBoundingClientRect()
  return box.height > 0 && last.checkVisibility({ contentVisibilityAuto: true })
    && fold.getBoundingClientRect().bottom >= box.bottom - 1
})"""

# The least contrast of words in the article with white.
FAINTEST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const luminance = colour => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = '#fff'
    canvas.fillRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(value => value / 255)
      .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const kinds = 'p, li, h1, h2, h3, td, th, code, span, a, mi, mn, mo, figcaption'
  const words = [...document.querySelectorAll(`article :is(${kinds})`)]
    .filter(each => each.textContent.trim() && each.checkVisibility() && getComputedStyle(each).opacity === '1')
  return Math.min(...words.map(each => 1.05 / (luminance(getComputedStyle(each).color) + 0.05)))
}"""
WHOLE = """() => [...document.querySelectorAll('article :is(figure, table, pre, tr)')]
  .every(each => getComputedStyle(each).breakInside === 'avoid')"""


@BOTH
@pytest.mark.parametrize(("scheme", "script"), [("light", True), ("dark", True), ("light", False)])
def test_answers_are_open_and_the_screen_is_gone(reader, code, scheme, script):
    window = reader(color_scheme=scheme, java_script_enabled=script, viewport=PAPER)
    for lesson in LESSONS:
        page = window.open(f"{code}/{lesson}/")
        if script:
            for piece in page.locator("knit-piece").all():
                piece.scroll_into_view_if_needed()
                piece.locator(".knit-live").wait_for(state="attached")
        page.emulate_media(media="print")
        assert page.evaluate(SEEN, SCREEN) == []
        answers = page.evaluate(ANSWERS)
        assert all(answers)
        assert len(answers) > 5
        assert page.evaluate(FAINTEST) >= 4.5
        assert page.evaluate(WHOLE)
        figures = page.locator("article svg.knit-figure")
        assert len(page.evaluate(SEEN, "article svg.knit-figure")) == figures.count() >= 3
        wide = "() => document.documentElement.scrollWidth <= innerWidth + 2"
        assert page.evaluate(wide), f"{lesson} is wider than the paper"
        page.emulate_media(media="screen")


@BOTH
def test_a_lesson_is_printed_on_the_pages_of_a_chapter(reader, code):
    window = reader(java_script_enabled=False)
    for lesson in LESSONS:
        page = window.open(f"{code}/{lesson}/")
        written = page.pdf(prefer_css_page_size=True)
        pages = re.findall(rb"/Type\s*/Page\b", _unpacked(written))
        assert 8 <= len(pages) <= 60


def _unpacked(pdf: bytes) -> bytes:
    """Unpack the streams of a PDF that hold its objects."""
    parts = [pdf]
    for match in re.finditer(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        try:
            parts.append(zlib.decompress(match[1]))
        except zlib.error:
            continue
    return b"\n".join(parts)
