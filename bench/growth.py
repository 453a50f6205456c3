"""Measures how cost grows with a course, and what inline figures cost against figures in files.

    python -m bench.growth

One quantity grows at a time, the others stay; each cost is a ratio to the smallest course's. Costs are what processors
do, which a busy machine hardly changes. Placement: MkDocs alone renders the same pages with figures in them or beside
them; what the reader loads is counted with and without compression.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import results
from bench.generate import Size
from bench.states import first
from bench.ways import Execution, Ours, Render

GROWING: dict[str, tuple[int, ...]] = {
    "lessons": (4, 8, 16, 32, 64),
    "snippets": (4, 8, 16, 32),
    "figures": (1, 2, 4, 8),
    "rows": (100, 200, 400, 800),
}
"""What grows, and how: ``rows`` are those of the arrays that each snippet draws and compares in pairs."""

SMALL = {"lessons": 4, "snippets": 8, "figures": 3, "rows": 100}


def growth(quantity: str, folder: Path, turns: int) -> dict[str, Any]:
    """Build courses in which one quantity grows: cold, then without news."""
    costs: dict[str, list[list[float]]] = {"cold": [], "same": []}
    peaks = []
    for number in GROWING[quantity]:
        sizes = SMALL | {quantity: number}
        sizes["figures"] = min(sizes["figures"], sizes["snippets"])
        ours = Ours(folder / "ours", folder / "accepted")
        state = first(Size(**sizes))
        turned: dict[str, list[float]] = {"cold": [], "same": []}
        for _ in range(turns):
            ours.clear()
            ours.save(state)
            for found in turned.values():
                found.append(ours.build().cpu)
        peaks.append(ours.build(memory=True).peak)
        for kind, found in turned.items():
            costs[kind].append(found)
        print(quantity, number, turned, flush=True)
    ratios = {
        kind: [results.spread(each / min(found[0]) for each in turned) for turned in found]
        for kind, found in costs.items()
    }
    return {"numbers": GROWING[quantity], **ratios, "memory": [round(peak / peaks[0], 3) for peak in peaks]}


def placement(lessons: int, folder: Path, turns: int) -> dict[str, Any]:
    """Render the same pages with figures in files and inline, and count what a reader loads."""
    state = first(Size(lessons))
    execution = Execution(folder / "plain")
    execution.clear()
    execution.save(state)
    execution.build()
    files, inline = Render(folder / "files", execution), Render(folder / "inline", execution, inline=True)
    ours = Ours(folder / "ours", folder / "accepted")
    for way in (files, inline, ours):
        way.clear()
        way.save(state)
    ours.build()
    pairs = [(inline.build().cpu, files.build().cpu) for _ in range(turns)]
    page = "site/en/lesson_0001/index.html"
    figures = [(execution.root / "figures" / f"lesson_0001.figure_{n}.en.svg").read_bytes() for n in (1, 2, 3)]
    loads = {
        # Inline, one drawing serves both colour schemes; in a file, colours are fixed: two drawings.
        "inline": [(ours.root / page).read_bytes()],
        "files": [(files.root / page).read_bytes(), *figures, *figures],
    }
    packed = {kind: sum(len(gzip.compress(each, mtime=0)) for each in parts) for kind, parts in loads.items()}
    return {
        "lessons": lessons,
        "inline / files": results.spread(one / two for one, two in pairs),
        "bytes, inline / files": round(packed["inline"] / packed["files"], 3),
        "requests, inline": 1,
        "requests, files": 1 + len(figures),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--quantities", nargs="*", default=list(GROWING), choices=list(GROWING))
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name).resolve()
        for quantity in options.quantities:
            results.keep("growth", quantity, growth(quantity, folder, options.turns))
        results.keep("placement", "20", placement(20, folder, options.turns))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
