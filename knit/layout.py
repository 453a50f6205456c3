"""Where a course keeps its things."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Layout:
    """Where a course keeps its things: folders from the project's root."""

    root: Path
    docs: Path = Path("docs")
    snippets: Path = Path("snippets")
    cache: Path = Path(".cache/knit")
    languages: tuple[str, ...] = ("zh", "en")
    ledger: str = "claims"

    def language_of(self, source: str) -> str | None:
        """Give the language of a page, by the first folder of its path from ``docs``."""
        first = source.partition("/")[0]
        return first if first in self.languages else None
