"""Imports the project's own modules from their source, never from bytecode.

Python takes bytecode for current when the source has the same size and the same second of change. An
author who changes 2.0 to 3.0 twice in a second would get the older number.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.abc import PathEntryFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from knit.run.watch import Watch, local


def fresh_finder(root: Path, watch: Watch) -> Callable[[str], PathEntryFinder]:
    """Make a path hook (see ``sys.path_hooks``) for the project's folders, those of packages installed excepted.

    It tells ``watch`` which sources are imported, and where a source would have been found first.
    """

    class FreshLoader(SourceFileLoader):
        def get_code(self, fullname: str) -> CodeType:
            """Compile the source, whatever bytecode there is."""
            path = self.get_filename(fullname)
            watch.imports(path)
            with watch.paused():
                source = self.get_data(path)
            code: CodeType = self.source_to_code(source, path)
            return code

    class FreshFinder(FileFinder):
        def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:
            """Find a module, and note the files that would be taken before it, should they come to be."""
            spec = super().find_spec(fullname, target)
            name = fullname.rpartition(".")[2]
            for candidate in (f"{name}/__init__.py", f"{name}.py", name):
                place = os.path.join(self.path, candidate)  # noqa: PTH118 - as the finder writes it
                if spec is not None and spec.origin == place:
                    break
                watch.asks(place)
            return spec

    plain = FreshFinder.path_hook((FreshLoader, SOURCE_SUFFIXES))

    def hook(path: str) -> PathEntryFinder:
        if path != str(root) and not local(root, path):
            raise ImportError("not a folder of the project")
        return plain(path)

    return hook
