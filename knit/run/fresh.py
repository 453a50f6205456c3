"""Imports the project's own modules from their source, never from bytecode.

Python takes bytecode for current when the source has the same size and the same second of change. An
author who changes 2.0 to 3.0 twice in a second would get the older number.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.abc import PathEntryFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path
from types import CodeType

from knit.run.watch import local


class FreshLoader(SourceFileLoader):
    """Compiles a module's source each time."""

    def get_code(self, fullname: str) -> CodeType:
        """Compile the source, whatever bytecode there is."""
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


def fresh_finder(root: Path) -> Callable[[str], PathEntryFinder]:
    """Make a path hook (see ``sys.path_hooks``) for the project's folders, those of packages installed excepted."""
    plain = FileFinder.path_hook((FreshLoader, SOURCE_SUFFIXES))

    def hook(path: str) -> PathEntryFinder:
        if path != str(root) and not local(root, path):
            raise ImportError("not a folder of the project")
        return plain(path)

    return hook
