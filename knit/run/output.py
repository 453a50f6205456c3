"""Standard output of a running script, kept by the section that printed it."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from types import FrameType


class PrintedTooMuch(Exception):  # noqa: N818 - reads as what happened
    """A script printed more than its limit."""


class Printed(io.TextIOBase):
    """Takes what a script prints, ``size`` characters so far, and notes the section whose line was running.

    Parameters
    ----------
    filename : str
        The script's file, as its code object names it.
    sections : mapping of str to range
        Lines of each section.
    limit : int
        The number of characters it may print.

    """

    def __init__(self, filename: str, sections: Mapping[str, range], limit: int) -> None:
        super().__init__()
        self._filename = filename
        self._sections = sections
        self._limit = limit
        self._pieces: list[tuple[int, str]] = []
        self.size = 0

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Keep a piece of output with the module-level line that caused it."""
        text.encode()  # which fails here, at its line, for what cannot be written
        self.size += len(text)
        if self.size > self._limit:
            raise PrintedTooMuch(f"printed more than {self._limit} characters, the script's limit")
        self._pieces.append((self._line(), text))
        return len(text)

    def texts(self) -> dict[str, str]:
        """Give the output of each section, and all of it under ``""``."""
        found = {"": "".join(text for _, text in self._pieces)}
        for name, lines in self._sections.items():
            found[name] = "".join(text for line, text in self._pieces if line in lines)
        return found

    def _line(self) -> int:
        line = 0
        frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the documented way to the running line
        while frame is not None:
            if frame.f_code.co_name == "<module>" and frame.f_code.co_filename == self._filename:
                line = frame.f_lineno
            frame = frame.f_back
        return line
