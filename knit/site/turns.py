"""Builds of the same site take turns: MkDocs empties the folder of the site, and two at once would clash in it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path


class Turn:
    """The right to write a site, held by one process at a time; it ends with the process at the latest."""

    def __init__(self) -> None:
        self._lock: int | None = None

    def take(self, folder: Path, tell: Callable[[str], None]) -> None:
        """Wait until no other build holds it; ``tell`` that there is one. Where no lock can be kept, there is none."""
        if self._lock is not None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder / "building", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError:
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell("another build is writing the site: this one waits until it has ended")
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def leave(self) -> None:
        """Let the next one."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
