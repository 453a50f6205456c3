"""Draws a script's figures, and takes those of which nothing changed from what was drawn before.

A figure's key is made of all that its function depends on. Where that cannot be known it is drawn; and what was drawn
is kept only if drawing it did nothing else: printed nothing, read no file, imported nothing, changed nothing of what
it depends on. So leaving it out the next time changes nothing either.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

from knit.programs import digest_of_data
from knit.run.drawing import draw
from knit.run.figure_shelf import FigureShelf, leave
from knit.run.output import Printed
from knit.run.outside import Outside, settings
from knit.run.reach import Reach
from knit.run.watch import Watch


class Drawer:
    """Draws the figures of one script, in each language, and notes which of them had to be drawn.

    Parameters
    ----------
    languages : list of str
        The languages in which each is drawn.
    folder : Path
        The job's folder.
    shelf : FigureShelf or None
        Where figures are kept; None to draw each.
    outside : Outside
        The packages as they were before the script ran.
    watch, printed : Watch, Printed
        Tell what the script does besides.

    """

    def __init__(
        self,
        languages: list[str],
        folder: Path,
        shelf: FigureShelf | None,
        outside: Outside,
        watch: Watch,
        printed: Printed,
    ) -> None:
        self.drawn: list[str] = []
        self._languages = languages
        self._folder = folder
        self._shelf = shelf
        self._outside = outside
        self._watch = watch
        self._printed = printed
        self._unchanged: bool | None = None
        """Whether the packages are as they were; None when something ran since that was looked at."""

    def figure(self, function: Callable[..., Any]) -> Mapping[str, str]:
        """Give a figure by language.

        Raises
        ------
        Exception
            Whatever ``draw`` raises.

        """
        key = self._key(function)
        if self._shelf and key:
            with self._watch.paused():
                kept = self._shelf.get(key)
            if kept is not None:
                return kept
        self.drawn.append(function.__name__)
        before = self._did()
        self._unchanged = None
        figure = {language: draw(function, language) for language in self._languages}
        if key and self._did() == before and self._key(function) == key:
            leave(self._folder, key, figure)
        return figure

    def _key(self, function: Callable[..., Any]) -> str | None:
        """Give the digest of all that a figure depends on; None if that cannot be known."""
        if self._unchanged is None:
            self._unchanged = self._shelf is not None and self._outside.unchanged()
        if self._shelf is None or not self._unchanged:
            return None
        reach = Reach(self._watch.is_own)
        try:
            reach.add(function)
        except Exception:  # noqa: BLE001 - Unknown, or whatever else comes of looking at a script's objects
            return None
        versions = [self._shelf.engine, np.__version__, mpl.__version__]
        return digest_of_data(versions, self._languages, repr(settings()), reach.digest())

    def _did(self) -> object:
        """Give what tells whether anything is printed, read or imported."""
        return self._printed.size, self._watch.opened, len(sys.modules)
