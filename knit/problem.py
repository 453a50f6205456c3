"""A problem: where it is in a page and in a script, what is wrong, and what to do, in one line."""

from __future__ import annotations

import re
from dataclasses import dataclass

LINES = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, order=True)
class Problem:
    """Something that a build refuses, or, with ``warning``, that only a person can judge.

    ``path`` and ``line`` (from 1, as ``column``) are the lesson's; ``script`` and ``script_line`` where its
    cause is in a script, if it is in one. ``follows`` is the file whose change it probably comes of.
    """

    path: str
    line: int
    column: int
    message: str
    script: str | None = None
    script_line: int | None = None
    warning: bool = False
    follows: str = ""

    def __str__(self) -> str:
        """Give ``docs/zh/….md:LINE: what · snippets/….py:LINE``, on one line whatever was computed."""
        source = f" · {self.script}:{self.script_line or 1}" if self.script else ""
        return f"{self.path}:{self.line}: {'warning: ' * self.warning}{LINES.sub(' ', self.message)}{source}"


def several(number: int, noun: str) -> str:
    """Write how many there are of something: ``1 page``, ``2 pages``."""
    return f"{number} {noun}{'s' * (number != 1)}"


class Refused(Exception):  # noqa: N818 - it carries what a problem says
    """Raised where a piece of a page cannot be woven; becomes a ``Problem`` at the piece's place."""

    def __init__(self, message: str, script: str | None = None, script_line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.script = script
        self.script_line = script_line

    def at(self, path: str, line: int, column: int) -> Problem:
        """Give the problem, at a place in a page."""
        return Problem(path, line, column, self.message, self.script, self.script_line)
