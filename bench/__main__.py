"""Measures what a build of a course costs, against the floors and against peers, and keeps it in ``results.json``.

    python -m bench --lessons 4 20 100 [--rounds 3] [--peers 4 20]

In each round all ways take turns at each scenario, so that a busy moment of the machine hits all of them; a ratio
compares costs of one round. The floor of a scenario is the rendering of all pages (`bench.ways.Render`), and what has
to run, run by plain Python (`bench.ways.Execution`).
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import results
from bench.generate import Size
from bench.measure import Cost
from bench.peers import PEERS
from bench.states import SCENARIOS, states
from bench.ways import Execution, Ours, Render, Values, Way

UNMEASURED = {"away"}
"""Scenarios that only lead to the next."""

INLINE = {"cold", "same"}
"""Scenarios in which the floor is measured with figures inline besides."""


class Bench:
    """The measuring of one size in a folder.

    ``costs`` are by way, scenario and round; ``stale`` by way and scenario: pages that were published with old numbers.
    """

    def __init__(self, size: Size, root: Path, *, peers: bool) -> None:
        self.size = size
        self._states = states(size)
        self._execution = Execution(root / "plain")
        self._floor = Render(root / "render", self._execution)
        self._inline = Render(root / "inline", self._execution, inline=True)
        self._ours = Ours(root / "ours", root / "accepted")
        self._ways: list[Way] = [self._floor, self._inline, self._ours]
        self._ways += [peer(root / f"peer-{number}") for number, peer in enumerate(PEERS)] if peers else []
        self.costs: dict[str, dict[str, list[Cost]]] = {}
        self.stale: dict[str, dict[str, list[str]]] = {}
        self.peaks: dict[str, dict[str, float]] = {}

    def round(self) -> None:
        """Go through all scenarios once. After a build that says nothing is new, ours also checks."""
        for way in (self._execution, *self._ways):
            way.clear()
        for scenario, state in self._states.items():
            self._execution.save(state)
            self._note("plain", scenario, self._execution.build())
            values = self._execution.values()
            for way in self._ways:
                if way is self._inline and scenario not in INLINE:
                    continue
                way.save(state)
                self._note(way.name, scenario, way.build())
                self._look(way, scenario, values)
            if scenario == "same":
                self._note("knit check", scenario, self._ours.check())

    def memory(self) -> None:
        """Look once more at what a cold build and one without news hold: looking takes time of its own."""
        state = self._states["cold"]
        self._execution.save(state)
        self._execution.build()
        for way in (self._floor, self._ours):
            way.clear()
            way.save(state)
            self.peaks[way.name] = {name: way.build(memory=True).peak for name in ("cold", "same")}

    def _note(self, way: str, scenario: str, cost: Cost) -> None:
        print(f"  {scenario:8} {way:17} {cost.seconds:7.2f} s {cost.cpu:7.2f} s of processors", flush=True)
        self.costs.setdefault(way, {}).setdefault(scenario, []).append(cost)

    def _look(self, way: Way, scenario: str, values: Values) -> None:
        stale = way.stale(self._states[scenario], values)
        self.stale.setdefault(way.name, {})[scenario] = stale
        if stale:
            print(f"  {scenario:8} {way.name:17} STALE: {', '.join(stale)}", flush=True)

    def found(self) -> dict[str, Any]:
        """Give ratios, executions and stale pages by way and scenario."""
        floor, execution = self.costs["render"], self.costs["plain"]["cold"]
        ways: dict[str, Any] = {}
        for way, scenarios in self.costs.items():
            for scenario, costs in scenarios.items():
                if scenario in UNMEASURED or (way == "plain" and scenario != "cold"):
                    continue
                kinds = {}
                for kind in ("seconds", "cpu"):
                    below = [getattr(cost, kind) for cost in floor[scenario]]
                    kinds[kind] = results.spread(
                        getattr(cost, kind) / other for cost, other in zip(costs, below, strict=True)
                    )
                    if scenario == "cold":
                        both = [one + getattr(two, kind) for one, two in zip(below, execution, strict=True)]
                        kinds[f"{kind} to both floors"] = results.spread(
                            getattr(cost, kind) / other for cost, other in zip(costs, both, strict=True)
                        )
                ways.setdefault(way, {})[scenario] = {
                    **kinds,
                    "executions": costs[-1].executions,
                    "stale": self.stale.get(way, {}).get(scenario, []),
                }
        peaks = {
            f"{name} above render, MiB": round(peak - self.peaks["render"][name])
            for name, peak in self.peaks["knit"].items()
        }
        size = vars(self.size) | {"languages": 2, "rounds": len(execution)}
        return {"size": size, "memory": peaks, "ways": ways}


def table(found: dict[str, Any]) -> str:
    """Write the ratios as a table: medians of what processors did, ``!`` where pages were stale."""
    scenarios = [name for name in SCENARIOS if name not in UNMEASURED]
    lines = ["".join([f"{'':18}", *(f"{name:>10}" for name in scenarios)])]
    for way, by_scenario in found["ways"].items():
        cells = []
        for name in scenarios:
            cell = by_scenario.get(name)
            cells.append(f"{cell['cpu']['median']:9.2f}{'!' if cell['stale'] else ' '}" if cell else f"{'–':>10}")
        lines.append("".join([f"{way:18}", *cells]))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lessons", type=int, nargs="+", default=[4], help="sizes of the course (default: 4)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds at each size (default: 3)")
    parser.add_argument("--peers", type=int, nargs="*", default=[4], help="sizes at which peers take part (default: 4)")
    options = parser.parse_args(arguments)
    for lessons in options.lessons:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            bench = Bench(Size(lessons), Path(folder).resolve(), peers=lessons in options.peers)
            for number in range(options.rounds):
                print(f"{lessons} lessons, round {number + 1} of {options.rounds}")
                bench.round()
            bench.memory()
            found = bench.found()
        results.keep("builds", str(lessons), found)
        print(f"\n{lessons} lessons, ratios to the floor of rendering\n{table(found)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
