"""Runs a command and measures it: seconds on the clock, seconds of all its processes, memory at its peak."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from knit.processes import cores

CORES = cores()
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
PYTHON = sys.executable
COUNTED = ".bench-executions"
PATIENCE = 1200.0
"""Seconds after which a command is ended, with all that it started."""

REPOSITORY = Path(__file__).parents[1]


@dataclass(frozen=True)
class Cost:
    """What a command took.

    ``executions`` counts snippets that ran; ``peak`` is in MiB, 0 if not looked at; ``drawn`` counts the figures that
    were drawn, each in all languages, None where it is not known.
    """

    seconds: float
    cpu: float
    executions: int
    peak: float = 0.0
    drawn: int | None = None


def environment(root: Path) -> dict[str, str]:
    """Give the environment of a course's commands, in which Python may write bytecode, as installing packages did."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {
        **kept,
        **ONE_THREAD,
        "NO_MKDOCS_2_WARNING": "1",
        "BENCH_EXECUTIONS": str(root / COUNTED),
        "PYTHONPATH": os.pathsep.join([str(REPOSITORY), str(root)]),
    }


def run(command: list[str], root: Path, *, memory: bool = False) -> Cost:
    """Run a command in a folder.

    Raises
    ------
    RuntimeError
        When it fails, or takes too long: with the end of what it said.

    """
    counted = root / COUNTED
    counted.unlink(missing_ok=True)
    before, start = _cpu(), time.perf_counter()
    with (root / ".bench-said").open("w+", encoding="utf-8") as said:
        process = subprocess.Popen(
            command, cwd=root, env=environment(root), stdout=said, stderr=said, start_new_session=True
        )
        watched = _Peak(process.pid) if memory else None
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
        seconds, cpu = time.perf_counter() - start, _cpu() - before
        if code:
            said.seek(0)
            raise RuntimeError(f"{' '.join(command)} in {root} ended with {code}:\n{said.read()[-3000:]}")
    executions = counted.stat().st_size if counted.exists() else 0
    return Cost(seconds, cpu, executions, watched.stop() if watched else 0.0)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Peak(threading.Thread):
    """Looks at what a process and all that it started hold together; what they share counts once."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid, self._most, self._on = pid, 0.0, True
        self.start()

    def run(self) -> None:
        """Look again and again."""
        while self._on:
            self._most = max(self._most, held(self._pid))
            time.sleep(0.05)

    def stop(self) -> float:
        """Give the most that was held at once, in MiB."""
        self._on = False
        self.join()
        return self._most


def held(pid: int) -> float:
    """Give what a process and its descendants hold now, in MiB."""
    total = 0
    try:
        top = psutil.Process(pid)
        for process in (top, *top.children(recursive=True)):
            total += process.memory_full_info().pss
    except psutil.Error:
        pass
    return total / 2**20
