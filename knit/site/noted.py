"""Notes what the conversion of a page asks for and says: the addresses that it looks up, and whether it warns."""

from __future__ import annotations

import logging

from mkdocs.structure.files import File, Files


class Linked(Files):
    """The files of a site, which note for what addresses they are asked."""

    def __init__(self, files: Files) -> None:
        super().__init__(list(files))
        self.asked: dict[str, list[str] | None] = {}

    def get_file_from_path(self, path: str) -> File | None:
        """Find a file, and note it."""
        found = super().get_file_from_path(path)
        self.asked[path] = address(found)
        return found


class Warned(logging.Handler):
    """Whether anything was warned of while a page was converted: the warning must come again in the next build."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.warned = False

    def listen(self) -> None:
        """Begin to listen to everybody."""
        self.warned = False
        for name in (None, "mkdocs"):
            logging.getLogger(name).addHandler(self)

    def stop(self) -> None:
        """Listen no longer."""
        for name in (None, "mkdocs"):
            logging.getLogger(name).removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Note that something was said."""
        del record
        self.warned = True


def address(file: File | None) -> list[str] | None:
    """Give what links to a file depend on."""
    return None if file is None else [file.src_uri, file.url, file.inclusion.name]
