"""The key of a result: everything that can change what a script computes, and nothing else."""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from importlib import metadata
from pathlib import Path

from knit.read.script import SECTION
from knit.run.result import Dependencies

ENGINE = (
    "__init__.py",
    "authoring.py",
    "claims.py",
    "colours.py",
    "heatmap.py",
    "read/script.py",
    "run/*.py",
)
"""The files of knit that take part in making a result."""


def digest(*parts: object) -> str:
    """Give the SHA-256 of some plain data."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def engine() -> str:
    """Give the digest of what is the same for every script: Python and the files that make results."""
    package = Path(__file__).parent.parent
    files = sorted(path for pattern in ENGINE for path in package.glob(pattern))
    return digest(sys.version, *[path.read_text("utf-8") for path in files])


def code(path: Path) -> str:
    """Give the digest of what a Python file does: its syntax tree and where its sections begin and end.

    Comments and layout are not part of it, so that translating a comment runs nothing. A file that is
    no Python counts with every byte.
    """
    source = path.read_text("utf-8")
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return digest(source)
    starts = [node.lineno for node in tree.body]
    marks = [
        (match[1], match["name"], sum(start < number for start in starts))
        for number, line in enumerate(source.splitlines(), 1)
        if (match := SECTION.match(line))
    ]
    return digest(ast.dump(tree), marks)


def base(path: Path, script: str, engine_digest: str, languages: list[str]) -> str:
    """Give the part of the key that is known before the script runs."""
    return digest(engine_digest, script, code(path), languages)


def full(base_key: str, root: Path, uses: Dependencies) -> str | None:
    """Give the whole key, with all that a run used; None when that can no longer be the same.

    That is so when a file it used is gone, or when a new local file would take the place of an outside
    module that it imported.
    """
    try:
        modules = [(path, code(root / path)) for path in uses.modules]
        data = [(path, hashlib.sha256((root / path).read_bytes()).hexdigest()) for path in uses.data]
        packages = [(name, metadata.version(name)) for name in uses.packages]
    except (OSError, metadata.PackageNotFoundError):
        return None
    return digest(base_key, modules, data, packages)
