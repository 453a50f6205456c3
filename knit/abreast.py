"""Has things made by several processes at once: each makes its share, keeps it, and this one takes it from there.

A process is a fork of this one as it stands, so that it makes just what this one would. What it cannot keep, or what
goes wrong in it, this one makes itself, and tells of it. Only Linux ends a process with the one that began it, so only
there are there several.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence

from knit.processes import cores, die_with

LEAST = 4
"""Things that are worth a process."""

MakeAll = Callable[[Sequence[str]], None]


class Abreast:
    """The processes that make things, which are known by their names."""

    def __init__(self) -> None:
        self._makers: dict[str, int] = {}
        self._running: set[int] = set()

    def begin(self, efforts: Mapping[str, int], make: MakeAll) -> None:
        """Have things made by as many processes as there are cores; the first share is left to this one.

        ``efforts`` says of each, in the order in which this process will want them, how much there is to do, in any
        unit. ``make`` makes some and keeps them; it is called in a process that ends after it.
        """
        count = min(cores(), len(efforts) // LEAST) if sys.platform == "linux" else 1
        here = os.getpid()
        for share in _shares(efforts, count)[1:]:
            pid = _fork()
            if pid == 0:
                _only(make, share, here)
            self._running.add(pid)
            self._makers |= dict.fromkeys(share, pid)

    def made(self, name: str) -> bool:
        """Wait for the process that makes a thing; whether there was one."""
        pid = self._makers.pop(name, None)
        if pid is None:
            return False
        if pid in self._running:
            self._running.remove(pid)
            os.waitpid(pid, 0)
        return True

    def end(self) -> None:
        """End processes that nobody waited for: the build was broken off."""
        for pid in self._running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        self._running.clear()
        self._makers.clear()


def _shares(efforts: Mapping[str, int], count: int) -> list[list[str]]:
    """Part things, in their order, into shares of about the same effort."""
    shares: list[list[str]] = [[] for _ in range(max(count, 1))]
    before, whole = 0, sum(efforts.values()) or 1
    for name, effort in efforts.items():
        shares[min(len(shares) * (2 * before + effort) // (2 * whole), len(shares) - 1)].append(name)
        before += effort
    return shares


def _fork() -> int:
    with warnings.catch_warnings():
        # Python warns of forking beside threads. The fork uses none of them, nor what they may hold.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _only(make: MakeAll, share: Sequence[str], parent: int) -> None:
    """Make a share and end, silently."""
    try:
        die_with(parent)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.freeze()  # looking for garbage in what is shared would copy it
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.stdout = sys.stderr = os.fdopen(nowhere, "w")
        # What is logged must reach those who listen, to whom what is warned of is nothing to keep. It must not go
        # through the streams of before: another thread may have been writing there when this process began.
        for name in (None, "mkdocs"):
            for handler in logging.getLogger(name).handlers:
                if isinstance(handler, logging.StreamHandler):
                    handler.stream = sys.stderr
        make(share)
    finally:
        os._exit(0)
