"""The scripts of a course at one moment: their sources, and what came of running them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from knit.claims import Verdict
from knit.problem import Problem
from knit.programs import digest_of
from knit.read.made import Made, made
from knit.read.outline import Outline, outline
from knit.read.script import NO_PYTHON, Binding, bindings, claim_places, names_read, places, sections
from knit.run.result import Outcome

WORD = re.compile(r"\w+")
TREES = 20
"""Syntax trees are read several times, soon after each other, and are too large to keep."""


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

    @property
    def tree(self) -> ast.Module:
        """The syntax tree; an empty one when the source is no Python."""
        return _tree(self.text)

    @cached_property
    def made(self) -> Made:
        """What makes each name."""
        return made(self.tree)

    @cached_property
    def places(self) -> dict[str, int]:
        """Line of each name."""
        return places(self.tree)

    @cached_property
    def claims(self) -> dict[str, int]:
        """Line of each claim."""
        return claim_places(self.tree) if "claim" in self.text else {}

    @cached_property
    def outline(self) -> Outline:
        """The lines of its statements, and what its functions look up."""
        return outline(self.tree)

    @cached_property
    def bindings(self) -> dict[str, list[Binding]]:
        """The statements that bind each name, in order."""
        return bindings(self.tree)

    @cached_property
    def read(self) -> set[str]:
        """The names that its own code reads."""
        try:
            return names_read(self.text)
        except NO_PYTHON:
            return set()

    def study(self) -> None:
        """Find out what is asked of its syntax, for which that is then read once."""
        _ = self.places, self.made, self.outline, self.bindings, self.read


@dataclass(frozen=True)
class Results:
    """Outcomes of all scripts at one moment: what a build weaves from, unchanged until it ends."""

    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
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
    def modules(self) -> dict[str, Source]:
        """The scripts by the names by which they are imported and called."""
        return {PurePosixPath(path).stem: source for path, source in self.sources.items()}

    @cached_property
    def makers(self) -> dict[str, str]:
        """The script that makes each claim of the course."""
        found: dict[str, str] = {}
        for script, outcome in self.outcomes.items():
            for name in outcome.claims:
                found.setdefault(name, script)
        return found

    @cached_property
    def disputed(self) -> set[str]:
        """The claims that more than one script makes: which of them a page means is not known."""
        made = Counter(name for script in self.sources for name in self._names(script))
        return {name for name, count in made.items() if count > 1}

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the scripts themselves, whether or not a page shows it."""
        made: dict[str, str] = {}
        for script, outcome in self.outcomes.items():
            for fault in outcome.faults:
                yield Problem(fault.path, fault.line, 1, fault.message)
            for name in self._names(script):
                if name in made:
                    line = self.sources[script].claims[name]
                    yield Problem(
                        script,
                        line,
                        1,
                        f"the claim {name} is already made in {made[name]}: give it another name",
                    )
                made.setdefault(name, script)

    def _names(self, script: str) -> Iterable[str]:
        """Give the claims that a script makes: its source says so where there is no result, which takes longer."""
        outcome, source = self.outcomes.get(script), self.sources.get(script)
        if outcome is not None and outcome.digest:
            return outcome.claims
        return source.claims if source is not None else ()


@lru_cache(maxsize=TREES)
def _tree(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except NO_PYTHON:
        return ast.Module([], [])


def _numbered(claim: str) -> tuple[str, int, str]:
    """Take a claim's name apart: the letter of its research day, its number, and the rest."""
    match = re.fullmatch(r"(\D*)(\d*)(.*)", claim)
    return (match[1], int(match[2] or 0), match[3]) if match else (claim, 0, "")
