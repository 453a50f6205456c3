"""Has files of a site hold what is made once and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from mkdocs.structure.files import File

from knit.shelf import Slot


def fill(
    files: Mapping[str, File], slot: Slot | None, kind: str, key: str, make: Callable[[], Mapping[str, str]]
) -> None:
    """Have files, by name, hold what is kept under a key; if it is not, or the key is empty, what ``make`` makes."""
    if slot and key and _hold(files, slot, kind, key):
        return
    made = make()
    if slot and key:
        with suppress(OSError):
            slot.add(kind, {"key": key}, made)
            slot.save()
            if _hold(files, slot, kind, key):
                return
    for name, content in made.items():
        files[name].content_string = content


def _hold(files: Mapping[str, File], slot: Slot, kind: str, key: str) -> bool:
    """Have files be what is kept of them, if each is there and whole; whether all are."""
    version = slot.find(kind, key)
    if version is None or any(slot.content(version[name]) is None for name in files):
        return False
    for name, file in files.items():
        # What is in its place already, MkDocs leaves as it is.
        file.abs_src_path = slot.place(version[name], file.abs_dest_path)
    return True
