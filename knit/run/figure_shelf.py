"""Keeps drawn figures by all that they depend on, beside the results of the scripts that draw them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from knit.programs import digest_of

FIGURE = ".figure"
"""Ends the name of a figure's file, in a job's folder as on the shelf."""


@dataclass(frozen=True)
class FigureShelf:
    """Where figures are kept, and the digest of the engine that draws them."""

    folder: Path
    engine: str

    def get(self, key: str) -> dict[str, str] | None:
        """Read a figure, by language, if it is there and whole."""
        try:
            digest, _, text = self._place(key).read_text("utf-8").partition("\n")
            figure: dict[str, str] = json.loads(text)
        except (OSError, ValueError):
            return None
        return figure if digest == digest_of(text) else None

    def take(self, folder: Path) -> None:
        """Move the figures that a run left in its folder to their places, if there is room."""
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            for file in folder.glob(f"*{FIGURE}"):
                file.replace(self._place(file.stem))

    def _place(self, key: str) -> Path:
        return self.folder / f"{key}{FIGURE}"


def leave(folder: Path, key: str, figure: Mapping[str, str]) -> None:
    """Write a figure to a job's folder, from which it is taken when the script has ended."""
    text = json.dumps(figure, ensure_ascii=False)
    with suppress(OSError):
        (folder / f"{key}{FIGURE}").write_text(f"{digest_of(text)}\n{text}", "utf-8")
