"""A matplotlib renderer that writes the SVG of a page: colours as CSS variables, text as text, no ids.

Matplotlib's own SVG backend writes files that stand alone. Here the SVG becomes part of a page, next to others, so
it has no style sheet, no definitions and no ids that could meet another figure's: what sticks out of its axes is
cut by a nested ``<svg>``. Each place in the output where a colour or a text ends up is one that can refuse it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.backend_bases import FigureCanvasBase, GraphicsContextBase, RendererBase
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Transform

from knit.colours import PAPER
from knit.run.figure_clip import window
from knit.run.figure_fault import NotDrawn
from knit.run.figure_mesh import mesh, regular
from knit.run.figure_paint import PIXEL, alpha_of, paint, stroke
from knit.run.figure_path import Box, Shape, copies, pixels, shape
from knit.run.figure_sheet import Element, Sheet, dot
from knit.run.figure_text import ASCENT, DESCENT, anchor, is_bold, markup, width

LEADING: Final = 0.2
"""Space between lines of a text, in ems."""

NUMBERED: Final = "numbered"
"""The gid of a mesh that has numbers written on it."""


class Canvas(FigureCanvasBase):
    """A figure's canvas: what matplotlib asks for a renderer when it wants to measure text."""

    def __init__(self, figure: Figure, font_size: float) -> None:
        super().__init__(figure)
        self.renderer = Renderer(figure.bbox.width, figure.bbox.height, font_size)

    def get_renderer(self) -> Renderer:
        """Give the one renderer."""
        return self.renderer


class Renderer(RendererBase):
    """Collects the elements of one figure.

    Parameters
    ----------
    width, height : float
        Of the figure, in pixels.
    font_size : float
        Of the words that say nothing else, in points.

    """

    def __init__(self, width: float, height: float, font_size: float) -> None:
        super().__init__()
        self.width, self.height, self.dpi = width, height, 72 * PIXEL
        self.font_size = font_size
        self._sheet = Sheet()
        self._artists: list[tuple[str, str | None]] = []

    def svg(self) -> str:
        """Give the figure as one element."""
        return self._sheet.svg(self.width, self.height, self.font_size * PIXEL)

    def draw_path(self, gc: GraphicsContextBase, path: Path, transform: Transform, rgbFace: Any = None) -> None:  # noqa: ANN401
        """Write a path."""
        found = shape(path, transform, self.height)
        self._write(gc, path, [found] if found else [], rgbFace)

    def draw_markers(
        self,
        gc: GraphicsContextBase,
        marker_path: Path,
        marker_trans: Transform,
        path: Path,
        trans: Transform,
        rgbFace: Any = None,  # noqa: ANN401
    ) -> None:
        """Write a marker at each point of a path."""
        ends = [vertices[-2:] for vertices, _ in path.iter_segments(trans, simplify=False) if len(vertices)]
        self._write(gc, marker_path, copies(marker_path, marker_trans, ends, self.height), rgbFace)

    def draw_quad_mesh(self, gc: Any, master_transform: Any, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        """Write a heat map."""
        _, _, coordinates, _, _, colours, _, edges = args
        corners = master_transform.transform(coordinates.reshape(-1, 2)).reshape(coordinates.shape)
        edged = bool(len(edges) and edges[0][3])
        if not regular(corners) or (edged and to_hex(edges[0]) != PAPER):
            super().draw_quad_mesh(gc, master_transform, *args, **kwargs)
            return
        clip = window(gc, Box.around(corners.reshape(-1, 2)), self.height)
        gap = gc.get_linewidth() * PIXEL if edged else 0.0
        rest = mesh(
            corners * [1, -1] + [0, self.height],
            colours,
            gap,
            self._artist(),
            numbered=self._artists[-1][1] == NUMBERED,
        )
        self._sheet.add(Element(clip, "g", "", rest))

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: Any = False,  # noqa: ANN401, FBT002
        mtext: Text | None = None,
    ) -> None:
        """Write a line of text, held where it is aligned: the reader's fonts are not as wide as ours."""
        size, bold = prop.get_size_in_points() * PIXEL, is_bold(prop)
        end = anchor(mtext) if mtext else self._artists[-1][1] or "middle"
        along = {"start": 0.0, "middle": 0.5, "end": 1.0}[end] * size * width(s, maths=ismath, bold=bold)
        turn = math.radians(angle)
        at = pixels(x + along * math.cos(turn)), pixels(y - along * math.sin(turn))
        look = paint("fill", gc.get_rgb(), gc.get_alpha(), repr(s))
        if not look:
            return
        look += [f'text-anchor="{end}"'] if end != "start" else []
        look += [f'font-size="{pixels(size)}"'] if pixels(size) != pixels(self.font_size * PIXEL) else []
        look += ['font-weight="bold"'] if bold else []
        look += ['font-style="italic"'] if prop.get_style() != "normal" else []
        look += [f'transform="rotate({-angle:g} {" ".join(at)})"'] if angle else []
        rest = f'x="{at[0]}" y="{at[1]}">{markup(s, size, maths=ismath)}</text>'
        self._sheet.add(Element("", "text", " ".join(look), rest))

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:  # noqa: ANN401
        """Measure a line of text, in pixels."""
        size = prop.get_size_in_points() * PIXEL
        return size * width(s, maths=ismath, bold=is_bold(prop)), size * (ASCENT + DESCENT), size * DESCENT

    def _get_font_height_metrics(self, prop: FontProperties) -> tuple[float, float, float]:
        """Give ascent, descent and leading. Matplotlib 3.11 asks for them, and without an answer looks for a font."""
        size = prop.get_size_in_points() * PIXEL
        return size * ASCENT, size * DESCENT, size * LEADING

    def draw_image(self, *_: object, **__: object) -> None:
        """Refuse a bitmap."""
        raise NotDrawn("a bitmap (imshow) cannot follow the colour scheme: draw a matrix with knit.heatmap")

    def draw_gouraud_triangles(self, *_: object, **__: object) -> None:
        """Refuse shading between points."""
        raise NotDrawn("gouraud shading cannot follow the colour scheme: use knit.heatmap")

    def draw_tex(self, *_: object, **__: object) -> None:
        """Refuse TeX."""
        raise NotDrawn("labels know no TeX (usetex): write λ, √d, and $d_k$ for an index")

    def open_group(self, s: str, gid: str | None = None) -> None:
        """Note which artist is being drawn."""
        self._artists.append((s, gid))

    def close_group(self, s: str) -> None:  # noqa: ARG002
        """Forget the artist."""
        self._artists.pop()

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Give the figure's size in pixels."""
        return self.width, self.height

    def points_to_pixels(self, points: Any) -> Any:  # noqa: ANN401
        """Convert points to pixels."""
        return points * PIXEL

    def _write(
        self, gc: GraphicsContextBase, path: Path, shapes: Sequence[Shape], face: Sequence[float] | None
    ) -> None:
        """Write copies of a path that look the same."""
        if gc.get_hatch():
            raise NotDrawn("hatching is not drawn: tell areas apart by colour and by words")
        area = face is not None and np.shape(path.vertices)[0] > 2  # noqa: PLR2004 - two points have no area
        fill = paint("fill", face, alpha_of(gc), self._artist()) if area and face is not None else []
        line = stroke(gc, self._artist())
        if not shapes or not (fill or line):
            return
        clip = window(gc, Box.union(found.box for found in shapes), self.height)
        border = gc.get_linewidth() * PIXEL if line else 0.0
        disc = fill and line[: len(fill)] in ([], [part.replace("fill", "stroke", 1) for part in fill])
        look = " ".join([*fill, *line])
        for found in shapes:
            if found.tag == "circle" and disc:
                self._sheet.add(dot(clip, fill, found.box, self.height, border))
            else:
                self._sheet.add(Element(clip, found.tag, look, f"{found.geometry}/>"))

    def _artist(self) -> str:
        """Name what is being drawn, for messages."""
        names = [name.rpartition(".")[2] for name, _ in self._artists]
        return next((name for name in reversed(names) if name not in {"figure", "axes"}), "the background")
