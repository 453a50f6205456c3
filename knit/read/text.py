"""Reads text files: whatever stands in a file's place, why it cannot be read is one clear line."""

from __future__ import annotations

from pathlib import Path


class Unreadable(ValueError):  # noqa: N818 - reads as what is wrong
    """Says why a file is no text that can be read, and at which line."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.line = line


def read_text(path: Path) -> str:
    """Read a file in UTF-8, with or without a byte order mark, whatever its line ends.

    Raises
    ------
    Unreadable
        When it is not there, a folder, a link that leads nowhere, or in another encoding.

    """
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise Unreadable("the file is not in UTF-8: save it in that encoding", line) from None
    except IsADirectoryError:
        raise Unreadable("is a folder where a file should be: give it another name") from None
    except FileNotFoundError:
        raise Unreadable("is a link that leads nowhere" if path.is_symlink() else "is not there") from None
    except OSError as error:
        raise Unreadable(f"cannot be read: {(error.strerror or str(error)).lower()}") from None


def read_if_there(path: Path) -> str | None:
    """Read a file that need not be there; None when it is not.

    Raises
    ------
    Unreadable
        As `read_text`.

    """
    return read_text(path) if path.exists() or path.is_symlink() else None
