"""How figures look: one style for the course, independent of what the machine or a script has set."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache
from typing import Any

import matplotlib as mpl
from cycler import cycler

from knit import colours
from knit.run.figure_paint import UNSET

PHONE = 350
"""Pixels that a figure has on a narrow phone."""

LEAST = 9.2
"""Pixels that letters have there at least."""


def font_size(width: float) -> float:
    """Give the size of words in points in a figure ``width`` inches wide, such that they can be read on a phone."""
    return max(10.5, width * 72 * LEAST / PHONE)


@contextmanager
def style(width: float) -> Iterator[None]:
    """Draw in the course's style in a figure ``width`` inches wide. A warning of matplotlib is an error."""
    ours = _looked_at(font_size(width))
    before: dict[Any, Any] = {key: dict.__getitem__(mpl.rcParams, key) for key in ours}
    # As rc_context ends: without having each of three hundred settings looked at again.
    dict.update(mpl.rcParams, {key: copy(value) for key, value in ours.items()})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            yield
    finally:
        dict.update(mpl.rcParams, before)


@cache
def _looked_at(size: float) -> dict[Any, Any]:
    """Give the settings as matplotlib holds them; letters are ``size`` points high."""
    ours: dict[Any, Any] = {**dict(mpl.rcParamsDefault), **_settings(size)}
    for key in ("backend", "backend_fallback"):  # not a matter of looks, and setting it imports pyplot
        del ours[key]
    with mpl.rc_context(ours):
        return {key: dict.__getitem__(mpl.rcParams, key) for key in ours}


def _settings(size: float) -> dict[str, Any]:
    thin = 0.75
    return {
        "font.size": size,
        "axes.titlesize": size,
        "axes.labelsize": size,
        "xtick.labelsize": size,
        "ytick.labelsize": size,
        "legend.fontsize": size,
        "figure.titlesize": size,
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "axes.edgecolor": colours.MUTED,
        "axes.labelcolor": colours.INK,
        "axes.titlecolor": colours.INK,
        "axes.titlelocation": "left",
        "axes.titlepad": size * 0.7,
        "axes.linewidth": thin,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.formatter.use_mathtext": True,  # ×10⁻³ beside an axis rather than 1e-3
        "axes.prop_cycle": cycler(color=[UNSET]),
        "axes.axisbelow": True,
        "text.color": colours.INK,
        "xtick.color": colours.MUTED,
        "ytick.color": colours.MUTED,
        "xtick.major.width": thin,
        "ytick.major.width": thin,
        "xtick.minor.width": thin / 2,
        "ytick.minor.width": thin / 2,
        "grid.color": colours.GRID,
        "grid.linewidth": thin,
        "lines.linewidth": 1.9,
        "lines.markersize": 6.5,
        "lines.solid_capstyle": "round",
        "patch.edgecolor": colours.INK,
        "patch.linewidth": thin,
        "hatch.color": colours.INK,
        "legend.frameon": False,
        "legend.handlelength": 1.6,
        "path.simplify_threshold": 0.2,
        "svg.fonttype": "none",
    }
