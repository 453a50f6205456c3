"""Watches what a running script does outside itself: what it reads is a dependency, and it may change nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

NOT_LOCAL = (".venv/", ".cache/", "knit/")
"""Folders of the root whose files are no part of a course: what is installed, and the engine."""

INSTALLED = "site-packages"
"""In the path of every file that came with a package."""

PATHS = (str, bytes, os.PathLike)
CHANGES = {
    "os.remove": 1, "os.rename": 2, "os.mkdir": 1, "os.rmdir": 1, "os.link": 2, "os.symlink": 2, "os.truncate": 1,
}  # fmt: skip
"""Events that change files, and how many of their arguments name one."""

REFUSED = {
    "os.chdir": "change the working folder",
    "os.system": "start programs",
    "os.exec": "start programs",
    "os.fork": "start processes",
    "os.forkpty": "start processes",
    "os.posix_spawn": "start programs",
    "subprocess.Popen": "start programs",
    "socket.connect": "use the network",
}

WATCHED = frozenset({"open", *CHANGES, *REFUSED})
"""Python tells of much more, such as each ``id()``."""

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Watch:
    """Notes the project's files that are read while it is on, counts those ``opened``, refuses writes past ``scratch``.

    An audit hook cannot be removed, so it is switched by a flag; the process ends with the script.
    """

    def __init__(self, root: Path, scratch: Path) -> None:
        self.read: set[str] = set()
        self.opened = 0
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

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not watch what the engine itself does."""
        on, self._on = self._on, False
        try:
            yield
        finally:
            self._on = on

    def is_own(self, module: str) -> bool:
        """Whether a module that is imported, by its name, is one of the project's."""
        file = getattr(sys.modules.get(module), "__file__", None)
        return bool(file and within(str(self._root), real(file)))

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._on or event not in WATCHED:
            return
        if event in REFUSED:
            raise PermissionError(f"a script may not {REFUSED[event]}")
        if event == "open" and not (args[2] or 0) & WRITES:
            if isinstance(args[0], PATHS) and not _importing():
                self._note(os.path.realpath(os.fsdecode(args[0])))
        elif event == "open" or event in CHANGES:
            for name in args[: CHANGES.get(event, 1)]:
                if isinstance(name, PATHS) and not self._own(_path(name)):
                    raise PermissionError(f"a script may not write files: {os.fsdecode(name)}")

    def _note(self, file: str) -> None:
        self.opened += INSTALLED not in file
        if relative := within(str(self._root), file):
            self.read.add(relative)

    def _own(self, path: Path) -> bool:
        return self._scratch in path.resolve().parents or str(path) == os.devnull


def _path(name: str | bytes | os.PathLike[str]) -> Path:
    return Path(os.fsdecode(name)).absolute()


def local(root: Path, file: str | Path) -> str | None:
    """Give the path from ``root`` of one of the project's own files; None for any other file."""
    return within(str(root), os.path.realpath(file))


@cache
def real(file: str) -> str:
    """Give the file of a module without symbolic links: looked up before a fork, it is known after it."""
    return os.path.realpath(file)


def within(root: str, file: str) -> str | None:
    """Give the path from ``root`` of one of the project's own files, both without symbolic links."""
    start = f"{root}{os.sep}"
    if not file.startswith(start):
        return None
    path = file[len(start) :].replace(os.sep, "/")
    return None if path.startswith(NOT_LOCAL) or INSTALLED in path else path


def _importing() -> bool:
    """Whether the file is being opened by an import, or by the runner itself."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the documented way to the caller
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib") or frame.f_code.co_name == "_asserts":
            return True
        frame = frame.f_back
    return False
