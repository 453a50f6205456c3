"""Watches what a running script does outside itself: what it reads is a dependency, and it may change nothing."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path
from types import FrameType
from typing import Any

from knit.claims import asserts
from knit.programs import KNIT

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

LISTS = frozenset({"os.listdir", "os.scandir"})

WATCHED = frozenset({"open", *LISTS, *CHANGES, *REFUSED})

ELSEWHERE = tuple({f"{os.path.realpath(place)}{os.sep}" for place in (sys.prefix, sys.base_prefix, KNIT)} | {"/dev/"})
"""Folders outside the project whose files have a version, or are none."""

STAT = os.stat
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def listen(events: frozenset[str], hear: Callable[[str, tuple[Any, ...]], None]) -> None:
    """Have ``hear`` told of some audit events (PEP 578) for as long as the process lives: no hook can be removed.

    Python tells of much more, such as each ``id()``, and asks the hook for an attribute first, which takes a method
    four times as long as this function.
    """

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in events:
            hear(event, args)

    sys.addaudithook(hook)


class Watch:
    """Notes what is read while it is on, counts what is ``opened``, refuses writes past ``scratch``.

    ``read`` are files, and folders whose names were listed (they end in ``/``), by their paths from the root, or whole
    ones outside it; ``modules`` the project's sources that were imported; ``asked`` what else was asked for, with what
    was there: see ``kind``. Symbolic links are not followed, so that one that leads elsewhere is another file.

    An audit hook cannot be removed, so it is switched by a flag; the process ends with the script.
    """

    def __init__(self, root: Path, scratch: Path) -> None:
        self.read: set[str] = set()
        self.modules: set[str] = set()
        self.asked: set[str] = set()
        self.opened = 0
        self._root = root
        self._scratch = scratch.resolve()
        self._on = False
        listen(WATCHED, self._hear)

    def start(self) -> None:
        """Begin to watch."""
        self._on = True
        # Python tells nobody who asks whether a file is there.
        os.stat = self._stat
        for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            able.add(self._stat)

    def imports(self, file: str) -> None:
        """Note a source of the project that is imported."""
        if path := local(self._root, file):
            self.modules.add(path)

    def asks(self, file: str) -> None:
        """Note that something depends on whether there is a file, and whether it is a folder."""
        if path := local(self._root, file):
            self.asked.add(f"{kind(self._root / path)} {path}")

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

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._on:
            return
        if event in REFUSED:
            raise PermissionError(f"a script may not {REFUSED[event]}")
        if event in LISTS:
            if isinstance(args[0], (*PATHS, type(None))) and not _importing():
                self._note(os.path.join(os.fsdecode(args[0] or "."), ""))  # noqa: PTH118 - ends in a slash
        elif event == "open" and not (args[2] or 0) & WRITES:
            if isinstance(args[0], PATHS) and not _within_asserts():
                self._note(os.fsdecode(args[0]))
        elif event == "open" or event in CHANGES:
            for name in args[: CHANGES.get(event, 1)]:
                if isinstance(name, PATHS) and not self._own(_path(name)):
                    raise PermissionError(f"a script may not write files: {os.fsdecode(name)}")

    def _note(self, file: str) -> None:
        """Note a file that is read, or a folder (``…/``) that is listed."""
        self.opened += INSTALLED not in os.path.realpath(file)
        slash = "/" if file.endswith("/") else ""
        if file.endswith(".pyc"):
            with suppress(ValueError):
                file = source_from_cache(file)
        file = os.path.abspath(file)  # noqa: PTH100 - links are not followed
        path = "." if slash and file == str(self._root) else local(self._root, file)
        if path is None and not slash and self._is_foreign(file):
            path = file
        if path and not os.path.lexists(file):
            self.asks(file)
        elif path:
            self.read.add(f"{path}{slash}")

    def _is_foreign(self, file: str) -> bool:
        """Whether a file is neither in the project nor installed, nor the run's own."""
        own = (f"{self._root}{os.sep}", f"{self._scratch}{os.sep}", *ELSEWHERE)
        return not any(each.startswith(own) or INSTALLED in each for each in (file, os.path.realpath(file)))

    def _stat(self, path: Any, *args: Any, **named: Any) -> os.stat_result:  # noqa: ANN401 - as os.stat
        """Stand for ``os.stat``: its size may be asked for, so a file counts with its contents, but for sources."""
        if self._on and isinstance(path, PATHS) and (own := local(self._root, os.fsdecode(path))):
            with self.paused():
                if kind(self._root / own) == FILE and not own.endswith(".py"):
                    self.read.add(own)
                else:
                    self.asks(os.fsdecode(path))
            self.opened += 1
        return STAT(path, *args, **named)

    def _own(self, path: Path) -> bool:
        return self._scratch in path.resolve().parents or str(path) == os.devnull


def _path(name: str | bytes | os.PathLike[str]) -> Path:
    return Path(os.fsdecode(name)).absolute()


FILE, FOLDER, ABSENT = "file", "folder", "absent"


def kind(path: Path) -> str:
    """Say what is at a path."""
    try:
        mode = STAT(path).st_mode
    except (OSError, ValueError):
        return ABSENT
    return FOLDER if stat.S_ISDIR(mode) else FILE


def local(root: Path, file: str | Path) -> str | None:
    """Give the path from ``root`` of one of the project's own files; None for any other file.

    What lies in the project counts as its own, even if it is a link to a file elsewhere.
    """
    return within(str(root), os.path.abspath(file)) or within(str(root), os.path.realpath(file))  # noqa: PTH100


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
    """Whether a folder is being listed by an import."""
    # Behind this function are those that heard of it.
    return sys._getframe(3).f_code.co_filename.startswith("<frozen importlib")  # noqa: SLF001 - the way to the caller


def _within_asserts() -> bool:
    """Whether the file is being opened by the runner itself, to read what a claim asserts."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001
    while frame is not None:
        if frame.f_code is asserts.__code__:
            return True
        frame = frame.f_back
    return False
