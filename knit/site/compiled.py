"""Keeps compiled templates between builds: a theme's are compiled anew by each build otherwise."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket


class KeptTemplates(FileSystemBytecodeCache):
    """Compiled templates in a folder, known by their sources; a folder that cannot be written keeps none."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template, if that can be written."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def keep_templates(env: Environment, folder: Path) -> None:
    """Have an environment take compiled templates from a folder, and put there those that it compiles."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        env.bytecode_cache = KeptTemplates(str(folder))
