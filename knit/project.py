"""A course on disk: where its pages and scripts are, and what came of running the scripts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

from knit.claims import Verdict
from knit.count import counted
from knit.kept import Kept
from knit.problem import Problem
from knit.programs import digest_of
from knit.read.glossary import EXEMPT, Glossary
from knit.read.numerals import Typed, typed
from knit.read.page import Page
from knit.read.pages import pages
from knit.read.pieces import ClaimLink
from knit.read.script import claim_places, places, sections
from knit.read.text import Unreadable, read_text
from knit.run.pool import Limits
from knit.run.result import Outcome
from knit.run.runner import Runner

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Layout:
    """Where a course keeps its things: folders from the project's root."""

    root: Path
    docs: Path = Path("docs")
    snippets: Path = Path("snippets")
    cache: Path = Path(".cache/knit")
    languages: tuple[str, ...] = ("zh", "en")
    ledger: str = "claims"

    def language_of(self, source: str) -> str | None:
        """Give the language of a page, by the first folder of its path from ``docs``."""
        first = source.partition("/")[0]
        return first if first in self.languages else None


@dataclass(frozen=True)
class Source:
    """A script's source, and the places in it that pages refer to."""

    path: str
    text: str

    @cached_property
    def digest(self) -> str:
        """A digest of the text."""
        return digest_of(self.text)

    @cached_property
    def words(self) -> set[str]:
        """All words of the text: no name is in it that is not among them."""
        return set(WORD.findall(self.text))

    @cached_property
    def sections(self) -> dict[str, range]:
        """Lines of each section."""
        return sections(self.text)

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree; an empty one when the source is no Python."""
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError):
            return ast.Module([], [])

    @cached_property
    def places(self) -> dict[str, int]:
        """Line of each name."""
        return places(self.tree)

    @cached_property
    def claims(self) -> dict[str, int]:
        """Line of each claim."""
        return claim_places(self.tree) if "claim" in self.text else {}


@dataclass(frozen=True)
class Results:
    """Outcomes of all scripts at one moment: what a build weaves from, unchanged until it ends."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)

    @cached_property
    def claims(self) -> dict[str, tuple[str, Verdict]]:
        """Every claim of the course: name to script and verdict.

        They stand in the order of their letters' first scripts and of their numbers, each script's together.
        """
        found: dict[str, tuple[str, Verdict]] = {}
        for script, outcome in self.outcomes.items():
            for name, verdict in (outcome.result.claims if outcome.result else {}).items():
                found.setdefault(name, (script, verdict))
        letters = list(dict.fromkeys(_numbered(name)[0] for name in found))
        places = {name: (letters.index(_numbered(name)[0]), *_numbered(name)[1:]) for name in found}
        firsts: dict[str, tuple[int, int, str]] = {}
        for name, (script, _) in found.items():
            firsts[script] = min(places[name], firsts.get(script, places[name]))
        return dict(sorted(found.items(), key=lambda item: (firsts[item[1][0]], places[item[0]])))

    @cached_property
    def makers(self) -> dict[str, str]:
        """The script that makes each claim of the course."""
        found: dict[str, str] = {}
        for script, outcome in self.outcomes.items():
            for name in outcome.claims:
                found.setdefault(name, script)
        return found

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the scripts themselves, whether or not a page shows it."""
        made: dict[str, str] = {}
        for script, outcome in self.outcomes.items():
            for fault in outcome.faults:
                yield Problem(fault.path, fault.line, 1, fault.message)
            for name in self.sources[script].claims if script in self.sources else {}:
                if name in made:
                    line = self.sources[script].claims[name]
                    yield Problem(
                        script,
                        line,
                        1,
                        f"the claim {name} is already made in {made[name]}: give it another name",
                    )
                made.setdefault(name, script)


def _numbered(claim: str) -> tuple[str, int, str]:
    """Take a claim's name apart: the letter of its research day, its number, and the rest."""
    match = re.fullmatch(r"(\D*)(\d*)(.*)", claim)
    return (match[1], int(match[2] or 0), match[3]) if match else (claim, 0, "")


@dataclass(frozen=True)
class Citation:
    """A place in a page that cites a claim, and the section (its explicit id) that it stands in."""

    page: Page
    line: int
    section: str | None


def is_lesson(page: Page) -> bool:
    """Whether a page has a script of its own, and does not quote rejected words on purpose."""
    return bool(page.meta.get("script")) and not page.meta.get(EXEMPT)


@dataclass(frozen=True)
class Course:
    """A course at one moment: its pages as read and its scripts' results."""

    layout: Layout
    results: Results
    pages: tuple[Page, ...]
    glossary: Glossary = field(default_factory=Glossary)
    kept: Kept = field(default_factory=Kept)

    @cached_property
    def lessons(self) -> tuple[Page, ...]:
        """The pages with a script of their own, by name: where terms are linked and counted."""
        return tuple(page for page in self.pages if is_lesson(page))

    @cached_property
    def typed(self) -> dict[str, tuple[Typed, ...]]:
        """The numbers that authors typed, by page."""
        return {page.path: tuple(typed(page)) for page in self.pages}

    @cached_property
    def counted(self) -> Mapping[str, float]:
        """What can be counted of the course itself."""
        return counted(self)

    @cached_property
    def citations(self) -> dict[tuple[str, str], list[Citation]]:
        """Every place that cites a claim, by the claim's name and the page's language."""
        found: dict[tuple[str, str], list[Citation]] = {}
        for page in self.pages:
            for piece in page.pieces:
                if isinstance(piece, ClaimLink):
                    above = [heading.id for heading in page.headings if heading.start < piece.start and heading.id]
                    citation = Citation(page, page.place(piece.start)[0], above[-1] if above else None)
                    found.setdefault((piece.name, page.language), []).append(citation)
        return found


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

    def course(self) -> Course:
        """Read the pages and get the outcome of every script, running those that changed."""
        scripts = self.scripts()
        sources = {script: Source(script, self._text(script)) for script in scripts}
        layout = self.layout
        glossary = Glossary.read(layout.root, (layout.docs / "glossary.yml").as_posix(), layout.languages)
        results = Results(self.runner.outcomes(scripts), sources)
        return Course(layout, results, tuple(self._pages()), glossary, self.kept)

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
