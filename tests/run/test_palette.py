"""The colours of figures.css: readable on the page, and told apart by everybody."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from knit import colours

SHEET = (Path(colours.__file__).parent / "site/assets/figures.css").read_text("utf-8")
SCHEMES = [
    dict(re.findall(r"--knit-([\w-]+): (#\w+);", block))
    for block in re.findall(r"\{([^{}]*--knit-paper[^{}]*)\}", SHEET)
]
EACH = pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark", "paper"])
ROLES = ("query", "key", "value", "score", "weight", "good", "bad", "muted", "ink")

# How people without cones for long, middle or short waves see linear RGB: Machado, Oliveira and Fernandes, "A
# physiologically-based model for simulation of color vision deficiency" (2009), severity 1.
SIGHTS = {
    "all cones": np.eye(3),
    "no long": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no middle": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no short": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(colour):
    """Linear RGB of #rgb or #rrggbb (IEC 61966-2-1)."""
    digits = colour.removeprefix("#")
    digits = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    values = np.array([int(digits[start : start + 2], 16) / 255 for start in (0, 2, 4)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """WCAG 2.2's contrast ratio."""
    light = sorted(linear(colour) @ [0.2126, 0.7152, 0.0722] + 0.05 for colour in (one, other))
    return light[1] / light[0]


def oklab(rgb):
    """Ottosson's OKLab, in which distances are about even to the eye."""
    lms = np.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                    [0.0883024619, 0.2817188376, 0.6299787005]]) @ np.clip(rgb, 0, 1)  # fmt: skip
    return np.array([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                     [0.0259040371, 0.7827717662, -0.8086757660]]) @ np.cbrt(lms)  # fmt: skip


def test_contrast_of_the_extremes():
    assert contrast("#000", "#fff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # WCAG's well-known near miss


def test_there_are_three_palettes():
    assert len(SCHEMES) == 3


@EACH
def test_words_in_every_colour_can_be_read(scheme):
    assert {role: round(contrast(scheme[role], scheme["paper"]), 2) for role in ROLES if
            contrast(scheme[role], scheme["paper"]) < 4.5} == {}  # fmt: skip


@EACH
def test_numbers_on_the_fullest_cell_can_be_read(scheme):
    heats = {name: value for name, value in scheme.items() if name.startswith("heat-")}
    assert len(heats) == 6
    assert [name for name, value in heats.items() if contrast(value, scheme["ink"]) < 4.5] == []
    # The fuller a cell, the less it is like the page.
    assert [name for name, value in heats.items() if contrast(value, scheme["paper"]) < 2.5] == []


@pytest.mark.parametrize("sight", SIGHTS)
@EACH
def test_any_two_colours_are_told_apart(scheme, sight):
    seen = {role: oklab(np.array(SIGHTS[sight]) @ linear(scheme[role])) for role in ROLES}
    near = {
        pair: round(float(distance), 3)
        for pair in combinations(ROLES, 2)
        if (distance := np.linalg.norm(seen[pair[0]] - seen[pair[1]])) < 0.05  # 0.02 is just noticed
    }
    assert near == {}


@EACH
def test_grid_lines_stay_behind(scheme):
    assert contrast(scheme["grid"], scheme["paper"]) < 2 < contrast(scheme["muted"], scheme["paper"])
