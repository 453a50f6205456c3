"""The font of formulas: it has what formulas need, and no more."""

import hashlib
import subprocess
import sys
from importlib.resources import files
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

from knit.site import font_cutting
from knit.site.fonts import maths_font
from knit.weave.maths_glyphs import ACCENTS, CHARACTERS, PRIMES

SELECTORS = {"\ufe00"}
"""Choose a form of the letter before them; they have no glyph."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("fonts")


@pytest.fixture(scope="module")
def font(cache):
    return TTFont(BytesIO(maths_font(cache)))


def test_the_font_has_the_characters_of_formulas_and_no_others(font):
    assert {chr(code) for code in font.getBestCmap()} == CHARACTERS - SELECTORS


def test_the_font_is_light(cache):
    assert len(maths_font(cache)) <= 60_000


@pytest.mark.parametrize("character", "()[]{}|‖⟨⟩√∑∫")
def test_what_grows_has_larger_forms(font, character):
    variants = font["MATH"].table.MathVariants
    glyph = font.getBestCmap()[ord(character)]
    forms = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(glyph)].MathGlyphVariantRecord
    heights = [form.AdvanceMeasurement for form in forms]
    assert heights == sorted(set(heights))
    assert heights[-1] >= 1.3 * heights[0]
    assert all(form.VariantGlyph in font.getGlyphOrder() for form in forms)


def test_all_forms_of_the_root_are_equally_wide(font):
    """Chromium leaves room for the widest: behind a smaller one a gap would stay."""
    glyphs, root = font.getGlyphSet(), font.getBestCmap()[ord("√")]
    variants = font["MATH"].table.MathVariants
    grown = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    forms = [form.VariantGlyph for form in grown.MathGlyphVariantRecord]
    parts = [part.glyph for part in grown.GlyphAssembly.PartRecords]
    assert len(forms) > 3
    assert len(parts) == 3
    assert {font["hmtx"][glyph][0] for glyph in forms + parts} == {font["hmtx"][root][0]}
    for glyph in forms:  # and each reaches the bar, which begins where its width ends
        pen = font_cutting.BoundsPen(glyphs)
        glyphs[glyph].draw(pen)
        assert 0 <= pen.bounds[2] - font["hmtx"][glyph][0] <= 30
        assert pen.bounds[0] == pytest.approx(font["hmtx"][glyph][1], abs=1)


def test_every_accent_has_a_width(font):
    assert all(font["hmtx"][font.getBestCmap()[ord(accent)]][0] > 0 for accent in ACCENTS)


def test_primes_are_made_for_superscripts(font):
    """A prime in a superscript is set at 70 % of the size: one drawn for it stands low and large."""
    glyphs = font.getGlyphSet()
    tops = {}
    for character in PRIMES[0] + "x":
        pen = font_cutting.BoundsPen(glyphs)
        glyphs[font.getBestCmap()[ord(character)]].draw(pen)
        tops[character] = pen.bounds[3]
    assert tops[PRIMES[0]] < 1.5 * tops["x"]


def test_the_font_has_a_name_of_its_own_and_keeps_the_notice(font):
    assert font["name"].getDebugName(1) == font_cutting.FAMILY
    assert "GUST Font License" in font["name"].getDebugName(0)
    style = files("knit.site").joinpath("assets/maths.css").read_text("utf-8")
    assert f'"{font_cutting.FAMILY}"' in style
    assert "GUST Font License" in style


def test_the_font_is_kept_and_not_cut_again(cache, monkeypatch):
    first = maths_font(cache)

    def never(_):
        raise AssertionError

    monkeypatch.setattr(font_cutting, "cut", never)
    assert maths_font(cache) == first
    assert len(list(cache.iterdir())) == 1


def test_another_process_cuts_the_same_bytes(cache, tmp_path):
    program = (
        "import hashlib, pathlib, sys; from knit.site.fonts import maths_font;"
        "print(hashlib.sha256(maths_font(pathlib.Path(sys.argv[1]))).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        env={"PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == hashlib.sha256(maths_font(cache)).hexdigest()
