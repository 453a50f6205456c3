"""Measures the live preview: from saving a file to the page that shows it, rebuilds, and what many saves leave.

    python -m bench.preview [--lessons 20] [--saves 500]

The floor is ``mkdocs serve`` of the same finished pages, of which one gets another word. What the server's processors
do is measured besides, which a busy machine does not change.
"""

from __future__ import annotations

import argparse
import re
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from bench import results
from bench.generate import Size
from bench.measure import environment, held
from bench.states import first
from bench.ways import PYTHON, Execution, Ours, Render

PATIENCE = 120.0
"""Seconds after which a save that is not shown is an error."""

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


def times(lessons: int, turns: int, folder: Path) -> dict[str, Any]:
    """Measure each kind of save, turn by turn, against the floor's."""
    state = first(Size(lessons))
    execution = Execution(folder / "plain")
    execution.clear()
    execution.save(state)
    own = execution.build().cpu / lessons
    floor, ours = Render(folder / "render", execution), Ours(folder / "ours", folder / "accepted")
    for way in (floor, ours):
        way.clear()
        way.save(state)
    page, english = "en/lesson_0001/", "docs/en/lesson_0001.md"
    found: dict[str, list[dict[str, float]]] = {"floor": [], "prose": [], "script": [], "module": []}
    with Preview(floor.root) as below, Preview(ours.root) as above:
        below.until(page, "spread")
        above.until(page, "spread")
        for turn in range(1, turns + 1):
            found["floor"].append(below.save(english, word(turn), page, f"edit{turn} "))
            found["prose"].append(above.save(english, word(turn), page, f"edit{turn} "))
            mean = execution.values()["lesson_0001"]["mean_1"] + turn
            edit = line(r"^mean_1 = .*$", f"mean_1 = float(scores_1.mean()) + {turn}.0")
            found["script"].append(above.save("snippets/lesson_0001.py", edit, page, f"{mean:.4f}"))
            edit = line(r"^GAIN = .*$", f"GAIN = {1 + turn / 8}")
            found["module"].append(above.save("kit/smooth.py", edit, "en/lesson_0002/", ""))
    ratios = {
        kind: {
            name: results.spread(each[name] / below[name] for each, below in zip(saves, found["floor"], strict=True))
            for name in ("seconds", "cpu")
        }
        | {"builds": max(int(each["builds"]) for each in saves)}
        for kind, saves in found.items()
    }
    share = own / statistics.median(each["cpu"] for each in found["floor"])
    return {"lessons": lessons, "turns": turns, "saves": ratios, "script's own / floor": float(f"{share:.3g}")}


def leaks(lessons: int, saves: int, folder: Path) -> dict[str, Any]:
    """Save many times, and say what the server holds: at a tenth of the way, and at the end."""
    ours = Ours(folder / "leaking", folder / "accepted-2")
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
                early = preview.state()
        late, builds = preview.state(), preview.builds
    names = ("memory", "processes", "files")
    grown = {name: round(after / before, 3) for name, before, after in zip(names, early, late, strict=True)}
    return {"saves": saves, "builds": builds - 1, **grown}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lessons", type=int, default=20)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--saves", type=int, default=500)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name).resolve()
        found = times(options.lessons, options.turns, folder)
        found["leaks"] = leaks(2, options.saves, folder)
    results.keep("preview", str(options.lessons), found)
    print(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
