"""Gets the outcome of every script: from the store where the key is known, else by running it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple

from knit.run.pool import Limits, Pool
from knit.run.result import Dependencies, Fault, Outcome, Result
from knit.run.store import Store


class Run(NamedTuple):
    """A script on its way: its key when it began, where it writes, and how its process will have ended."""

    script: str
    base: str
    folder: Path
    begun: float
    ended: Future[str]


class Runner:
    """Runs a project's scripts and counts what it ran.

    Parameters
    ----------
    root : Path
        The project's folder, from which scripts are named and local modules imported.
    cache : Path
        Where results are kept.
    languages : list of str
        The languages in which figures are drawn.
    limits : Limits, optional
        What a script may use.

    """

    def __init__(self, root: Path, cache: Path, languages: list[str], limits: Limits | None = None) -> None:
        self.root = root.resolve()
        self.executions: list[str] = []
        self._store = Store(self.root, cache, languages)
        self._pool = Pool(self.root, languages, limits or Limits(), cache)

    def outcomes(self, scripts: Iterable[str]) -> dict[str, Outcome]:
        """Give the outcome of each script (paths from the root); those not in the store run at once."""
        found: dict[str, Outcome] = {}
        running: list[Run] = []
        for script in dict.fromkeys(scripts):
            if not (self.root / script).is_file():
                found[script] = Outcome(script, None, Fault(script, 1, "there is no such script"))
            elif kept := self._store.get(script):
                found[script] = kept
            else:
                self.executions.append(script)
                folder = self._store.scratch()
                # The key is taken before the run: an edit during it must not be stored as the new source's.
                base, begun = self._store.key(script), time.time()
                running.append(Run(script, base, folder, begun, self._pool.submit(script, folder)))
        for run in running:
            how = run.ended.result()
            found[run.script] = self._outcome(run, how)
            self._store.discard(run.folder)
        return found

    def close(self) -> None:
        """End the processes that run scripts."""
        self._pool.close()

    def _outcome(self, run: Run, how: str) -> Outcome:
        try:
            if (run.folder / "fault.json").exists():
                fault = Fault(*json.loads((run.folder / "fault.json").read_text("utf-8")))
                return Outcome(run.script, None, fault)
            result = Result.from_json(json.loads((run.folder / "result.json").read_text("utf-8")))
            uses = json.loads((run.folder / "uses.json").read_text("utf-8"))
        except (OSError, ValueError):
            return Outcome(run.script, None, Fault(run.script, 1, f"{how}{_last_words(run.folder)}"))
        used = Dependencies(**{kind: tuple(names) for kind, names in uses.items()})
        if self._unchanged(run, used):
            self._store.put(run.base, used, result)
        return Outcome(run.script, result, uses=used)

    def _unchanged(self, run: Run, used: Dependencies) -> bool:
        """Whether no file that the run used was edited since it began: else it may have seen the older one."""
        try:
            changed = [(self.root / path).stat().st_mtime for path in (*used.modules, *used.data)]
            return self._store.key(run.script) == run.base and all(moment < run.begun for moment in changed)
        except OSError:
            return False


def _last_words(folder: Path) -> str:
    """Give the last line that a process wrote past Python's own output: what an interpreter says as it crashes."""
    try:
        last = (folder / "spill").read_text("utf-8", "replace").strip().rpartition("\n")[2]
    except OSError:
        return ""
    return f": {last[:200]}" if last else ""
