"""Writes heat maps: a cell is a short thick line in a grid of whole numbers, cells of one colour are one path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from knit.run.figure_paint import fraction, variable

SHARP: Final = ' shape-rendering="crispEdges"'
"""Without it the page shows through between cells that touch."""


def regular(corners: np.ndarray) -> bool:
    """Say whether corners (rows, columns, 2), in pixels, are those of a grid of equal rectangles."""
    rows, columns = corners.shape[:2]
    down = np.linspace(corners[0, 0], corners[-1, 0], rows)[:, None]
    across = np.linspace(corners[0, 0], corners[0, -1], columns)[None]
    even = np.abs(down + across - corners[0, 0] - corners).max() < 0.01  # noqa: PLR2004 - of a pixel
    upright = abs(corners[0, 0, 1] - corners[0, -1, 1]) + abs(corners[0, 0, 0] - corners[-1, 0, 0])
    return bool(even and upright < 0.01)  # noqa: PLR2004 - of a pixel


def mesh(corners: np.ndarray, colours: np.ndarray, gap: float, artist: str, *, numbered: bool) -> str:
    """Write the attributes and content of the ``<g>`` that is a heat map.

    Parameters
    ----------
    corners : array of shape (rows + 1, columns + 1, 2)
        Of the cells, in pixels, y downwards: a regular grid.
    colours : array of shape (rows * columns, 4)
        Red, green, blue, opacity.
    gap : float
        Pixels between cells.
    artist : str
        What is drawn, for messages.
    numbered : bool
        Whether numbers are written on it, so that its colours must not be too full.

    """
    rows, columns = corners.shape[0] - 1, corners.shape[1] - 1
    origin = corners[0, 0]
    step = (corners[-1, -1] - origin) / [columns, rows]
    space = gap / np.abs(step)
    x, y = origin + step * [space[0] / 2, 0.5]
    places: dict[str, dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for index, colour in enumerate(colours):
        opacity = fraction(float(colour[3]))
        if opacity != "0":
            name = variable(colour, artist)
            places[name.replace("--knit-", "--knit-heat-") if numbered else name][opacity].append(
                divmod(index, columns)
            )
    unit = f"translate({x:.2f} {y:.2f})scale({step[0]:.4g} {step[1]:.4g})"
    parts = [f'transform="{unit}" stroke-width="{_short(1 - space[1])}"{"" if gap else SHARP}>']
    for heat, cells in sorted(places.items()):
        parts.append(f'<g stroke="var({heat})">')
        for opacity, where in sorted(cells.items()):
            faint = "" if opacity == "1" else f' stroke-opacity="{opacity}"'
            parts.append(f'<path{faint} d="{_lines(where, space[0])}"/>')
        parts.append("</g>")
    return "".join([*parts, "</g>"])


def _lines(cells: Sequence[tuple[int, int]], space: float) -> str:
    """Write cells (row, column) as lines along their rows; those that touch are one line."""
    runs: list[list[int]] = []
    for row, column in cells:
        if runs and not space and runs[-1][0] == row and runs[-1][1] + runs[-1][2] == column:
            runs[-1][2] += 1
        else:
            runs.append([row, column, 1])
    return "".join(f"M{column} {row}h{_short(count - space)}" for row, column, count in runs)


def _short(value: float) -> str:
    return f"{value:.3f}".rstrip("0").removesuffix(".").removeprefix("0")
