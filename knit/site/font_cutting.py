"""Cuts a mathematical font to the characters of formulas, and fits it to the way that browsers set MathML.

Roots, brackets and braces grow with what they hold only in a font that has a MATH table, and hardly a
reader's machine has one: the site brings its own. The font is New Computer Modern Math, under the GUST Font
License; what is changed carries another name, as the licence wishes, and the copyright notice stays.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from fontTools import subset
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from knit.weave.maths_glyphs import ACCENTS, CHARACTERS, PRIMES

FAMILY = "Knit Maths"

UNUSED = ["GPOS", "GSUB", "GDEF", "PfEd", "GlyphOrder"]
"""Tables that browsers do not use in formulas, or that only font editors read."""

NAMES = frozenset({1, 3, 4, 6})
"""Records of the name table that hold a font's name."""


def cut(source: bytes) -> bytes:
    """Cut a font.

    Parameters
    ----------
    source : bytes
        An OpenType font with CFF outlines and a MATH table, which has another form of each prime under the
        prime's name and ``.st``.

    Returns
    -------
    bytes
        WOFF2: the characters of formulas and all that they grow into, without hints.

    """
    font = TTFont(BytesIO(source), lazy=True, recalcTimestamp=False, recalcBBoxes=False)
    _use_script_primes(font)
    options = subset.Options(hinting=False, desubroutinize=True, notdef_outline=True, bidi_closure=False)
    options.drop_tables += UNUSED
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=map(ord, CHARACTERS))
    subsetter.subset(font)
    for accent in ACCENTS:
        _give_width(font, font.getBestCmap()[ord(accent)])
    _make_roots_alike(font)
    for record in font["name"].names:
        if record.nameID in NAMES:
            record.string = FAMILY
    font["CFF "].cff.fontNames = [FAMILY.replace(" ", "")]
    font.flavor = "woff2"
    written = BytesIO()
    font.save(written)
    return written.getvalue()


def _use_script_primes(font: Any) -> None:  # noqa: ANN401 - fontTools has no types
    """Let primes have the form that is made for superscripts: browsers do not ask the font for it."""
    forms = {ord(prime): f"{font.getBestCmap()[ord(prime)]}.st" for prime in PRIMES}
    for table in font["cmap"].tables:
        table.cmap.update({code: form for code, form in forms.items() if code in table.cmap})


def _give_width(font: Any, glyph: str) -> None:  # noqa: ANN401
    """Move an accent that is drawn over the letter before it into a box of its own: browsers centre that box."""
    if font["hmtx"][glyph][0]:
        return
    glyphs = font.getGlyphSet()
    bounds = BoundsPen(glyphs)
    glyphs[glyph].draw(bounds)
    left, _, right, _ = (round(edge) for edge in bounds.bounds)
    _redraw(font, glyph, 1, -left)
    font["hmtx"][glyph] = (right - left, 0)
    attachment = font["MATH"].table.MathGlyphInfo.MathTopAccentAttachment
    if glyph in attachment.TopAccentCoverage.glyphs:
        attachment.TopAccentAttachment[attachment.TopAccentCoverage.glyphs.index(glyph)].Value -= left


def _make_roots_alike(font: Any) -> None:  # noqa: ANN401
    """Make all forms of the root equally wide: browsers leave room for the widest, whichever they take."""
    root = font.getBestCmap()[ord("√")]
    variants = font["MATH"].table.MathVariants
    forms = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    width, bearing = font["hmtx"][root]
    larger = [[form.VariantGlyph] for form in forms.MathGlyphVariantRecord if form.VariantGlyph != root]
    for glyphs in [*larger, [part.glyph for part in forms.GlyphAssembly.PartRecords]]:
        # The parts that one form is put together from stay in line.
        whole, left = font["hmtx"][glyphs[0]][0], min(font["hmtx"][glyph][1] for glyph in glyphs)
        scale = (width - bearing) / (whole - left)
        for glyph in glyphs:
            _redraw(font, glyph, scale, bearing - scale * left)
            font["hmtx"][glyph] = (width, round(bearing + scale * (font["hmtx"][glyph][1] - left)))


def _redraw(font: Any, glyph: str, scale: float, shift: float) -> None:  # noqa: ANN401
    """Draw a glyph wider or narrower, and farther to the right."""
    glyphs = font.getGlyphSet()
    pen = T2CharStringPen(None, glyphs)
    glyphs[glyph].draw(TransformPen(pen, (scale, 0, 0, 1, shift, 0)))
    drawings = font["CFF "].cff.topDictIndex[0].CharStrings
    drawings[glyph] = pen.getCharString(private=drawings[glyph].private)
