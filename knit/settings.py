"""The course's settings as the command line reads them: the knit plugin's options in mkdocs.yml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from knit.project import Layout
from knit.read.page import FastLoader
from knit.run.pool import Limits


class Lenient(FastLoader):  # type: ignore[misc,valid-type]
    """Reads mkdocs.yml without importing what its tags name."""


Lenient.add_multi_constructor("", lambda *_: None)


def find_root(start: Path) -> Path:
    """Give the nearest folder at or above ``start`` that holds mkdocs.yml.

    Raises
    ------
    FileNotFoundError
        When there is none.

    """
    for folder in (start, *start.parents):
        if (folder / "mkdocs.yml").is_file():
            return folder
    raise FileNotFoundError(f"no mkdocs.yml in {start} or above it: run this inside a course")


def read(root: Path) -> tuple[Layout, Limits]:
    """Read where a course keeps its things, and what its scripts may use."""
    settings = yaml.load((root / "mkdocs.yml").read_text("utf-8"), Lenient) or {}  # noqa: S506 - it is a SafeLoader
    options = _plugin(settings.get("plugins") or [], "knit")
    limits = options.get("limits") or {}
    layout = Layout(
        root,
        docs=Path(settings.get("docs_dir", "docs")),
        snippets=Path(options.get("snippets", "snippets")),
        cache=Path(options.get("cache", ".cache/knit")),
        languages=tuple(options.get("languages", ("zh", "en"))),
        ledger=options.get("ledger", "claims"),
    )
    standard = Limits()
    return layout, Limits(
        limits.get("seconds", standard.seconds),
        limits.get("memory", standard.memory >> 20) << 20,
        limits.get("output", standard.output >> 10) << 10,
    )


def _plugin(plugins: list[Any] | dict[str, Any], name: str) -> dict[str, Any]:
    entries = (
        plugins.items()
        if isinstance(plugins, dict)
        else (item for entry in plugins for item in (entry.items() if isinstance(entry, dict) else [(entry, {})]))
    )
    return next((options or {} for found, options in entries if found == name), {})
