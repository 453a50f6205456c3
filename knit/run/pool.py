"""Hands scripts to the fork server and waits for what they leave: the one way in which scripts are run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from knit.processes import cores
from knit.read.text import read_text
from knit.run.figure_shelf import FigureShelf

PASSED = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "SYSTEMROOT",
    "VIRTUAL_ENV",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
)
"""The only variables of the environment that reach a script. No token is among them."""

SET = {
    "OMP_NUM_THREADS": "1",  # sums must not depend on the number of cores
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
}


ENDED = "the process that runs scripts ended"

LIMITS = re.compile(r"^#[ \t]*knit:[ \t]*limits[ \t]+(?P<limits>.*)$", re.MULTILINE)
LIMIT = re.compile(r"[ \t]*(?P<name>\w+)[ \t]*=[ \t]*(?P<number>\d+(?:\.\d+)?)[ \t]*")


@dataclass(frozen=True)
class Limits:
    """What a script may use: seconds of its own, bytes of memory, characters of output."""

    seconds: float = 60.0
    memory: int = 2 << 30
    output: int = 1 << 20

    def __post_init__(self) -> None:
        if min(self.seconds, self.memory, self.output) <= 0:
            raise ValueError("a script's limits (seconds, memory, output) are greater than nothing")

    def of(self, source: str) -> Limits:
        """Give the limits of a script, which may set its own: ``# knit: limits seconds=120, memory=4096``.

        Memory is in MiB, output in KiB, as in mkdocs.yml.

        Raises
        ------
        ValueError
            When the line cannot be read.

        """
        found = LIMITS.search(source)
        if found is None:
            return self
        own: dict[str, float] = {}
        for part in found["limits"].split(","):
            limit = LIMIT.fullmatch(part)
            if limit is None or limit["name"] not in {each.name for each in fields(self)}:
                raise ValueError(
                    f"no limit {part.strip()!r}: write # knit: limits seconds=120, memory=4096, output=2048"
                )
            own[limit["name"]] = float(limit["number"])
        return replace(
            self,
            seconds=own.get("seconds", self.seconds),
            memory=int(own["memory"]) << 20 if "memory" in own else self.memory,
            output=int(own["output"]) << 10 if "output" in own else self.output,
        )


@dataclass(frozen=True)
class Conditions:
    """What must not matter to a script: the hash seed, the time zone, the locale, the clock and the working folder.

    ``locale`` None is the author's own; the clock is ``later`` by so many seconds; ``elsewhere`` runs the script
    outside the course's folder. ``variables`` of the environment come on top, such as those that choose the
    kernels of numerical libraries.
    """

    hash_seed: int = 0
    zone: str = "UTC"
    locale: str | None = None
    later: float = 0.0
    elsewhere: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)


class Pool:
    """Runs scripts, as many at once as there are cores, each in a process of its own.

    The server is started with the first script, if not by ``start``, and ends with the pool. Use as a context
    manager, or call ``close``. Figures that are on the shelf, if there is one, are not drawn again.
    """

    def __init__(
        self,
        root: Path,
        languages: list[str],
        limits: Limits,
        cache: Path,
        conditions: Conditions | None = None,
        shelf: FigureShelf | None = None,
    ) -> None:
        self._root = root
        self._languages = languages
        self._limits = limits
        self._cache = cache
        self._conditions = conditions or Conditions()
        self._shelf = shelf
        self._server: subprocess.Popen[str] | None = None
        self._waiting: dict[int, Future[str]] = {}
        self._lock = threading.Lock()
        self._count = 0

    def start(self) -> None:
        """Start the server, if it does not run: it takes a while until it is there."""
        with self._lock:
            self._running_server()

    def submit(self, script: str, folder: Path) -> Future[str]:
        """Start ``script``, which writes to ``folder``; the future tells how its process ended.

        Raises
        ------
        ValueError
            When the script sets limits that cannot be read.

        """
        limits = self._limits.of(read_text(self._root / script))
        with self._lock:
            server = self._running_server()
            self._count += 1
            future: Future[str] = Future()
            self._waiting[self._count] = future
            job = {
                "id": self._count,
                "root": str(self._root),
                "script": script,
                "languages": self._languages,
                "folder": str(folder),
                **vars(limits),
                "later": self._conditions.later,
                "elsewhere": self._conditions.elsewhere,
                "figures": str(self._shelf.folder) if self._shelf else None,
                "engine": self._shelf.engine if self._shelf else None,
            }
            assert server.stdin is not None  # noqa: S101 - opened as a pipe just below
            try:
                server.stdin.write(json.dumps(job) + "\n")
                server.stdin.flush()
            except BrokenPipeError:  # a script has just ended it
                self._waiting.pop(self._count, None)
                future.set_result(ENDED)
        return future

    def close(self) -> None:
        """End the server, and with it every script still running."""
        if self._server is not None and self._server.stdin is not None:
            with suppress(BrokenPipeError):
                self._server.stdin.close()
            self._server.wait()
            if self._server.stdout is not None:
                self._server.stdout.close()
        self._server = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _running_server(self) -> subprocess.Popen[str]:
        if self._server is None or self._server.poll() is not None:
            environment = {name: os.environ[name] for name in PASSED if name in os.environ}
            conditions = self._conditions
            environment |= SET | {
                "MPLCONFIGDIR": str(self._cache / "matplotlib"),
                "PYTHONHASHSEED": str(conditions.hash_seed),
                "TZ": conditions.zone,
            }
            if conditions.locale is not None:
                environment |= {"LANG": conditions.locale, "LC_ALL": conditions.locale}
            environment |= conditions.variables
            self.close()  # what is left of a server that a script ended
            self._server = subprocess.Popen(
                [sys.executable, "-m", "knit.run.server", str(cores())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                cwd=self._root,
                text=True,
                start_new_session=True,  # Ctrl-C reaches only us; the server ends when its input closes
            )
            self._waiting = {}
            threading.Thread(target=self._listen, args=[self._server, self._waiting], daemon=True).start()
        return self._server

    def _listen(self, server: subprocess.Popen[str], waiting: dict[int, Future[str]]) -> None:
        assert server.stdout is not None  # noqa: S101 - opened as a pipe
        for line in server.stdout:
            answer = json.loads(line)
            with self._lock:
                future = waiting.pop(answer["id"])
            future.set_result(answer["how"])
        server.wait()  # from here on nobody takes it for running
        with self._lock:
            lost = list(waiting.values())
            waiting.clear()
        for future in lost:
            future.set_result(ENDED)
