"""Remembers how long scripts took, so that the longest begins first and no core waits for it at the end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from knit.shelf import write


class Times:
    """How long the scripts below ``root`` took when they last ran, kept in a file."""

    def __init__(self, root: Path, memory: Path) -> None:
        self._root = root
        self._memory = memory
        self._seconds: dict[str, float] = {}
        with suppress(OSError, ValueError, TypeError, AttributeError):
            found = json.loads(memory.read_text("utf-8"))
            self._seconds = {script: float(seconds) for script, seconds in found.items()}

    def longest_first(self, scripts: Sequence[str]) -> list[str]:
        """Put scripts (paths from the root) in order; of one that never ran, its size tells how long it may take."""
        known = [script for script in scripts if script in self._seconds]
        size = sum(map(self._size, known))
        pace = sum(self._seconds[script] for script in known) / size if size else 1.0
        return sorted(scripts, key=lambda script: -self._seconds.get(script, pace * self._size(script)))

    def note(self, script: str, seconds: float) -> None:
        """Note how long a script took."""
        self._seconds[script] = seconds

    def save(self) -> None:
        """Keep them, if that can be written: all that depends on them is which script begins first."""
        with suppress(OSError):
            write(self._memory, json.dumps({script: self._seconds[script] for script in sorted(self._seconds)}))

    def _size(self, script: str) -> int:
        try:
            return (self._root / script).stat().st_size
        except OSError:
            return 0
