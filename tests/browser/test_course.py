"""The course's own pages as readers get them: formulas, figures, and links."""

import re
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup

from knit.weave.stops import OPENINGS, STOPS
from tests.browser.conftest import UNFOLD

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
BOTH = pytest.mark.parametrize("code", ["zh", "en"])


# Each formula's height and size of type against those of the words around it, and what is wrong inside it.
FORMULAS = """() => [...document.querySelectorAll('article math')].map(math => {
  const box = element => element.getBoundingClientRect()
  const size = element => parseFloat(getComputedStyle(element).fontSize)
  const wrong = []
  for (const fraction of math.querySelectorAll('mfrac'))
    if (box(fraction.children[0]).bottom > box(fraction.children[1]).top + 1) wrong.push('a fraction falls together')
  for (const table of math.querySelectorAll('mrow > mtable')) {
    const before = table.previousElementSibling
    if (before?.localName === 'mo' && '[('.includes(before.textContent) && box(before).height < 0.8 * box(table).height)
      wrong.push('a bracket is lower than its matrix')
  }
  for (const root of math.querySelectorAll('msqrt'))
    if (box(root).height < box(root.firstElementChild).height) wrong.push('a root is lower than what is under it')
  return {source: math.getAttribute('alttext'), height: box(math).height / size(math.parentElement),
          width: box(math).width, type: size(math) / size(math.parentElement), wrong}
})"""

# The contrast (WCAG) of each figure's words against the page, the least of all.
CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true})
  const luminance = colour => {
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(value => value / 255)
      .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const page = luminance(getComputedStyle(document.body).backgroundColor)
  const words = [...document.querySelectorAll('article svg.knit-figure text')]
  return words.map(text => {
    const ink = luminance(getComputedStyle(text).fill)
    return (Math.max(ink, page) + 0.05) / (Math.min(ink, page) + 0.05)
  })
}"""


# What axe-core has no rule for: the contrast (WCAG) of each sign of each formula with what is painted behind it.
FAINT = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true})
  const paint = colours => {
    for (const colour of ['#fff', ...colours]) {
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
    }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(value => value / 255)
      .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = element => element ? [...behind(element.parentElement), getComputedStyle(element).backgroundColor] : []
  const grounds = new Map()
  const ground = element => {
    if (!grounds.has(element)) grounds.set(element, behind(element))
    return grounds.get(element)
  }
  return [...document.querySelectorAll('article math :is(mi, mn, mo, mtext)')].map(sign => {
    const under = ground(sign.closest('math')), page = paint(under)
    const ink = paint([...under, getComputedStyle(sign).color])
    return [(Math.max(ink, page) + 0.05) / (Math.min(ink, page) + 0.05), sign.className + ' ' + sign.textContent]
  })
}"""


@BOTH
def test_every_sign_of_every_formula_can_be_read_in_both_schemes(reader, site, code):
    window, signs, coloured = reader(color_scheme="light"), 0, set()
    for path in site.pages(code):
        page = window.open(path)
        page.evaluate(UNFOLD)
        for scheme, name in (("light", "default"), ("dark", "slate")):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function("name => document.body.dataset.mdColorScheme === name", arg=name)
            page.wait_for_timeout(300)  # colours change slowly
            found = page.evaluate(FAINT)
            assert [sign for contrast, sign in found if contrast < 4.5] == [], f"{path}, {scheme}"
            signs += len(found)
            coloured |= {sign.split()[0] for _, sign in found if sign.startswith("knit-")}
        page.emulate_media(color_scheme="light")
    assert signs > 2000
    assert {f"knit-{role}" for role in ("query", "key", "value", "score", "weight")} <= coloured


def test_no_stop_begins_a_line_and_no_bracket_ends_one(site):
    """A stop behind a formula or a badge, or a bracket before it, is kept with it: in every kind of page."""
    alone = []
    for path in [path for code in ("zh", "en") for path in site.pages(code)]:
        page = BeautifulSoup((site.folder / path / "index.html").read_text("utf-8"), "html.parser")
        for piece in page.select("article :is(.knit-maths, .knit-claim)"):
            outer = piece.parent if piece.parent.name == "a" else piece
            behind = outer.next_sibling
            stop = isinstance(behind, str) and re.match(STOPS, behind)
            before = outer.previous_sibling
            opens = isinstance(before, str) and re.search(f"{OPENINGS}$", before)
            if (stop or opens) and not piece.find_parent(class_="knit-keep"):
                alone.append(f"{path}: {before} {piece.get_text()[:30]} {behind}")
    assert alone == []


BROKEN = """() => [...document.querySelectorAll('article data')]
  .filter(data => isFinite(data.value) && data.getClientRects().length > 1).map(data => data.textContent)"""


@BOTH
def test_no_number_is_broken_over_two_lines(reader, site, code):
    window = reader(viewport={"width": 320, "height": 900})
    powers = 0
    for path in site.pages(code):
        page = window.open(path)
        page.evaluate(UNFOLD)
        assert page.evaluate(BROKEN) == [], path
        powers += page.locator("article data:has-text('×')").count()
    assert powers > 3


# What is a formula and is typed as text: powers, indices, Greek letters, roots, a letter that is compared.
TYPED = re.compile(r"[$^√‖Σ]|[\u0370-\u03ff⁰-ₜᵀ²³]|\b[A-Za-z] [=<>≤≥] ")


@BOTH
def test_the_ledger_states_no_formula_as_text(site, code):
    page = BeautifulSoup((site.folder / code / "claims/index.html").read_text("utf-8"), "html.parser")
    statements = page.select("article h3 + p")
    assert len(statements) > 100
    assert len([formula for statement in statements for formula in statement.select("math")]) > 100
    for statement in statements:
        for formula in statement.select("math"):
            formula.decompose()
    assert [text for statement in statements if TYPED.search(text := statement.get_text())] == []


@BOTH
def test_the_ledger_cites_pages_by_their_titles(site, code):
    def read(path):
        return BeautifulSoup((site.folder / path / "index.html").read_text("utf-8"), "html.parser")

    def words(element):
        return element.get_text().replace("¶", "").strip()

    links = read(f"{code}/claims/").select("article li li > a")
    assert len(links) > 100
    pages = {}
    for link in links:
        target, _, section = urljoin(f"{code}/claims/", link["href"]).partition("#")
        page = pages.setdefault(target, read(target))
        title, _, heading = link.get_text().partition(" · ")
        assert words(page.title).startswith(title) or words(page.h1).startswith(title)
        if heading:
            assert words(page.find(id=section)) == heading
        assert link.find_next_sibling("small").get_text().partition(":")[0].endswith(".md")


@BOTH
def test_formulas_have_the_size_of_words_and_hold_together(reader, site, code):
    window = reader()
    formulas = []
    for path in site.pages(code):
        page = window.open(path)
        page.evaluate(UNFOLD)
        page.evaluate("() => document.fonts.ready.then(() => undefined)")
        found = page.evaluate(FORMULAS)
        formulas += found
        if found:
            faces = "() => [...document.fonts].map(face => `${face.family.replaceAll('\"', '')} ${face.status}`)"
            assert "Knit Maths loaded" in page.evaluate(faces), f"{path} does not show formulas in their font"
        bad = [
            each
            for each in found
            if each["wrong"] or not (0.3 < each["height"] < 20 and each["width"] > 3 and 0.9 < each["type"] < 1.3)
        ]
        assert bad == [], path
    assert len(formulas) > 50


@BOTH
def test_figures_are_readable_in_both_schemes(reader, site, code):
    window = reader(color_scheme="light")
    shown = 0
    for path in site.pages(code):
        page = window.open(path)
        drawings = page.locator("article svg.knit-figure").evaluate_all("all => all.map(each => each.outerHTML)")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(
                "scheme => document.body.dataset.mdColorScheme === scheme",
                arg={"light": "default", "dark": "slate"}[scheme],
            )
            contrasts = page.evaluate(CONTRAST)
            assert min(contrasts, default=21) >= 4.5, (
                f"words in a figure of {path} are too faint in the {scheme} scheme"
            )
        page.emulate_media(color_scheme="light")
        shown += len(drawings)
        for drawing in drawings:
            assert "<image" not in drawing  # a bitmap could not follow the scheme
    assert shown >= 6


def test_every_link_and_anchor_leads_somewhere(site):
    """Also those that are no links of Markdown's, such as badges, which MkDocs does not check."""
    pages = {
        path.relative_to(site.folder).as_posix(): BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for path in site.folder.rglob("*.html")
        if path.name != "404.html"
    }
    anchors = {path: {element["id"] for element in page.select("[id]")} for path, page in pages.items()}
    astray = []
    for path, page in pages.items():
        for element in page.select("[href], [src]"):
            link = element.get("href") or element.get("src")
            parts = urlsplit(urljoin(f"http://here/{path}", link))
            if parts.netloc != "here":
                continue
            target = unquote(parts.path).lstrip("/")
            target += "index.html" if target == "" or target.endswith("/") else ""
            there = anchors.get(target)  # none: no page
            whole = (site.folder / target).is_file()
            if not whole or (parts.fragment and there is not None and unquote(parts.fragment) not in there):
                astray.append(f"{path}: {link}")
    assert astray == []


def test_pages_name_no_other_host_that_a_browser_would_ask(site):
    """A link that a reader may follow is none of them; a style, script, picture or font is."""
    foreign = []
    for path in site.folder.rglob("*.html"):
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        asked = page.select("link[rel~=stylesheet], link[rel~=icon], link[rel~=preconnect], link[rel~=preload], [src]")
        links = [element.get("href") or element.get("src") for element in asked]
        foreign += [f"{path.name}: {link}" for link in links if urlsplit(link).netloc]
    for path in site.folder.rglob("*.css"):
        foreign += [
            f"{path.name}: {part[:60]}" for part in path.read_text("utf-8").split("url(")[1:] if "//" in part[:20]
        ]
    assert foreign == []
