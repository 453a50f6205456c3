"""Figures have the room that matplotlib's constrained layout makes, without measuring more than it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from knit.run.figure_layout import Layout
from knit.run.figure_paint import PIXEL
from knit.run.figure_style import style
from knit.run.svg import Canvas

WIDTH, HEIGHT = 4.8, 3.6


def curves(fig: Figure) -> None:
    ax = fig.subplots()
    ax.plot([0, 0.4, 1.1], [3, -2, 5], label="share")
    ax.set_xticks([0, 0.5, 1])
    ax.set_yticks([-2, 0, 5])
    ax.set_xlabel("factor")
    ax.set_ylabel("a label\nin two lines")
    ax.legend()


def with_less_room_for_ticks(fig: Figure) -> None:
    ax = fig.subplots()
    ax.plot([0, 0.4, 1.1], [3, -2, 5])
    ax.set_ylabel("one line\n" * 8)


def titled(fig: Figure) -> None:
    curves(fig)
    fig.axes[0].set_title("A title that is much longer than the axes over which it stands, as titles are")


def logarithmic(fig: Figure) -> None:
    fig.subplots().loglog([1, 10, 1e5], [1e-3, 1, 2e4])


def to_the_end(fig: Figure) -> None:
    ax = fig.subplots()
    ax.plot([0, 1_000_000], [0, 1])
    ax.set_xlim(0, 1_000_000)


def written_beside(fig: Figure) -> None:
    ax = fig.subplots()
    ax.plot([0, 1], [0, 1])
    ax.text(1, 1, "what is written beside a curve", clip_on=False)


def square(fig: Figure) -> None:
    ax = fig.subplots()
    ax.plot([0, 1], [0, 1])
    ax.set_aspect("equal")


def two(fig: Figure) -> None:
    upper, lower = fig.subplots(2, 1)
    upper.plot([0, 1], [0, 1000])
    lower.set_xlabel("below")


def twins(fig: Figure) -> None:
    ax = fig.subplots()
    ax.twinx().set_ylabel("on the other side")


def headed(fig: Figure) -> None:
    fig.subplots()
    fig.suptitle("above all")


def beside(fig: Figure) -> None:
    ax = fig.subplots()
    ax.plot([0, 1], [0, 1], label="a curve")
    ax.legend(bbox_to_anchor=(1.05, 1), loc="upper left")


FIGURES = (
    curves,
    with_less_room_for_ticks,
    titled,
    logarithmic,
    to_the_end,
    written_beside,
    square,
    two,
    twins,
    headed,
    beside,
)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[Axes]:
    """The axes that are measured for the layout, each as often as it is."""
    seen: list[Axes] = []
    real = Axes.get_tightbbox

    def tightbbox(self: Axes, *args: Any, **options: Any) -> object:
        seen.append(self)
        return real(self, *args, **options)

    monkeypatch.setattr(Axes, "get_tightbbox", tightbbox)
    return seen


def places(make: Callable[[Figure], None], engine: ConstrainedLayoutEngine, *, passes: int = 1) -> list[list[float]]:
    """Give where a layout puts a figure's axes, in pixels."""
    with style(WIDTH):
        fig = Figure(figsize=(WIDTH, HEIGHT), dpi=72 * PIXEL, layout=engine)
        Canvas(fig, 10)
        make(fig)
        for _ in range(passes):
            engine.execute(fig)
    return [[round(edge, 1) for edge in ax.get_window_extent().extents] for ax in fig.axes]


def matplotlibs() -> ConstrainedLayoutEngine:
    return ConstrainedLayoutEngine(**{name: pad for name, pad in Layout().get().items() if name != "rect"})


@pytest.mark.parametrize("make", FIGURES)
def test_axes_are_where_matplotlib_puts_them(make: Callable[[Figure], None]) -> None:
    for own, theirs in zip(places(make, Layout()), places(make, matplotlibs()), strict=True):
        assert own == pytest.approx(theirs, abs=0.5)


@pytest.mark.parametrize("make", [curves, titled])
def test_a_plain_axes_is_measured_once(make: Callable[[Figure], None], measured: list[Axes]) -> None:
    places(make, Layout())
    assert len(measured) == 1


@pytest.mark.parametrize("make", [with_less_room_for_ticks, to_the_end, written_beside, square])
def test_what_may_be_otherwise_in_its_place_is_measured_again(
    make: Callable[[Figure], None], measured: list[Axes]
) -> None:
    places(make, Layout())
    assert len(measured) == 2


def test_a_layout_that_keeps_some_room_free_is_matplotlibs() -> None:
    own, theirs = Layout(), matplotlibs()
    for engine in (own, theirs):
        engine.set(rect=(0.1, 0.2, 0.7, 0.6))
    assert places(curves, own) == places(curves, theirs)


def test_an_axes_without_room_is_told() -> None:
    def crowded(fig: Figure) -> None:
        fig.subplots().set_ylabel("too\nmany\nlines\n" * 20)

    with pytest.raises(UserWarning, match="axes sizes collapsed to zero"):
        places(crowded, Layout())
