"""Collects the elements of a figure and writes its ``<svg>``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from knit.run.figure_path import Box, pixels


class Element(NamedTuple):
    """A piece of a figure.

    ``clip`` is the opening tag of the window that cuts it, or empty; ``tag`` its name, ``look`` its attributes but
    those in ``rest``, which goes on to its end.
    """

    clip: str
    tag: str
    look: str
    rest: str

    @property
    def is_line(self) -> bool:
        """Say whether drawing it twice over changes nothing."""
        return self.tag == "path" and "fill" not in self.look and "opacity" not in self.look


def dot(clip: str, fill: Sequence[str], box: Box, height: float, border: float) -> Element:
    """Write a disc, ``border`` pixels wider than its box, as a thick dot.

    That is half as long as a circle, and dots that look the same become one path.
    """
    look = [part.replace("fill", "stroke", 1) for part in fill]
    look += [f'stroke-width="{pixels((box.width + box.height) / 2 + border)}"', 'stroke-linecap="round"']
    x, y = pixels((box.x0 + box.x1) / 2), pixels(height - (box.y0 + box.y1) / 2)
    return Element(clip, "path", " ".join(look), f'd="M{x} {y}h0"/>')


class Sheet:
    """The elements of one figure, in the order in which they are drawn."""

    def __init__(self) -> None:
        self.elements: list[Element] = []

    def add(self, element: Element) -> None:
        """Add an element. A line that looks like the one before it, such as the next tick, becomes one with it."""
        place = len(self.elements) - 1
        while element.is_line and place >= 0 and self.elements[place].tag == "text":
            place -= 1
        if element.is_line and place >= 0 and self.elements[place][:3] == element[:3]:
            before = self.elements[place].rest
            self.elements[place] = element._replace(rest=before.removesuffix('"/>') + element.rest.removeprefix('d="'))
        else:
            self.elements.append(element)

    def svg(self, width: float, height: float, font_size: float) -> str:
        """Write the figure; all lengths in pixels.

        It is as large as it says, and as wide as the column where that is less (see figures.css). Its name is for
        the page to add, as ``aria-label`` beside ``role``.
        """
        w, h = pixels(width), pixels(height)
        head = f'<svg class="knit-figure" role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"'
        head += f' width="{w}" height="{h}" font-size="{pixels(font_size)}" fill="none" stroke-linejoin="round">'
        parts, inside = [head], ""
        for (clip, look), group in groupby(self.elements, key=attrgetter("clip", "look")):
            if clip != inside:
                parts += ["</svg>" if inside else "", clip]
                inside = clip
            alike = list(group)
            if len(alike) > 1:
                parts += [f"<g {look}>", *(f"<{tag} {rest}" for _, tag, _, rest in alike), "</g>"]
            else:
                parts.append(f"<{alike[0].tag} {look}{' ' if look else ''}{alike[0].rest}")
        return "".join([*parts, "</svg>" if inside else "", "</svg>"])
