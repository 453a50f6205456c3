"""Measures the live preview: from saving a file to the page that shows it, rebuilds, and what many saves leave.

    python -m bench.preview [--lessons 20] [--turns 5] [--saves 500]

The floor is ``mkdocs serve`` of the same finished pages, of which one gets another word. A save of a script or of a
module may take what plain Python takes for the scripts that have to run, measured in the same turn, and half a second.
"""

from __future__ import annotations

import argparse
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from bench import results
from bench.finished import Desk
from bench.generate import Size
from bench.measure import CORES, PYTHON, environment, held, run
from bench.states import first
from bench.ways import Execution, Ours, Render

PATIENCE = 120.0
"""Seconds after which a save that is not shown is an error."""

LEAKING = 2
"""Lessons of the course that is saved many times."""

TARGET = 0.5
"""Seconds from saving to showing, besides what scripts take."""

QUIET = 1.0
"""Seconds to wait after a page is shown, for rebuilds that should not come."""


class Preview:
    """A running ``mkdocs serve`` of a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self._address = f"127.0.0.1:{listener.getsockname()[1]}"
        self._said = (root / ".bench-served").open("w+", encoding="utf-8")
        command = [PYTHON, "-m", "mkdocs", "serve", "-a", self._address]
        self._process = subprocess.Popen(command, cwd=root, env=environment(root), stdout=self._said, stderr=self._said)

    def page(self, path: str) -> str:
        """Fetch a page; an empty one while there is none."""
        try:
            with urllib.request.urlopen(f"http://{self._address}/{path}", timeout=PATIENCE) as answer:
                return str(answer.read().decode())
        except OSError:
            return ""

    def until(self, path: str, text: str, before: str = "") -> None:
        """Wait until a page holds a text, and is another than before."""
        end = time.monotonic() + PATIENCE
        while (now := self.page(path)) == before or text not in now:
            if time.monotonic() > end or self._process.poll() is not None:
                raise RuntimeError(f"{path} never showed {text!r}:\n{self.said()[-3000:]}")
            time.sleep(0.01)

    def said(self) -> str:
        """Give what the server said so far."""
        return (self.root / ".bench-served").read_text("utf-8")

    @property
    def builds(self) -> int:
        """The number of builds so far."""
        return self.said().count("Building documentation")

    @property
    def cpu(self) -> float:
        """What the server and its processes used so far, in seconds."""
        top = psutil.Process(self._process.pid)
        times = [process.cpu_times() for process in (top, *top.children(recursive=True))]
        return sum(each.user + each.system + each.children_user + each.children_system for each in times)

    def state(self) -> tuple[float, int, int]:
        """Give what it holds: MiB, processes, open files."""
        top = psutil.Process(self._process.pid)
        return held(self._process.pid), 1 + len(top.children(recursive=True)), top.num_fds()

    def save(self, file: str, edit: Callable[[str], str], page: str, shown: str) -> dict[str, float]:
        """Save a file, and say how long it took until the page showed it, and how often was built."""
        builds, cpu, before = self.builds, self.cpu, self.page(page)
        path = self.root / file
        text = edit(path.read_text("utf-8"))
        start = time.perf_counter()
        path.write_text(text, "utf-8")
        self.until(page, shown, before)
        seconds = time.perf_counter() - start
        time.sleep(QUIET)
        return {"seconds": seconds, "cpu": self.cpu - cpu, "builds": self.builds - builds}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait()
        self._said.close()


def line(pattern: str, new: str) -> Callable[[str], str]:
    """Give an edit that replaces the first place that a pattern finds."""
    return lambda text: re.sub(rf"(?m){pattern}", new, text, count=1)


def word(number: int) -> Callable[[str], str]:
    """Give an edit that puts a word of its own into a page's first paragraph."""
    return line(r"^(Take|Nothing|A mean|Whoever|The|What|Before) (edit\d+ )?", rf"\1 edit{number} ")


class Plain:
    """The scripts of the course in another folder, where plain Python runs them as they are edited."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution

    def edited(self, file: str, edit: Callable[[str], str], lessons: Sequence[int], shown: str) -> tuple[float, str]:
        """Make an edit and run the scripts of some lessons: give what it took, and a value of the last of them."""
        path = self._execution.root / file
        path.write_text(edit(path.read_text("utf-8")), "utf-8")
        names = [f"lesson_{number:04d}" for number in lessons]
        scripts = [str(self._execution.root / f"snippets/{name}.py") for name in names]
        command = [PYTHON, "-m", "bench.plain", str(self._execution.root), str(CORES), *scripts]
        cost = run(command, self._execution.root)
        return cost.seconds, f"{self._execution.values()[names[-1]][shown]:.4f}"


def times(lessons: int, turns: int, folder: Path) -> dict[str, Any]:
    """Measure each kind of save, turn by turn, beside the floor's."""
    state = first(Size(lessons))
    execution, desk = Execution(folder / "plain"), Desk(folder / "desk")
    execution.clear()
    execution.save(state)
    execution.build()
    plain = Plain(execution)
    floor, ours = Render(folder / "render", execution, desk), Ours(folder / "ours", desk)
    for way in (floor, ours):
        way.clear()
        way.save(state)
    page, english = "en/lesson_0001/", "docs/en/lesson_0001.md"
    dependents = range(1, lessons + 1, 2)  # of kit/smooth.py
    own: dict[str, list[float]] = {"floor": [], "prose": [], "script": [], "module": []}
    found: dict[str, list[dict[str, float]]] = {kind: [] for kind in own}
    with Preview(floor.root) as below, Preview(ours.root) as above:
        below.until(page, "spread")
        above.until(page, "spread")
        for turn in range(1, turns + 1):
            edit = word(turn)
            found["floor"].append(below.save(english, edit, page, f"edit{turn} "))
            found["prose"].append(above.save(english, edit, page, f"edit{turn} "))
            own["floor"].append(0.0)
            own["prose"].append(0.0)
            for kind, file, edit, needed, name in (
                ("script", "snippets/lesson_0001.py", _spread(turn), [1], "spread_1"),
                ("module", "kit/smooth.py", line(r"^GAIN = .*$", f"GAIN = {1 + turn / 8}"), dependents, "top_1"),
            ):
                seconds, shown = plain.edited(file, edit, needed, name)
                own[kind].append(seconds)
                found[kind].append(above.save(file, edit, f"en/lesson_{needed[-1]:04d}/", shown))
            print(f"  turn {turn}: { ({kind: saves[-1] for kind, saves in found.items()}) }", flush=True)
    return {"lessons": lessons, "turns": turns, "saves": {kind: _told(found, own, kind) for kind in found}}


def _spread(turn: int) -> Callable[[str], str]:
    return line(r"^spread_1 = .*$", f"spread_1 = float(scores_1.std()) + {turn}.0")


def _told(found: dict[str, list[dict[str, float]]], own: dict[str, list[float]], kind: str) -> dict[str, Any]:
    """Give the seconds of a kind of save, those of its scripts alone, and the first as multiples of limit and floor."""
    saves = found[kind]
    return {
        "seconds": results.spread(each["seconds"] for each in saves),
        "own": results.spread(own[kind]),
        "of the limit": results.spread(
            each["seconds"] / (TARGET + seconds) for each, seconds in zip(saves, own[kind], strict=True)
        ),
        "floors": results.spread(
            each["seconds"] / below["seconds"] for each, below in zip(saves, found["floor"], strict=True)
        ),
        "builds": max(int(each["builds"]) for each in saves),
    }


def leaks(lessons: int, saves: int, folder: Path) -> dict[str, Any]:
    """Save many times, and say what the server holds: at a tenth of the way, and at the end."""
    ours = Ours(folder / "leaking", Desk(folder / "desk-leaking"))
    ours.clear()
    ours.save(first(Size(lessons)))
    page, english = "en/lesson_0001/", "docs/en/lesson_0001.md"
    early = (0.0, 0, 0)
    with Preview(ours.root) as preview:
        preview.until(page, "spread")
        for number in range(1, saves + 1):
            path = ours.root / english
            path.write_text(word(number)(path.read_text("utf-8")), "utf-8")
            preview.until(page, f"edit{number} ")
            if number == max(saves // 10, 1):
                time.sleep(QUIET)
                early = preview.state()
        time.sleep(QUIET)
        late, builds = preview.state(), preview.builds
    names = ("memory", "processes", "files")
    grown = {name: round(after / before, 2) for name, before, after in zip(names, early, late, strict=True)}
    return {"lessons": lessons, "saves": saves, "builds": builds - 1, **grown}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lessons", type=int, default=20)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--saves", type=int, default=500)
    options = parser.parse_args(arguments)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name).resolve()
        for part, size, measure, often in (
            ("preview", options.lessons, times, options.turns),
            ("leaks", LEAKING, leaks, options.saves),
        ):
            start = time.monotonic()
            try:
                found = measure(size, often, folder)
                results.keep(part, str(size), found)
            except RuntimeError as error:
                print(f"{part}: {error}", file=sys.stderr)
                failed += 1
            else:
                print(f"{part}: {(time.monotonic() - start) / 60:.1f} minutes: {found}", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
