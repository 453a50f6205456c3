"""Numbers to trace: every woven thing leads to the lines that made it, by mouse, keyboard and finger."""

import io
import re
import tokenize
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
BOTH = pytest.mark.parametrize("code", ["zh", "en"])
ROOT = Path(__file__).parents[2]

# Every name that a page shows, and the text of the lines said to make it.
TRACED = """async () => {
  const trace = await import(document.querySelector('script[src$="knit/trace.js"]').src)
  const names = new Set([...document.querySelectorAll('[data-of]')].flatMap(each => each.dataset.of.split(' ')))
  return Promise.all([...names].map(async of => {
    const subject = trace.parts(of), {there, lines} = await trace.found(subject)
    const text = ([first, last]) => there.lines.slice(first - 1, last)
      .map(pieces => pieces.map(([piece]) => piece).join('')).join('\\n')
    return {of, claim: subject.claim, head: subject.head, script: there.name, lines, text: lines.map(text)}
  }))
}"""

COLOURED = """async source =>
  (await import(document.querySelector('script[src$="knit/trace.js"]').src)).coloured(source)"""


def lessons(site, code):
    return [path for path in site.pages(code) if re.search(r"/l\d-", path)]


@BOTH
def test_every_woven_thing_leads_to_lines_of_its_script_that_name_it(reader, site, code):
    window = reader()
    seen = 0
    for path in lessons(site, code):
        page = window.open(path)
        for each in page.evaluate(TRACED):
            source = (ROOT / "snippets" / f"{each['script']}.py").read_text("utf-8").splitlines()
            assert each["lines"], each["of"]
            assert ["\n".join(source[first - 1 : last]) for first, last in each["lines"]] == each["text"]
            text = "\n".join(each["text"])
            if each["claim"]:
                assert f'@claim("{each["claim"]}"' in text, each["of"]
            else:
                assert re.search(rf"\b{each['head']}\b|\bas\b", text), each["of"]
            seen += 1
    assert seen > 300


@BOTH
def test_what_is_traced_is_a_small_part_of_a_page(site, code):
    for path in lessons(site, code):
        page = (site.folder / path / "index.html").read_text("utf-8")
        bare = re.sub(r""" data-(?:of="[^"]*"|value='[^']*')""", "", page)
        assert bare != page
        assert len(page.encode()) < 1.15 * len(bare.encode()), path


def box(page):
    return page.locator(".knit-trace")


def test_pointing_at_a_number_shows_its_line(reader):
    page = reader(viewport={"width": 1440, "height": 900}).open("en/l1-inner-product/")
    number = page.locator("data[data-of='l1_inner_product.norms.bank']").first
    number.scroll_into_view_if_needed()
    before = page.evaluate("() => document.documentElement.scrollHeight")
    number.hover()
    box(page).locator("mark").first.wait_for()
    assert box(page).locator(".knit-trace-name").inner_text() == "norms.bank"
    assert float(box(page).locator(".knit-trace-value").inner_text()) == 4.25**0.5
    assert 'norms = {"bank": norm(bank)' in box(page).locator("mark").inner_text()
    assert box(page).get_by_text("python snippets/l1_inner_product.py").is_visible()
    assert page.evaluate("() => document.documentElement.scrollHeight") == before
    # the window can be entered with the pointer, and goes when the pointer goes
    box(page).locator("pre").hover()
    page.wait_for_timeout(500)
    assert box(page).is_visible()
    page.locator("h1").first.hover(force=True)
    box(page).wait_for(state="hidden")
    number.hover()
    box(page).wait_for()
    page.keyboard.press("Escape")
    assert box(page).is_hidden()


def test_an_imported_number_leads_to_the_script_that_makes_it(reader):
    page = reader().open("zh/l1-inner-product/")
    formula = page.locator(".knit-maths[data-of*='l1_inner_product.steep']").first
    formula.scroll_into_view_if_needed()
    formula.locator("mn", has_text="2.0").nth(1).click()  # the second component of steep
    box(page).locator("mark").first.wait_for()
    assert box(page).locator(".knit-trace-name").inner_text() == "steep"
    assert "snippets/repro_t1_scorers.py" in box(page).inner_text()
    assert box(page).locator("mark").inner_text().strip().startswith("steep = np.array(")
    box(page).get_by_role("button", name="was").click()
    box(page).get_by_text("was = np.array").wait_for()
    link = box(page).get_by_role("link", name="整个脚本")
    line = box(page).locator("mark").first.get_attribute("data-line")
    link.click()
    page.wait_for_url(f"**/snippets/repro_t1_scorers.html#L{line}")
    assert page.locator(":target").inner_text().startswith("was = ")


def test_the_keyboard_leads_from_number_to_number_and_into_the_window(reader):
    page = reader().open("en/l1-inner-product/")
    first = page.locator("data[data-of='l1_inner_product.norms.the']").first
    second = page.locator("data[data-of='l1_inner_product.norms.bank']").first
    assert [each.get_attribute("tabindex") for each in (first, second)] == ["0", "-1"]
    link = page.locator("#fault-length a.headerlink")
    link.focus()
    page.keyboard.press("Tab")
    assert first.evaluate("element => element === document.activeElement")
    box(page).get_by_text("norms.the", exact=True).wait_for()
    page.keyboard.press("ArrowRight")
    assert second.evaluate("element => element === document.activeElement")
    box(page).get_by_text("norms.bank", exact=True).wait_for()
    box(page).locator("mark").first.wait_for()
    page.keyboard.press("Enter")
    assert box(page).get_by_role("button", name="Close").evaluate("element => element === document.activeElement")
    for _ in range(3):
        page.keyboard.press("Tab")
    assert box(page).is_hidden()  # past its last link, back to the number
    assert second.evaluate("element => element === document.activeElement")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert box(page).is_hidden()
    assert second.evaluate("element => element === document.activeElement")


@BOTH
def test_a_finger_gets_a_sheet(reader, code):
    page = reader(has_touch=True, viewport={"width": 390, "height": 844}).open(f"{code}/l1-inner-product/")
    cell = page.locator("td data[data-of]").first
    cell.scroll_into_view_if_needed()
    cell.tap()
    box(page).locator("mark").first.wait_for()
    sheet = box(page).bounding_box()
    assert (sheet["x"], sheet["width"], sheet["y"] + sheet["height"]) == (0, 390, 844)
    page.touchscreen.tap(4, 120)  # the page's margin
    assert box(page).is_hidden()
    # a badge shows its claim first, and the way to the ledger
    badge = page.locator("a .knit-claim").first
    badge.scroll_into_view_if_needed()
    badge.tap()
    box(page).locator("mark").first.wait_for()
    assert "--claim S1" in box(page).inner_text()
    assert "l1-inner-product" in page.url
    box(page).locator("a").first.tap()
    page.wait_for_url("**/claims/#claim-s1")


@pytest.mark.parametrize(("code", "words"), [("zh", "相互独立时方差相加"), ("en", "For independent things")])
def test_a_badge_shows_what_its_claim_states_with_formulas_as_in_a_lesson(reader, code, words):
    page = reader().open(f"{code}/l3-variance/")
    badge = page.locator("a .knit-claim[data-of$=':V3.c']").first
    badge.scroll_into_view_if_needed()
    badge.hover()
    stated = box(page).locator(".knit-trace-stated")
    stated.wait_for()
    assert stated.inner_text().startswith(words)
    assert "$" not in stated.inner_text()
    assert stated.locator("math").first.get_attribute("alttext") == r"\mathrm{Var}(x+y)=\mathrm{Var}(x)+\mathrm{Var}(y)"


def test_a_badge_is_still_a_link(reader):
    page = reader().open("en/l1-inner-product/")
    page.locator("a .knit-claim").first.click()
    page.wait_for_url("**/claims/#claim-s1")


def test_a_fold_still_unfolds_where_a_number_is_in_its_title(reader):
    page = reader().open("en/l4-position/")
    number = page.locator("summary data[data-of]").first
    number.scroll_into_view_if_needed()
    number.click()
    assert page.locator("details[open]").count() == 1
    assert box(page).is_hidden()


def test_a_figure_shows_how_it_was_drawn(reader):
    page = reader(viewport={"width": 820, "height": 900}).open("en/l1-inner-product/")
    figure = page.locator(".knit-drawn").first
    figure.scroll_into_view_if_needed()
    figure.hover()
    figure.get_by_role("button", name="How it was drawn").click()
    box(page).locator("mark").nth(1).wait_for()
    assert "def inside_the_circle" in box(page).locator("mark").nth(1).inner_text()


def test_python_is_coloured_as_python_reads_it(reader, site):
    page = reader().open("en/l1-inner-product/")
    for path in sorted((ROOT / "snippets").glob("[lre]*.py")):
        source = path.read_text("utf-8")
        lines = page.evaluate(COLOURED, source)
        assert "\n".join("".join(text for text, _ in line) for line in lines) == source, path.name
        comments = {(number, text) for number, line in enumerate(lines, 1) for text, kind in line if kind == "c1"}
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        assert comments == {(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT}
    assert len({element["id"] for element in listing(site, "l1_inner_product").select("[id^=L]")}) > 300


def listing(site, name):
    page = BeautifulSoup((site.folder / f"snippets/{name}.html").read_text("utf-8"), "html.parser")
    source = (ROOT / f"snippets/{name}.py").read_text("utf-8")
    assert "\n".join(line.text for line in page.select("[id^=L]")) == source.rstrip("\n")
    assert (site.folder / f"snippets/{name}.py").read_text("utf-8") == source
    return page
