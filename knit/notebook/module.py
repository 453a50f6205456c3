"""Makes scripts importable that stand within a notebook or another script."""

from __future__ import annotations

import linecache
import sys
from types import ModuleType


def module(name: str, source: str) -> ModuleType:
    """Make a script importable whose source stands in a notebook or in another script.

    Parameters
    ----------
    name : str
        What it is imported as.
    source : str
        The whole script.

    Raises
    ------
    Exception
        Whatever the script raises; it then cannot be imported.

    """
    file = f"{name}.py"
    # Tracebacks and failed claims show its lines.
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    made = ModuleType(name)
    made.__file__ = file
    sys.modules[name] = made
    try:
        exec(compile(source, file, "exec", dont_inherit=True), made.__dict__)  # noqa: S102 - that is what it is for
    except BaseException:
        del sys.modules[name]
        raise
    return made
