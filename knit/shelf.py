"""Keeps what was made of each page between builds: a few versions, so that one can go back to another branch.

Each page has a folder with a record (JSON) and contents named by their digests. Nothing is changed in place. What
cannot be read back, or is not what its name says, counts as absent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

from knit.programs import digest_of

VERSIONS = 4
"""Versions of a page that are kept."""

Record = dict[str, Any]


class Slot:
    """What is kept of one page.

    ``record`` holds lists of versions by kind, newest first; a version is plain data, in which values that name
    contents are digests. Changes are written by ``save``.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changed = False
        self.record: dict[str, list[Record]] = {}
        with suppress(OSError, ValueError):
            found = json.loads((folder / "record.json").read_text("utf-8"))
            self.record = found if isinstance(found, dict) else {}

    def versions(self, kind: str) -> list[Record]:
        """Give the versions of a kind, newest first."""
        return self.record.get(kind, [])

    def find(self, kind: str, key: str) -> Record | None:
        """Give the version of a kind that is kept under a key."""
        return next((version for version in self.versions(kind) if version["key"] == key), None)

    def add(self, kind: str, version: Record, contents: Mapping[str, str] | None = None) -> None:
        """Keep a version, and its contents by the field that is to name them."""
        for field, content in (contents or {}).items():
            version[field] = digest_of(content)
            if self.content(version[field]) is None:  # not there, or not what it was
                write(self._folder / version[field], content)
        others = [other for other in self.versions(kind) if other["key"] != version["key"]]
        self.record[kind] = [version, *others][:VERSIONS]
        self._changed = True

    def content(self, name: str) -> str | None:
        """Read a content by its digest."""
        try:
            content = (self._folder / name).read_bytes()
        except OSError:
            return None
        return content.decode("utf-8") if digest_of(content) == name else None

    def place(self, name: str, path: str) -> str:
        """Have a file be a content, which costs less than a copy of it, and give where it now is.

        Where the file system does not allow that, or there is such a file, it is where it is kept.
        """
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).hardlink_to(self._folder / name)
        except OSError:
            return str(self._folder / name)
        return path

    def holds(self, name: str) -> bool:
        """Whether a content is there."""
        return (self._folder / name).exists()

    def save(self) -> None:
        """Write the record if it changed, then remove contents that no version names."""
        if not self._changed:
            return
        self._changed = False
        write(self._folder / "record.json", json.dumps(self.record, ensure_ascii=False))
        named = {
            value
            for versions in self.record.values()
            for each in versions
            for value in each.values()
            if isinstance(value, str)
        }
        for path in self._folder.iterdir():
            if path.name != "record.json" and path.name not in named:
                path.unlink(missing_ok=True)


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; a text as UTF-8."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".new-{token_hex(8)}")  # tempfile's could be read by nobody else
    try:
        with new.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


class Shelf:
    """The pages kept under a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def slot(self, page: str) -> Slot:
        """Give what is kept of a page, by its path from ``docs``."""
        return Slot(self._folder / digest_of(page))

    def sweep(self, pages: set[str]) -> None:
        """Remove pages that are gone once there are more of them than of those that are there."""
        with suppress(OSError):
            there = {digest_of(page) for page in pages}
            gone = [folder for folder in self._folder.iterdir() if folder.name not in there]
            if len(gone) > len(pages):
                for folder in gone:
                    for path in folder.iterdir():
                        path.unlink(missing_ok=True)
                    folder.rmdir()
