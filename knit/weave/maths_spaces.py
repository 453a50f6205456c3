"""The spaces in a formula that is written as text: which operators have some, and what is a factor of what."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from xml.etree.ElementTree import Element

SCRIPTED = frozenset({"msub", "msup", "msubsup"})
LIMITED = frozenset({"munder", "mover", "munderover"})

SIGNS = frozenset("+−±∓")
PREFIXES = SIGNS | {"/"}
"""After these, where no space follows, none comes before a function's name."""
OPENING = frozenset("([{⟨,;")
CLOSING = frozenset(")]}⟩\u2061")
LARGE = frozenset("∑∏∐∫∮⋃⋂⋁⋀⨁⨂")
CLOSE_TO_OTHERS = LARGE | frozenset("|⋯⋰⋱⋮∂∇√∞¬∀∃")
"""Mathematical symbols by Unicode's reckoning that no spaces surround."""

APPLY = "\u2061"
"""The invisible operator between a function's name and what it is applied to."""


def spaced(text: str, operator: Element, line: str) -> str:
    """Write an operator after what stands on the line before it."""
    if text in SIGNS and _begins_something(line.rstrip()):
        return text
    if len(text) > 1 and text.isalpha():  # a function's name, in a table
        return f" {text}{APPLY}"
    if _stands_between(text):
        return f" {text} "
    if text in {",", ";"}:  # 2{,}500 is one number
        return text if operator.get("rspace") == "0" and line[-1:].isdigit() else f"{text} "
    return f"{text} " if text in LARGE else text


def _stands_between(text: str) -> bool:
    return len(text) == 1 and unicodedata.category(text) == "Sm" and text not in CLOSE_TO_OTHERS


def _begins_something(before: str) -> bool:
    """Tell whether a sign after this is one's own: −1, and not a − 1."""
    last = before[-1:]
    return not last or last in OPENING or _stands_between(last) or (last in "|‖" and before.count(last) % 2 == 1)


def nearest(beside: Iterable[Element]) -> Element | None:
    """Give the first thing that is no space."""
    return next((part for part in beside if part.tag != "mspace"), None)


def is_factor(element: Element | None, brackets: frozenset[str]) -> bool:
    """Tell whether something beside a fraction would seem to belong to its number nearby."""
    if element is None or element.tag == "mtable":
        return False
    operator = core(element)
    return not operator or operator in brackets or operator in LARGE


def core(element: Element) -> str:
    """Give the operator that scripts and limits are set to; nothing where it is none."""
    while element.tag in SCRIPTED | LIMITED:
        element = element[0]
    return (element.text or "") if element.tag == "mo" else ""
