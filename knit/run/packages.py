"""Finds the installed packages that bring the modules which a script imported."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from importlib import metadata


def packages(modules: Iterable[str]) -> tuple[str, ...]:
    """Give the packages, in order, that bring any of these top-level modules."""
    wanted = set(modules) - sys.stdlib_module_names
    # Only of these is the metadata read: reading that of every package takes longer than a script.
    found = {_name(distribution) for tops, distribution in _installed() if not tops.isdisjoint(wanted)}
    return tuple(sorted(found))


@cache
def _installed() -> list[tuple[frozenset[str], metadata.Distribution]]:
    """Give every installed package with the names of what it puts into the folder of packages."""
    return [(_tops(distribution), distribution) for distribution in metadata.distributions()]


@cache
def _name(distribution: metadata.Distribution) -> str:
    return distribution.metadata["Name"]


def _tops(distribution: metadata.Distribution) -> frozenset[str]:
    if declared := distribution.read_text("top_level.txt"):
        return frozenset(declared.split())
    lines = (distribution.read_text("RECORD") or "").splitlines()
    return frozenset(line.partition(",")[0].partition("/")[0].partition(".")[0] for line in lines)
