"""Keeps what was made of each page between builds: a few versions, so that one can go back to another branch.

Each page has a record (JSON) and contents named by their digests, in one folder with those of others: making a folder
takes longer than writing a page. Nothing is changed in place. What cannot be read back, or is not what its name says,
counts as absent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from secrets import token_hex
from typing import Any

from knit.programs import digest_of

VERSIONS = 4
"""Versions of a page that are kept."""

RECORD = "json"
"""Ends the name of a record."""

DIGEST = re.compile(r"[0-9a-f]{32}")
Record = dict[str, Any]


class Slot:
    """What is kept of one page.

    ``record`` holds lists of versions by kind, the one last in use first; a version is plain data, in which values that
    name contents are digests. Changes are written by ``save``.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._changed = False
        self._dropped: set[str] = set()
        self.record: dict[str, list[Record]] = {}
        with suppress(OSError, ValueError):
            found = json.loads(self._file(RECORD).read_text("utf-8"))
            self.record = found if isinstance(found, dict) else {}

    def versions(self, kind: str) -> list[Record]:
        """Give the versions of a kind, the one last in use first."""
        return self.record.get(kind, [])

    def find(self, kind: str, key: str) -> Record | None:
        """Give the version of a kind that is kept under a key."""
        return self.first(kind, lambda version: version["key"] == key)

    def first(self, kind: str, fits: Callable[[Record], bool]) -> Record | None:
        """Give the newest version of a kind that fits. It counts as the newest of all from now on: it is in use."""
        versions = self.versions(kind)
        found = next(filter(fits, versions), None)
        if found is not None and found is not versions[0]:
            self.record[kind] = [found, *(other for other in versions if other is not found)]
            self._changed = True
        return found

    def add(self, kind: str, version: Record, contents: Mapping[str, str] | None = None) -> None:
        """Keep a version, and its contents by the field that is to name them."""
        for field, content in (contents or {}).items():
            version[field] = digest_of(content)
            version.setdefault("sizes", {})[field] = len(content.encode())
            if self.content(version[field]) is None:  # not there, or not what it was
                write(self._file(version[field]), content)
        before = self.versions(kind)
        self.record[kind] = [version, *(other for other in before if other["key"] != version["key"])][:VERSIONS]
        for other in before:
            if other not in self.record[kind]:
                self._dropped |= _digests(other)
        self._changed = True

    def content(self, name: str) -> str | None:
        """Read a content by its digest."""
        try:
            content = self._file(name).read_bytes()
        except OSError:
            return None
        return content.decode("utf-8") if digest_of(content) == name else None

    def place(self, name: str, path: str) -> str:
        """Have a file be a content, which costs less than a copy of it, and give where it now is.

        Where the file system does not allow that, or there is such a file, it is where it is kept.
        """
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).hardlink_to(self._file(name))
        except OSError:
            return str(self._file(name))
        return path

    def holds(self, version: Record, field: str) -> bool:
        """Whether a version's content is there, as long as it was: it is read only when it is needed."""
        try:
            return bool(self._file(version[field]).stat().st_size == version["sizes"][field])
        except (OSError, KeyError):
            return False

    def drop(self, name: str) -> None:
        """Remove a content that is not what its name says."""
        self._file(name).unlink(missing_ok=True)

    def save(self) -> None:
        """Write the record if it changed, then remove contents that no version names any longer."""
        if not self._changed:
            return
        self._changed = False
        write(self._file(RECORD), json.dumps(self.record, ensure_ascii=False))
        if self._dropped:
            named = set().union(*(_digests(each) for versions in self.record.values() for each in versions))
            for digest in self._dropped - named:
                self._file(digest).unlink(missing_ok=True)
            self._dropped = set()

    def _file(self, kind: str) -> Path:
        return self._folder / f"{self._name}.{kind}"


def _digests(version: Record) -> set[str]:
    """Give those values of a version that can name contents."""
    return {value for value in version.values() if isinstance(value, str) and DIGEST.fullmatch(value)}


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; a text as UTF-8."""
    new = path.with_name(f".new-{token_hex(8)}")  # tempfile's could be read by nobody else
    try:
        file = new.open("xb")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = new.open("xb")
    try:
        with file:
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
        return Slot(self._folder, digest_of(page))

    def sweep(self, pages: set[str]) -> None:
        """Remove pages that are gone once there are more of them than of those that are there."""
        with suppress(OSError):
            there = {digest_of(page) for page in pages}
            gone: dict[str, list[Path]] = {}
            for path in self._folder.iterdir():
                name = path.name.partition(".")[0]
                if name and name not in there:  # what is being written has none yet
                    gone.setdefault(name, []).append(path)
            if len(gone) > len(pages):
                for path in chain.from_iterable(gone.values()):
                    path.unlink(missing_ok=True)
