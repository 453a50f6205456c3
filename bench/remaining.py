"""Says where the time of a build goes, by package: sampled by what processors do, a busy machine changes nothing.

    python -m bench.remaining [--lessons 20]

Looked at are a build of which all results are known and no page is, and one without any news. A moment belongs to the
innermost package of `PARTS` on the stack, and to imports while anything is being imported.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from bench import results
from bench.finished import Desk
from bench.generate import Size
from bench.measure import PYTHON, run
from bench.states import first
from bench.ways import Ours

PARTS = {
    "/material/plugins/search/": "search",
    "/jieba/": "jieba",
    "/pygments/": "Pygments",
    "/pymdownx/": "Markdown",
    "/markdown/": "Markdown",
    "/jinja2/": "Jinja",
    "/material/": "Jinja",
    "/mkdocs/": "MkDocs",
    "/knit/": "knit",
}
"""By a piece of the path; Material's templates are Jinja's work."""

EVERY = 0.002
"""Seconds of processor between two looks."""


def inside(out: Path) -> None:
    """Build in this process, looking at the stack again and again: on one core, so that it makes all pages itself."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found: Counter[str] = Counter()

    def look(_: int, frame: FrameType | None) -> None:
        found[part(frame)] += 1

    signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    from mkdocs.__main__ import cli  # noqa: PLC0415 - importing it is part of a build

    cli(["build", "-q"], standalone_mode=False)
    signal.setitimer(signal.ITIMER_PROF, 0)
    out.write_text(json.dumps(found), "utf-8")


def part(frame: FrameType | None) -> str:
    """Name what a moment belongs to."""
    own = ""
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith("<frozen importlib"):
            return "imports"
        if not own:
            own = next((name for piece, name in PARTS.items() if piece in path), "")
        frame = frame.f_back
    return own or "other"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lessons", type=int, default=20)
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        inside(options.inside)
        return 0
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name).resolve()
        ours = Ours(folder / "ours", Desk(folder / "desk"))
        ours.clear()
        ours.save(first(Size(options.lessons)))
        ours.build()
        found: dict[str, Any] = {"lessons": options.lessons}
        for kind in ("rendering", "same"):
            if kind == "rendering":
                for kept in ("pages", "kept"):
                    shutil.rmtree(ours.root / ".cache/knit" / kept)
            run([PYTHON, "-m", "bench.remaining", "--inside", str(folder / "out.json")], ours.root)
            looks = json.loads((folder / "out.json").read_text("utf-8"))
            found[kind] = {part: round(count / sum(looks.values()), 2) for part, count in Counter(looks).most_common()}
    results.keep("remaining", str(options.lessons), found)
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
