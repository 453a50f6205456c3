"""Every interactive piece in use: by mouse, by touch and by keyboard alone, from a link, and without motion."""

import re

import pytest

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)

# Each piece's page, the value it starts from (which names it in a link), and the first things that can be moved.
PIECES = {
    "ranking": ("l1-inner-product", "drag", ".handle"),
    "turn": ("l1-inner-product", "dial", ".handle"),
    "softmax": ("l1-inner-product", "mixer", "input[type=range]"),
    "cells": ("l2-matrix-multiplication", "pointing", "td.here"),
    "stations": ("l2-matrix-multiplication", "sizing", "input[type=range]"),
    "widths": ("l3-variance", "slide", "input[type=range]"),
    "order": ("l4-position", "shuffle", ".knit-chip"),
    "dial": ("l4-position", "walk", "input[type=range]"),
}
EACH = pytest.mark.parametrize("name", PIECES)
PHONE = {"width": 390, "height": 844}


STATE = """live => {
  const told = input => input.type === 'radio' ? input.checked : input.getAttribute('aria-valuetext') ?? input.value
  return [live.innerText, ...[...live.querySelectorAll('input')].map(told),
    ...[...live.querySelectorAll('line, polyline, rect, circle')].map(each => each.outerHTML)].join('\\n')
}"""
MOVING = """live => [live, ...live.querySelectorAll('*')].some(
  each => parseFloat(getComputedStyle(each).transitionDuration) > 0 || each.getAnimations().length > 0)"""


def piece_of(page, name):
    piece = page.locator(f"knit-piece[name={name}]")
    piece.scroll_into_view_if_needed()
    piece.locator(".knit-live").wait_for()
    return piece


def state_of(piece):
    """What a reader sees of it: its words and numbers, and where its sliders and drawings stand."""
    return piece.locator(".knit-live").evaluate(STATE)


def kept(page, name):
    """Wait until the address has the state, and give it."""
    page.wait_for_function("name => new URL(location).searchParams.has(name)", arg=PIECES[name][1])
    return page.evaluate("name => new URL(location).searchParams.get(name)", PIECES[name][1])


@EACH
@pytest.mark.parametrize("code", ["zh", "en"])
def test_a_keyboard_alone_moves_it_and_a_link_brings_it_back(reader, name, code):
    path, _, first = PIECES[name]
    window = reader(viewport=PHONE, reduced_motion="reduce")
    page = window.open(f"{code}/{path}/")
    piece = piece_of(page, name)
    before = state_of(piece)
    piece.locator(first).first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert state_of(piece) != before
    numbers = kept(page, name)
    assert re.fullmatch(r"-?[\d.]+(_-?[\d.]+)*", numbers)
    moved = state_of(piece)
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    piece = piece_of(page, name)
    assert state_of(piece) == moved
    piece.locator(".knit-foot button").first.click()
    page.wait_for_function("name => !new URL(location).searchParams.has(name)", arg=PIECES[name][1])
    assert state_of(piece) == before


# Where a finger or a mouse goes in each: from the middle of one thing to the middle of another, or so far away.
DRAGS = {
    "ranking": (".handle >> nth=3", (-40, -60)),
    "turn": (".handle", (-60, -40)),
    "softmax": ("input[type=range] >> nth=3", (60, 0)),
    "stations": ("input[type=range] >> nth=0", (60, 0)),
    "widths": ("input[type=range]", (-60, 0)),
    "order": (".knit-chip >> nth=1", ".knit-chip >> nth=3"),
    "dial": ("input[type=range] >> nth=0", (100, 0)),
}


def middle(locator):
    """The middle of what is shown; of a slider, its thumb."""
    box = locator.bounding_box()
    share = locator.evaluate("it => it.matches('input[type=range]') ? (it.value - it.min) / (it.max - it.min) : 0.5")
    inset = 8 if share != 0.5 else 0
    return box["x"] + inset + share * (box["width"] - 2 * inset), box["y"] + box["height"] / 2


@pytest.mark.parametrize("means", ["mouse", "touch"])
@pytest.mark.parametrize("name", DRAGS)
def test_it_is_dragged_on_a_phone(reader, name, means):
    path, (grip, goal) = PIECES[name][0], DRAGS[name]
    page = reader(viewport=PHONE, has_touch=True).open(f"en/{path}/")
    piece = piece_of(page, name)
    page.add_style_tag(content="html { scroll-behavior: auto !important }")
    piece.locator(grip).evaluate("it => it.scrollIntoView({ block: 'center' })")
    before, stood = state_of(piece), piece.bounding_box()["y"]
    start = middle(piece.locator(grip))
    end = middle(piece.locator(goal)) if isinstance(goal, str) else (start[0] + goal[0], start[1] + goal[1])
    way = [tuple(a + (b - a) * part for a, b in zip(start, end, strict=True)) for part in (0.3, 0.6, 1)]
    if means == "mouse":
        page.mouse.move(*start)
        page.mouse.down()
        for point in way:
            page.mouse.move(*point)
        page.mouse.up()
    else:
        devtools = page.context.new_cdp_session(page)
        for kind, points in [("Start", [start]), *(("Move", [point]) for point in way), ("End", [])]:
            touches = [{"x": x, "y": y} for x, y in points]
            devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touches})
    kept(page, name)
    assert state_of(piece) != before
    assert abs(piece.bounding_box()["y"] - stood) < 1  # the page stays where it is under the finger


def test_a_cell_is_pointed_at_and_tapped(reader):
    page = reader(viewport=PHONE, has_touch=True).open("en/l2-matrix-multiplication/")
    piece = piece_of(page, "cells")
    piece.locator("[data-at='0 1']").hover()
    assert piece.locator(".knit-sum").inner_text().startswith("the asks bank")
    piece.locator("[data-at='3 2']").tap()
    assert piece.locator(".knit-sum").inner_text().startswith("steep asks was")
    assert kept(page, "cells") == "3_2"


def test_the_largest_thing_is_the_table_once_there_are_many_words(reader):
    page = reader().open("en/l2-matrix-multiplication/")
    piece = piece_of(page, "stations")
    says = piece.locator(".knit-says")
    # 50 words of 512 components, 64 for queries: X has 25,600 cells, S 2,500
    assert "largest thing on the way is X, with 25,600 cells" in says.inner_text()
    assert "Most multiply-adds: 1 project." in says.inner_text()
    piece.get_by_role("slider", name="Words n").focus()
    page.keyboard.press("End")
    assert "S, A, with 10,000,000,000 cells" in says.inner_text()
    assert "Most multiply-adds: 2 score, 4 fetch." in says.inner_text()
    assert piece.locator("svg.knit-stations").get_attribute("aria-label").endswith("X 100,000 × 512")


@EACH
def test_nothing_goes_on_moving_for_those_who_ask_for_stillness(reader, name):
    page = reader(reduced_motion="reduce").open(f"zh/{PIECES[name][0]}/")
    piece = piece_of(page, name)
    assert not piece.locator(".knit-live").evaluate(MOVING)
