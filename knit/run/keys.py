"""The key of a result: everything that can change what a script computes, and nothing else."""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path

from knit.read.script import NO_PYTHON, SECTION
from knit.run.result import Dependencies
from knit.run.watch import kind

ENGINE = (
    "__init__.py",
    "authoring.py",
    "claims.py",
    "colours.py",
    "heatmap.py",
    "read/script.py",
    "read/text.py",
    "run/*.py",
)
"""The files of knit that take part in making a result."""


REMEMBERED = 2048
"""Files whose digest is remembered."""


def digest(*parts: object) -> str:
    """Give the SHA-256 of some plain data."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def engine() -> str:
    """Give the digest of what is the same for every script: Python and the files that make results."""
    package = Path(__file__).parent.parent
    files = sorted(path for pattern in ENGINE for path in package.glob(pattern))
    return digest(sys.version, *[path.read_text("utf-8") for path in files])


class Facts:
    """What is looked up for keys, each thing once: what files do, by their text, and the versions of packages.

    Parsing a file takes longer than reading it, so what files do is remembered in ``memory``.
    """

    def __init__(self, memory: Path) -> None:
        self.memory = memory
        self._version = cache(metadata.version)
        self._codes: dict[str, str] = {}
        with suppress(OSError, ValueError):
            self._codes = dict(json.loads(memory.read_text("utf-8")))
        self._known = len(self._codes)

    def code(self, path: Path) -> str:
        """Give the digest of what a Python file does."""
        source = path.read_bytes()
        text = digest(sys.version, hashlib.sha256(source).hexdigest())
        if text not in self._codes:
            self._codes[text] = code(source)
        return self._codes[text]

    def version(self, package: str) -> str:
        """Give the installed version of a package."""
        return self._version(package)

    @property
    def news(self) -> str | None:
        """What is to be written to the memory; None when that is nothing new."""
        if len(self._codes) == self._known:
            return None
        self._known = len(self._codes)
        return json.dumps(dict(list(self._codes.items())[-REMEMBERED:]))


def code(source: bytes) -> str:
    """Give the digest of what a Python file does: its syntax tree and where its sections begin and end.

    Comments and layout are not part of it, so that translating a comment runs nothing. A file that is
    no Python counts with every byte.
    """
    try:
        tree = ast.parse(source)
        written = ast.dump(tree)
    except NO_PYTHON:
        return digest(hashlib.sha256(source).hexdigest())
    starts = [node.lineno for node in tree.body]
    marks = [
        (match[1], match["name"], sum(start < number for start in starts))
        for number, line in enumerate(source.decode("utf-8", "replace").splitlines(), 1)
        if (match := SECTION.match(line))
    ]
    return digest(written, marks)


def base(path: Path, script: str, engine_digest: str, languages: list[str], facts: Facts) -> str:
    """Give the part of the key that is known before the script runs."""
    return digest(engine_digest, script, facts.code(path), languages)


class Moment:
    """A project's files at one moment: each is looked at once, however many scripts used it. Paths are from the root.

    ``code`` gives the digest of what a Python file does, ``contents`` that of a file or of the names in a folder,
    ``kind`` what is there (see ``knit.run.watch``).
    """

    def __init__(self, root: Path, facts: Facts) -> None:
        self.version = facts.version
        self.code = cache(lambda path: facts.code(root / path))
        self.contents = cache(lambda path: _contents(root / path, path))
        self.kind = cache(lambda path: kind(root / path))


def full(base_key: str, uses: Dependencies, moment: Moment) -> str | None:
    """Give the whole key, with all that a run used; None when that can no longer be the same.

    That is so when a file it used is gone, or something that it asked for is there, or is no longer.
    """
    asked = (each.partition(" ") for each in uses.asked)
    if any(moment.kind(path) != was for was, _, path in asked):
        return None
    try:
        modules = [(path, moment.code(path)) for path in uses.modules]
        data = [(path, moment.contents(path)) for path in uses.data]
        packages = [(name, moment.version(name)) for name in uses.packages]
    except (OSError, metadata.PackageNotFoundError):
        return None
    return digest(base_key, modules, data, packages, uses.asked)


def _contents(place: Path, path: str) -> str:
    """Give the digest of a file, or of the names in a folder."""
    if path.endswith("/"):
        return digest(sorted(inside.name for inside in place.iterdir()))
    return hashlib.sha256(place.read_bytes()).hexdigest()
