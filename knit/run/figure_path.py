"""Writes matplotlib's paths as SVG path data: relative, on a grid of a tenth of a pixel."""

from __future__ import annotations

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Bbox, Transform

GRID = 10
"""Steps per pixel: finer than a screen shows, coarse enough to be short."""

LETTERS = {Path.LINETO: "l", Path.CURVE3: "q", Path.CURVE4: "c"}


def number(tenths: int) -> str:
    """Write a number of tenths as short as SVG allows: ``-5`` becomes ``-.5``."""
    sign, (whole, rest) = "-" if tenths < 0 else "", divmod(abs(tenths), GRID)
    return sign + (f"{whole or ''}.{rest}" if rest else str(whole))


def pixels(value: float) -> str:
    """Write a length in pixels."""
    return number(round(float(value) * GRID))


def clean(path: Path, transform: Transform) -> Path:
    """Give the path in pixels, without points at infinity and without points that nobody could see."""
    return path.cleaned(transform, remove_nans=True, curves=True, simplify=path.should_simplify)


def extents(path: Path) -> Bbox:
    """Give the box of a cleaned path's points, those that steer curves included."""
    vertices = path.vertices[~np.isin(path.codes, [Path.STOP, Path.CLOSEPOLY])]
    return Bbox([vertices.min(axis=0), vertices.max(axis=0)]) if len(vertices) else Bbox.null()


def data(path: Path, height: float) -> str:
    """Write a cleaned path as the ``d`` of an SVG path.

    Parameters
    ----------
    path : Path
        In pixels, y upwards.
    height : float
        Of the figure, in pixels: SVG counts y from the top.

    """
    points = np.rint(path.vertices * [GRID, -GRID] + [0, height * GRID]).astype(int)
    parts: list[str] = []
    at = start = np.zeros(2, int)
    letter = ""
    index = 0
    while index < len(points) and path.codes[index] != Path.STOP:
        code = path.codes[index]
        if code == Path.CLOSEPOLY:
            parts.append("z")
            at, letter = start, "z"
            index += 1
            continue
        if code == Path.MOVETO:
            at = start = points[index]
            # A point after another is written only if something is drawn from it.
            if letter == "M":
                parts.pop()
            parts.append(f"M{_join(at)}")
            letter = "M"
            index += 1
            continue
        count = {Path.LINETO: 1, Path.CURVE3: 2, Path.CURVE4: 3}[code]
        moves = points[index : index + count] - at
        at = points[index + count - 1]
        index += count
        if code == Path.LINETO and not moves.any():
            continue
        command, numbers = _command(code, moves.ravel())
        text = _join(numbers)
        parts.append(text if command == letter and text.startswith("-") else f"{command if command != letter else ' '}{text}")
        letter = command
    return "".join(parts)


def _command(code: int, moves: np.ndarray) -> tuple[str, np.ndarray]:
    if code == Path.LINETO and moves[1] == 0:
        return "h", moves[:1]
    if code == Path.LINETO and moves[0] == 0:
        return "v", moves[1:]
    return LETTERS[code], moves


def _join(tenths: np.ndarray) -> str:
    texts = [number(int(value)) for value in tenths]
    return texts[0] + "".join(text if text.startswith("-") else f" {text}" for text in texts[1:])
