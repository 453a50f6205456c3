"""Writes the verdicts of a script run alone as a table, for a terminal of any width and in either language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from knit.claims import Verdict

HEADS: Final = {
    "zh": ("断言", "结果", "测得", "界", "陈述"),
    "en": ("claim", "verdict", "measured", "bound", "statement"),
}
VERDICTS: Final = {"zh": ("成立", "不成立"), "en": ("holds", "FAILS")}
GAP: Final = "  "
MEASURED: Final = 14
"""Columns of the terminal for what was measured."""

# A Chinese character with the stops behind it, or a word: a line may end after each.
PIECE = r"[ ]*(?:[\u2e80-\uffef][，。、；：！？）》”’]*|[^ \u2e80-\uffef]+)"


def table(verdicts: Sequence[Verdict], language: str, width: int) -> str:
    """Write claim, verdict, measured, bound and statement in columns; below a claim that fails, why it does.

    Parameters
    ----------
    verdicts : sequence of Verdict
        In the order of the rows.
    language : str
        Of the statements and the headings.
    width : int
        Columns of the terminal; a table is never narrower than 60.

    """
    from knit.weave.sentences import plain  # noqa: PLC0415 - a script that runs for its results states nothing

    heads = HEADS.get(language, HEADS["en"])
    good, bad = VERDICTS.get(language, VERDICTS["en"])
    name = max(columns(text) for text in (heads[0], *(verdict.name for verdict in verdicts)))
    judged = max(columns(text) for text in (heads[1], good, bad))
    rest = max(width, 60) - name - judged - MEASURED - 4 * len(GAP)
    widths = (name, judged, MEASURED, rest * 2 // 5, rest - rest * 2 // 5)
    lines = [*_row(heads, widths), GAP.join("─" * each for each in widths)]
    for verdict in verdicts:
        outcome, stated = good if verdict.holds else bad, plain(verdict.stated(language))
        cells = (verdict.name, outcome, _measured(verdict.measured), verdict.bound, stated)
        lines += _row(cells, widths)
        if not verdict.holds:
            indent = " " * (name + len(GAP))
            told = wrapped(f"line {verdict.line}: {verdict.error}", max(width, 60) - len(indent))
            lines += [indent + line for line in told]
    return "\n".join(lines)


def columns(text: str) -> int:
    """Count the columns of a terminal that a text takes: two for a Chinese character."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines of at most ``width`` columns, at spaces and between Chinese characters."""
    lines = [""]
    for piece in re.findall(PIECE, text):
        fits = columns(lines[-1]) + columns(piece) <= width
        for part in [piece] if fits else _parts(piece.lstrip(" "), width):
            lines += [] if fits else [""]
            lines[-1] += part
    return lines if lines[0] or len(lines) == 1 else lines[1:]


def _parts(piece: str, width: int) -> Iterator[str]:
    """Cut what is too long for a line, such as the name of a function with its arguments."""
    part = ""
    for letter in piece:
        if columns(part + letter) > width:
            yield part
            part = ""
        part += letter
    yield part


def _row(cells: Iterable[str], widths: Sequence[int]) -> Iterator[str]:
    broken = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for parts in zip_longest(*broken, fillvalue=""):
        padded = (part + " " * (width - columns(part)) for part, width in zip(parts, widths, strict=True))
        yield GAP.join(padded).rstrip()


def _measured(value: Any) -> str:  # noqa: ANN401 - whatever a claim returns
    """Write a measured value to four digits."""
    match value:
        case bool() | None:
            return str(value)
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.4g}"
    if hasattr(value, "tolist"):
        value = value.tolist()
    return ", ".join(map(_measured, value)) if isinstance(value, list | tuple) else str(value)
