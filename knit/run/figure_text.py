"""Labels of figures: their SVG, in the reader's own fonts, and their width, whatever fonts this machine has.

Text stays text, so nobody knows here how wide it will be. The layout reckons with DejaVu Sans, which matplotlib
brings along and which is wider than the fonts that phones and computers have, and with one em for every
Chinese character, as in every Chinese font.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import matplotlib as mpl
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font, LoadFlags
from matplotlib.text import Text

from knit.run.figure_fault import NotDrawn
from knit.run.figure_maths import runs

ASCENT: Final = 0.82
"""The height of a line above its baseline, in ems."""

DESCENT: Final = 0.2
"""The depth of a line below its baseline, in ems."""

BOLD: Final = 600
"""The weight from which type is bold."""

IN_CHINESE_FONTS: Final = frozenset({"Lo", "Lm", "Lu", "Ll", "Nl", "Nd", "Po", "Ps", "Pe", "Pd", "Sm", "Sc", "Zs"})
"""Unicode categories of the wide characters that a Chinese font has. Emoji (So) are not among them."""

ANCHORS: Final = (("left", "start"), ("center", "middle"), ("right", "end"))


def width(label: str, *, maths: bool, bold: bool = False) -> float:
    """Give the width of a line of a label, in ems.

    Raises
    ------
    NotDrawn
        If it has a character that usual fonts do not have.

    """
    return sum(
        run.size * sum(_advance(char, label, bold=bold) for char in run.text) for run in runs(label, maths=maths)
    )


def markup(label: str, size: float, *, maths: bool) -> str:
    """Give the content of a ``<text>`` element ``size`` pixels high."""
    parts, rise = [], 0.0
    for run in runs(label, maths=maths):
        attributes = f' dy="{_short((rise - run.rise) * size)}"' if run.rise != rise else ""
        attributes += f' font-size="{_short(run.size * size)}"' if run.size != 1 else ""
        attributes += ' font-style="italic"' if run.italic else ""
        parts.append(f"<tspan{attributes}>{escape(run.text)}</tspan>" if attributes else escape(run.text))
        rise = run.rise
    return "".join(parts)


def is_bold(font: FontProperties) -> bool:
    """Say whether type is bold."""
    weight = font.get_weight()
    return weight >= BOLD if isinstance(weight, int) else weight in {"semibold", "bold", "heavy", "black", "extra bold"}


def anchor(text: Text) -> str:
    """Give the end at which a line of text stays where it is when it is wider or narrower than reckoned."""
    if text.get_rotation_mode() == "anchor" or text.get_rotation() % 180 != 90:  # noqa: PLR2004 - degrees: upright
        return dict(ANCHORS)[text.get_horizontalalignment()]
    ends = ("start", "end") if text.get_rotation() == 90 else ("end", "start")  # noqa: PLR2004
    return {"bottom": ends[0], "top": ends[1]}.get(text.get_verticalalignment(), "middle")


def prepare(text: Text) -> None:
    """Note how the lines of a text are aligned to each other, which matplotlib does not tell a renderer.

    Raises
    ------
    NotDrawn
        If the text has path effects, with which matplotlib would draw its letters as shapes.

    """
    if text.get_path_effects():
        raise NotDrawn(f"path effects on {text.get_text()!r} are not drawn: put it beside the lines, or on bbox=...")
    if "\n" in text.get_text():
        text.set_gid(dict(ANCHORS)[text._get_multialignment()])  # type: ignore[attr-defined] # noqa: SLF001 - no getter


def _advance(char: str, label: str, *, bold: bool) -> float:
    if unicodedata.east_asian_width(char) in "WF" and unicodedata.category(char) in IN_CHINESE_FONTS:
        return 1.0
    advance = _advance_in("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf", char)
    if advance is None:
        name = unicodedata.name(char, "no character")
        raise NotDrawn(f"missing glyph: no usual font has {char!r} (U+{ord(char):04X} {name}), in the label {label!r}")
    return advance


@cache
def _advance_in(font: str, char: str) -> float | None:
    face = _face(font)
    if not face.get_char_index(ord(char)):
        return None
    return face.load_char(ord(char), flags=LoadFlags.NO_SCALE).horiAdvance / face.units_per_EM


def close_fonts() -> None:
    """Close the fonts' files, before a fork: two processes that read the same open file move each other's place."""
    _face.cache_clear()


@cache
def _face(font: str) -> FT2Font:
    return FT2Font(str(Path(mpl.get_data_path()) / "fonts" / "ttf" / font))


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
