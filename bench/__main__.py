"""Measures what a build of a course costs, against the floors and against peers, and keeps it in ``results.json``.

    python -m bench --lessons 4 20 100 [--rounds 3] [--peers myst-nb …] [--peer-rounds 1]

In each round all ways take turns at each scenario, so that a busy moment of the machine hits all of them; a ratio
compares costs of one round. The floor of a scenario is the rendering of all pages (`bench.ways.Render`), and what has
to run, run by plain Python (`bench.ways.Execution`). What is measured is kept after every round; a way that fails is
left out from then on, and the others go on.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench import results
from bench.finished import Desk
from bench.generate import Size
from bench.measure import Cost
from bench.peers import PEERS
from bench.states import SCENARIOS, states
from bench.summary import UNMEASURED, Measured, table
from bench.ways import Empty, Execution, Ours, Render, Values, Way


class Bench:
    """The measuring of one size in a folder."""

    def __init__(self, size: Size, root: Path, peers: Sequence[str], scenarios: Sequence[str]) -> None:
        self.measured = Measured(size)
        self._states = {name: state for name, state in states(size).items() if name in scenarios}
        desk = Desk(root / "desk")
        self._execution = Execution(root / "plain")
        self._floor, self._ours = Render(root / "render", self._execution, desk), Ours(root / "ours", desk)
        files = Render(root / "files", self._execution, desk, inline=False)
        self._ways: list[Way] = [self._floor, self._ours, files, Empty(root / "empty", self._execution, desk)]
        self._peers: list[Way] = [peer(root / f"peer-{peer.name}") for peer in PEERS if peer.name in peers]

    def round(self, *, peers: bool) -> None:
        """Go through all scenarios once. After a build that says nothing is new, ours also checks."""
        ways = [*self._ways, *(self._peers if peers else [])]
        for way in (self._execution, *ways):
            way.clear()
        self.measured.rounds += 1
        for scenario, state in self._states.items():
            self._execution.save(state)
            self._note("plain", scenario, self._execution.build())
            values = self._execution.values()
            for way in ways:
                if way.name not in self.measured.failed and (way.scenarios is None or scenario in way.scenarios):
                    self._turn(way, scenario, values)
            if scenario == "same" and self._ours.name not in self.measured.failed:
                self._note("knit check", scenario, self._ours.check())

    def _turn(self, way: Way, scenario: str, values: Values) -> None:
        """Let a way build a state, and look at what it published."""
        way.save(self._states[scenario])
        try:
            cost = way.build()
        except RuntimeError as error:
            if way is self._floor:
                raise
            print(f"  {scenario:8} {way.name:17} FAILED: {error}", flush=True)
            self.measured.failed[way.name] = f"{scenario}: {str(error).strip().splitlines()[-1]}"
            return
        self._note(way.name, scenario, cost)
        stale = way.stale(self._states[scenario], values)
        self.measured.stale.setdefault(way.name, {})[scenario] = stale
        if stale:
            print(f"  {scenario:8} {way.name:17} STALE: {', '.join(stale)}", flush=True)

    def memory(self) -> None:
        """Look once more at what builds hold: looking takes time of its own."""
        state = self._states["cold"]
        self._execution.save(state)
        self._execution.build()
        for way, scenarios in ((self._floor, ("cold",)), (self._ours, ("cold", "same"))):
            way.clear()
            way.save(state)
            self.measured.peaks[way.name] = {name: way.build(memory=True).peak for name in scenarios}

    def _note(self, way: str, scenario: str, cost: Cost) -> None:
        print(f"  {scenario:8} {way:17} {cost.seconds:7.2f} s {cost.cpu:7.2f} s of processors", flush=True)
        if scenario not in UNMEASURED:
            self.measured.costs.setdefault(way, {}).setdefault(scenario, {})[self.measured.rounds] = cost


def measure(size: Size, rounds: int, peers: Sequence[str], peer_rounds: int, scenarios: Sequence[str]) -> None:
    """Measure one size, and keep what there is after each round."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        bench = Bench(size, Path(folder).resolve(), peers, scenarios)
        for number in range(rounds):
            print(f"{size.lessons} lessons, round {number + 1} of {rounds}", flush=True)
            bench.round(peers=number < peer_rounds)
            results.keep("builds", str(size.lessons), bench.measured.found())
        try:
            bench.memory()
        except RuntimeError as error:
            bench.measured.failed["memory"] = str(error).strip().splitlines()[-1]
        found = bench.measured.found()
        results.keep("builds", str(size.lessons), found)
    minutes = (time.monotonic() - start) / 60
    print(f"\n{size.lessons} lessons, {minutes:.1f} minutes; clock as a multiple of the rendering floor's")
    print(f"{table(found)}\n", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and keep."""
    names = [peer.name for peer in PEERS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lessons", type=int, nargs="+", default=[4], help="sizes of the course (default: 4)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds at each size (default: 3)")
    parser.add_argument("--peers", nargs="*", default=names, choices=names, help="who takes part (default: all)")
    parser.add_argument("--peer-rounds", type=int, default=None, help="in so many of the rounds (default: in all)")
    parser.add_argument("--snippets", type=int, default=Size.snippets, help="of each lesson (default: 8)")
    parser.add_argument("--figures", type=int, default=Size.figures, help="of each lesson (default: 3)")
    every = list(SCENARIOS)
    parser.add_argument("--scenarios", nargs="+", default=every, choices=every, help="edits to measure (default: all)")
    options = parser.parse_args(arguments)
    scenarios = [*options.scenarios, "cold", "same"]  # the others are compared with them
    peer_rounds = options.rounds if options.peer_rounds is None else options.peer_rounds
    failed = 0
    for lessons in options.lessons:
        try:
            size = Size(lessons, options.snippets, options.figures)
            measure(size, options.rounds, options.peers, peer_rounds, scenarios)
        except RuntimeError as error:
            print(f"{lessons} lessons: {error}", file=sys.stderr)
            failed += 1
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
