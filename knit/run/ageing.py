"""Removes from the cache what no build has used for a month: each edit adds to it.

Once a day is enough: on that day, a build notes what it uses by the time of the file, and what is older than a month
goes.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

DAY = 24 * 60 * 60
MONTH = 30 * DAY

SWEPT = "swept"
"""The file in the cache that is as old as its last sweeping."""


def due(cache: Path) -> bool:
    """Whether the cache was not swept today."""
    try:
        return _age(cache / SWEPT) > DAY
    except OSError:
        return True


def sweep(cache: Path, used: Iterable[Path], places: Iterable[str]) -> None:
    """Note the files that are used, then remove those files and folders at ``places`` that were not for a month."""
    with suppress(OSError):
        for path in used:
            os.utime(path)
        (cache / SWEPT).touch()
        for place in places:
            for path in cache.glob(place):
                if _age(path) > MONTH:
                    _remove(path)


def _age(path: Path) -> float:
    """Give the seconds since a file was written, or noted as used."""
    return time.time() - path.stat().st_mtime


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
