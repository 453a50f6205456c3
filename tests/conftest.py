"""A small course of its own for each test, copied from fixtures/geometry."""

import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from knit.check.accept import accept
from knit.check.course import problems, woven_pages
from knit.project import Layout, Project
from knit.run.pool import Limits

FIXTURES = Path(__file__).parent / "fixtures"
collect_ignore = ["bad"]  # inputs of test_bad.py, one of them a folder in itself


class Workshop:
    """A course in a folder of the test's own, to edit and look at."""

    def __init__(self, root: Path, limits: Limits | None = None):
        self.root = root
        self.limits = limits

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text that stands in a file exactly once."""
        file = self.root / path
        source = file.read_text("utf-8")
        assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {path}"
        file.write_text(source.replace(old, new), "utf-8")

    def place(self, path: str, text: str) -> str:
        """Give ``path:LINE`` of the first line that holds a text, as a pattern."""
        lines = (self.root / path).read_text("utf-8").splitlines()
        return re.escape(f"{path}:{next(n for n, line in enumerate(lines, 1) if text in line)}")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def look(self):
        """Read the course and run what changed: the course, and the scripts that ran."""
        with closing(Project(Layout(self.root), self.limits)) as project:
            return project.course(), list(project.executions)

    def executions(self) -> list[str]:
        return self.look()[1]

    def problems(self) -> list[str]:
        return [str(problem) for problem in problems(self.look()[0])]


@pytest.fixture(scope="session")
def geometry(tmp_path_factory):
    """The folder of a course that no test changes: its scripts have run, what they publish is accepted."""
    root = tmp_path_factory.mktemp("geometry") / "course"
    shutil.copytree(FIXTURES / "geometry", root)
    course, _ = Workshop(root).look()
    list(accept(course, woven_pages(course), []))
    return root


@pytest.fixture
def workshop(geometry, tmp_path):
    """A course of the test's own, in which nothing has to run."""
    shutil.copytree(geometry, tmp_path / "course")
    return Workshop(tmp_path / "course")


@pytest.fixture
def new_workshop(workshop):
    """A course of the test's own, in which nothing ever ran."""
    shutil.rmtree(workshop.root / ".cache")
    return workshop


@pytest.fixture
def empty_workshop(tmp_path):
    """A course with one page in each language and no script yet; scripts may run for a second."""
    workshop = Workshop(tmp_path / "course", Limits(seconds=1.0, output=10_000))
    for language in ("zh", "en"):
        workshop.write(f"docs/{language}/page.md", "---\nscript: s.py\n---\n# T {#t}\n\n{{ x }}\n")
    return workshop
