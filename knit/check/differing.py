"""What differs between two results of one script, and how."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from knit.problem import several
from knit.run.result import Result

Difference = tuple[str, str, str, str]
"""Kind and name of a thing, and how it was in either run."""

LONGEST = 60


def differing(first: Result, second: Result) -> Iterator[Difference]:
    """Yield what differs: values, outputs, claims and figures, in the order in which the script makes them."""
    for name in _all(first.values, second.values):
        one, two = first.values.get(name), second.values.get(name)
        if not _same(one, two):
            yield "value", name, *_place(one, two)
    for name in first.outputs:
        one, two = first.outputs[name], second.outputs.get(name, "")
        if one != two and (name or len(first.outputs) == 1):
            yield "output", name, *_line(one, two)
    for name in _all(first.claims, second.claims):
        verdicts = [result.claims.get(name) for result in (first, second)]
        one, two = ((each.error or each.measured) if each else None for each in verdicts)
        if not _same(one, two):
            yield "claim", name, *_place(one, two)
    for name in _all([*first.figures, *first.faults], [*second.figures, *second.faults]):
        if not name.startswith("claim:"):
            one, two = (_drawn(result, name.removeprefix("figure:")) for result in (first, second))
            if one != two:
                yield "figure", name.removeprefix("figure:"), *_line(one, two)


def _all(first: Iterable[str], second: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))


def _same(one: object, two: object) -> bool:
    return json.dumps(one) == json.dumps(two)  # which finds NaN the same as NaN


def _drawn(result: Result, name: str) -> str:
    """Give a figure in all languages, an element a line, or why it was not drawn."""
    if fault := result.faults.get(f"figure:{name}"):
        return fault.message
    return "".join(result.figures.get(name, {}).values()).replace("<", "\n<")


def _place(before: Any, after: Any, where: str = "") -> tuple[str, str]:  # noqa: ANN401 - plain data
    """Write two values, or the first place at which two lists or records differ."""
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        index = next(index for index, each in enumerate(before) if not _same(each, after[index]))
        return _place(before[index], after[index], f"{where}[{index}]")
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        key = next(key for key in before if not _same(before[key], after[key]))
        return _place(before[key], after[key], f"{where}.{key}")
    one, two = (f"{where} {json.dumps(each, ensure_ascii=False)[:LONGEST]}".strip() for each in (before, after))
    return one, two


def _line(before: str, after: str) -> tuple[str, str]:
    """Give the first lines that differ."""
    for one, two in zip(before.splitlines(), after.splitlines(), strict=False):
        if one != two:
            return one.strip()[:LONGEST], two.strip()[:LONGEST]
    return several(len(before), "letter"), several(len(after), "letter")
