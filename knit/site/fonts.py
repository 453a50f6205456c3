"""The mathematical font: New Computer Modern Math, cut to the characters of formulas.

Roots, brackets and braces grow with what they hold only in a font that has a MATH table, and hardly a
reader's machine has one. The font comes with the package fondi, under the GUST Font License.
"""

from __future__ import annotations

import hashlib
import os
from importlib.metadata import distribution, version
from importlib.resources import files as package_files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fontTools import subset
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from mkdocs.structure.files import File

from knit.weave.maths_glyphs import ACCENTS, CHARACTERS, PRIMES

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FAMILY = "Knit Maths"
STYLE = "assets/knit/maths.css"
FONT = "assets/knit/maths.woff2"

UNUSED = ["GPOS", "GSUB", "GDEF", "PfEd", "GlyphOrder"]
"""Tables that browsers do not read when they set formulas, or that only font editors read."""


def add_assets(config: MkDocsConfig, files: Files, cache: Path) -> None:
    """Add the font of formulas and their style to a site's files: for a plugin's ``on_files``.

    Parameters
    ----------
    config, files
        As MkDocs gives them.
    cache : Path
        A folder that keeps the font between builds.

    """
    style = package_files("knit.site").joinpath("assets/maths.css").read_text(encoding="utf-8")
    files.append(File.generated(config, FONT, content=maths_font(cache)))
    files.append(File.generated(config, STYLE, content=style))
    if STYLE not in config.extra_css:
        config.extra_css.insert(0, STYLE)


def maths_font(cache: Path) -> bytes:
    """Give the font as WOFF2: the same bytes on every machine.

    Parameters
    ----------
    cache : Path
        A folder that keeps the font; it is made again when the characters, this module, the font that it is
        cut from or the packages that cut it change.

    """
    source = Path(str(distribution("fondi").locate_file("fondi/resources/fonts/NewCMMath-Book.otf"))).read_bytes()
    recipe = [version("fonttools"), version("brotli"), "".join(sorted(CHARACTERS)), Path(__file__).read_text("utf-8")]
    kept = cache / f"maths-{hashlib.sha256(source + ' '.join(recipe).encode()).hexdigest()[:16]}.woff2"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(_cut(source))
        unfinished.replace(kept)
    return kept.read_bytes()


def _cut(source: bytes) -> bytes:
    font = TTFont(BytesIO(source), lazy=True, recalcTimestamp=False, recalcBBoxes=False)
    _use_script_primes(font)
    options = subset.Options(
        drop_tables=[*subset.Options().drop_tables, *UNUSED], hinting=False, desubroutinize=True, notdef_outline=True
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=map(ord, CHARACTERS))
    subsetter.subset(font)
    for accent in ACCENTS:
        _give_width(font, font.getBestCmap()[ord(accent)])
    _rename(font)
    font.flavor = "woff2"
    written = BytesIO()
    font.save(written)
    return written.getvalue()


def _use_script_primes(font: Any) -> None:  # noqa: ANN401 - fontTools has no types
    """Let primes have the form that is made for superscripts: browsers do not ask the font for it."""
    forms = {ord(prime): font.getBestCmap()[ord(prime)] + ".st" for prime in PRIMES}
    for table in font["cmap"].tables:
        table.cmap.update({code: form for code, form in forms.items() if code in table.cmap})


def _give_width(font: Any, glyph: str) -> None:  # noqa: ANN401
    """Give an accent that is made to overlap the letter before it a width: browsers centre accents by it."""
    if font["hmtx"][glyph][0]:
        return
    glyphs = font.getGlyphSet()
    bounds, pen = BoundsPen(glyphs), T2CharStringPen(None, glyphs)
    glyphs[glyph].draw(bounds)
    left, _, right, _ = (round(edge) for edge in bounds.bounds)
    glyphs[glyph].draw(TransformPen(pen, (1, 0, 0, 1, -left, 0)))
    charstrings = font["CFF "].cff.topDictIndex[0].CharStrings
    charstrings[glyph] = pen.getCharString(private=charstrings[glyph].private)
    font["hmtx"][glyph] = (right - left, 0)
    attachment = font["MATH"].table.MathGlyphInfo.MathTopAccentAttachment
    if glyph in attachment.TopAccentCoverage.glyphs:
        attachment.TopAccentAttachment[attachment.TopAccentCoverage.glyphs.index(glyph)].Value -= left


def _rename(font: Any) -> None:  # noqa: ANN401
    """Name what has been changed by another name, as its licence wishes; the copyright notice stays."""
    for record in list(font["name"].names):
        if record.nameID in {1, 3, 4, 6, 16, 18}:
            record.string = FAMILY
    font["CFF "].cff.fontNames = [FAMILY.replace(" ", "")]
