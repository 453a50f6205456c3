"""How values are written."""

import pytest

from knit.problem import Refused
from knit.weave.format import show


@pytest.mark.parametrize(
    ("value", "spec", "language", "html", "tex"),
    [
        (2.1213203, ".2f", "en", "2.12", "2.12"),
        (-0.5, ".1f", "en", "−0.5", "-0.5"),
        (-0.0001, ".2f", "en", "0.00", "0.00"),
        (2500, ",", "zh", "2,500", "2{,}500"),
        (0.791, ".0%", "en", "79%", r"79\%"),
        (1.5e-15, ".1e", "en", "1.5\u00a0×\u00a010<sup>−15</sup>", r"1.5 \times 10^{-15}"),
        (1.5, ".1e", "en", "1.5", "1.5"),
        (3e8, ".0e", "en", "3\u00a0×\u00a010<sup>8</sup>", r"3 \times 10^{8}"),
        (10**10, "words", "zh", "100\u00a0亿", r"\text{100 亿}"),
        (10**10, "words", "en", "10\u00a0billion", r"\text{10 billion}"),
        (3_276_800, ".2words", "zh", "327.68\u00a0万", r"\text{327.68 万}"),
        (3_276_800, ".1words", "en", "3.3\u00a0million", r"\text{3.3 million}"),
        (4e-14, "bound", "en", "10<sup>−13</sup>", "10^{-13}"),
        (1e-13, "bound", "en", "10<sup>−13</sup>", "10^{-13}"),
        (0.0, "bound", "en", "10<sup>−15</sup>", "10^{-15}"),
        ([2.0, 0.5], ".1f", "en", "(2.0, 0.5)", r"(2.0,\ 0.5)"),
        ([0.2, -0.4], ".1f", "en", "(0.2, −0.4)", r"(0.2,\ {-0.4})"),
        ([[2, 1], [4, 3]], "", "en", "[[2, 1], [4, 3]]", r"\begin{bmatrix}2 & 1 \\ 4 & 3\end{bmatrix}"),
        ([[2.0], [4.0]], ".0f", "en", "[[2], [4]]", r"\begin{bmatrix}2 \\ 4\end{bmatrix}"),
        ([[2.0, 4.0]], ".0f", "en", "[[2, 4]]", r"\begin{bmatrix}2 & 4\end{bmatrix}"),
        ({"zh": "河岸", "en": "bank"}, "", "zh", "河岸", r"\text{河岸}"),
        ({"zh": "河岸", "en": "bank"}, "", "en", "bank", r"\text{bank}"),
        ("a < b", "", "en", "a &lt; b", r"\text{a < b}"),
        ("50% a_b", "", "en", "50% a_b", r"\text{50\% a\_b}"),
        (True, "", "zh", "是", r"\text{是}"),
        (float("inf"), ".2f", "en", "∞", r"\infty"),
    ],
)
def test_a_value_is_written(value, spec, language, html, tex):
    shown = show(value, spec, language)
    assert (shown.html, shown.tex) == (html, tex)
    assert "\u00a0" not in shown.plain  # where no lines are broken, as in what is published


@pytest.mark.parametrize(
    ("value", "spec", "told"),
    [
        (1.5, "zz", "bad format 'zz'"),
        ("word", ".2f", "bad format '.2f'"),
        (None, "", "is None"),
        ({"a": 1.0, "b": 2.0}, "", "has the entries a, b"),
        (float("nan"), "bound", "no power of ten"),
        ([[[1]]], "", "more than two dimensions"),
    ],
)
def test_what_cannot_be_written_is_refused(value, spec, told):
    with pytest.raises(Refused, match=told.replace("(", r"\(")):
        show(value, spec, "en")
