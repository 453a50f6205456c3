"""Heat maps: an array drawn as cells that follow the page's colour scheme, where ``imshow`` would be a bitmap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from knit import colours

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes

Kind = Literal["weight", "score", "query", "key", "value"]

MANY: Final = 32
"""Cells a side from which they stand without a gap between them."""


def heatmap(
    ax: Axes,
    array: np.ndarray,
    *,
    kind: Kind = "weight",
    low: float | None = None,
    high: float | None = None,
    fmt: str | None = None,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
) -> None:
    """Draw a matrix as cells: the larger the number, the fuller its colour.

    Parameters
    ----------
    ax : Axes
        Where to draw. Cells are square; ``ax.set_aspect("auto")`` afterwards lets them fill the axes.
    array : array of shape (n, m)
        Row 0 is drawn at the top. NaN and −∞, as of masked scores, leave a cell empty.
    kind : str
        What the numbers are, which decides the colour: ``"weight"``, ``"score"``, ``"query"``, ``"key"``
        or ``"value"``. Negative numbers are drawn in grey.
    low, high : float, optional
        The numbers that get no colour and full colour; those beyond are drawn as the nearer one. By default 0 and
        the largest magnitude. With a negative ``low``, zero gets no colour and ``low`` and ``high`` only say
        where colours are full: at the larger magnitude of the two.
    fmt : str, optional
        Writes each number into its cell, as a format spec such as ``".2f"``.
    rows, columns : sequence of str, optional
        What stands to the left of each row and above each column.

    Raises
    ------
    ValueError
        If the array is no matrix, has no finite number or +∞, or if labels do not match its shape.

    """
    import numpy as np  # noqa: PLC0415 - whoever builds the site imports knit, and needs no arrays

    matrix = np.asarray(array, dtype=float)
    if matrix.ndim != 2 or not np.isfinite(matrix).any() or (matrix == np.inf).any():  # noqa: PLR2004 - a matrix
        raise ValueError(f"a heat map draws a matrix of numbers, not an array of shape {matrix.shape}")
    n, m = matrix.shape
    edges: dict[str, Any] = {"edgecolors": colours.PAPER, "linewidth": 1.5} if max(n, m) < MANY else {}
    x, y = np.arange(m + 1) - 0.5, np.arange(n + 1) - 0.5
    mesh = ax.pcolormesh(x, y, _cells(matrix, kind, low, high), **edges)
    ax.set_aspect("equal")
    ax.invert_yaxis()
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, pad=6, labelcolor=colours.INK)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.xaxis.labelpad = 8.0  # the words above the columns hang down to it
    ax.set_xticks(*_labels(columns, m, "columns"))
    ax.set_yticks(*_labels(rows, n, "rows"))
    if fmt is not None:
        mesh.set_gid("numbered")  # tells the drawing to use colours on which numbers can be read
        for (i, j), number in np.ndenumerate(matrix):
            if not np.isnan(number):
                words = "−∞" if np.isinf(number) else f"{number:{fmt}}".replace("-", "−")
                ax.text(j, i, words, ha="center", va="center", color=colours.INK)


def _cells(matrix: np.ndarray, kind: Kind, low: float | None, high: float | None) -> np.ndarray:
    """Give red, green, blue and opacity of each cell, of shape (n, m, 4)."""
    import numpy as np  # noqa: PLC0415 - as above

    finite = np.where(np.isfinite(matrix), matrix, 0.0)
    extreme = float(np.abs(finite).max()) or 1.0
    low = (-extreme if finite.min() < 0 else 0.0) if low is None else low
    high = extreme if high is None else high
    if low < 0:
        share = np.clip(np.abs(finite) / max(-low, high), 0, 1)
    elif high > low:
        share = np.clip((finite - low) / (high - low), 0, 1)
    else:
        raise ValueError(f"a heat map needs low < high, not {low:g} and {high:g}")
    paint = np.where((finite < 0)[..., None], _rgb(colours.MUTED), _rgb(getattr(colours, kind.upper())))
    return np.dstack([paint, np.where(np.isfinite(matrix), share, 0.0)])


def _rgb(colour: str) -> list[float]:
    return [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]


def _labels(words: Sequence[str] | None, count: int, what: str) -> tuple[list[int], list[str]]:
    if words is None:
        return [], []
    if len(words) != count:
        raise ValueError(f"a heat map with {count} {what} has {len(words)} labels for them")
    return list(range(count)), list(words)
