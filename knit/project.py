"""A course on disk: reads its pages and runs its scripts, which makes it the course of one moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from knit.course import Citation, Course, is_lesson
from knit.kept import Kept
from knit.layout import Layout
from knit.read.glossary import Glossary
from knit.read.page import Page
from knit.read.pages import pages
from knit.read.text import Unreadable, read_text
from knit.results import Results, Source
from knit.run.pool import Limits
from knit.run.runner import Runner

__all__ = ["Citation", "Course", "Layout", "Project", "Results", "Source", "Watched", "is_lesson"]


class Watched(Protocol):
    """What is told how running scripts get on, and when they are done."""

    def __call__(self, running: Sequence[str], count: int, /) -> None:
        """Hear what still runs, of so many."""

    def close(self) -> None:
        """Hear that they are done."""


class Project:
    """A course on disk: reads its pages, runs its scripts."""

    def __init__(self, layout: Layout, limits: Limits | None = None, progress: Watched | None = None) -> None:
        self.layout = layout
        self.limits = limits or Limits()
        self.progress = progress
        self.kept = Kept(layout.root / layout.cache / "kept")
        self.runner = Runner(layout.root, layout.root / layout.cache, list(layout.languages), self.limits, progress)

    @property
    def executions(self) -> Sequence[str]:
        """The scripts that were run, in order, by this project so far."""
        return self.runner.executions

    @property
    def running(self) -> Sequence[str]:
        """The scripts that still run: while there are any, there is time to do something else."""
        return self.runner.running

    def course(self, *, ahead: bool = False) -> Course:
        """Read the pages and get the outcome of every script, running those that changed.

        With ``ahead``, scripts may still run when it is given: who asks for an outcome waits for its end.
        """
        scripts = self.scripts()
        sources = {script: Source(script, self._text(script)) for script in scripts}
        layout = self.layout
        glossary = Glossary.read(layout.root, (layout.docs / "glossary.yml").as_posix(), layout.languages)
        outcomes = self.runner.outcomes(scripts)
        found = tuple(self._pages())
        return Course(layout, Results(outcomes if ahead else dict(outcomes), sources), found, glossary, self.kept)

    def done(self) -> None:
        """Take the line of progress away, before something else is written."""
        if self.progress is not None:
            self.progress.close()

    def close(self) -> None:
        """End the processes that run scripts."""
        self.done()
        self.runner.close()

    def scripts(self) -> list[str]:
        """Find the scripts: every Python file in the snippets' folder whose name does not begin with ``_``."""
        folder = self.layout.root / self.layout.snippets
        names = sorted(path.name for path in folder.glob("*.py") if not path.name.startswith("_"))
        return [(self.layout.snippets / name).as_posix() for name in names]

    def _pages(self) -> Iterator[Page]:
        """Read every page of every language."""
        for language in self.layout.languages:
            yield from pages(self.layout.root, self.layout.docs / language, language)

    def _text(self, script: str) -> str:
        """Read a script; of one that cannot be read, which its outcome tells, there is nothing to look at."""
        try:
            return read_text(self.layout.root / script)
        except Unreadable:
            return ""
