"""The interactive pieces: what they compute against attn, and what readers can do with them, by any means."""

import re

import numpy as np
import pytest

import attn

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
BOTH = pytest.mark.parametrize("code", ["zh", "en"])
CASES = 300

PIECES = {
    "l1-inner-product": ["ranking", "turn", "softmax"],
    "l2-matrix-multiplication": ["cells", "stations"],
    "l3-variance": ["widths"],
    "l4-position": ["order", "dial"],
}
EVERY = [(page, name) for page, names in PIECES.items() for name in names]

CALL = """async ([module, name, cases]) => {
  const piece = await import(module), maths = await import('../assets/js/pieces/kit/maths.js')
  return cases.map(args => {
    if (name === 'stretches') args[2] = [maths.negativeDistance, maths.dot][args[2]]
    if (module.includes('widths')) args[0] = Float64Array.from(args[0])
    const result = piece[name](...args)
    return ArrayBuffer.isView(result) ? [...result] : result
  })
}"""

SHIFTS = """() => new Promise(resolve => {
  let sum = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value
  }).observe({type: 'layout-shift', buffered: true})
  const step = () => {
    scrollBy(0, innerHeight / 2)
    if (scrollY + innerHeight < document.documentElement.scrollHeight - 1) setTimeout(step, 60)
    else setTimeout(() => resolve(sum), 300)
  }
  setTimeout(step, 300)
})"""


@pytest.fixture
def call(reader):
    """Call a function of a piece's module for many arguments, in Chromium."""
    page = reader().open("en/")

    def call(module, name, cases):
        plain = [[arg.tolist() if isinstance(arg, np.ndarray) else arg for arg in args] for args in cases]
        return page.evaluate(CALL, [f"../assets/js/pieces/{module}.js", name, plain])

    return call


@pytest.fixture
def rng():
    return np.random.default_rng(611)


def same(found, wanted, tolerance=1e-12):
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.array(one, float), other, rtol=tolerance, atol=tolerance)


def test_scores_are_attns(call, rng):
    pairs = [rng.normal(size=(2, rng.integers(1, 9))) * 10 ** rng.uniform(-2, 2) for _ in range(CASES)]
    same(call("kit/maths", "dot", pairs), [attn.dot(q, k) for q, k in pairs], 1e-9)
    same(call("kit/maths", "negativeDistance", pairs), [attn.negative_distance(q, k) for q, k in pairs], 1e-9)
    triples = [(*rng.normal(size=(2, 2)), rng.normal(size=(2, 2))) for _ in range(CASES)]
    same(call("kit/maths", "bilinear", triples), [attn.bilinear(q, k, M) for q, k, M in triples])


def test_turns_are_attns(call, rng):
    words = [(rng.normal(size=2), float(angle)) for angle in rng.uniform(-10, 10, CASES)]
    same(call("kit/maths", "turned", words), [word @ attn.rotation(angle).T for word, angle in words])
    places = [(rng.normal(size=2 * rng.integers(1, 9)), int(place)) for place in rng.integers(-50, 200, CASES)]
    same(call("kit/maths", "rope", places), [attn.rope(word[None], np.array([at]))[0] for word, at in places], 1e-9)
    waves = [(int(place), 2 * int(half)) for place, half in zip(*rng.integers(1, 60, (2, CASES)), strict=True)]
    same(call("kit/maths", "sinusoid", waves), [attn.sinusoidal(at + 1, d)[at] for at, d in waves], 1e-9)


def test_a_turned_score_is_attns(call, rng):
    cases = [(*rng.normal(size=(2, 2)), rng.normal(size=(2, 2))) for _ in range(CASES // 3)]
    turns = np.radians(np.arange(0, 361, 3))
    wanted = [
        [attn.bilinear(q @ attn.rotation(a).T, k @ attn.rotation(a).T, M) for a in turns] for q, k, M in cases[:40]
    ]
    same(call("turn", "scores", cases[:40]), wanted, 1e-9)


def test_shares_are_attns(call, rng):
    cases = [
        (rng.normal(size=rng.integers(1, 9)) * 10 ** rng.uniform(-1, 2.9), float(T))
        for T in 10 ** rng.uniform(-1, 1.3, CASES)
    ]
    same(call("kit/maths", "softmax", cases), [attn.softmax(scores, temperature=T) for scores, T in cases])
    # softplus from its definition, in extended precision
    points = [(float(x),) for x in rng.uniform(-60, 60, CASES)]
    exact = [float(np.log1p(np.exp(np.longdouble(x)))) for (x,) in points]
    same(call("kit/maths", "softplus", points), exact)
    mild = [(rng.uniform(-6, 16, 3), float(T)) for T in 10 ** rng.uniform(-1, 1.3, CASES)]
    powers = [np.log1p(np.exp(scores.astype(np.longdouble))) ** (1 / np.longdouble(T)) for scores, T in mild]
    same(call("kit/maths", "softplusShares", mild), [(p / p.sum()).astype(float) for p in powers], 1e-9)


def test_the_machine_is_attns(call, rng):
    cases, wanted = [], []
    for idea in ("nothing", "sinusoids", "rope", "alibi"):
        for _ in range(CASES // 4):
            n, d, slope = int(rng.integers(1, 8)), 2 * int(rng.integers(1, 4)), float(rng.uniform(0, 2))
            X, (WQ, WK, WV) = rng.normal(size=(n, d)), rng.normal(size=(3, d, d))
            tables = {"WQ": WQ.tolist(), "WK": WK.tolist(), "WV": WV.tolist()}
            cases.append((X, tables, idea, slope))
            told = X + attn.sinusoidal(n, d) if idea == "sinusoids" else X
            Q, K, V = told @ WQ, told @ WK, told @ WV
            if idea == "rope":
                Q, K = attn.rope(Q, np.arange(n)), attn.rope(K, np.arange(n))
            mask = attn.alibi(n, slope) if idea == "alibi" else None
            wanted.append(attn.scaled_dot_product_attention(Q, K, V, mask=mask, return_weights=True))
    found = call("order", "machine", cases)
    same([each["output"] for each in found], [output for output, _ in wanted], 1e-9)
    same([each["weights"] for each in found], [weights for _, weights in wanted], 1e-9)


def test_walking_scores_are_attns(call, rng):
    cases = [(*rng.normal(size=(2, 2)), *map(int, rng.integers(0, 101, 2))) for _ in range(CASES)]

    def scores(q, k, i, j):
        turned = attn.rope(q[None], np.array([i])) @ attn.rope(k[None], np.array([j])).T
        p = attn.sinusoidal(101, 2)
        return [turned.item(), (q + p[i]) @ (k + p[j])]

    same(call("dial", "scores", cases), [scores(*case) for case in cases], 1e-9)


def test_cells_and_flips_are_the_lessons(call, rng):
    pairs = [rng.normal(size=(2, rng.integers(1, 9))) for _ in range(CASES)]
    found = call("cells", "terms", pairs)
    same([np.prod(terms, axis=1).sum() for terms in found], [attn.dot(q, k) for q, k in pairs])
    triples = [tuple(rng.normal(size=(3, 2))) for _ in range(CASES)]
    for (q, one, other), flip in zip(triples, call("kit/maths", "flipPoint", triples), strict=True):
        # |λq - k|² - |λq - k'|² is linear in λ: |k|² - |k'|² at 0, falling by 2 q·(k - k')
        at_zero, fall = one @ one - other @ other, 2 * q @ (one - other)
        assert (flip is not None) == (at_zero * fall > 0)
        if flip is not None:
            apart = attn.negative_distance(flip * q, np.array([one, other]))
            np.testing.assert_allclose(apart[0], apart[1], rtol=1e-9)


def test_who_leads_is_attns(call, rng):
    """Within a stretch its leader has the best score, by either measure; stretches meet, and leaders change."""
    cases = [(rng.normal(size=2), rng.normal(size=(3, 2))) for _ in range(CASES)]
    found = call("ranking", "stretches", [(query, keys, which) for query, keys in cases for which in (0, 1)])
    for (query, keys), *both in zip(cases, found[::2], found[1::2], strict=True):
        for stretches, score in zip(both, (attn.negative_distance, attn.dot), strict=True):
            assert [each["from"] for each in stretches] == [0.1, *(each["to"] for each in stretches[:-1])]
            assert stretches[-1]["to"] == 3
            for each in stretches:
                for part in (0.1, 0.5, 0.9):
                    scale = each["from"] + part * (each["to"] - each["from"])
                    scores = score(scale * query, keys)
                    assert scores[each["leader"]] >= scores.max() - 1e-9
        assert len(both[1]) == 1  # the dot product never changes its mind


def test_shapes_are_attns(call, rng):
    sizes = [tuple(map(int, row)) for row in rng.integers(1, 40, (CASES, 3))]
    for (n, d, dk), found in zip(sizes, call("stations", "stations", sizes), strict=True):
        X, (WQ, WK, WV) = rng.normal(size=(n, d)), rng.normal(size=(3, d, dk))
        Q, K, V = X @ WQ, X @ WK, X @ WV
        Z, A = attn.scaled_dot_product_attention(Q, K, V, return_weights=True)
        real = {"X": X, "W": WQ, "Q": Q, "K": K, "Kᵀ": K.T, "V": V, "S": attn.dot(Q, K), "A": A, "Z": Z}
        named = [each for station in found for each in station["into"] + station["out"]]
        assert {name for name, _ in named} == real.keys()
        for name, shape in named:
            assert tuple(shape) == real[name].shape, name
        # a product of (r, s) and (s, c) takes a multiply-add for each cell and each of the s terms of its sum
        products = [[(X, WQ), (X, WK), (X, WV)], [(Q, K.T)], [], [(A, V)]]
        assert [station["work"] for station in found] == [
            sum(left.size * right.shape[1] for left, right in each) for each in products
        ]


def test_scores_of_random_keys_are_attns(call, rng):
    """The first d components of the query and of each key, in one list of drawn numbers."""
    cases, wanted = [], []
    for _ in range(CASES):
        keys, most = int(rng.integers(1, 20)), int(rng.integers(1, 40))
        d, drawn = int(rng.integers(1, most + 1)), rng.normal(size=(keys + 1, most))
        cases.append((drawn.ravel(), keys, most, d))
        wanted.append(attn.dot(drawn[0, :d], drawn[1:, :d]))
    same(call("widths", "scores", cases), wanted, 1e-9)
    rows = [(rng.normal(size=rng.integers(1, 99)) * 10 ** rng.uniform(-2, 2),) for _ in range(CASES)]
    same(call("kit/maths", "spread", rows), [[row.mean(), row.std()] for (row,) in rows], 1e-9)


def test_places_and_shares_that_change_hands(call, rng):
    rows = [(np.round(rng.normal(size=rng.integers(1, 6)), 1),) for _ in range(CASES)]  # with equals
    places = [[1 + int((row > value).sum()) for value in row] for (row,) in rows]
    assert call("kit/maths", "ranks", rows) == places
    pairs = [tuple(rng.dirichlet(np.ones(4), size=2)) for _ in range(CASES)]
    same(call("kit/maths", "moved", pairs), [np.maximum(a - b, 0).sum() for a, b in pairs])
    hands = [(2 * int(half), float(base)) for half, base in zip(*rng.integers(2, 50, (2, CASES)), strict=True)]
    same(call("kit/maths", "frequencies", hands), [attn.frequencies(d, base=base) for d, base in hands], 1e-9)


def test_drawn_numbers_are_normal(call):
    """The pieces draw their own numbers: moments within six standard errors, another seed, other numbers."""
    drawn = np.array(call("kit/maths", "normals", [(seed, 10_000) for seed in range(1, 11)]))
    assert abs(drawn.mean()) < 6 / np.sqrt(drawn.size)
    assert abs((drawn**2).mean() - 1) < 6 * np.sqrt(2 / drawn.size)
    assert abs((drawn**4).mean() - 3) < 6 * np.sqrt(96 / drawn.size)
    assert len({tuple(row[:3]) for row in drawn}) == 10


@pytest.mark.parametrize(("path", "name"), EVERY)
@BOTH
def test_a_piece_wakes_in_its_language(reader, code, path, name):
    page = reader(viewport={"width": 390, "height": 844}).open(f"{code}/{path}/")
    piece = page.locator(f"knit-piece[name={name}]")
    piece.scroll_into_view_if_needed()
    live = piece.locator(".knit-live")
    live.wait_for()
    text = live.inner_text() + (live.get_attribute("aria-label") or "")
    assert bool(re.search(r"[\u4e00-\u9fff]", text)) == (code == "zh"), text
    assert not re.search(r"\{\w*\}|undefined|NaN", text), text
    assert not piece.locator("svg.knit-figure").is_visible()
    # everything that can be operated has a name, and is large enough for a finger
    for control in live.locator("button, input[type=range], [role=slider], input[type=number]").all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 24, control.evaluate("element => element.outerHTML")


@BOTH
def test_without_script_the_figure_is_there(reader, code):
    window = reader(java_script_enabled=False)
    for path, names in PIECES.items():
        page = window.open(f"{code}/{path}/")
        for name in names:
            assert page.locator(f"knit-piece[name={name}] svg.knit-figure").is_visible()
        assert page.locator(".knit-live").count() == 0


@pytest.mark.parametrize("width", [390, 820, 1440])
@BOTH
def test_nothing_moves_when_pieces_wake(reader, code, width):
    window = reader(viewport={"width": width, "height": 900})
    for path, names in PIECES.items():
        page = window.open(f"{code}/{path}/")
        assert page.evaluate(SHIFTS) < 0.02, path
        assert page.locator(".knit-live").count() == len(names)


def scores_shown(page):
    return page.locator("knit-piece[name=ranking] tbody td").all_inner_texts()


def test_words_are_dragged_by_mouse_keyboard_and_touch(reader):
    start = ["−2.01", "#1", "0.20", "#2", "−2.11", "#2", "−0.05", "#3", "−2.12", "#3", "2.00", "#1"]
    moved = {}
    for means in ("mouse", "keyboard", "touch", "tap"):
        page = reader(has_touch=True, viewport={"width": 820, "height": 900}).open("en/l1-inner-product/")
        piece = page.locator("knit-piece[name=ranking]")
        piece.scroll_into_view_if_needed()
        handle = piece.get_by_role("slider", name="steep")
        handle.wait_for()
        assert scores_shown(page) == start
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        unit = piece.locator(".knit-plane").bounding_box()["width"] / 6
        there = x + 0.5 * unit, y + unit
        if means == "keyboard":
            handle.focus()
            for key in 5 * ["ArrowRight"] + 2 * ["Shift+ArrowDown"]:
                page.keyboard.press(key)
        elif means == "mouse":
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(*there, steps=4)
            page.mouse.up()
        elif means == "tap":
            page.touchscreen.tap(x, y)
            page.touchscreen.tap(*there)
        else:
            devtools = page.context.new_cdp_session(page)
            for kind, points in (("Start", [(x, y)]), ("Move", [(x + 5, y + 5)]), ("Move", [there]), ("End", [])):
                touches = [{"x": a, "y": b} for a, b in points]
                devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touches})
        moved[means] = [float(value) for value in re.findall(r"[\d.]+", handle.get_attribute("aria-valuetext"))]
        key, bank = np.array(moved[means]), np.array([2.0, 0.5])
        assert abs(float(scores_shown(page)[10]) - bank @ key) < 0.2
        assert scores_shown(page)[9] == "#1"
    for means, at in moved.items():
        assert np.abs(np.array(at) - [1.0, 1.0]).max() < 0.06, means


def test_the_scale_flips_the_distance_and_not_the_dot_product(reader):
    page = reader().open("en/l1-inner-product/")
    piece = page.locator("knit-piece[name=ranking]")
    piece.scroll_into_view_if_needed()
    scale = piece.locator("input[type=range]")
    scale.focus()
    ranks = {}
    for value in (1.12, 1.13):
        scale.evaluate("(input, value) => { input.value = value; input.dispatchEvent(new Event('input')) }", value)
        ranks[value] = scores_shown(page)[1::2]
    assert (ranks[1.12][0], ranks[1.13][4]) == ("#1", "#1")
    assert ranks[1.12][1::2] == ranks[1.13][1::2] == ["#2", "#3", "#1"]
    assert "1.125" in piece.locator(".knit-says").inner_text()


def test_a_link_leads_to_what_was_seen_in_either_language(reader):
    window = reader()
    page = window.open("en/l4-position/")
    piece = page.locator("knit-piece[name=order]")
    piece.scroll_into_view_if_needed()
    piece.locator(".knit-chip").nth(1).press("ArrowRight")
    piece.get_by_text("RoPE").click()
    page.wait_for_function("() => location.search.includes('shuffle=0_2_1_3_4_2')")
    shown = piece.locator("table").inner_text()
    page.locator("a.bilingual-switch").click()
    page.wait_for_url("**/zh/l4-position/**")
    twin = page.locator("knit-piece[name=order]")
    twin.scroll_into_view_if_needed()
    twin.locator(".knit-live").wait_for()
    assert twin.locator(".knit-chip").all_inner_texts() == ["the", "bites", "dog", "the", "man"]
    numbers = [re.findall(r"[\d.]+", text) for text in (shown, twin.locator("table").inner_text())]
    assert numbers[0] == numbers[1] != []
    twin.locator(".knit-foot button").first.click()
    assert twin.locator(".knit-chip").all_inner_texts() == ["the", "dog", "bites", "the", "man"]
    page.wait_for_function("() => !location.search.includes('shuffle')")


@pytest.mark.parametrize("state", ["x", "1_2", "9_9_9_9_9_9_9_9_9_9_9_9", "NaN_Infinity", "-1e9_1e9_3_4_5"])
def test_an_address_cannot_break_a_piece(reader, state):
    window = reader()
    parameters = {"ranking": "drag", "turn": "dial", "softmax": "mixer", "cells": "pointing", "widths": "slide"}
    parameters |= {"order": "shuffle", "dial": "walk", "stations": "sizing"}
    for path, names in PIECES.items():
        query = "&".join(f"{parameters[name]}={state}" for name in names)
        page = window.open(f"en/{path}/?{query}")
        for name in names:
            piece = page.locator(f"knit-piece[name={name}]")
            piece.scroll_into_view_if_needed()
            piece.locator(".knit-live").wait_for()
            assert not re.search("NaN|undefined|Infinity", piece.inner_text())


def test_only_c_times_the_identity_stands_still(reader):
    page = reader().open("en/l1-inner-product/")
    piece = page.locator("knit-piece[name=turn]")
    piece.scroll_into_view_if_needed()
    says = piece.locator(".knit-says")
    assert "swings between −0.13 and 4.13" in says.inner_text()
    piece.get_by_text("I", exact=True).click()
    assert "stands still. This is cI with c = 1.0" in says.inner_text()
    piece.get_by_label("M, row 1, column 1").fill("2")
    assert "swings" in says.inner_text()
    piece.get_by_label("M, row 2, column 2").fill("2")
    assert "c = 2.0" in says.inner_text()


def test_a_cell_is_reached_with_the_arrow_keys(reader):
    page = reader().open("zh/l2-matrix-multiplication/")
    piece = page.locator("knit-piece[name=cells]")
    piece.scroll_into_view_if_needed()
    here = piece.locator("td.here")
    here.focus()
    assert piece.locator(".knit-sum strong").inner_text() == "0.2050"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("() => document.activeElement.dataset.at") == "2 2"
    q, k = np.array([-0.22, -0.235]), np.array([-0.115, 0.0])
    assert abs(float(piece.locator(".knit-sum strong").inner_text().replace("−", "-")) - q @ k) < 1e-4


def test_words_say_the_same_in_both_languages(reader, site):
    page = reader().open("en/")
    for path in sorted((site.folder / "assets/js/pieces").glob("*.js")):
        words = page.evaluate("async url => (await import(url)).words", f"{site.address}assets/js/pieces/{path.name}")
        flat = {code: dict(leaves(words[code])) for code in words}
        assert flat["zh"].keys() == flat["en"].keys()
        for key in flat["zh"]:
            holes = [sorted(re.findall(r"\{\w+\}", flat[code][key])) for code in ("zh", "en")]
            assert holes[0] == holes[1], f"{path.name}: {key}"


def leaves(words, path=""):
    for key, value in enumerate(words) if isinstance(words, list) else words.items():
        if isinstance(value, dict | list):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value
