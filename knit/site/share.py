"""The picture that stands for a page where it is shared: its title and its first figure, 1200 by 630, as PNG."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import escape
from importlib.metadata import distribution, version
from pathlib import Path
from typing import TYPE_CHECKING

from knit.notebook.standalone import standalone
from knit.problem import Refused
from knit.project import Course, is_lesson
from knit.read.page import Page
from knit.read.pieces import Image
from knit.site.surroundings import digest
from knit.weave.names import Names

if TYPE_CHECKING:
    from knit.site.languages import Language

WIDTH, HEIGHT = 1200, 630
"""What networks show whole (Open Graph: 1.91 to 1)."""

FONTS = (
    ("manimgx-fonts-cjk", "manimgx_fonts_cjk/NotoSansCJK-VF.otf.ttc"),
    ("matplotlib", "matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf"),  # for what the first lacks
)
PANEL, INK, PAPER = "#17494d", "#fff", "#fff"
LEFT, MARGIN = 500, 50
ROOM = (LEFT + 30, 35, WIDTH - LEFT - 60, HEIGHT - 70)
"""Where the figure stands: x, y, width, height."""

UNITS = r"[\u2e80-\uffef][\u3001-\u3011\uff01-\uff1f”’]*|[^\s\u2e80-\uffef]+|\s+"
"""What a line is broken between: a Chinese character with the punctuation behind it, or a word. Seldom compiled."""


def shared(course: Course) -> Iterator[Page]:
    """Yield the pages that have a picture of their own: those with a script, and the home pages."""
    for page in course.pages:
        if is_lesson(page) or page.path == (course.layout.docs / page.language / "index.md").as_posix():
            yield page


def picture(page: Page, course: Course, language: Language, names: tuple[str, str], cache: Path) -> bytes:
    """Draw a page's picture.

    Parameters
    ----------
    page, course
        The page, and its course.
    language : Language
        The page's.
    names : tuple of str
        What the site is called in that language, and what it says of itself.
    cache : Path
        A folder that keeps pictures. One is drawn again when what is on it changes, or what draws it.

    Returns
    -------
    bytes
        A PNG: the same on every machine.

    """
    svg = drawing(page, course, language, names)
    tools = [version(name) for name in ("resvg_py", *(package for package, _ in FONTS))]
    kept = cache / f"{digest(svg, tools)}.png"
    if not kept.exists():
        # A build in which no picture changed does without.
        import resvg_py  # noqa: PLC0415

        fonts = [str(distribution(package).locate_file(path)) for package, path in FONTS]
        drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=fonts))
        cache.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(drawn)
        unfinished.replace(kept)
    return kept.read_bytes()


def drawing(page: Page, course: Course, language: Language, names: tuple[str, str]) -> str:
    """Compose the picture as SVG."""
    name, about = names
    home = not page.meta.get("script")
    title = name if home else str(page.meta.get("title") or page.headings[0].text)
    words = str(page.meta.get("description") or about)
    # A home page shows nothing itself: the first lesson's figure stands for the course.
    lessons = [each for each in course.lessons if each.language == page.language]
    figure = first_figure(lessons[0] if home and lessons else page, course)
    room = (LEFT if figure else WIDTH) - 2 * MARGIN
    parts = [] if home else [_lines([name], 90, 26, 400)]
    heading = list(wrapped(title, room / 48))
    parts.append(_lines(heading, 190, 48, 700))
    parts.append(_lines(list(wrapped(words, room / 27))[:7], 200 + 65 * len(heading), 27, 400))
    panel = f'<rect width="{LEFT if figure else WIDTH}" height="{HEIGHT}" fill="{PANEL}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="Noto Sans CJK SC, DejaVu Sans" xml:lang="{language.tag}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>{panel}{"".join(parts)}{_placed(figure)}</svg>'
    )


def first_figure(page: Page, course: Course) -> str:
    """Give the SVG of the first figure that a page shows; nothing if it shows none."""
    names = Names(page, course.layout, course.results)
    for piece in page.pieces:
        if isinstance(piece, Image) and piece.figure:
            try:
                return names.figure(piece.figure)[1][page.language]
            except Refused:  # told where the page is checked
                return ""
    return ""


def wrapped(text: str, ems: float) -> Iterator[str]:
    """Break a text into lines of about so many ems."""
    line, filled = "", 0.0
    for unit in re.findall(UNITS, text):
        width = sum(1.0 if character > "\u2e7f" else 0.56 for character in unit)
        if filled + width > ems and line.strip():
            yield line.strip()
            line, filled = "", 0.0
        line, filled = line + unit, filled + width
    if line.strip():
        yield line.strip()


def _lines(lines: list[str], top: int, size: int, weight: int) -> str:
    """Write lines below each other, the first on ``top``."""
    return "".join(
        f'<text x="{MARGIN}" y="{top + round(1.35 * size) * number}" font-size="{size}" font-weight="{weight}" '
        f'fill="{INK}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )


def _placed(figure: str) -> str:
    """Put a figure in its room, as large as it can be."""
    if not figure:
        return ""
    x, y, width, height = ROOM
    place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return re.sub(r' width="[\d.]+" height="[\d.]+"', f" {place}", standalone(figure), count=1)
