"""Formulas as text: MathML becomes one line of Unicode, for the places that take no markup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from xml.etree.ElementTree import Element

SUPERSCRIPTS = dict(
    zip(
        "0123456789+−=()abcdefghijklmnoprstuvwxyzT⊤∘′″‴*∗†",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᵀ°′″‴**†",
        strict=True,
    )
)
SUBSCRIPTS = dict(zip("0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
"""What Unicode has. Capitals are left out: some are missing, and W^Q would not look like its sister Wᴷ."""

ACCENTS = MappingProxyType(
    dict(zip("ˆ\u0302¯\u0332˜⃗→˙´", "\u0302\u0302\u0304\u0305\u0303\u20d7\u20d7\u0307\u0301", strict=True))
)
"""The combining character of what stands over a letter."""

MARK = re.compile("[_^]")
BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|⟨[^⟨⟩]*⟩")
BRACES = frozenset("⏞⏟")
SIGNS = frozenset("+−±∓")
OPENING = frozenset(["", *"([{⟨,;"])
LARGE = frozenset("∑∏∐∫∮⋃⋂⋁⋀⨁⨂")
CLOSE_TO_OTHERS = LARGE | frozenset("|⋯⋰⋱⋮∂∇√∞¬∀∃")
"""Mathematical symbols by Unicode's reckoning that no spaces surround."""

TOKENS = frozenset({"mi", "mn", "mtext"})
SCRIPTED = frozenset({"msub", "msup", "msubsup"})
LIMITED = frozenset({"munder", "mover", "munderover"})

APPLY = "\u2061"
INVISIBLE = re.compile("[\u2062-\u2064\ufe00\ufe01]")
FONTS = re.compile("[ℊℋℌℐℑℒℓℛℜℨℬℭℯℰℱℳℴ\U0001d400-\U0001d7ff]")
"""Letters that differ from plain ones by their font; ℝ, ℕ, ℤ stay, which have a meaning of their own."""


def written(formula: Element) -> str:
    """Write a ``math`` element as text."""
    line = _row(formula)
    line = re.sub(rf"\s*{APPLY}\s*(?=[(\[{{⟨])", "", line).replace(APPLY, " ").replace("...", "…")
    return " ".join(line.split())


def _element(element: Element) -> str:
    parts = list(element)
    match element.tag:
        case "mi" | "mn" | "mo" | "mtext":
            return _folded("".join(element.itertext()))
        case "mspace":
            return " " if element.get("width") else ""
        case "mphantom":
            return ""
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
    parts, line = list(parts), ""
    for place, part in enumerate(parts):
        text = _element(part)
        if part.tag == "mo" and not tight:
            text = _operator(text, part, line)
        elif part.tag == "mfrac" and (_is_factor(parts[:place][-1:]) or _is_factor(parts[place + 1 :])):
            text = f"({text})"
        elif (part.tag in SCRIPTED and re.search("[_^]", text) and _is_factor(parts[place + 1 :])) or _core(
            part
        ) in LARGE:
            text += " "
        line += text
    return line


def _operator(text: str, operator: Element, line: str) -> str:
    if text in SIGNS and _begins_something(line.rstrip()):
        return text
    if _stands_between(text):
        return f" {text} "
    if text in {",", ";"}:  # 2{,}500 is one number
        return text if operator.get("rspace") == "0" and line[-1:].isdigit() else f"{text} "
    return f"{text} " if text in LARGE else text


def _stands_between(text: str) -> bool:
    return text == "·" or (len(text) == 1 and unicodedata.category(text) == "Sm" and text not in CLOSE_TO_OTHERS)


def _begins_something(before: str) -> bool:
    """Tell whether a sign after this is one's own: −1, and not a − 1."""
    last = before[-1:]
    return last in OPENING or _stands_between(last) or (last in {"|", "‖"} and before.count(last) % 2 == 1)


def _is_factor(beside: Sequence[Element]) -> bool:
    return bool(beside) and beside[0].tag not in {"mo", "mspace", "mtable"}


def _core(element: Element) -> str:
    """Give what scripts and limits are set to."""
    while element.tag in SCRIPTED | LIMITED:
        element = element[0]
    return (element.text or "") if element.tag == "mo" else ""


def _operand(parts: Sequence[Element]) -> str:
    """Write what a root or a fraction's bar takes hold of, in brackets unless it is one thing."""
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


def _raised(script: Element, table: dict[str, str], mark: str) -> str:
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
        return "".join(character + combining for character in text)
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
