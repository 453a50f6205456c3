"""Makes of costs what is kept: ratios within a round, beside what they may be, and what was published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bench import results, targets
from bench.generate import Size
from bench.measure import CORES, Cost
from bench.states import SCENARIOS, states

UNMEASURED = {"away"}
"""Scenarios that only lead to the next."""

Costs = dict[int, Cost]
"""By round."""


@dataclass
class Measured:
    """What was measured of one size.

    ``costs`` are by way, scenario and round; ``stale`` by way and scenario: pages that were published with old numbers;
    ``peaks`` by way and scenario, in MiB; ``failed`` says of ways why they ended.
    """

    size: Size
    rounds: int = 0
    costs: dict[str, dict[str, Costs]] = field(default_factory=dict)
    stale: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    peaks: dict[str, dict[str, float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def found(self) -> dict[str, Any]:
        """Give ratios, executions and stale pages by way and scenario; targets; memory; who is slower by how much."""
        ways: dict[str, Any] = {}
        due = self._due()
        for way, scenarios in self.costs.items():
            if way != "plain":
                ways[way] = {name: self._of(way, name, costs) for name, costs in scenarios.items()}
        return {
            "size": {**vars(self.size), "languages": len(self.size.languages), "rounds": self.rounds},
            "memory": self._memory(),
            "due": due,
            "ways": ways,
            "targets": self._targets(),
            "knit beside, same": {
                way: self._ratio(self.costs["knit"]["same"], scenarios["same"], _seconds)
                for way, scenarios in self.costs.items()
                if way not in {"plain", "knit", "knit check"} and {"same"} <= scenarios.keys() and self._has("same")
            },
            "failed": self.failed,
        }

    def _of(self, way: str, scenario: str, costs: Costs) -> dict[str, Any]:
        floor = self.costs["render"][scenario]
        last = costs[max(costs)]
        return {
            "seconds": self._ratio(costs, floor, _seconds),
            "cpu": self._ratio(costs, floor, _cpu),
            "cores": round(last.cpu / last.seconds, 2),
            "executions": last.executions,
            **({} if last.drawn is None else {"drawn": last.drawn}),
            "stale": self.stale.get(way, {}).get(scenario, []),
        }

    def _has(self, scenario: str) -> bool:
        return scenario in self.costs.get("knit", {})

    def _due(self) -> dict[str, int]:
        """Count the snippets that have to run: none where the course has been in the same state before."""
        seen: list[object] = []
        due = {}
        for name, state in states(self.size).items():
            if name in self.costs["plain"]:
                due[name] = 0 if state in seen else self.costs["plain"][name][self.rounds].executions
            seen.append(state)
        return due

    def _ratio(self, costs: Costs, others: Costs, of: Callable[[Cost], float]) -> dict[str, float]:
        return results.spread(of(cost) / of(others[number]) for number, cost in costs.items() if number in others)

    def _targets(self) -> dict[str, Any]:
        """Give, where a limit is set, what knit took and what it may, as multiples of the rendering floor's clock."""
        found = {}
        empty = self.costs["render, no lessons"]["same"]
        for scenario, costs in self.costs.get("knit", {}).items():
            ratios, limits = [], []
            for number, cost in costs.items():
                took = {way: self.costs[way][scenario][number].seconds for way in ("render", "plain")}
                lessons = self.size.lessons + (scenario in {"added", "back"})
                limit = targets.limit(scenario, lessons, took, empty[number].seconds)
                if limit is not None:
                    ratios.append(cost.seconds / took["render"])
                    limits.append(limit)
            if limits:
                found[scenario] = {
                    "ratio": results.spread(ratios),
                    "limit": results.spread(limits),
                    "of the limit": results.spread(one / two for one, two in zip(ratios, limits, strict=True)),
                }
        return found

    def _memory(self) -> dict[str, int]:
        """Give what knit's builds hold above the rendering floor, in MiB, and what they may."""
        if "knit" not in self.peaks:
            return {}
        floor = self.peaks["render"]["cold"]
        above = {name: round(peak - floor) for name, peak in self.peaks["knit"].items()}
        return {**above, "floor": round(floor), "limit": targets.MEMORY * CORES}


def _seconds(cost: Cost) -> float:
    return cost.seconds


def _cpu(cost: Cost) -> float:
    return cost.cpu


def table(found: dict[str, Any]) -> str:
    """Write the ratios as a table: minimum, median and maximum on the clock, ``!`` where pages were stale."""
    scenarios = [name for name in SCENARIOS if name not in UNMEASURED]
    lines = ["".join([f"{'':18}", *(f"{name:>17}" for name in scenarios)])]
    for way, by_scenario in found["ways"].items():
        cells = [_cell(by_scenario[name]) if name in by_scenario else "–" for name in scenarios]
        lines.append("".join([f"{way:18}", *(f"{cell:>17}" for cell in cells)]))
    for name, words in (("limit", "knit may take"), ("of the limit", "knit of what it may")):
        cells = [f"{each[name]['median']:.2f}" if (each := found["targets"].get(of)) else "–" for of in scenarios]
        lines.append("".join([f"{words:18}", *(f"{cell:>17}" for cell in cells)]))
    return "\n".join([*lines, f"memory: {found['memory']}", *(f"{way}: {why}" for way, why in found["failed"].items())])


def _cell(cell: dict[str, Any]) -> str:
    clock = cell["seconds"]
    return f"{clock['min']:.2f}–{clock['median']:.2f}–{clock['max']:.2f}{'!' if cell['stale'] else ' '}"
