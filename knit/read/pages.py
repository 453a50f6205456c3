"""Finds and reads the pages of a language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from knit.read.page import Page
from knit.read.text import Unreadable, read_text

LINKED = "is a link to a folder, whose pages would be on the site and not checked: copy them"


def pages(root: Path, folder: Path, language: str) -> Iterator[Page]:
    """Read every page below a folder; one that cannot be read says why in its ``fault``."""
    for path in sorted((root / folder).rglob("*")):
        relative = path.relative_to(root).as_posix()
        if path.suffix == ".md":
            try:
                yield Page.read(relative, language, read_text(path))
            except Unreadable as reason:
                yield Page(relative, language, "", fault=str(reason), fault_line=reason.line)
        elif path.is_symlink() and path.is_dir():
            yield Page(relative, language, "", fault=LINKED)
