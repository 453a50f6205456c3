"""Cuts what sticks out of its axes: by a nested ``<svg>``, which needs no id as a clip path would."""

from __future__ import annotations

from typing import Any, Final

from matplotlib.backend_bases import GraphicsContextBase

from knit.run.figure_fault import NotDrawn
from knit.run.figure_path import Box, pixels

SLACK: Final = 0.06
"""What is drawn up to the very edge, in pixels, is not cut."""


def window(gc: GraphicsContextBase, box: Box, height: float) -> str:
    """Give the opening tag of what cuts a drawing; empty if nothing of it sticks out.

    Parameters
    ----------
    gc : GraphicsContextBase
        Says where the drawing may be.
    box : Box
        Where it is.
    height : float
        Of the figure, in pixels.

    Raises
    ------
    NotDrawn
        If it would have to be cut by something else than an upright rectangle.

    """
    outline: Any = gc.get_clip_path()  # the stubs take it for something else than a path and its transform
    if outline[0] is not None and not outline[0].contains_points(box.corners(), outline[1]).all():
        raise NotDrawn("only an upright rectangle can cut what is drawn: set_clip_on(False), or draw within")
    clip = gc.get_clip_rectangle()
    if clip is None:
        return ""
    out = max(clip.x0 - box.x0, box.x1 - clip.x1, clip.y0 - box.y0, box.y1 - clip.y1)
    if out <= SLACK:
        return ""
    x, y, w, h = (pixels(v) for v in (clip.x0, height - clip.y1, clip.width, clip.height))
    return f'<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}">'
