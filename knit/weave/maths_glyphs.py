"""The characters of formulas: those that the site's mathematical font keeps, and that `render` therefore allows."""

from __future__ import annotations

from typing import Final


def _span(first: str, last: str) -> str:
    return "".join(chr(code) for code in range(ord(first), ord(last) + 1))


ASCII: Final = " !%&'()*+,-./:;<=>?[]_{|}" + _span("0", "9") + _span("A", "Z") + _span("a", "z")
GREEK: Final = "ΓΔΘΛΞΠΣΥΦΨΩ" + _span("α", "ω") + "ϵϕ"
ITALIC: Final = _span("𝐴", "𝑧").replace("\U0001d455", "ℎ") + _span("𝛼", "𝜔") + "𝜕𝜖𝜙"
"""Browsers exchange a letter alone, as in ``<mi>x</mi>``, for its italic."""

BOLD: Final = _span("𝐀", "𝐳") + _span("𝟎", "𝟗")
DOUBLE: Final = "ℂ𝔼𝔽ℕℙℚℝ𝕍ℤ𝟙"
SCRIPT: Final = "𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵"
OTHER: Final = "ℓ∂∇∞∅∀∃⊤⊥⊺𝖳°✓"

OPERATORS: Final = "±∓×÷−∗∘∙·⋅⊕⊖⊗⊙∑∏∫∪∩∧∨¬√∠" + "=≠≡≈≃≅∼≤≥≪≫∝∈∉∋⊂⊆∣∥≔→←↔↦⇒⇐⇔⟶⟹⟺↑↓" + "…⋯⋮⋱"
FENCES: Final = "‖⟨⟩⌊⌋⌈⌉"
ACCENTS: Final = "ˆ\u0302¯\u0332˜⃗˙¨⏞⏟"
PRIMES: Final = "′″‴"
INVISIBLE: Final = "\u00a0\u2061\u2062\u2063\ufe00\u2009\u200a"

CHARACTERS: Final = frozenset(
    ASCII + GREEK + ITALIC + BOLD + DOUBLE + SCRIPT + OTHER + OPERATORS + FENCES + ACCENTS + PRIMES + INVISIBLE
)
