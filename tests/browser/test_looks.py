"""What a reader sees: on every page, in both colour schemes, on a phone, a tablet and a desk."""

from io import BytesIO

import pytest
from PIL import Image

from tests.browser.conftest import UNFOLD

BOTH = pytest.mark.parametrize("code", ["zh", "en"])
LUMINANCE = """element => {
  const [r, g, b] = getComputedStyle(element).backgroundColor.match(/[\\d.]+/g).map(Number)
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255
}"""

# What sticks out of the window and is in nothing that scrolls by itself.
WIDE = """() => {
  document.querySelectorAll('details').forEach(details => { details.open = true })
  const scrolls = element => {
    while ((element = element.parentElement) && element !== document.body)
      if (getComputedStyle(element).overflowX !== 'visible') return true
    return false
  }
  return [...document.querySelectorAll('body *')]
    .filter(element => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element))
    .map(element => element.outerHTML.slice(0, 120))
}"""


@BOTH
def test_no_page_is_wider_than_the_window(reader, site, code):
    window = reader()
    for path in ["", *site.pages(code)]:
        page = window.open(path)
        for width in (320, 390, 820, 1440):  # 320: a desk at 400 %
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(WIDE) == [], f"{path} at {width} px"
            scroll = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
            assert scroll[0] <= scroll[1] == width, f"{path} at {width} px"


# What of a page's words is out of sight, or cut off by something that does not scroll.
LOST = """() => {
  document.querySelectorAll('details').forEach(details => { details.open = true })
  const lost = []
  const texts = function* (root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) yield walker.currentNode
  }
  const roots = [...document.querySelectorAll('article, .md-footer__link--next')]
  for (const text of roots.flatMap(root => [...texts(root)])) {
    const element = text.parentElement
    const none = element.closest('script, .headerlink, [aria-hidden], knit-piece')
    if (none || !/[\\p{L}\\p{N}]/u.test(text.data)) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const box = range.getBoundingClientRect()
    let cut = !element.checkVisibility() || box.width === 0
    for (let around = element; around && around.localName !== 'article'; around = around.parentElement) {
      const style = getComputedStyle(around), frame = around.getBoundingClientRect()
      if (['hidden', 'clip'].includes(style.overflowX)) cut ||= box.right > frame.right + 1 || box.left < frame.left - 1
      if (['hidden', 'clip'].includes(style.overflowY)) cut ||= box.bottom > frame.bottom + 4 || box.top < frame.top - 4
      if (['auto', 'scroll'].includes(style.overflowX)) break  // it can be scrolled to
    }
    if (cut) lost.push(text.data.trim().slice(0, 60))
  }
  return lost
}"""


@pytest.mark.parametrize("site", ["course"], indirect=True)
@BOTH
def test_nothing_is_lost_at_400_percent(reader, site, code):
    """A window of 1280 by 1024 pixels at 400 %: 320 by 256 (WCAG 1.4.10)."""
    window = reader(viewport={"width": 320, "height": 256})
    for path in site.pages(code):
        page = window.open(path)
        assert page.evaluate(LOST) == [], path
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320, path
        title = page.locator(".md-header__topic .md-ellipsis").first
        assert title.evaluate("title => title.scrollHeight <= title.clientHeight + 1"), path
        bar = page.locator(".md-header").bounding_box()
        assert bar["height"] <= 256 / 4, f"{path}: the header leaves little room"
        for control in page.locator(".md-header button:visible, .md-header a:visible, .md-header label:visible").all():
            box = control.bounding_box()
            assert 0 <= box["x"] <= box["x"] + box["width"] <= 320, f"{path}: {control}"


WIDE_TABLES = """() => [...document.querySelectorAll('.md-typeset__scrollwrap')]
  .filter(wrap => wrap.scrollWidth > wrap.clientWidth).map(wrap => wrap.innerText.slice(0, 80))"""


@pytest.mark.parametrize("site", ["course"], indirect=True)
@BOTH
def test_tables_have_room_on_a_desk_and_the_reference_has_none_on_a_phone(reader, site, code):
    window = reader(viewport={"width": 1440, "height": 900})
    tables = 0
    for path in site.pages(code):
        page = window.open(path)
        page.evaluate(UNFOLD)
        assert page.evaluate(WIDE_TABLES) == [], path
        tables += page.locator(".md-typeset__scrollwrap").count()
    assert tables > 10
    page = reader(viewport={"width": 390, "height": 900}).open(f"{code}/attn/attention/")
    assert page.locator("article :is(b, strong):has-text('mask')").count() > 1  # parameters are listed
    assert page.evaluate(WIDE_TABLES) == []


# Where the first underscore of a link is, in the window.
UNDERSCORE = """link => {
  const text = link.firstChild, at = text.data.indexOf('_'), range = document.createRange()
  range.setStart(text, at)
  range.setEnd(text, at + 1)
  const box = range.getBoundingClientRect()
  return {x: box.x + box.width / 2 - 1, y: box.y, width: 2, height: box.height + 8}
}"""


@pytest.mark.parametrize("site", ["course"], indirect=True)
def test_the_line_under_a_name_leaves_its_underscores_to_be_seen(reader, site):  # noqa: ARG001 - as a parameter
    page = reader(viewport={"width": 820, "height": 900}, device_scale_factor=4).open("en/attn/large-tables/")
    link = page.locator("article code > a", has_text="_").first
    link.scroll_into_view_if_needed()
    strip = Image.open(BytesIO(page.screenshot(clip=link.evaluate(UNDERSCORE)))).convert("L")
    middle = [strip.getpixel((strip.width // 2, y)) < 160 for y in range(strip.height)]
    begins = [y for y in range(1, strip.height) if middle[y] and not middle[y - 1]]
    assert len(begins) == 2  # the underscore's and the line's: were they one, it would be 1
    assert begins[1] - begins[0] >= 4 * 2  # two pixels of the page


def test_no_script_is_wider_than_the_window(reader, site):
    page = reader().page
    for path in [path.relative_to(site.folder).as_posix() for path in site.folder.glob("snippets/*.html")]:
        page.goto(site.address + path)
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width, f"{path} at {width} px"


@pytest.mark.parametrize("width", [390, 1440])
def test_the_switch_and_the_search_are_in_reach(reader, width):
    page = reader(viewport={"width": width, "height": 900}).open("zh/")
    for name in (".bilingual-switch", "label.md-header__button[for=__search]"):
        if width == 1440 and "search" in name:
            name = "input[name=query]"  # noqa: PLW2901 - at a desk the box itself is there
        box = page.locator(name).bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= width, f"{name} is out of the window"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_scheme_is_the_systems_until_the_reader_chooses(reader, site, scheme):
    window = reader(color_scheme=scheme)
    page = window.open("zh/")
    body = page.locator("body")
    assert (body.evaluate(LUMINANCE) > 0.5) == (scheme == "light")
    page.locator("label[for=__palette_1]").click()
    assert body.evaluate(LUMINANCE) > 0.5
    page.locator("label[for=__palette_2]").click()
    assert body.evaluate(LUMINANCE) < 0.5
    # It holds on other pages and in the other language.
    for path in (site.pages("zh")[-1], "en/"):
        assert window.open(path).locator("body").evaluate(LUMINANCE) < 0.5
    page.locator("label[for=__palette_0]").click()
    assert (page.locator("body").evaluate(LUMINANCE) > 0.5) == (scheme == "light")


@BOTH
def test_chinese_has_more_air_between_lines(reader, site, code):
    path = next(
        path for path in site.pages(code)[::-1] if "<p>" in (site.folder / path / "index.html").read_text("utf-8")
    )
    page = reader().open(path)
    ratio = page.locator("article p").first.evaluate(
        "p => parseFloat(getComputedStyle(p).lineHeight) / parseFloat(getComputedStyle(p).fontSize)"
    )
    assert ratio == pytest.approx({"zh": 1.85, "en": 1.6}[code], abs=0.01)
