"""What is done while scripts run, which the pages that show them will need."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress


class Meanwhile:
    """Loads the dictionary of Chinese words for the search, once: several processes then have it.

    It is told how scripts get on (`knit.project.Watched`), so that it does nothing when none is run.
    """

    def __init__(self) -> None:
        self._done = False

    def __call__(self, running: Sequence[str], count: int, /) -> None:
        """Load it."""
        del running, count
        if not self._done:
            self._done = True
            with suppress(ImportError):  # without it, the search has no words to part
                import jieba  # noqa: PLC0415 - which takes a while

                jieba.initialize()

    def close(self) -> None:
        """Hear that the scripts are done."""
