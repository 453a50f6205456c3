"""Watches what files a running script opens: what it read is a dependency, and it may not write."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import FrameType
from typing import Any

NOT_LOCAL = (".venv/", ".cache/", "knit/")
"""Folders of the root whose files are no part of a course: what is installed, and the engine."""

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Watch:
    """Notes the project's files that are read while it is on; refuses writing outside ``scratch``.

    An audit hook cannot be removed, so it is switched by a flag; the process ends with the script.
    """

    def __init__(self, root: Path, scratch: Path) -> None:
        self.read: set[str] = set()
        self._root = root
        self._scratch = scratch.resolve()
        self._on = False
        sys.addaudithook(self._hook)

    def start(self) -> None:
        """Begin to watch."""
        self._on = True

    def stop(self) -> None:
        """End watching."""
        self._on = False

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._on or event not in {"open", "os.remove", "os.rename", "os.mkdir", "os.rmdir"}:
            return
        if not isinstance(args[0], (str, bytes, os.PathLike)):
            return
        path = Path(os.fsdecode(args[0])).absolute()
        writes = event != "open" or bool((args[2] or 0) & WRITES)
        if writes:
            if self._scratch not in path.resolve().parents and str(path) != os.devnull:
                raise PermissionError(f"a script may not write files: {os.fsdecode(args[0])}")
        elif (relative := local(self._root, path)) and not _importing():
            self.read.add(relative)


def local(root: Path, file: str | Path) -> str | None:
    """Give the path from ``root`` of one of the project's own files; None for any other file."""
    try:
        path = Path(file).resolve().relative_to(root).as_posix()
    except ValueError:
        return None
    return None if path.startswith(NOT_LOCAL) or "site-packages" in path else path


def _importing() -> bool:
    """Whether the file is being opened by an import, or by the runner itself."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the documented way to the caller
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib") or frame.f_code.co_name == "_asserts":
            return True
        frame = frame.f_back
    return False
