"""The pieces of a figure's SVG: paths, circles, dashes, windows, texts, heat maps."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import patches
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, IdentityTransform

from knit import colours, figure, heatmap
from knit.run.drawing import draw
from knit.run.figure_fault import NotDrawn
from knit.run.figure_maths import Run, runs
from knit.run.figure_mesh import regular
from knit.run.figure_paint import fraction
from knit.run.figure_path import number, pixels, shape
from knit.run.figure_text import markup, width

SVG = "{http://www.w3.org/2000/svg}"


def points(d):
    """Read SVG path data: the points where its lines and curves end, in an order of its own making."""
    tokens = re.findall(r"[MlhvqczZ]|-?(?:\d+\.?\d*|\.\d+)", d)
    found, at, start, letter = [], np.zeros(2), np.zeros(2), ""
    while tokens:
        if tokens[0].isalpha():
            letter = tokens.pop(0)
        if letter == "z":
            at = start
            found.append(at)
            continue
        count = {"M": 2, "l": 2, "h": 1, "v": 1, "q": 4, "c": 6}[letter]
        numbers = [float(tokens.pop(0)) for _ in range(count)]
        step = {"h": [*numbers, 0], "v": [0, *numbers]}.get(letter, numbers[-2:])
        at = np.array(step) if letter == "M" else at + step
        start = at if letter == "M" else start
        found.append(at)
    return np.array(found)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1, "1"),
        (-1, "-1"),
        (0.5, ".5"),
        (-0.5, "-.5"),
        (12.34, "12.3"),
        (0.04, "0"),
        (-0.04, "0"),
        (100, "100"),
    ],
)
def test_pixels(value, text):
    assert pixels(value) == text


@given(st.integers(-(10**6), 10**6))
def test_number_is_read_back(tenths):
    assert round(float(number(tenths)) * 10) == tenths


@pytest.mark.parametrize(
    ("share", "text"), [(1, "1"), (0.5, ".5"), (0.25, ".25"), (0.004, "0"), (0.999, "1"), (0, "0")]
)
def test_fraction(share, text):
    assert fraction(share) == text


coordinate = st.floats(-500, 500).map(lambda value: round(value, 3))


@given(st.lists(st.tuples(coordinate, coordinate), min_size=2, max_size=30))
def test_a_line_is_where_it_was(vertices):
    path = Path(vertices)
    path.should_simplify = False
    written = shape(path, IdentityTransform(), 400)
    there = points(written.geometry.removeprefix('d="').removesuffix('"'))
    expected = np.array(vertices) * [1, -1] + [0, 400]
    # Points that fall together, or lie on a line along an axis, are written once: each left must be near one that was.
    for point in expected:
        gaps = np.abs(there - point).max(axis=1)
        on_axis = [
            np.minimum(np.abs(a - point).min(), np.abs(b - point).min()) <= 0.051
            and (np.minimum(a, b) - 0.051 <= point).all()
            and (point <= np.maximum(a, b) + 0.051).all()
            for a, b in pairwise(there)
        ]
        assert gaps.min() <= 0.051 or any(on_axis)
    assert np.abs(there[0] - expected[0]).max() <= 0.051
    assert np.abs(there[-1] - expected[-1]).max() <= 0.051  # rounding does not add up along the line


@pytest.mark.parametrize(
    ("vertices", "codes", "d"),
    [
        ([(0, 10), (5, 10), (5, 4)], None, "M0 0h5v6"),
        ([(0, 10), (1, 10), (4, 10), (3, 10)], None, "M0 0h4-1"),
        ([(0, 10), (3, 9), (6, 8.5)], None, "M0 0l3 1 3 .5"),
        ([(0, 10), (3, 10), (3, 8), (0, 10)], [1, 2, 2, 79], "M0 0h3v2z"),
        ([(0, 10), (1, 8), (2, 10)], [1, 3, 3], "M0 0q1 2 2 0"),
        ([(0, 10), (1, 8), (2, 8), (3, 10)], [1, 4, 4, 4], "M0 0c1 2 2 2 3 0"),
        ([(0, 10), (1, 8), (np.nan, 2), (3, 10), (4, 9)], None, "M0 0l1 2M3 0l1 1"),
        ([(2, 10), (2, 10)], None, "M2 0l0 0"),
    ],
)
def test_path_data(vertices, codes, d):
    assert shape(Path(vertices, codes), IdentityTransform(), 10).geometry == f'd="{d}"'


def test_nothing_of_a_path():
    assert shape(Path([(np.nan, 1), (np.nan, 2)]), IdentityTransform(), 10) is None


def test_circles_and_ellipses():
    circle = Path.unit_circle()
    assert shape(circle, Affine2D().scale(3).translate(5, 6), 10)[:2] == ("circle", 'cx="5" cy="4" r="3"')
    assert shape(circle, Affine2D().scale(3, 2).translate(5, 6), 10)[:2] == ("ellipse", 'cx="5" cy="4" rx="3" ry="2"')


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("price $5", None),
        ("$d_k$", [Run("d", italic=True), Run("k", 0.72, -0.2, italic=True)]),
        (r"$\mathdefault{10^{-2}}$", [Run("10"), Run("−2", 0.72, 0.38)]),
        ("at $x$ = 3", [Run("at "), Run("x", italic=True), Run(" = 3")]),
        (r"$2\times10^3$", [Run("2×10"), Run("3", 0.72, 0.38)]),
        ("$QK^⊤$", [Run("QK", italic=True), Run("⊤", 0.72, 0.38)]),
    ],
)
def test_runs(label, expected):
    assert runs(label, maths=expected is not None) == (expected or [Run(label)])


@pytest.mark.parametrize("label", ["$x_$", "$x_{k$", "$x}$", r"$\frac{1}{2}$", r"$\lambda$"])
def test_more_maths_than_labels_have(label):
    with pytest.raises(NotDrawn, match=re.escape(repr(label))):
        runs(label, maths=True)


def test_markup_rises_and_comes_back():
    text = markup("$d_k$ < n", 10, maths=True)
    assert text == (
        '<tspan font-style="italic">d</tspan><tspan dy="2" font-size="7.2" font-style="italic">k</tspan>'
        '<tspan dy="-2"> &lt; n</tspan>'
    )


def test_widths():
    assert width("汉字，（）", maths=False) == 5  # one em each
    # DejaVu Sans: 1255 units of 2048 for an a, as its hmtx table has it.
    assert width("aa", maths=False) == pytest.approx(2 * 1255 / 2048)
    assert width("a", maths=False, bold=True) > width("a", maths=False)
    assert width("$a_a$", maths=True) == pytest.approx(1.72 * width("a", maths=False))


def drawn(body, **size):
    @figure(**{"width": 4, "height": 3, **size})
    def subject(ax):
        body(ax)

    return ET.fromstring(draw(subject, "en"))


def find(root, **attributes):
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    return [e for e in root.iter() if all(e.get(name) == value for name, value in named.items())]


def test_lines_say_how_they_look():
    def body(ax):
        ax.plot([0, 1], [0, 1], color=colours.QUERY, lw=3, ls=(0, (2, 1)), alpha=0.25)

    (line,) = find(drawn(body), stroke="var(--knit-query)")
    assert line.get("stroke-width") == "4"  # 3 pt
    assert line.get("stroke-dasharray") == "8 4"  # in widths of the line
    assert line.get("stroke-opacity") == ".25"
    assert line.get("fill") is None


def test_ticks_and_spines_share_few_elements():
    root = drawn(lambda ax: ax.plot([0, 1], color=colours.KEY))
    assert len(find(root, stroke="var(--knit-muted)")) <= 3


def test_transparent_things_are_not_drawn():
    def body(ax):
        ax.plot([0, 1], color=colours.KEY)
        ax.plot([1, 0], color=colours.BAD, alpha=0)
        ax.text(0, 0, "gone", color=colours.BAD, alpha=0)

    assert find(drawn(body), stroke="var(--knit-bad)") == find(drawn(body), fill="var(--knit-bad)") == []


def test_what_sticks_out_is_cut_at_the_axes():
    def body(ax):
        ax.plot([0, 1], [0, 10], color=colours.BAD)
        ax.plot([0.2, 0.8], [0.2, 0.8], color=colours.GOOD)
        ax.set_ylim(0, 1)

    root = drawn(body)
    windows = root.findall(f"{SVG}svg")
    assert len(windows) == 1
    assert windows[0].get("viewBox") == " ".join(windows[0].get(name) for name in ("x", "y", "width", "height"))
    assert [e.get("stroke") for e in windows[0]] == ["var(--knit-bad)"]
    assert find(root, stroke="var(--knit-good)")[0] in list(root)


def test_discs_are_dots():
    root = drawn(lambda ax: ax.scatter([0, 1, 2], [0, 1, 0], s=36, color=colours.WEIGHT, lw=0))
    (dots,) = find(root, stroke="var(--knit-weight)")
    assert dots.get("stroke-width") == "8"  # 36 square points are 6 pt wide: 8 px
    assert dots.get("stroke-linecap") == "round"
    assert re.fullmatch(r"(M[\d.]+ [\d.]+h0){3}", dots.get("d"))


def test_faint_discs_darken_each_other():
    def body(ax):
        ax.plot([0, 0, 1], [0, 0, 1], "o", ms=6, mew=1.5, color=colours.WEIGHT, alpha=0.5)

    (group,) = find(drawn(body), stroke="var(--knit-weight)")
    assert (group.get("stroke-opacity"), group.get("stroke-width"), len(group)) == (".5", "10", 3)


def test_rings_are_circles():
    root = drawn(lambda ax: ax.scatter([0, 1], [0, 1], s=36, facecolor=colours.PAPER, edgecolor=colours.KEY))
    assert [circle.get("r") for circle in root.iter(f"{SVG}circle")] == ["4", "4"]


def test_patches():
    def body(ax):
        ax.add_patch(patches.Rectangle((0, 0), 1, 1, facecolor=colours.KEY, edgecolor=colours.INK, alpha=0.5))
        ax.plot([0, 1], [0, 1], color=colours.INK)

    (area,) = find(drawn(body), fill="var(--knit-key)")
    assert (area.get("stroke"), area.get("fill-opacity"), area.get("stroke-opacity")) == ("var(--knit-ink)", ".5", ".5")


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ({"ha": "left"}, None),
        ({"ha": "center"}, "middle"),
        ({"ha": "right"}, "end"),
        ({"rotation": 90, "va": "bottom"}, None),
        ({"rotation": 90, "va": "top"}, "end"),
        ({"rotation": 90, "va": "center"}, "middle"),
        ({"rotation": 270, "va": "bottom"}, "end"),
        ({"rotation": 45, "ha": "right", "rotation_mode": "anchor"}, "end"),
    ],
)
def test_a_text_is_held_where_it_is_aligned(look, expected):
    def body(ax):
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1)
        ax.text(0.5, 0.5, "word", **look)
        ax.plot(0.5, 0.5, ".", color=colours.BAD)

    root = drawn(body)
    (text,) = [e for e in root.iter(f"{SVG}text") if e.text == "word"]
    (dot,) = find(root, stroke="var(--knit-bad)")
    assert text.get("text-anchor") == expected
    # The held end is at the place itself, along the direction of writing.
    angle = np.radians(look.get("rotation", 0))
    away = np.array([float(text.get("x")), float(text.get("y"))]) - points(dot.get("d"))[0]
    assert abs(away @ [np.cos(angle), -np.sin(angle)]) < 0.2


@pytest.mark.parametrize(("ha", "expected"), [("left", None), ("center", "middle"), ("right", "end")])
def test_lines_of_a_text_are_aligned_to_each_other(ha, expected):
    def body(ax):
        ax.plot([0, 1], color=colours.INK)
        ax.text(0.5, 0.5, "a long line\nshort", ha=ha)

    root = drawn(body)
    lines = [e for e in root.iter(f"{SVG}text") if e.text in {"a long line", "short"}]
    (group,) = [e for e in root.iter(f"{SVG}g") if lines[0] in list(e)]
    assert lines[1] in list(group)
    assert group.get("text-anchor") == expected
    assert lines[0].get("x") == lines[1].get("x")
    assert float(lines[1].get("y")) > float(lines[0].get("y")) + 10


def test_texts_look_as_they_are_told():
    def body(ax):
        ax.plot([0, 1], color=colours.INK)
        ax.text(0, 0, "strong", weight="bold", size=20, style="italic", color=colours.VALUE)

    (text,) = [e for e in drawn(body).iter(f"{SVG}text") if e.text == "strong"]
    assert (text.get("font-weight"), text.get("font-style"), text.get("fill")) == (
        "bold",
        "italic",
        "var(--knit-value)",
    )
    assert text.get("font-size") == "26.7"  # 20 pt


def mesh_cells(root):
    """Cells of the only heat map: (row, column) to (variable, opacity)."""
    (mesh,) = [g for g in root.iter(f"{SVG}g") if g.get("transform")]
    found = {}
    for group in mesh:
        for path in group:
            for column, row, length in re.findall(r"M(\d+) (\d+)h([\d.]+)", path.get("d")):
                for step in range(max(1, round(float(length)))):
                    found[int(row), int(column) + step] = group.get("stroke"), path.get("stroke-opacity", "1")
    return mesh, found


def test_a_heat_map_is_its_matrix():
    matrix = np.array([[0.0, 0.25, 1.0], [-0.5, -np.inf, np.nan]])
    _, cells = mesh_cells(drawn(lambda ax: heatmap(ax, matrix, kind="key")))
    assert cells == {
        (0, 1): ("var(--knit-key)", ".25"),
        (0, 2): ("var(--knit-key)", "1"),
        (1, 0): ("var(--knit-muted)", ".5"),
    }


def test_a_heat_map_with_numbers_keeps_them_readable():
    root = drawn(lambda ax: heatmap(ax, [[0.5, 1.0], [-1.0, -np.inf]], kind="score", fmt=".1f"))
    _, cells = mesh_cells(root)
    assert cells[0, 1] == ("var(--knit-heat-score)", "1")
    numbers = list(root.iter(f"{SVG}text"))
    assert [e.text for e in numbers] == ["0.5", "1.0", "−1.0", "−∞"]
    assert [len(group) for group in find(root, fill="var(--knit-ink)")] == [4]


def test_a_heat_map_fills_its_axes():
    def body(ax):
        heatmap(ax, np.ones((4, 8)))
        ax.plot([-0.5, 7.5], [-0.5, 3.5], color=colours.BAD)  # from corner to corner

    root = drawn(body)
    mesh, cells = mesh_cells(root)
    x, y, w, h = map(float, re.findall(r"[-\d.]+", mesh.get("transform")))
    (line,) = find(root, stroke="var(--knit-bad)")
    start, end = points(line.get("d"))
    assert len(cells) == 32
    gap = 1 - float(mesh.get("stroke-width"))
    assert start == pytest.approx([x - gap / 2 * w, y - h / 2], abs=0.1)
    assert end == pytest.approx([x - gap / 2 * w + 8 * w, y + 3.5 * h], abs=0.1)
    assert w == pytest.approx(h, rel=1e-3)


def test_other_meshes_are_drawn_cell_by_cell():
    colour = np.full((1, 2, 4), [1 / 255, 2 / 255, 6 / 255, 0.5])  # KEY

    def uneven(ax):
        ax.pcolormesh([0, 1, 3], [0, 1], colour)

    def edged(ax):
        ax.pcolormesh([0, 1, 2], [0, 1], colour, edgecolors=colours.BAD)

    (cells,) = find(drawn(uneven), fill="var(--knit-key)")
    assert (cells.get("fill-opacity"), len(cells)) == (".5", 2)
    (cells,) = find(drawn(edged), fill="var(--knit-key)")
    assert cells.get("stroke") == "var(--knit-bad)"


def test_large_heat_maps_are_light():
    matrix = np.random.default_rng(0).normal(size=(64, 64))
    root = drawn(lambda ax: heatmap(ax, matrix))
    assert len(ET.tostring(root)) < 10 * 64 * 64
    _, cells = mesh_cells(root)
    shares = np.abs(matrix) / np.abs(matrix).max()
    opacity = np.array([[float(cells.get((i, j), ("", 0))[1]) for j in range(64)] for i in range(64)])
    assert np.abs(opacity - shares).max() <= 0.005 + 1e-9


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(None, None, [".5", "1"]), (0, 4, [".25", ".5"]), (1, 2, [None, "1"]), (0, 1, ["1", "1"]), (-4, 4, [".25", ".5"])],
)
def test_the_range_of_a_heat_map(low, high, expected):
    _, cells = mesh_cells(drawn(lambda ax: heatmap(ax, [[1.0, 2.0]], low=low, high=high)))
    assert [cells.get((0, j), (None, None))[1] for j in (0, 1)] == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"array": [1.0, 2.0]}, "shape .2,."),
        ({"array": [[np.nan]]}, "matrix of numbers"),
        ({"array": [[1.0]], "rows": ["a", "b"]}, "1 rows has 2 labels"),
        ({"array": [[1.0]], "low": 2, "high": 1}, "low < high"),
    ],
)
def test_what_is_no_heat_map(arguments, message):
    with pytest.raises(ValueError, match=message):
        drawn(lambda ax: heatmap(ax, **arguments))


def test_regular():
    grid = np.stack(np.meshgrid(np.arange(4.0), np.arange(3.0)), -1)
    assert regular(grid)
    assert not regular(grid**2)
    assert not regular(grid @ np.array([[0.6, -0.8], [0.8, 0.6]]))
