"""The programs that take part in all that knit makes, as a digest: what was made by others is made anew."""

from __future__ import annotations

import hashlib
import json
import sys
from functools import cache
from pathlib import Path

KNIT = Path(__file__).parent


def digest_of(content: str | bytes) -> str:
    """Give the digest of a text or of bytes."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:32]


def digest_of_data(*parts: object) -> str:
    """Give the digest of plain data."""
    return digest_of(json.dumps(parts, ensure_ascii=False, sort_keys=True))


@cache
def programs() -> str:
    """Give the digest of the programs: Python, every installed distribution by version, and knit's files."""
    installed = sorted(
        entry.name for folder in set(sys.path) for entry in Path(folder or ".").glob("*-info") if entry.is_dir()
    )
    own = [[str(path.relative_to(KNIT)), digest_of(path.read_bytes())] for path in files_of(KNIT)]
    return digest_of_data(sys.version, installed, own)


def files_of(package: Path) -> list[Path]:
    """Give the files of a package, bytecode excepted, in order."""
    return sorted(path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc")
