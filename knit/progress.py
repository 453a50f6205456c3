"""A line on the terminal that says what runs, while scripts run; nothing where nobody watches."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from typing import TextIO

PATIENCE = 1.0
"""Seconds after which there is something to say."""


class Progress:
    """Writes over its own line on ``stream``, and takes it away at the end. Call it with what still runs."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._begun: float | None = None
        self._shown = False

    def __call__(self, running: Sequence[str], count: int) -> None:
        """Say that of ``count`` scripts those in ``running`` are not done."""
        now = time.monotonic()
        self._begun = self._begun or now
        if now - self._begun < PATIENCE:
            return
        names = ", ".join(script.rpartition("/")[2] for script in running)
        line = f"knit: {count - len(running)} of {count} scripts done, {now - self._begun:.0f} s: {names}"
        width = shutil.get_terminal_size().columns - 1
        self._stream.write("\r\x1b[K" + (line if len(line) <= width else line[: width - 1] + "…"))
        self._stream.flush()
        self._shown = True

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        self._shown = False
        self._begun = None


def watched(stream: TextIO = sys.stderr) -> Progress | None:
    """Give a progress line where the stream is a terminal."""
    return Progress(stream) if stream.isatty() else None
