"""Notices when a script has changed something within the packages that it shares with the engine.

What a figure draws depends on matplotlib and numpy; as long as these are as they were imported, their versions say
all. A script can put other functions in place of theirs, though, and has many ways to do so. So nothing is looked for
in its source: after it has run, what the packages hold is compared with what they held before.
"""

from __future__ import annotations

import builtins
import locale
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from operator import is_
from types import ModuleType
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.projections import get_projection_names

from knit.run.reach import PURE

SMALL = 500
"""Entries of the largest table that is looked at: larger ones hold mathematical signs and the like."""


class Outside:
    """What modules, their classes and their tables hold at one moment."""

    def __init__(self) -> None:
        self._held = [(names, tuple(names.values())) for names in _namespaces()]

    def unchanged(self) -> bool:
        """Whether all of it is still there; modules imported meanwhile are no change."""
        return all(
            all(map(is_, names.values(), held)) and (len(names) == len(held) or _only_modules_added(names, len(held)))
            for names, held in self._held
        )


def _only_modules_added(names: Mapping[str, Any], before: int) -> bool:
    """Whether nothing is gone, and what came is modules."""
    new = islice(names.values(), before, None)
    return len(names) > before and all(isinstance(each, ModuleType) for each in new)


def settings() -> tuple[object, ...]:
    """Give what scripts may set by calling, and figures would show; matplotlib's rcParams have a check of their own."""
    return (
        sorted(np.get_printoptions().items(), key=str),
        sorted(np.geterr().items()),
        np.geterrcall() is None,
        locale.setlocale(locale.LC_ALL, None),
        sorted(mpl.colormaps),
        sorted(get_projection_names()),
    )


def _namespaces() -> Iterator[Mapping[str, Any]]:
    yield vars(builtins)
    seen: set[type] = set()
    for name, module in list(sys.modules.items()):
        if name.lstrip("_") in PURE or _within(name):
            yield vars(module)
        if not _within(name):  # Python's own modules keep caches in their tables
            continue
        for thing in list(vars(module).values()):
            if isinstance(thing, type) and thing not in seen and _within(thing.__module__):
                seen.add(thing)
                yield vars(thing)
            elif isinstance(thing, dict) and len(thing) < SMALL and not isinstance(thing, mpl.RcParams):
                yield thing


def _within(module: str) -> bool:
    return module.partition(".")[0] in {"matplotlib", "numpy", "knit"}
