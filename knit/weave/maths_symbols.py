"""Colours of symbols: a letter that stands for a term of the glossary has that term's colour in every formula."""

from __future__ import annotations

import re
from collections.abc import Mapping

TAG = re.compile(r"<(?P<closing>/?)(?P<name>\w+)(?P<rest>[^<>]*?)(?P<empty>/?)>")
LETTER = re.compile(r"([^<>]*)</mi>")

BELOW = {"msub": {1}, "msubsup": {1}, "munder": {1}, "munderover": {1}}
"""Which children of an element stand below: an index only counts, whatever its letter."""


def coloured(mathml: str, symbols: Mapping[str, str]) -> str:
    """Give each letter of ``symbols`` the class of its colour, unless it is an index.

    Parameters
    ----------
    mathml : str
        A formula.
    symbols : Mapping
        By letter, the name of its colour in `knit.colours`.

    Returns
    -------
    str
        The formula, otherwise unchanged to the byte.

    """
    parts: list[str] = []
    position = 0
    children: list[int] = []  # of each open element, how many children have begun
    below: list[bool] = []  # whether it, or one around it, stands below
    names: list[str] = []
    for tag in TAG.finditer(mathml):
        if tag["closing"]:
            children.pop()
            below.pop()
            names.pop()
            continue
        index = children[-1] if children else 0
        under = bool(below) and (below[-1] or index in BELOW.get(names[-1], ()))
        if children:
            children[-1] += 1
        if not tag["empty"]:
            children.append(0)
            below.append(under)
            names.append(tag["name"])
        letter = LETTER.match(mathml, tag.end())
        if tag["name"] == "mi" and letter and not under and letter[1] in symbols:
            parts += [mathml[position : tag.start()], f'<mi class="knit-{symbols[letter[1]]}"{tag["rest"]}>']
            position = tag.end()
    return "".join([*parts, mathml[position:]])
