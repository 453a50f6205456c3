"""Formulas as text: MathML becomes one line of Unicode, for the places that take no markup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from xml.etree.ElementTree import Element

from knit.weave.maths_spaces import (
    APPLY,
    CLOSING,
    LARGE,
    LIMITED,
    OPENING,
    PREFIXES,
    SCRIPTED,
    core,
    is_factor,
    nearest,
    spaced,
)

SUPERSCRIPTS = MappingProxyType(
    dict(
        zip(
            "0123456789+−=()abcdefghijklmnoprstuvwxyzT⊤∘′″‴*∗†",
            "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᵀ°′″‴**†",
            strict=True,
        )
    )
)
SUBSCRIPTS = MappingProxyType(
    dict(zip("0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
)
"""What Unicode has. Capitals are left out: some are missing, and W^Q would not look like its sister Wᴷ."""

ACCENTS = MappingProxyType(
    dict(zip("ˆ\u0302¯\u0332˜⃗→˙´", "\u0302\u0302\u0304\u0305\u0303\u20d7\u20d7\u0307\u0301", strict=True))
)
"""The combining character of what stands over a letter."""

SPACING = MappingProxyType({"\u0302": "ˆ", "\u0305": "¯", "\u0332": "_"})
"""What stands before a longer thing in place of a combining character."""

MARK = re.compile("[_^]")
BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|⟨[^⟨⟩]*⟩")
BRACES = frozenset("⏞⏟")
TOKENS = frozenset({"mi", "mn", "mtext"})
INVISIBLE = re.compile("[\u2062-\u2064\ufe00\ufe01]")
FONTS = re.compile("[ℊℋℌℐℑℒℛℜℨℬℭℯℰℱℳℴ\U0001d400-\U0001d7ff]")
"""Letters that differ from plain ones by their font; ℝ, ℕ, ℤ stay, which have a meaning of their own."""


def written(formula: Element) -> str:
    """Write a ``math`` element as text."""
    line = re.sub(rf"[\s{APPLY}]*{APPLY}\s*(?=[(\[{{⟨])", "", _row(formula))
    for theirs, ours in ((APPLY, " "), ("...", "…"), ("···", "⋯")):
        line = line.replace(theirs, ours)
    return " ".join(line.split())


def _element(element: Element) -> str:
    parts = list(element)
    match element.tag:
        case "mi" | "mn" | "mo" | "mtext":
            return _folded("".join(element.itertext()))
        case "mspace":
            return " " if element.get("width") else ""
        case "msqrt":
            return f"√{_operand(parts)}"
        case "mroot":
            return f"{_raised(parts[1], SUPERSCRIPTS, '^')}√{_operand(parts[:1])}"
        case "mfrac":
            return _fraction(element)
        case "mtable":
            return "; ".join(_line_of_cells(row) for row in parts)
        case tag if tag in SCRIPTED:
            return _scripts(element)
        case tag if tag in LIMITED:
            return _limits(element)
    return _row(element)


def _row(parts: Iterable[Element], *, tight: bool = False) -> str:
    """Write things that stand beside each other, with spaces around relations and binary operators."""
    parts = [part for part in parts if part.tag != "mphantom"]
    line = ""
    for place, part in enumerate(parts):
        text = _element(part)
        before, after = nearest(reversed(parts[:place])), nearest(parts[place + 1 :])
        centre = core(part)
        if part.tag == "mo":
            text = text if tight else spaced(text, part, line)
        elif part.tag == "mfrac" and (is_factor(before, CLOSING) or is_factor(after, OPENING)):
            text = f"({text})"
        elif centre.isalpha():  # as in cos², in a table
            text = f" {text}{APPLY}"
        elif centre in LARGE or (part.tag in SCRIPTED and MARK.search(text) and is_factor(after, OPENING)):
            text += " "
        if centre in LARGE and line[-1:].isalnum():
            line += " "
        line += text.lstrip() if line and line[-1] in PREFIXES else text
    return line


def _operand(parts: Sequence[Element]) -> str:
    """Write what a root or a fraction's bar takes hold of, in brackets unless it is one thing."""
    parts = [part for part in parts if part.tag != "mspace" or not part.get("height")]  # but a strut
    while len(parts) == 1 and parts[0].tag == "mrow":
        parts = list(parts[0])
    text = _row(parts).strip()
    one = len(parts) == 1 and parts[0].tag in TOKENS | SCRIPTED | {"msqrt", "mover"}
    return text if one or _bracketed(text) else f"({text})"


def _bracketed(text: str) -> bool:
    return BRACKETED.fullmatch(text) is not None


def _fraction(element: Element) -> str:
    above, below = element
    if element.get("linethickness") == "0":
        return f"{_row([above])} over {_row([below])}"
    top = _row([above]).strip()
    outside = BRACKETED.sub("", top)
    if " " in outside or "/" in outside:
        top = f"({top})"
    return f"{top}/{_operand([below])}"


def _scripts(element: Element) -> str:
    base, *scripts = element
    text = _element(base)
    if base.tag == "mfrac" or (base.tag == "mrow" and " " in text.strip() and not _bracketed(text)):
        text = f"({text})"
    if element.tag != "msup":
        text += _raised(scripts[0], SUBSCRIPTS, "_")
    if element.tag != "msub":
        text += _raised(scripts[-1], SUPERSCRIPTS, "^")
    return text


def _raised(script: Element, table: Mapping[str, str], mark: str) -> str:
    text = "".join(_row([script], tight=True).split())
    if script.tag == "mrow":
        text = "".join(_row(script, tight=True).split())
    words = any(len(part.text or "") > 1 and (part.text or "").isalpha() for part in script.iter())
    if not words and all(character in table for character in text):
        return "".join(table[character] for character in text)
    return f"{mark}{text}" if len(text) == 1 or script.tag in TOKENS else f"{mark}({text})"


def _limits(element: Element) -> str:
    base, *limits = element
    text = _element(base)
    mark = "".join(limits[0].itertext())
    if mark in BRACES:
        return text
    if base.tag in LIMITED and "".join(base[1].itertext()) in BRACES:
        return f"{text.strip()} ({_row(limits[:1]).strip()}) "
    if mark in ACCENTS and (element.get("accent") or element.get("accentunder")):
        combining = ACCENTS[mark] if element.tag == "mover" else "\u0332"
        if text.isalnum():
            return "".join(character + combining for character in text)
        return f"{SPACING.get(combining, mark)}({text})"
    if element.tag != "mover":
        text += _raised(limits[0], SUBSCRIPTS, "_")
    if element.tag != "munder":
        text += _raised(limits[-1], SUPERSCRIPTS, "^")
    return text


def _line_of_cells(row: Element) -> str:
    styles = [cell.get("style", "") for cell in row]
    aligned = any("text-align: right" in style and "padding-right: 0" in style for style in styles)
    return (" " if aligned else ", ").join(_row(cell).strip() for cell in row)


def _folded(text: str) -> str:
    return FONTS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), INVISIBLE.sub("", text))
