"""A process that has numpy and matplotlib imported and forks a worker for each script it is told to run.

It reads jobs as JSON lines on standard input and answers each with a JSON line. It ends, and ends its
workers, when its input closes: whoever started it may die in any way.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import math
import os
import resource
import selectors
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import knit.run.worker  # imports numpy and the figures' machinery before the first fork
from knit.processes import die_with
from knit.run.figure_shelf import FigureShelf
from knit.run.result import PLACE

PATIENCE = 10
"""The limit is on a script's own seconds, so that a busy machine fails none; it may wait this many times as long."""

UNWRITTEN = 74
"""Exit code of a worker that could not write what it computed."""


@dataclass
class Worker:
    """A running script: its job, process and the moment its time is over."""

    job: dict[str, Any]
    pid: int
    deadline: float


def serve(jobs_at_once: int) -> None:
    """Run jobs until the input closes."""
    waiting: list[dict[str, Any]] = []
    workers: list[Worker] = []
    wake_in, wake_out = os.pipe()
    for end in (wake_in, wake_out):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake_out)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    selector = selectors.DefaultSelector()
    selector.register(0, selectors.EVENT_READ)
    selector.register(wake_in, selectors.EVENT_READ)
    buffer = b""
    knit.run.worker.warm_up()
    gc.collect()
    gc.freeze()  # what is here stays; a worker that looked for garbage in it would copy every page of it
    while True:
        timeout = min((w.deadline for w in workers), default=time.monotonic() + 3600) - time.monotonic()
        for key, _ in selector.select(max(timeout, 0)):
            data = os.read(key.fd, 1 << 16)
            if key.fd == 0:
                if not data:
                    for worker in workers:
                        _kill(worker)
                    return
                *lines, buffer = (buffer + data).split(b"\n")
                waiting += [json.loads(line) for line in lines]
        workers = [worker for worker in workers if not _ended(worker)]
        while waiting and len(workers) < jobs_at_once:
            workers.append(_start(waiting.pop(0)))


def _start(job: dict[str, Any]) -> Worker:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            _become_worker(job)
            code = 0
        except OSError:  # what a script raises, it keeps; this comes of writing its results
            code = UNWRITTEN
        finally:
            os._exit(code)
    return Worker(job, pid, time.monotonic() + PATIENCE * job["seconds"])


def _become_worker(job: dict[str, Any]) -> None:
    """Limit and isolate this process, then run the script."""
    die_with(os.getppid())
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    folder = Path(job["folder"])
    null = os.open(os.devnull, os.O_RDONLY)
    spill = os.open(folder / "spill", os.O_WRONLY | os.O_CREAT)
    os.dup2(null, 0)
    os.dup2(spill, 1)
    os.dup2(spill, 2)
    os.environ["TMPDIR"] = str(folder)
    os.chdir("/" if job["elsewhere"] else job["root"])
    if job["later"]:
        from time_machine import travel  # noqa: PLC0415 - only a check of reproducibility needs it

        travel(time.time() + job["later"]).start()
    place = os.open(folder / PLACE, os.O_WRONLY | os.O_CREAT)
    faulthandler.enable(place, all_threads=False)
    # What ends a worker that is out of time; then comes the signal's own action, which ends it.
    faulthandler.register(signal.SIGXCPU, place, all_threads=False, chain=True)
    _limit(resource.RLIMIT_AS, job["memory"])
    _limit(resource.RLIMIT_CPU, math.ceil(job["seconds"]))
    _limit(resource.RLIMIT_FSIZE, 256 << 20)
    _limit(resource.RLIMIT_CORE, 0)
    shelf = FigureShelf(Path(job["figures"]), job["engine"]) if job["figures"] else None
    knit.run.worker.work(Path(job["root"]), job["script"], job["languages"], job["output"], folder, shelf)


def _limit(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _ended(worker: Worker) -> bool:
    pid, status = os.waitpid(worker.pid, os.WNOHANG)
    if pid:
        _kill(worker)  # whatever the script forked
        _answer(worker, _how(status, worker.job["seconds"]))
        return True
    if time.monotonic() >= worker.deadline:
        os.kill(worker.pid, signal.SIGXCPU)
        time.sleep(0.1)  # to write down where it waits; it may also have chosen not to listen
        _kill(worker)
        os.waitpid(worker.pid, 0)
        _answer(worker, f"still waiting after {PATIENCE * worker.job['seconds']:g} s")
        return True
    return False


def _kill(worker: Worker) -> None:
    try:
        os.killpg(worker.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _how(status: int, seconds: float) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGXCPU:
        return f"still running after {seconds:g} s, the script's limit (# knit: limits seconds=… sets another)"
    if code < 0:
        return f"the process was ended by {signal.Signals(-code).name}"
    if code == UNWRITTEN:
        return "what it computed could not be written: is the disk full?"
    return "the process ended before the script did (os._exit?)"


def _answer(worker: Worker, how: str) -> None:
    sys.stdout.write(json.dumps({"id": worker.job["id"], "how": how}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
