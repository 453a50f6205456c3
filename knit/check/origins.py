"""What many problems come of: a module that the failing scripts share, and that changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePosixPath

from knit.git import git_or_nothing
from knit.problem import Problem
from knit.project import Course, Layout
from knit.read.text import Unreadable, read_text
from knit.run.keys import code

HUNK = re.compile(r"^@@ -\S+ \+(?P<line>\d+)\S* @@", re.MULTILINE)
SEVERAL = 3
"""Consequences from which on their origin is looked for, and names of others that are told."""


def with_origin(course: Course, found: list[Problem], moved: Collection[Problem]) -> list[Problem]:
    """Put before many problems what they come of, and note in each what it follows.

    ``moved`` are the problems which tell that something else is shown than was published. Others come of scripts that
    fail. Which modules changed, git knows; without it nothing is said.
    """
    by_script = _by_script(course, found, moved)
    if sum(map(len, by_script.values())) < SEVERAL:
        return found
    for since in Since.each(course.layout):
        users: dict[str, list[str]] = {}
        for script in by_script:
            if not since.differs(script):  # else it may be its own doing
                for module in filter(since.differs, _modules(course, script, since.changed)):
                    users.setdefault(module, []).append(script)
        if users:
            return _told(found, by_script, users, since)
    return found


def _told(
    found: list[Problem], by_script: Mapping[str, list[Problem]], users: Mapping[str, list[str]], since: Since
) -> list[Problem]:
    first, *others = sorted(users, key=lambda module: (-len(users[module]), module))
    scripts = set().union(*users.values())
    follows = {problem for script in scripts for problem in by_script[script]}
    also = f", as {' and '.join(others[:SEVERAL])} did" if others else ""
    message = (
        f"changed {since.what}{also}; scripts that use it and fail or show something else: {len(scripts)}; "
        f"problems that may come of that: {len(follows)}, which knit check --all lists"
    )
    origin = Problem(first, since.line(first), 1, message)
    return [origin, *(replace(problem, follows=first) if problem in follows else problem for problem in found)]


def _by_script(course: Course, found: Iterable[Problem], moved: Collection[Problem]) -> dict[str, list[Problem]]:
    """Give the problems that come of what scripts compute, by script."""
    faults = {
        (fault.path, fault.line): script
        for script, outcome in course.results.outcomes.items()
        for fault in outcome.faults
    }
    by_script: dict[str, list[Problem]] = {}
    for problem in found:
        told = faults.get((problem.path, problem.line)) or faults.get((problem.script or "", problem.script_line or 0))
        if script := problem.script if problem in moved else told:
            by_script.setdefault(script, []).append(problem)
    return by_script


def _modules(course: Course, script: str, changed: Iterable[str]) -> Iterable[str]:
    """Give the local modules that a script uses; of one that did not run, the changed ones that it names."""
    if uses := course.results.outcomes[script].uses:
        return uses.modules
    words = course.results.sources[script].words
    paths = [PurePosixPath(path) for path in sorted(changed) if path.endswith(".py")]
    siblings = course.layout.snippets.as_posix()
    return [str(path) for path in paths if (path.stem if str(path.parent) == siblings else path.parts[0]) in words]


class Since:
    """What changed since a revision, as git knows it; ``what`` says in words since when."""

    def __init__(self, root: Path, revision: str, what: str) -> None:
        self.what = what
        self._root = root
        self._revision = revision
        self.changed = set(self._git("diff", "--name-only", "--relative", "-z", revision).split("\0"))
        self.differs = cache(self._differs)

    @classmethod
    def each(cls, layout: Layout) -> Iterator[Since]:
        """Give what changed since ever earlier revisions, up to the last that recorded what is published."""
        published = f":(glob){layout.snippets.as_posix()}/*.published.toml"
        recorded = git_or_nothing(layout.root, "log", "-1", "--format=%H", "--", published).strip()
        yield cls(layout.root, "HEAD", "since the last commit")
        yield cls(layout.root, "@{upstream}", "since the last push")
        yield cls(layout.root, "HEAD^", "with the last commit")
        if recorded:
            yield cls(layout.root, recorded, f"since results were last accepted, in {recorded[:7]}")

    def line(self, path: str) -> int:
        """Give the first line of a file that is another."""
        first = HUNK.search(self._git("diff", "-U0", self._revision, "--", path))
        return max(int(first["line"]), 1) if first else 1

    def _differs(self, path: str) -> bool:
        """Whether a file does something else than it did: comments do nothing."""
        if path not in self.changed:
            return False
        try:
            return code(self._git("show", f"{self._revision}:./{path}").encode()) != code(
                read_text(self._root / path).encode()
            )
        except Unreadable:
            return True

    def _git(self, *arguments: str) -> str:
        return git_or_nothing(self._root, *arguments)
