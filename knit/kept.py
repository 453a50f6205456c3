"""Remembers between runs what was found without fault, and gives the places to keep what was made of each file.

Everything is found by the digest of all that it came of, so that nothing old is ever taken for new. Without a folder,
nothing is kept.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from knit.problem import Problem
from knit.programs import digest_of_data, programs
from knit.shelf import Shelf, Slot, write

ROOM = 4
"""Digests are forgotten when there are so many times as many as were asked for."""


class Kept:
    """What is kept of one course, by one version of the programs."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder / programs()[:16] if folder else None
        self._shelf = Shelf(self._folder) if self._folder else None
        self._slots: dict[str, Slot] = {}
        self._clean: dict[str, None] | None = None
        self._asked: dict[str, None] = {}
        if self._folder and not self._folder.exists():
            shutil.rmtree(self._folder.parent, ignore_errors=True)  # what other programs kept

    def slot(self, name: str) -> Slot | None:
        """Give what is kept of a file."""
        if self._shelf is None:
            return None
        if name not in self._slots:
            self._slots[name] = self._shelf.slot(name)
        return self._slots[name]

    def unless_clean(self, parts: Iterable[object], problems: Iterator[Problem]) -> Iterator[Problem]:
        """Look for problems, unless there were none when all that they depend on, ``parts``, was the same."""
        if self._folder is None:
            yield from problems
            return
        mark = digest_of_data(*parts)
        if mark not in self._known() and mark not in self._asked:
            found = list(problems)
            yield from found
            if found:
                return
        self._asked[mark] = None

    def save(self) -> None:
        """Write what is new, if it can be written, and forget what is long not asked for."""
        if self._folder is None:
            return
        known = self._known()
        with suppress(OSError):
            for slot in self._slots.values():
                slot.save()
            self._slots = {}
            if not self._asked.keys() <= known.keys():
                every = list({**self._asked, **known})[: ROOM * max(len(self._asked), 1)]
                write(self._folder / "clean.json", json.dumps(every))
                self._clean = dict.fromkeys(every)
        self._asked = {}

    def _known(self) -> dict[str, None]:
        if self._clean is None:
            self._clean = {}
            with suppress(OSError, ValueError, TypeError):
                found = json.loads((self._folder / "clean.json").read_text("utf-8")) if self._folder else []
                self._clean = dict.fromkeys(found)
        return self._clean
