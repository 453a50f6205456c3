"""Writes colours and lines as SVG attributes: a colour becomes the CSS variable that stands for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.colors import to_hex

from knit.colours import VARIABLES
from knit.run.figure_fault import NotDrawn
from knit.run.figure_path import pixels

PIXEL: Final = 96 / 72
"""Pixels (CSS's, 96 an inch) in a point."""

UNSET: Final = "#0102ff"
"""What the style gives to everything that its author gave no colour."""


GIVE_ONE: Final = "give it one of knit.colours: color=colours.QUERY, or set_color(colours.QUERY) on what the call gives"


def variable(colour: Sequence[float], artist: str) -> str:
    """Give the CSS variable of a colour in which an artist (named in the message) is drawn."""
    code = to_hex((colour[0], colour[1], colour[2]))
    if code == UNSET:
        raise NotDrawn(f"{artist} has no colour: {GIVE_ONE}")
    if code not in VARIABLES:
        raise NotDrawn(f"{artist} is drawn in {code}, which is no colour of the course: {GIVE_ONE}")
    return VARIABLES[code]


def paint(what: str, colour: Sequence[float], alpha: float | None, artist: str) -> list[str]:
    """Write ``fill`` or ``stroke``; nothing if it cannot be seen."""
    opacity = alpha if alpha is not None else [*colour, 1.0][3]
    if not opacity:
        return []
    attribute = f'{what}="var({variable(colour, artist)})"'
    return [attribute] if opacity == 1 else [attribute, f'{what}-opacity="{fraction(opacity)}"']


def stroke(gc: GraphicsContextBase, artist: str) -> list[str]:
    """Write how a line looks; nothing if it cannot be seen. Thin, butted, round-jointed lines need few words."""
    width = gc.get_linewidth() * PIXEL
    attributes = paint("stroke", gc.get_rgb(), alpha_of(gc), artist) if width else []
    if not attributes:
        return []
    if (text := pixels(width)) != "1":
        attributes.append(f'stroke-width="{text}"')
    offset, dashes = gc.get_dashes()
    if dashes is not None:
        lengths = np.atleast_1d(np.asarray(dashes, float)) * PIXEL
        attributes.append(f'stroke-dasharray="{" ".join(map(pixels, lengths))}"')
        attributes += [f'stroke-dashoffset="{pixels(offset * PIXEL)}"'] if offset else []
    cap, join = str(gc.get_capstyle()), str(gc.get_joinstyle())
    attributes += [f'stroke-linecap="{"square" if cap == "projecting" else cap}"'] if cap != "butt" else []
    attributes += [f'stroke-linejoin="{join}"'] if join != "round" else []
    return attributes


def alpha_of(gc: GraphicsContextBase) -> float | None:
    """Give the opacity that an author set on the whole artist, if any."""
    return gc.get_alpha() if gc.get_forced_alpha() else None


def fraction(share: float) -> str:
    """Write a share to the hundredth, without its leading zero."""
    return f"{share:.2f}".removeprefix("0").rstrip("0").removesuffix(".") or "0"
