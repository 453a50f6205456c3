"""Notes which files a stretch of work opens: what it read, its result depends on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from knit.run.watch import listen, local


class Opened:
    """An audit hook cannot be removed: one of these for a process, switched by a flag."""

    def __init__(self) -> None:
        self._paths: set[str] | None = None
        listen(frozenset({"open"}), self._hear)

    @contextmanager
    def noted(self) -> Iterator[set[str]]:
        """Give a set that fills with the paths opened meanwhile."""
        before, self._paths = self._paths, set()
        try:
            yield self._paths
        finally:
            self._paths = before

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        del event
        if self._paths is not None and isinstance(args[0], str | bytes | os.PathLike):
            self._paths.add(os.fsdecode(args[0]))


def own_files(root: Path, paths: set[str]) -> list[str]:
    """Give those of some paths that are files of the project, from its root; not what is installed or kept."""
    return sorted(found for path in paths if (found := local(root, Path(path).absolute())))
