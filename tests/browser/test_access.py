"""Everyone's site (WCAG 2.2 AA): what axe-core finds, a keyboard alone, formulas and figures for a screen reader."""

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
BOTH = pytest.mark.parametrize("code", ["zh", "en"])

# Everything unfolded, and every piece awake.
SHOW_ALL = """async () => {
  document.querySelectorAll('details').forEach(details => { details.open = true })
  const pieces = [...document.querySelectorAll('knit-piece')]
  await customElements.whenDefined('knit-piece')
  await Promise.all(pieces.map(piece => piece.wake()))
  await new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))
}"""

# What is inside formulas axe has no rules for; the contrast of their colours is checked in tests/run/test_palette.py.
WHERE = {"exclude": ["math *"]}

# What has the focus: what it is, whether it can be seen, and whether it is shown to have it.
FOCUSED = """() => {
  const focused = document.activeElement
  if (focused === document.body) return null
  // hidden radio buttons stand beside what is seen of them
  const element = focused.matches('.md-option, .knit-choice input') ? focused.nextElementSibling : focused
  const {left, top, right, bottom} = element.getBoundingClientRect(), style = getComputedStyle(element)
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  const line = [...element.getClientRects()].map(box => document.elementFromPoint(
    (box.left + box.right) / 2, Math.min(Math.max((box.top + box.bottom) / 2, 0), innerHeight - 1)))
  const seen = [document.elementFromPoint(x, y), ...line].some(
    at => at && (element.contains(at) || at.contains(element)))
  const marked = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1
  const typed = element.matches('input, textarea, select')
  const grip = element.querySelector('.grip')
  return {what: element.outerHTML.slice(0, 150), seen, marked: marked || typed
    || (grip && getComputedStyle(grip).stroke !== 'none')}
}"""


# Twins have one structure: between them they are seen in both schemes at both widths.
@pytest.mark.parametrize(
    ("code", "scheme", "width"),
    [("zh", "light", 390), ("zh", "dark", 1440), ("en", "dark", 390), ("en", "light", 1440)],
)
def test_axe_finds_nothing(reader, site, code, scheme, width):
    axe, found = Axe(), []
    window = reader(viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce")
    for path in site.pages(code):
        page = window.open(path)
        page.evaluate(SHOW_ALL)
        for fault in axe.run(page, context=WHERE, options={"resultTypes": ["violations"]}).response["violations"]:
            found += [f"{path}: {fault['id']}: {node['html'][:200]}" for node in fault["nodes"]]
    assert found == []


@pytest.mark.parametrize(
    ("path", "width"),
    [("en/l1-inner-product/", 390), ("zh/l4-position/", 1440), ("zh/", 390), ("en/attn/scores/", 1440)],
)
def test_what_has_the_focus_is_seen(reader, path, width):
    page = reader(viewport={"width": width, "height": 900}, reduced_motion="reduce").open(path)
    page.evaluate(SHOW_ALL)
    faults, steps = [], 0
    page.keyboard.press("Tab")
    while (focused := page.evaluate(FOCUSED)) and steps < 1000:
        if not (focused["seen"] and focused["marked"]):
            page.wait_for_timeout(300)  # it may still be coming
            focused = page.evaluate(FOCUSED)
        faults += [] if focused["seen"] and focused["marked"] else [focused]
        steps += 1
        page.keyboard.press("Tab")
    assert faults == []
    assert 15 < steps < 1000


@BOTH
def test_the_menu_opens_and_closes_without_a_mouse(reader, code):
    page = reader(viewport={"width": 390, "height": 844}).open(f"{code}/l2-matrix-multiplication/")
    menu = page.get_by_role("button", name={"zh": "导航栏", "en": "Navigation"}[code], exact=True)
    menu.focus()
    assert menu.get_attribute("aria-expanded") == "false"
    page.keyboard.press("Enter")
    assert menu.get_attribute("aria-expanded") == "true"
    page.wait_for_function("() => document.activeElement.closest('.md-sidebar--primary')")
    page.keyboard.press("Escape")
    assert menu.evaluate("button => button === document.activeElement")
    menu.press(" ")
    for _ in range(9):
        if page.evaluate("() => document.activeElement.textContent.includes('L3')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/l3-variance/")


@BOTH
def test_formulas_are_maths_for_a_screen_reader(reader, site, code):
    window = reader()
    for path in [path for path in site.pages(code) if "/l" in path]:
        page = window.open(path)
        page.evaluate(SHOW_ALL)
        shown = page.evaluate(
            "() => [...document.querySelectorAll('article math')].filter(math => math.checkVisibility()).length"
        )
        nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        told = [node for node in nodes if node["role"]["value"] == "MathMLMath" and not node["ignored"]]
        assert len(told) == shown > 20, path
        assert all(node["childIds"] for node in told), path


@BOTH
def test_figures_are_described(reader, site, code):
    window, described = reader(), 0
    for path in site.pages(code):
        page = window.open(path)
        for name in page.locator("svg.knit-figure").evaluate_all(
            "all => all.map(svg => svg.getAttribute('role') === 'img' ? svg.getAttribute('aria-label') ?? '' : '')"
        ):
            assert len(name) > {"zh": 15, "en": 30}[code], f"{path}: {name!r} is no description"
            described += 1
    assert described > 20
