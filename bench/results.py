"""Keeps what was measured in a committed file: ratios to the floor of the same round.

Seconds are kept only where a target is given in them.
"""

from __future__ import annotations

import json
import platform
import statistics
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from knit.processes import cores

FILE = Path(__file__).parent / "results.json"
PACKAGES = (
    "mkdocs",
    "mkdocs-material",
    "numpy",
    "matplotlib",
    "jieba",
    "markdown-exec",
    "mkdocs-macros-plugin",
    "mkdocs-jupyter",
    "sphinx",
    "myst-nb",
)


def spread(values: Iterable[float]) -> dict[str, float]:
    """Give minimum, median and maximum, as they are shown: rounding again on the page could turn either way."""
    found = sorted(values)
    three = {"min": found[0], "median": statistics.median(found), "max": found[-1]}
    return {name: round(value, 2) for name, value in three.items()}


def machine() -> dict[str, Any]:
    """Say on what was measured: a kind of machine, not which."""
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "cores": cores(),
        "python": platform.python_version(),
    }


def versions() -> dict[str, str]:
    """Give the versions of what was measured."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def read() -> dict[str, Any]:
    """Read the file; one that is not there is empty."""
    return json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def keep(part: str, name: str, found: Mapping[str, Any]) -> None:
    """Put one measurement in its place in the file."""
    known = read()
    known.setdefault(part, {})[name] = {**found, "machine": machine(), "versions": versions()}
    known[part] = dict(sorted(known[part].items(), key=lambda item: (len(item[0]), item[0])))
    FILE.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", "utf-8")
