"""Has pages made by several processes at once: each makes its share, keeps it, and the build puts it back.

A process is a fork of the build as it stands, so that it makes just what the build would. What it cannot keep, or what
goes wrong in it, the build makes itself, and tells of it. Only Linux ends a process with the one that began it, so
only there are there several.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import warnings
from collections.abc import Callable, Sequence

from mkdocs.structure.pages import Page

from knit.processes import cores, die_with

LEAST = 4
"""Pages that are worth a process."""


class Abreast:
    """The processes that make pages of one build."""

    def __init__(self) -> None:
        self._makers: dict[str, int] = {}
        self._running: set[int] = set()

    def begin(self, pages: Sequence[Page], make: Callable[[Sequence[Page]], None]) -> None:
        """Have pages made by as many processes as there are cores; the first share is left to this one.

        ``make`` makes some pages and keeps them. It is called in a process that ends after it.
        """
        count = min(cores(), len(pages) // LEAST) if sys.platform == "linux" else 1
        here = os.getpid()
        for share in _shares(pages, count)[1:]:
            pid = _fork()
            if pid == 0:
                _only(make, share, here)
            self._running.add(pid)
            self._makers |= {page.file.src_uri: pid for page in share}

    def made(self, page: Page) -> bool:
        """Wait for the process that makes a page; whether there was one."""
        pid = self._makers.pop(page.file.src_uri, None)
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


def _shares(pages: Sequence[Page], count: int) -> list[Sequence[Page]]:
    """Part pages, in their order, into shares of about the same amount of text."""
    sizes = [len(page.file.content_bytes) for page in pages]
    shares: list[list[Page]] = [[] for _ in range(max(count, 1))]
    before, all_of_them = 0, sum(sizes) or 1
    for page, size in zip(pages, sizes, strict=True):
        shares[min(count * (2 * before + size) // (2 * all_of_them), count - 1) if count > 1 else 0].append(page)
        before += size
    return list(shares)


def _fork() -> int:
    with warnings.catch_warnings():
        # Python warns of forking beside threads. The fork uses none of them, nor what they may hold.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _only(make: Callable[[Sequence[Page]], None], share: Sequence[Page], parent: int) -> None:
    """Make a share of the pages and end, silently."""
    try:
        die_with(parent)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.disable()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.stdout = sys.stderr = os.fdopen(nowhere, "w")
        # What is logged must reach those who listen, to whom a page that is warned of is none to keep. It must not go
        # through the streams of before: another thread may have been writing there when this process began.
        for name in (None, "mkdocs"):
            for handler in logging.getLogger(name).handlers:
                if isinstance(handler, logging.StreamHandler):
                    handler.stream = sys.stderr
        make(share)
    finally:
        os._exit(0)
