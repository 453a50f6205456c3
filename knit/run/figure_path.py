"""Writes matplotlib's paths as SVG: relative moves on a grid of a tenth of a pixel, circles as circles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, Self

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Transform

GRID: Final = 10
"""Steps per pixel: finer than a screen shows, coarse enough to be short."""

CIRCLE: Final = np.asarray(Path.unit_circle().codes)

STEPS: Final = {int(Path.LINETO): ("l", 1), int(Path.CURVE3): ("q", 2), int(Path.CURVE4): ("c", 3)}
"""By the code of a path's piece: SVG's letter for it, and how many points it takes."""


class Box(NamedTuple):
    """A rectangle in pixels, y upwards. Matplotlib's own cost ten times as much to make, and there is one per dot."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """How high it is."""
        return self.y1 - self.y0

    def corners(self) -> list[tuple[float, float]]:
        """Give its corners."""
        return [(x, y) for x in (self.x0, self.x1) for y in (self.y0, self.y1)]

    @classmethod
    def around(cls, points: np.ndarray) -> Self:
        """Give the box around points, which are the rows of an array."""
        return cls(*points.min(axis=0).tolist(), *points.max(axis=0).tolist())

    @classmethod
    def union(cls, boxes: Iterable[Box]) -> Self:
        """Give the box around boxes."""
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        return cls(min(lefts), min(bottoms), max(rights), max(tops))

    def moved(self, x: float, y: float) -> Box:
        """Give the same box elsewhere."""
        return Box(self.x0 + x, self.y0 + y, self.x1 + x, self.y1 + y)


class Shape(NamedTuple):
    """An SVG element's name, the attributes that say where it is, and the box around it."""

    tag: str
    geometry: str
    box: Box


def number(tenths: int) -> str:
    """Write a number of tenths as short as SVG allows: ``-5`` becomes ``-.5``."""
    sign, (whole, rest) = "-" if tenths < 0 else "", divmod(abs(tenths), GRID)
    return sign + (f"{whole or ''}.{rest}" if rest else str(whole))


def pixels(value: float) -> str:
    """Write a length in pixels."""
    return number(round(float(value) * GRID))


def shape(path: Path, transform: Transform, height: float) -> Shape | None:
    """Write a path, transformed to pixels, in a figure of this height; None if there is nothing of it.

    Points at infinity are left out, and so are points that nobody could see.
    """
    # `Path.cleaned` cuts the path at such points and, for long lines, thins them.
    tidy = path.cleaned(transform, remove_nans=True, curves=True, simplify=path.should_simplify)
    codes = np.asarray(tidy.codes)
    end = int(np.argmax(codes == Path.STOP)) if (codes == Path.STOP).any() else len(codes)
    codes, points = codes[:end], np.asarray(tidy.vertices)[:end]
    real = points[codes != Path.CLOSEPOLY]
    if not len(real):
        return None
    box = Box.around(real)
    if _is_circle(path):
        return Shape(*_ellipse(box, height), box)
    return Shape("path", f'd="{_data(codes, points, height)}"', box)


def copies(path: Path, transform: Transform, places: Iterable[np.ndarray], height: float) -> list[Shape]:
    """Write a path, transformed to pixels and then moved to each place, as ``shape`` does."""
    if not _is_circle(path):
        found = (shape(path, transform + Affine2D().translate(*place), height) for place in places)
        return [each for each in found if each]
    one = shape(path, transform, height)
    boxes = [one.box.moved(*place) for place in places] if one else []
    return [Shape(*_ellipse(box, height), box) for box in boxes]


def _is_circle(path: Path) -> bool:
    return path.codes is not None and np.array_equal(np.asarray(path.codes), CIRCLE)


def _ellipse(box: Box, height: float) -> tuple[str, str]:
    x, y = pixels((box.x0 + box.x1) / 2), pixels(height - (box.y0 + box.y1) / 2)
    if abs(box.width - box.height) < 1 / GRID:
        return "circle", f'cx="{x}" cy="{y}" r="{pixels((box.width + box.height) / 4)}"'
    rx, ry = pixels(box.width / 2), pixels(box.height / 2)
    return "ellipse", f'cx="{x}" cy="{y}" rx="{rx}" ry="{ry}"'


def _data(codes: np.ndarray, vertices: np.ndarray, height: float) -> str:
    """Write the ``d`` of an SVG path."""
    # Python's own numbers: most paths are short, and arrays of two numbers are slow.
    points: list[list[int]] = np.rint(vertices * [GRID, -GRID] + [0, height * GRID]).astype(int).tolist()
    kinds: list[int] = codes.tolist()
    moves: list[tuple[str, list[int]]] = []
    at = start = points[0]
    index = 0
    while index < len(points):
        code = kinds[index]
        if code == Path.CLOSEPOLY:
            moves.append(("z", []))
            at = start
            index += 1
        elif code == Path.MOVETO:
            at = start = points[index]
            moves.append(("M", at))
            index += 1
        else:
            letter, size = STEPS[code]
            steps = [
                there - here for point in points[index : index + size] for there, here in zip(point, at, strict=True)
            ]
            at = points[index + size - 1]
            index += size
            _add(moves, letter, steps)
    return _joined(moves)


def _add(moves: list[tuple[str, list[int]]], letter: str, steps: list[int]) -> None:
    """Add a line or curve; a line along an axis that goes on as the one before becomes one with it."""
    if letter == "l":
        if steps == [0, 0] and moves[-1][0] != "M":
            return
        along = [step for step in steps if step] if 0 in steps else []
        if along:
            letter = "h" if steps[0] else "v"
            before, length = moves[-1][0], (moves[-1][1] or [0])[0]
            if before == letter and length * along[0] > 0:
                moves[-1] = (letter, [length + along[0]])
                return
            steps = along
    moves.append((letter, steps))


def _joined(moves: list[tuple[str, list[int]]]) -> str:
    parts: list[str] = []
    before = ""
    for letter, tenths in moves:
        text = "".join(t if t.startswith("-") else f" {t}" for t in map(number, tenths))
        parts.append(text if letter == before else letter + text.removeprefix(" "))
        before = letter
    return "".join(parts)
