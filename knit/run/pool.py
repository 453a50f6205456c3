"""Hands scripts to the fork server and waits for what they leave: the one way in which scripts are run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

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
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",  # sums must not depend on the number of cores
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
    "TZ": "UTC",
}


@dataclass(frozen=True)
class Limits:
    """What a script may use: seconds, bytes of memory, characters of output."""

    seconds: float = 60.0
    memory: int = 2 << 30
    output: int = 1 << 20


class Pool:
    """Runs scripts, as many at once as there are cores, each in a process of its own.

    The server is started with the first script and ends with the pool. Use as a context manager, or call
    ``close``.
    """

    def __init__(self, root: Path, languages: list[str], limits: Limits, cache: Path) -> None:
        self._root = root
        self._languages = languages
        self._limits = limits
        self._cache = cache
        self._server: subprocess.Popen[str] | None = None
        self._waiting: dict[int, Future[str]] = {}
        self._lock = threading.Lock()
        self._count = 0

    def submit(self, script: str, folder: Path) -> Future[str]:
        """Start ``script``, which writes to ``folder``; the future tells how its process ended."""
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
                "seconds": self._limits.seconds,
                "memory": self._limits.memory,
                "output": self._limits.output,
            }
            assert server.stdin is not None  # noqa: S101 - opened as a pipe just below
            server.stdin.write(json.dumps(job) + "\n")
            server.stdin.flush()
        return future

    def close(self) -> None:
        """End the server, and with it every script still running."""
        if self._server is not None and self._server.stdin is not None:
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
            environment |= SET | {"MPLCONFIGDIR": str(self._cache / "matplotlib")}
            cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
            self._server = subprocess.Popen(
                [sys.executable, "-m", "knit.run.server", str(cores)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                cwd=self._root,
                text=True,
                start_new_session=True,  # Ctrl-C reaches only us; the server ends when its input closes
            )
            threading.Thread(target=self._listen, args=[self._server], daemon=True).start()
        return self._server

    def _listen(self, server: subprocess.Popen[str]) -> None:
        assert server.stdout is not None  # noqa: S101 - opened as a pipe
        for line in server.stdout:
            answer = json.loads(line)
            with self._lock:
                future = self._waiting.pop(answer["id"])
            future.set_result(answer["how"])
        with self._lock:
            lost, self._waiting = self._waiting, {}
        for future in lost.values():
            future.set_result("the process that runs scripts ended")
