"""What a page that documents Python depends on: the modules that mkdocstrings reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from knit.programs import digest_of, files_of
from knit.site.surroundings import Unknown

BLOCK = re.compile(r"^[ \t]*(?:#{1,6} *)?::: ?(?P<name>[\w.]+)", re.MULTILINE)
"""A line ``::: attn.softmax``."""


ALIASES = "knit.site.aliases"


def know_aliases(config: MkDocsConfig) -> None:
    """Have mkdocstrings find all names of what it documents at once."""
    plugin: Any = config.plugins.get("mkdocstrings")
    if plugin is not None and "python" in (plugin.config.handlers or {}):
        options = plugin.config.handlers["python"].setdefault("options", {})
        options["extensions"] = [*(each for each in options.get("extensions", ()) if each != ALIASES), ALIASES]


class Docstrings:
    """What mkdocstrings reads, for the keys of one build.

    Raises
    ------
    Unknown
        When it uses templates of the author's, or a handler of which nothing is known.

    """

    def __init__(self, config: MkDocsConfig, root: Path) -> None:
        plugin: Any = config.plugins.get("mkdocstrings")
        self._on = plugin is not None and plugin.plugin_enabled
        self._root = root
        self._packages: dict[str, list[str]] = {}
        self._paths: list[str] = []
        if self._on:
            if plugin.config.custom_templates or set(plugin.config.handlers) - {"python"}:
                raise Unknown("mkdocstrings with other handlers or templates")
            self._paths = plugin.config.handlers.get("python", {}).get("paths", ["."])

    def packages(self, source: str) -> set[str]:
        """Give the packages that a page with this source documents."""
        return {match["name"].partition(".")[0] for match in BLOCK.finditer(source)} if self._on else set()

    def of(self, source: bytes) -> list[list[str]]:
        """Give what a page with this source depends on besides; nothing, if it documents nothing."""
        return [self._package(name) for name in sorted(self.packages(source.decode("utf-8", "replace")))]

    def files(self, packages: Iterable[str]) -> Iterator[Path]:
        """Yield the files of some packages of the project; what is installed has a version."""
        for name in packages:
            for path in self._paths:
                yield from files_of(self._root / path / name)
            yield from (file for path in self._paths if (file := self._root / path / f"{name}.py").is_file())

    def _package(self, name: str) -> list[str]:
        """Give the digests of the files of a package."""
        if name not in self._packages:
            read = (f"{path} {digest_of(path.read_bytes())}" for path in self.files([name]))
            self._packages[name] = [name, *read]
        return self._packages[name]
