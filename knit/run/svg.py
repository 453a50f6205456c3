"""A matplotlib renderer that writes the SVG of a page: colours as CSS variables, text as text, no ids.

Matplotlib's own SVG backend writes for a file that stands alone. Here the SVG becomes part of a page, next
to others, so it has no style sheet, no definitions and no ids that could meet another figure's; what sticks
out of its axes is cut by a nested ``<svg>``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.backend_bases import FigureCanvasBase, GraphicsContextBase, RendererBase
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_hex
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Bbox, Transform

from knit.colours import VARIABLES
from knit.run.figure_path import clean, data, extents, pixels
from knit.run.figure_text import ASCENT, DESCENT, NotDrawn, markup, width

DPI = 96
"""Pixels in an inch: CSS's."""

ANCHORS = {"left": "start", "center": "middle", "right": "end"}
CIRCLE = Path.unit_circle()


class Canvas(FigureCanvasBase):
    """A figure's canvas: gives the renderer that measures text and writes SVG."""

    def get_renderer(self) -> Renderer:
        """Make a renderer of the figure's size."""
        if not hasattr(self, "_renderer"):
            self._renderer = Renderer(*self.figure.bbox.size)
        return self._renderer


class Renderer(RendererBase):
    """Collects the elements of one figure, ``width`` by ``height`` pixels."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__()
        self.width, self.height, self.dpi = float(width), float(height), DPI
        self.elements: list[tuple[Bbox | None, str]] = []
        self._groups: list[tuple[str, str | None]] = []

    def svg(self, font_size: float) -> str:
        """Give the whole figure, its words ``font_size`` pixels high unless they say otherwise."""
        size = f'viewBox="0 0 {pixels(self.width)} {pixels(self.height)}"'
        size += f' width="{pixels(self.width)}" height="{pixels(self.height)}"'
        head = f'<svg class="knit-figure" xmlns="http://www.w3.org/2000/svg" role="img" {size}'
        head += f' font-size="{pixels(font_size)}" fill="none" stroke-linejoin="round">'
        parts, clip = [head], None
        for box, element in self.elements:
            if box is not clip:
                parts += ["</svg>"] if clip else []
                parts += [self._window(box)] if box else []
                clip = box
            parts.append(element)
        parts += ["</svg>"] if clip else []
        return "".join([*parts, "</svg>"])

    def draw_path(
        self, gc: GraphicsContextBase, path: Path, transform: Transform, rgbFace: Sequence[float] | None = None
    ) -> None:
        """Write a path."""
        self._write(gc, path, [transform], rgbFace)

    def draw_markers(  # noqa: PLR0913 - matplotlib's
        self,
        gc: GraphicsContextBase,
        marker_path: Path,
        marker_trans: Transform,
        path: Path,
        trans: Transform,
        rgbFace: Sequence[float] | None = None,
    ) -> None:
        """Write a marker at each point of a path."""
        places = [vertices[-2:] for vertices, _ in path.iter_segments(trans, simplify=False) if len(vertices)]
        inside = [(x, y) for x, y in places if -self.width < x < 2 * self.width and -self.height < y < 2 * self.height]
        self._write(gc, marker_path, [marker_trans + Affine2D().translate(x, y) for x, y in inside], rgbFace)

    def draw_quad_mesh(  # noqa: PLR0913 - matplotlib's
        self,
        gc: GraphicsContextBase,
        master_transform: Transform,
        meshWidth: int,  # noqa: ARG002
        meshHeight: int,  # noqa: ARG002
        coordinates: np.ndarray,
        offsets: np.ndarray,  # noqa: ARG002
        offsetTrans: Transform,  # noqa: ARG002
        facecolors: np.ndarray,
        antialiased: Any,  # noqa: ANN401, ARG002
        edgecolors: np.ndarray,
    ) -> None:
        """Write a heat map: cells of one colour are one path."""
        cells = QuadMesh._convert_mesh_to_paths(coordinates)  # noqa: SLF001 - as in matplotlib's renderers
        places: dict[tuple[float, ...], list[Path]] = {}
        for cell, colour in zip(cells, facecolors, strict=True):
            faint = (*colour[:3], round(float(colour[3]), 2))
            places.setdefault(faint, []).append(cell)
        gc.set_alpha(None)
        if len(edgecolors):
            gc.set_foreground(edgecolors[0], isRGBA=True)
        else:
            gc.set_linewidth(0)
        for colour, paths in sorted(places.items()):
            if colour[3]:
                self._write(gc, Path.make_compound_path(*paths), [master_transform], colour)

    def draw_text(  # noqa: PLR0913 - matplotlib's
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: bool = False,  # noqa: FBT001, FBT002
        mtext: Text | None = None,
    ) -> None:
        """Write a line of text, held where it is aligned: the reader's fonts are not as wide as ours."""
        size = self.points_to_pixels(prop.get_size_in_points())
        bold = _bold(prop)
        anchor = _anchor(mtext) if mtext else self._groups[-1][1] or "middle"
        along = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * size * width(s, maths=ismath, bold=bold)
        turn = math.radians(angle)
        place = [pixels(x + along * math.cos(turn)), pixels(y - along * math.sin(turn))]
        attributes = [f'x="{place[0]}"', f'y="{place[1]}"', *self._paint("fill", gc.get_rgb(), gc.get_alpha())]
        attributes += [f'text-anchor="{anchor}"'] if anchor != "start" else []
        attributes += [f'transform="rotate({-angle:g} {" ".join(place)})"'] if angle else []
        attributes += [f'font-size="{pixels(size)}"'] if size != self.font_size else []
        attributes += ['font-weight="bold"'] if bold else []
        attributes += ['font-style="italic"'] if prop.get_style() != "normal" else []
        self.elements.append((None, f"<text {' '.join(attributes)}>{markup(s, size, maths=ismath)}</text>"))

    font_size = 0.0

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: bool) -> tuple[float, float, float]:  # noqa: FBT001
        """Measure a line of text, in pixels."""
        size = self.points_to_pixels(prop.get_size_in_points())
        return size * width(s, maths=ismath, bold=_bold(prop)), size * (ASCENT + DESCENT), size * DESCENT

    def _get_font_height_metrics(self, prop: FontProperties) -> tuple[float, float, float]:
        """Give ascent, descent and gap of a line. Asked for since matplotlib 3.11, lest it looks for a font."""
        size = self.points_to_pixels(prop.get_size_in_points())
        return size * ASCENT, size * DESCENT, 0.0

    def draw_image(self, *_: object, **__: object) -> None:
        """Refuse a bitmap."""
        raise NotDrawn("a bitmap (imshow) cannot follow the colour scheme: draw it with knit.heatmap")

    def draw_gouraud_triangles(self, *_: object, **__: object) -> None:
        """Refuse shading between points."""
        raise NotDrawn("shading (gouraud) cannot follow the colour scheme: use shading='flat'")

    def draw_tex(self, *_: object, **__: object) -> None:
        """Refuse TeX."""
        raise NotDrawn("labels cannot be set in TeX (usetex): write √d, λ, or $d_k$ for an index")

    def open_group(self, s: str, gid: str | None = None) -> None:
        """Note which artist is being drawn, for messages."""
        self._groups.append((s, gid))

    def close_group(self, s: str) -> None:  # noqa: ARG002
        """Forget the artist."""
        self._groups.pop()

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Give the figure's size in pixels."""
        return self.width, self.height

    def points_to_pixels(self, points: float) -> float:
        """Convert points (72 an inch) to pixels (96 an inch)."""
        return points * DPI / 72

    def _write(
        self, gc: GraphicsContextBase, path: Path, transforms: Iterable[Transform], face: Sequence[float] | None
    ) -> None:
        """Write copies of a path that look the same."""
        if gc.get_hatch():
            raise NotDrawn("hatching is not supported: tell areas apart by colour and by words")
        attributes = self._paint("fill", face, gc.get_alpha() if gc.get_forced_alpha() else None) if face is not None else []
        attributes += self._stroke(gc)
        if not attributes:
            return
        shapes: list[str] = []
        boxes: list[Bbox] = []
        for transform in transforms:
            shape = clean(path, transform)
            box = extents(shape)
            if shape.codes[0] == Path.STOP:
                continue
            boxes.append(box)
            shapes.append(_ellipse(path, box, self.height) or f'd="{data(shape, self.height)}"')
        if not shapes:
            return
        look = " ".join(attributes)
        clip = self._clip(gc, Bbox.union(boxes))
        tags = [("path" if shape.startswith("d=") else "ellipse" if "rx" in shape else "circle", shape) for shape in shapes]
        if len(tags) == 1:
            self.elements.append((clip, f"<{tags[0][0]} {look} {tags[0][1]}/>"))
        else:
            self.elements.append((clip, f"<g {look}>{''.join(f'<{tag} {shape}/>' for tag, shape in tags)}</g>"))

    def _stroke(self, gc: GraphicsContextBase) -> list[str]:
        line = self.points_to_pixels(gc.get_linewidth())
        if not line:
            return []
        attributes = self._paint("stroke", gc.get_rgb(), gc.get_alpha() if gc.get_forced_alpha() else None)
        if not attributes:
            return []
        attributes += [f'stroke-width="{pixels(line)}"'] if round(line, 1) != 1 else []
        offset, dashes = gc.get_dashes()
        if dashes is not None and len(dashes):
            lengths = " ".join(pixels(self.points_to_pixels(dash)) for dash in dashes)
            attributes.append(f'stroke-dasharray="{lengths}"')
            attributes += [f'stroke-dashoffset="{pixels(self.points_to_pixels(offset))}"'] if offset else []
        cap, join = gc.get_capstyle(), gc.get_joinstyle()
        attributes += [f'stroke-linecap="{"square" if cap == "projecting" else cap}"'] if cap != "butt" else []
        attributes += [f'stroke-linejoin="{join}"'] if join != "round" else []
        return attributes

    def _paint(self, what: str, colour: Sequence[float], alpha: float | None) -> list[str]:
        """Name a colour by its variable."""
        opacity = alpha if alpha is not None else colour[3] if len(colour) > 3 else 1.0  # noqa: PLR2004 - rgba
        if not opacity:
            return []
        variable = VARIABLES.get(to_hex(colour[:3]))
        if variable is None:
            raise NotDrawn(self._no_colour(to_hex(colour[:3])))
        paint = [f'{what}="var({variable})"']
        return paint if opacity == 1 else [*paint, f'{what}-opacity="{f"{opacity:.2f}".lstrip("0").rstrip("0")}"']

    def _no_colour(self, colour: str) -> str:
        names = [name for name, _ in self._groups if name not in {"figure", "axes"}]
        artist = names[-1].rpartition(".")[2] if names else "the background"
        if colour == UNSET:
            return f"{artist} has no colour: give it one of knit.colours, such as color=colours.QUERY"
        return f"{artist} is drawn in {colour}, which is no colour of the course: use one of knit.colours"

    def _clip(self, gc: GraphicsContextBase, box: Bbox) -> Bbox | None:
        """Give the window that cuts something of this extent, if it needs one."""
        clip = gc.get_clip_rectangle()
        path, transform = gc.get_clip_path()
        if path is not None:
            outline = clean(path, transform)
            around = extents(outline)
            corners = len(outline.vertices) - 1
            if corners > 5 and not outline.contains_points(box.corners()).all():  # noqa: PLR2004 - a closed rectangle
                raise NotDrawn("only rectangles can cut what is drawn")
            clip = around
        if clip is None:
            return None
        slack = 0.06  # what is drawn up to the very edge needs no cutting
        if clip.x0 - slack <= box.x0 and box.x1 <= clip.x1 + slack and clip.y0 - slack <= box.y0 and box.y1 <= clip.y1 + slack:
            return None
        for other, _ in reversed(self.elements):
            if other is not None and np.allclose(other.extents, clip.extents):
                return other
        return Bbox(clip.get_points().copy())

    def _window(self, box: Bbox) -> str:
        x, y, w, h = (pixels(v) for v in (box.x0, self.height - box.y1, box.width, box.height))
        return f'<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}">'


UNSET = "#0102ff"
"""What the style gives to everything that its author gave no colour."""


def anchor_texts(texts: Iterable[Text]) -> None:
    """Note on texts of several lines how they are aligned, which matplotlib does not tell a renderer."""
    for text in texts:
        if "\n" in text.get_text():
            text.set_gid(ANCHORS[text._get_multialignment()])  # noqa: SLF001 - there is no getter


def _anchor(text: Text) -> str:
    """Give the end at which a line of text is held."""
    if text.get_rotation() % 180 == 90 and text.get_rotation_mode() != "anchor":  # noqa: PLR2004 - degrees
        upright = {"bottom": "start", "top": "end"}.get(text.get_verticalalignment(), "middle")
        return upright if text.get_rotation() == 90 else {"start": "end", "end": "start"}.get(upright, upright)  # noqa: PLR2004
    return ANCHORS[text.get_horizontalalignment()]


def _bold(prop: FontProperties) -> bool:
    weight = prop.get_weight()
    return weight in {"bold", "semibold", "heavy", "black", "extra bold"} or (isinstance(weight, int) and weight >= 600)  # noqa: PLR2004


def _ellipse(path: Path, box: Bbox, height: float) -> str:
    """Write a circle as a circle rather than as eight curves."""
    if path.codes is None or not np.array_equal(path.codes, CIRCLE.codes):
        return ""
    x, y = pixels((box.x0 + box.x1) / 2), pixels(height - (box.y0 + box.y1) / 2)
    rx, ry = pixels(box.width / 2), pixels(box.height / 2)
    return f'cx="{x}" cy="{y}" r="{rx}"' if rx == ry else f'cx="{x}" cy="{y}" rx="{rx}" ry="{ry}"'
