"""Gets the outcome of every script: from the store where the key is known, else by running it."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import NamedTuple

from knit.read.text import Unreadable, read_text
from knit.run.figure_shelf import FigureShelf
from knit.run.packages import packages
from knit.run.pool import ENDED, Limits, Pool
from knit.run.result import PLACE, RESULT, Dependencies, Fault, Outcome, Result
from knit.run.store import Store
from knit.run.times import Times

Progress = Callable[[Sequence[str], int], None]
log = logging.getLogger(__name__)


class Run(NamedTuple):
    """A script on its way: its key when it began, where it writes, and how its process will have ended."""

    script: str
    base: str
    folder: Path
    begun: float
    ended: Future[str]


class Outcomes(Mapping[str, Outcome]):
    """The outcomes of scripts, in their order. Asking for one waits for the end of its run."""

    def __init__(self, scripts: Sequence[str], found: dict[str, Outcome], end: Callable[[str], Outcome]) -> None:
        self._scripts = dict.fromkeys(scripts)
        self._found, self._end = found, end

    def __getitem__(self, script: str) -> Outcome:
        """Give an outcome."""
        if script not in self._found and script in self._scripts:
            self._found[script] = self._end(script)
        return self._found[script]

    def __contains__(self, script: object) -> bool:
        """Whether it is one of them, which is known before its end."""
        return script in self._scripts

    def __iter__(self) -> Iterator[str]:
        """Go through their names."""
        return iter(self._scripts)

    def __len__(self) -> int:
        """Count them."""
        return len(self._scripts)


class Runner:
    """Runs a project's scripts; ``executions`` has what it ran, ``drawn`` the figures that were drawn for it.

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
    progress : callable, optional
        Called while scripts run with those still running and the number of all that had to.

    """

    def __init__(
        self,
        root: Path,
        cache: Path,
        languages: list[str],
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.root = root.resolve()
        self.executions: list[str] = []
        self.drawn: list[str] = []
        self._progress = progress
        self._store = Store(self.root, cache, languages)
        self._times = Times(self.root, cache / "times.json")
        self._shelf = FigureShelf(cache.resolve() / "figures", self._store.engine)
        self._pool = Pool(self.root, languages, limits or Limits(), cache, shelf=self._shelf)
        self._running: dict[str, Run] = {}
        self._begun = 0

    @property
    def running(self) -> list[str]:
        """The scripts whose end nobody has waited for."""
        return list(self._running)

    def outcomes(self, scripts: Iterable[str]) -> Outcomes:
        """Give the outcome of each script (paths from the root); those not in the store run from now on."""
        self._drop()
        scripts = list(dict.fromkeys(scripts))
        found: dict[str, Outcome] = {}
        due: list[str] = []
        moment = self._store.moment()
        try:
            for script in scripts:
                if unreadable := _unreadable(self.root, script):
                    found[script] = unreadable
                elif kept := self._store.get(script, moment):
                    found[script] = kept
                else:
                    due.append(script)
                    self._pool.start()
            self.executions += due
            for script in self._times.longest_first(due):
                self._start(script, found)
        except BaseException:
            self.close()
            raise
        self._store.remember()
        return Outcomes(scripts, found, self._end)

    def close(self) -> None:
        """End the processes that run scripts; what they did not come to the end of is nobody's."""
        self._pool.close()
        for run in self._running.values():
            self._store.discard(run.folder)
        self._running = {}

    def _drop(self) -> None:
        """End scripts whose outcome nobody waited for."""
        if self._running:
            self.close()
        self._begun = 0

    def _end(self, script: str) -> Outcome:
        """Wait for the end of a run, and keep what it left."""
        try:
            how = self._wait(self._running[script])
            if how == ENDED:  # by one of the scripts; run alone, each shows whether it was that one
                self._running[script] = self._alone(self._running[script])
                how = self._running[script].ended.result()
            outcome = self._outcome(self._running[script], how)
        except BaseException:
            self.close()  # on Ctrl-C nothing goes on running, nor writes to the folders that go next
            raise
        self._store.discard(self._running.pop(script).folder)
        if not self._running:
            self._store.remember()
            self._times.save()
        return outcome

    def _start(self, script: str, found: dict[str, Outcome]) -> None:
        # The key is taken before the run: an edit during it must not be stored as the new source's.
        base, begun = self._store.key(script), time.time()
        try:
            folder = self._store.scratch()
        except OSError as error:
            found[script] = Outcome(script, None, Fault(script, 1, f"there is no room to run it: {error}"))
            return
        try:
            self._running[script] = Run(script, base, folder, begun, self._pool.submit(script, folder))
            self._begun += 1
        except ValueError as error:
            self._store.discard(folder)
            found[script] = Outcome(script, None, Fault(script, 1, str(error)))

    def _alone(self, run: Run) -> Run:
        """Start a script again, in a folder of its own, after the process that ran it was ended."""
        try:
            folder = self._store.scratch()
        except OSError:
            return run
        self._store.discard(run.folder)
        return run._replace(folder=folder, begun=time.time(), ended=self._pool.submit(run.script, folder))

    def _wait(self, run: Run) -> str:
        """Wait for the end of a run, and tell meanwhile what runs."""
        while self._progress is not None:
            still = [each.script for each in self._running.values() if not each.ended.done()]
            self._progress(still, self._begun)
            if wait([run.ended], timeout=0.5).done:
                break
        return run.ended.result()

    def _outcome(self, run: Run, how: str) -> Outcome:
        outcome = read_outcome(run.script, run.folder, how)
        if outcome.result:
            self._times.note(run.script, outcome.result.seconds)
            self.drawn += [f"{run.script}:{name}" for name in outcome.result.drawn]
            self._shelf.take(run.folder)
        if outcome.result and outcome.uses and self._unchanged(run, outcome.uses):
            try:
                return self._store.put(run.base, outcome.uses, outcome, run.folder / RESULT)
            except OSError as error:
                log.warning("knit: the results of %s are not kept, it will run again: %s", run.script, error)
        return outcome

    def _unchanged(self, run: Run, used: Dependencies) -> bool:
        """Whether no file that the run used was edited since it began: else it may have seen the older one."""
        try:
            changed = [(self.root / path).stat().st_mtime for path in (run.script, *used.modules, *used.data)]
            return self._store.key(run.script) == run.base and all(moment < run.begun for moment in changed)
        except OSError:
            return False


def _unreadable(root: Path, script: str) -> Outcome | None:
    """Give the outcome of a script that cannot even be read."""
    try:
        read_text(root / script)
    except Unreadable as reason:
        return Outcome(script, None, Fault(script, reason.line, str(reason)))
    return None


def read_outcome(script: str, folder: Path, how: str) -> Outcome:
    """Read what a run left in its folder; ``how`` is how its process ended, told when it left nothing."""
    try:
        if (folder / "fault.json").exists():
            return Outcome(script, None, Fault(*json.loads((folder / "fault.json").read_text("utf-8"))))
        # A script that ended the server may have come to its own end first, which is chance.
        result = Result.unpacked(b"" if how == ENDED else (folder / RESULT).read_bytes())
        uses = json.loads((folder / "uses.json").read_text("utf-8"))
    except (OSError, ValueError):
        return Outcome(script, None, Fault(script, _last_line(script, folder), f"{how}{_last_words(folder)}"))
    uses["packages"] = packages(uses["outside"])
    return Outcome(script, result, uses=Dependencies(**{kind: tuple(names) for kind, names in uses.items()}))


def _last_line(script: str, folder: Path) -> int:
    """Give the line of a script at which its process was ended, as far as that is known."""
    try:
        place = (folder / PLACE).read_text("utf-8", "replace")
    except OSError:
        return 1
    found = re.search(rf'File "[^"\n]*/{re.escape(script)}", line (\d+)', place)
    return int(found[1]) if found else 1


def _last_words(folder: Path) -> str:
    """Give the last line that a process wrote past Python's own output: what an interpreter says as it crashes."""
    try:
        last = (folder / "spill").read_text("utf-8", "replace").strip().rpartition("\n")[2]
    except OSError:
        return ""
    return f": {last[:200]}" if last else ""
