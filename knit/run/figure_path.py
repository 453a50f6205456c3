"""Writes matplotlib's paths as SVG: relative moves on a grid of a tenth of a pixel, circles as circles."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Bbox, Transform

GRID: Final = 10
"""Steps per pixel: finer than a screen shows, coarse enough to be short."""

CIRCLE: Final = np.asarray(Path.unit_circle().codes)


class Shape(NamedTuple):
    """An SVG element's name, the attributes that say where it is, and the box around it in pixels, y upwards."""

    tag: str
    geometry: str
    box: Bbox


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
    box = Bbox([real.min(axis=0), real.max(axis=0)])
    if path.codes is not None and np.array_equal(np.asarray(path.codes), CIRCLE):
        return Shape(*_ellipse(box, height), box)
    return Shape("path", f'd="{_data(codes, points, height)}"', box)


def _ellipse(box: Bbox, height: float) -> tuple[str, str]:
    x, y = pixels((box.x0 + box.x1) / 2), pixels(height - (box.y0 + box.y1) / 2)
    if abs(box.width - box.height) < 1 / GRID:
        return "circle", f'cx="{x}" cy="{y}" r="{pixels((box.width + box.height) / 4)}"'
    rx, ry = pixels(box.width / 2), pixels(box.height / 2)
    return "ellipse", f'cx="{x}" cy="{y}" rx="{rx}" ry="{ry}"'


def _data(codes: np.ndarray, vertices: np.ndarray, height: float) -> str:
    """Write the ``d`` of an SVG path."""
    points = np.rint(vertices * [GRID, -GRID] + [0, height * GRID]).astype(int)
    sizes = {Path.LINETO: 1, Path.CURVE3: 2, Path.CURVE4: 3}
    moves: list[tuple[str, list[int]]] = []
    at = start = points[0]
    index = 0
    while index < len(points):
        code = codes[index]
        if code == Path.CLOSEPOLY:
            moves.append(("z", []))
            at = start
            index += 1
        elif code == Path.MOVETO:
            at = start = points[index]
            moves.append(("M", at.tolist()))
            index += 1
        else:
            steps = points[index : index + sizes[code]] - at
            at = at + steps[-1]
            index += sizes[code]
            _add(moves, {1: "l", 2: "q", 3: "c"}[len(steps)], steps.ravel().tolist())
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
