"""Measures how cost grows with a course, what a large one takes, and what inline figures cost against files.

    python -m bench.growth [--parts lessons snippets values arrays languages large placement] [--turns 2]

One quantity grows at a time, the others stay; each cost is a ratio to the smallest course's. Costs are what processors
do, which a busy machine hardly changes. A slope is that of cost against quantity, both as logarithms, between the
middle and the largest course: 1 is linear. Each part is kept as it ends; one that fails says why, the others go on.
"""

from __future__ import annotations

import argparse
import gzip
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import results
from bench.finished import Desk
from bench.generate import Size
from bench.states import first
from bench.ways import Execution, Ours, Render

SMALL: dict[str, Any] = {"lessons": 4, "snippets": 8, "figures": 3, "rows": 100}
KNOWN = ("zh", "en", "de", "fr")

GROWING: dict[str, dict[int, dict[str, Any]]] = {
    "lessons": {number: {"lessons": number} for number in (4, 8, 16, 32, 64)},
    "snippets": {number: {"snippets": number} for number in (4, 8, 16, 32)},
    "values": {8 * number: {"values": number} for number in (3, 12, 48, 192)},
    "arrays": {rows * rows: {"rows": rows} for rows in (100, 200, 400, 800)},
    "languages": {number: {"languages": KNOWN[:number]} for number in (1, 2, 3, 4)},
}
"""What grows: snippets of a lesson, values of a page, cells of a snippet's largest array; and each number's course."""

PLACED = 20
"""Lessons of the course that is rendered with figures in pages and in files."""


def growth(quantity: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Build courses in which one quantity grows: cold, then without news."""
    costs: dict[str, list[list[float]]] = {"cold": [], "same": []}
    peaks = []
    numbers = list(GROWING[quantity])[: options.first]
    for number in numbers:
        ours = Ours(folder / "ours", Desk(folder / "desk" / f"{quantity}-{number}"))
        state = first(Size(**(SMALL | GROWING[quantity][number])))
        turned: dict[str, list[float]] = {"cold": [], "same": []}
        for _ in range(options.turns):
            ours.clear()
            ours.save(state)
            for found in turned.values():
                found.append(ours.build().cpu)
        peaks.append(ours.build(memory=True).peak)
        for kind, found in turned.items():
            costs[kind].append(found)
        print(f"  {quantity} {number}: {turned}", flush=True)
    ratios = {
        kind: [results.spread(each / min(found[0]) for each in turned) for turned in found]
        for kind, found in costs.items()
    }
    slopes = {kind: slope(numbers, [statistics.median(turned) for turned in found]) for kind, found in costs.items()}
    return {"numbers": numbers, **ratios, "slope": slopes, "memory": [round(peak / peaks[0], 2) for peak in peaks]}


def slope(numbers: Sequence[float], costs: Sequence[float]) -> float:
    """Give the slope between the middle and the last, both as logarithms."""
    middle = len(numbers) // 2 if len(numbers) % 2 else len(numbers) // 2 - 1
    return round(math.log(costs[-1] / costs[middle]) / math.log(numbers[-1] / numbers[middle]), 2)


def large(_: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Build a large course of small lessons once, beside the rendering floor; and one of a tenth for the memory."""
    many = options.large
    peaks: dict[int, dict[str, float]] = {}
    for lessons in (many // 10, many):
        state = first(Size(lessons, snippets=1, figures=0))
        execution, desk = Execution(folder / f"plain-{lessons}"), Desk(folder / f"desk-{lessons}")
        execution.clear()
        execution.save(state)
        plain = execution.build()
        floor, ours = Render(folder / f"render-{lessons}", execution, desk), Ours(folder / f"ours-{lessons}", desk)
        for way in (floor, ours):
            way.clear()
            way.save(state)
        costs = {"render": floor.build(memory=True), "cold": ours.build(memory=True), "same": ours.build(memory=True)}
        peaks[lessons] = {name: cost.peak for name, cost in costs.items()}
        render, cold, same = (cost.seconds for cost in costs.values())
        print(f"  {lessons} lessons: plain {plain}, {costs}", flush=True)
    return {
        "lessons": many,
        "cold / both floors": round(cold / (render + plain.seconds), 2),
        "same / render": round(same / render, 2),
        "minutes, cold": round(cold / 60, 1),
        "executions": costs["cold"].executions,
        "peak, MiB": {name: round(peak) for name, peak in peaks[many].items()},
        "KiB a lesson": {
            name: round((peak - peaks[many // 10][name]) * 1024 / (many - many // 10))
            for name, peak in peaks[many].items()
        },
    }


def placement(_: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Render the same pages with figures in files and inline, and count what a reader loads."""
    state = first(Size(PLACED))
    execution, desk = Execution(folder / "plain"), Desk(folder / "desk-placed")
    execution.clear()
    execution.save(state)
    execution.build()
    files, inline = Render(folder / "files", execution, desk, inline=False), Render(folder / "inline", execution, desk)
    for way in (files, inline):
        way.clear()
        way.save(state)
    pairs = [(inline.build(), files.build()) for _ in range(options.turns)]
    page = "site/en/lesson_0001/index.html"
    drawings = desk.of(state).drawings
    figures = [drawings[f"lesson_0001.{figure.name}.en.svg"].encode() for figure in state.lessons[0].figures]
    loads = {
        "inline": [(inline.root / page).read_bytes()],
        # Inline, one drawing serves both colour schemes; a file does not see the page's choice: two drawings.
        "files": [(files.root / page).read_bytes(), *figures, *figures],
    }
    packed = {kind: [len(gzip.compress(each, mtime=0)) for each in parts] for kind, parts in loads.items()}
    return {
        "lessons": PLACED,
        "inline / files": results.spread(one.seconds / two.seconds for one, two in pairs),
        "inline / files, cpu": results.spread(one.cpu / two.cpu for one, two in pairs),
        "bytes": {
            "inline": sum(packed["inline"]),
            # A reader in one scheme loads one drawing of each figure; who switches loads the others.
            "files": sum(packed["files"][: 1 + len(figures)]),
            "files, both schemes": sum(packed["files"]),
        },
        "requests": {"inline": 1, "files": 1 + len(figures), "files, both schemes": 1 + 2 * len(figures)},
    }


PARTS = {**dict.fromkeys(GROWING, ("growth", growth)), "large": ("large", large), "placement": ("placement", placement)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--first", type=int, default=None, help="only so many numbers of each quantity (default: all)")
    parser.add_argument("--large", type=int, default=1000, help="lessons of the large course (default: 1000)")
    parser.add_argument("--parts", nargs="+", default=list(PARTS), choices=list(PARTS))
    options = parser.parse_args(arguments)
    failed = 0
    for name in options.parts:
        group, measure = PARTS[name]
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            try:
                results.keep(group, name, measure(name, Path(folder).resolve(), options))
            except RuntimeError as error:
                print(f"{name}: {error}", file=sys.stderr)
                failed += 1
        print(f"{name}: {(time.monotonic() - start) / 60:.1f} minutes", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
