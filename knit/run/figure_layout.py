"""Makes room in a figure for its labels: as matplotlib's constrained layout does, but no slower than it must be.

That measures everything twice: once an axes has its place, there may be other ticks, and what is written into it may
stick out otherwise. Most figures are one axes with curves in it, of which that can be said beforehand; and measuring
is a quarter of drawing.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.spines import Spine
from matplotlib.transforms import Bbox

NOTHING = 1e-9
"""What rounding may leave of no length, in shares of a figure."""


class Layout(ConstrainedLayoutEngine):
    """Constrained layout that measures a plain axes once, where measuring it again would find the same."""

    def __init__(self) -> None:
        # Around an axes, in inches; and between two, in shares of the figure.
        super().__init__(w_pad=0.05, h_pad=0.05, wspace=0.06, hspace=0.08)

    def execute(self, fig: Figure) -> None:
        """Give the axes of a figure their places."""
        axes, settings = _plain(fig), self.get()
        if axes is None or settings["rect"] != (0, 0, 1, 1):
            super().execute(fig)
            return
        pad = np.array([settings["w_pad"], settings["h_pad"]]) / fig.get_size_inches()
        for _ in range(2):
            below, above = _beyond(axes, fig)
            place, before = Bbox([pad + below, 1 - pad - above]), _ticks(axes)
            if place.width <= 0 or place.height <= 0:
                super().execute(fig)  # which says that there is no room
                return
            axes.set_position(place)
            axes.set_in_layout(True)  # from which setting a position has taken it out
            # A label beyond the right end hangs on its tick: it is another share of the axes that it sticks out.
            if above[0] < NOTHING and all(map(np.array_equal, before, _ticks(axes))):
                return


def _beyond(axes: Axes, fig: Figure) -> tuple[np.ndarray, np.ndarray]:
    """Say how far labels reach beyond the axes, in shares of the figure: left and below, right and above."""
    low, high = axes.get_position(original=True).get_points()
    around = axes.get_tightbbox(fig.canvas.get_renderer(), for_layout_only=True)  # type: ignore[attr-defined]
    least, most = around.transformed(fig.transFigure.inverted()).get_points() if around else (low, high)
    return np.maximum(low - least, 0), np.maximum(most - high, 0)


def _plain(fig: Figure) -> Axes | None:
    """Give the axes that is all there is in a figure, if nothing but its axis labels and titles can stick out of it."""
    if len(fig.axes) != 1 or len(fig.get_children()) != 2:  # noqa: PLR2004 - the axes, and the background
        return None
    [axes] = fig.axes
    place = axes.get_subplotspec()
    whole = place is not None and place.get_gridspec().get_geometry() == (1, 1) and axes.get_in_layout()
    inside = all(_stays_inside(artist, axes) for artist in axes.get_default_bbox_extra_artists())
    return axes if whole and inside and axes.get_aspect() == "auto" else None


def _stays_inside(artist: Artist, axes: Axes) -> bool:
    """Whether nothing of an artist sticks out of its axes, or the same in whatever place."""
    if isinstance(artist, Spine | Legend) or artist is axes.patch:
        return True
    cut = artist.get_clip_box()
    # Matplotlib knows most of these by itself, but takes a rounding error for another box.
    return (
        isinstance(artist, Line2D | Patch | Collection)
        and artist.get_clip_on()
        and cut is not None
        and np.allclose(cut.extents, axes.bbox.extents)
    )


def _ticks(axes: Axes) -> list[np.ndarray]:
    return [axis.get_ticklocs(minor=minor) for axis, minor in product((axes.xaxis, axes.yaxis), (False, True))]
