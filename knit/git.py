"""Asks git about a course's files, as they were."""

from __future__ import annotations

import subprocess
from pathlib import Path

from knit.problem import Refused


def git(root: Path, *arguments: str) -> str:
    """Give what git says, asked in a folder.

    Raises
    ------
    Refused
        When it cannot be run, or refuses.

    """
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    except OSError as error:
        raise Refused(f"git cannot be run: {error}") from None
    if done.returncode:
        raise Refused(f"git {arguments[0]}: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout.decode("utf-8", "replace")


def git_or_nothing(root: Path, *arguments: str) -> str:
    """Give what git says; nothing where there is no git, or no history."""
    try:
        return git(root, *arguments)
    except Refused:
        return ""
