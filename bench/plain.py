"""The floor of execution: plain Python, each script once, in as many processes as there are cores.

``python -m bench.plain FOLDER CORES SCRIPT…`` runs scripts of a folder and leaves, for each, its figures in every
language (``figures/NAME.LANGUAGE.svg``) and its numbers (``values/SCRIPT.json``).
"""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.course import section
from bench.generate import LANGUAGES, Lesson
from bench.states import State


def script(lesson: Lesson) -> str:
    """Write a lesson's script for plain Python."""
    parts = [lesson.head.replace("from knit import colours, figure", "from kit import drawing as colours")]
    parts += [section(snippet) for snippet in lesson.snippets]
    parts += [f"\n\n{figure.source}" for figure in lesson.figures]
    return "".join(parts)


def files(state: State) -> dict[str, str]:
    """Give the files of a course of which only the scripts matter."""
    return {**state.kit, **{f"snippets/{lesson.name}.py": script(lesson) for lesson in state.lessons}}


def run(root: Path, path: Path) -> None:
    """Run one script."""
    from kit.drawing import drawn  # type: ignore[import-not-found]  # noqa: PLC0415 - the generated course's

    names: dict[str, Any] = {"__name__": path.stem}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(path.read_text("utf-8"), str(path), "exec"), names)  # noqa: S102 - it is our own
    for name, value in list(names.items()):
        if name.startswith("figure_"):
            for language in LANGUAGES:
                (root / "figures" / f"{path.stem}.{name}.{language}.svg").write_text(drawn(value, language), "utf-8")
    values = {name: value for name, value in names.items() if isinstance(value, float)}
    (root / "values" / f"{path.stem}.json").write_text(json.dumps(values), "utf-8")


def main(root: Path, share: list[str]) -> None:
    """Run a share of the scripts."""
    sys.path[:0] = [str(root)]
    for path in share:
        run(root, Path(path))


if __name__ == "__main__":
    folder, cores, scripts = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    for made in ("figures", "values"):
        (folder / made).mkdir(exist_ok=True)
    command = [sys.executable, "-m", "bench.plain", str(folder), "1"]
    others = [subprocess.Popen([*command, *scripts[core::cores]]) for core in range(1, min(cores, len(scripts)))]
    main(folder, scripts[::cores])
    raise SystemExit(max((each.wait() for each in others), default=0))
