"""What a course publishes, found before the clock starts: the records that authors commit, and the finished drawings.

``python -m bench.finished``, in a course's folder, accepts what the course says and leaves its drawings in
``drawings/SCRIPT.FIGURE.LANGUAGE.svg``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bench import course
from bench.measure import PYTHON, run
from bench.states import State


@dataclass(frozen=True)
class Finished:
    """Of one state: the records by path, and the drawings by name."""

    records: dict[str, str]
    drawings: dict[str, str]


class Desk:
    """Accepts states in a folder of its own, each once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: list[tuple[State, Finished]] = []

    def of(self, state: State) -> Finished:
        """Give what a state publishes."""
        for known, finished in self._known:
            if known == state:
                return finished
        self._root.mkdir(parents=True, exist_ok=True)
        course.write(course.files(state), self._root)
        run([PYTHON, "-m", "bench.finished"], self._root)
        names = [f"snippets/{lesson.name}.published.toml" for lesson in state.lessons] + ["docs/twins.toml"]
        finished = Finished(
            {name: (self._root / name).read_text("utf-8") for name in names if (self._root / name).exists()},
            {path.name: path.read_text("utf-8") for path in (self._root / "drawings").glob("*.svg")},
        )
        self._known.append((state, finished))
        return finished


def main(root: Path) -> None:
    """Accept, and write the drawings."""
    # A floor that is measured in the same module's process must not load the engine.
    from knit import settings  # noqa: PLC0415
    from knit.check.accept import accept  # noqa: PLC0415
    from knit.check.course import woven_pages  # noqa: PLC0415
    from knit.check.twins import confirm  # noqa: PLC0415
    from knit.project import Project  # noqa: PLC0415

    project = Project(*settings.read(root))
    found = project.course()
    list(accept(found, woven_pages(found), []))
    list(confirm(found, []))
    (root / "drawings").mkdir(exist_ok=True)
    for script, outcome in found.results.outcomes.items():
        for name, drawings in (outcome.result.figures if outcome.result else {}).items():
            for language, drawing in drawings.items():
                (root / f"drawings/{Path(script).stem}.{name}.{language}.svg").write_text(drawing, "utf-8")
    project.close()


if __name__ == "__main__":
    main(Path.cwd())
