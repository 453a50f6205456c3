"""Keeps results on disk by key, so that a script whose key is known is not run again.

Nothing is changed in place: a result is written beside and renamed, so two builds at once, a full disk
or a kill leave it whole or absent. What cannot be read back counts as absent.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from knit.run import ageing, keys
from knit.run.result import Dependencies, Outcome, Result, whole
from knit.shelf import write

KEPT = 16
"""Dependency lists that are remembered for one script source: as many branches can be switched between."""


RESULTS = "results"
"""The folder of results."""

AGEING = (f"{RESULTS}/*", "uses/*", "figures/*", "run-*")
"""What grows old in the folder of the store: results, what they used, the figures beside them, and what a kill left."""

AT_HAND = 8
"""Results that are held: a page looks many times at the same one, or at a few."""


def kept_results(folder: Path) -> Iterator[Callable[[], Result]]:
    """Give what reads each of the results that are kept under a folder, the newest first."""
    files: list[tuple[float, Path]] = []
    for path in (folder / RESULTS).glob("*.result"):
        with suppress(OSError):  # another process may throw it away
            files.append((path.stat().st_mtime, path))
    for _, path in sorted(files, reverse=True):
        yield partial(_read, path)


def _read(path: Path) -> Result:
    return Result.unpacked(path.read_bytes())


class Store:
    """The results under a folder (``.cache/knit``), found by script, its source and what it used."""

    def __init__(self, root: Path, folder: Path, languages: list[str]) -> None:
        self._root = root
        self._folder = folder
        self._languages = languages
        self.engine = keys.engine()
        self._facts = keys.Facts(folder / "code" / f"{self.engine[:16]}.json")
        self._used: list[Path] = []
        self._read = lru_cache(AT_HAND)(self._load)

    def scratch(self) -> Path:
        """Make a new empty folder for one run, elsewhere if the store cannot be written."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            return Path(tempfile.mkdtemp(prefix="run-", dir=self._folder))
        except OSError:
            return Path(tempfile.mkdtemp(prefix="knit-run-"))

    def key(self, script: str) -> str:
        """Give the part of the script's key that is known before it runs."""
        return keys.base(self._root / script, script, self.engine, self._languages, self._facts)

    def moment(self) -> keys.Moment:
        """Give the project as it now is: for the results of several scripts."""
        self._used = []
        return keys.Moment(self._root, self._facts)

    def get(self, script: str, moment: keys.Moment) -> Outcome | None:
        """Find the outcome of the script as everything is at a moment, or None."""
        base = self.key(script)
        for uses in self._uses(base):
            key = keys.full(base, uses, moment)
            if key is not None and (found := self._whole(key)) is not None:
                self._used += (self._manifest(base), self._result(key))
                return self._outcome(script, key, uses, found)
        return None

    def put(self, base: str, uses: Dependencies, outcome: Outcome, file: Path) -> Outcome:
        """Keep a result under the key of what was used: give it as it is found later. One with faults is not kept.

        ``file`` is what the run left, in the very form in which it is kept, and is moved to its place.

        Raises
        ------
        OSError
            When the store cannot be written: the disk is full, or the folder is read-only.

        """
        key, result = keys.full(base, uses, keys.Moment(self._root, self._facts)), outcome.result
        if key is None or result is None or result.faults:
            return outcome
        place = self._result(key)
        place.parent.mkdir(parents=True, exist_ok=True)
        file.replace(place)
        known = [uses, *(other for other in self._uses(base) if other != uses)][:KEPT]
        write(self._manifest(base), json.dumps([vars(each) for each in known]))
        return self._outcome(outcome.script, key, uses, {"digest": result.digest, "claims": list(result.claims)})

    def remember(self) -> None:
        """Keep what was learnt of files, if the store can be written; without it the next build parses them again.

        Once a day, what was not used for long is removed.
        """
        news = self._facts.news
        if news is not None:
            with suppress(OSError):
                write(self._facts.memory, news)
        if ageing.due(self._folder):
            ageing.sweep(self._folder, self._used, AGEING)

    def discard(self, scratch: Path) -> None:
        """Remove a run's folder."""
        shutil.rmtree(scratch, ignore_errors=True)

    def _uses(self, base: str) -> list[Dependencies]:
        try:
            found = json.loads(self._manifest(base).read_text("utf-8"))
            return [Dependencies(**{name: tuple(items) for name, items in each.items()}) for each in found]
        except (OSError, ValueError, TypeError, AttributeError):
            return []

    def _outcome(self, script: str, key: str, uses: Dependencies, head: Mapping[str, Any]) -> Outcome:
        return Outcome(script, partial(self._read, key), None, uses, head["digest"], tuple(head["claims"]))

    def _whole(self, key: str) -> Mapping[str, Any] | None:
        """Give the head of a result that is there and whole."""
        try:
            return whole(self._result(key).read_bytes())
        except (OSError, ValueError):
            return None

    def _load(self, key: str) -> Result:
        return _read(self._result(key))

    def _manifest(self, base: str) -> Path:
        return self._folder / "uses" / f"{base}.json"

    def _result(self, key: str) -> Path:
        return self._folder / RESULTS / f"{key}.result"
