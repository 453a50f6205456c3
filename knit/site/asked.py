"""What pages ask of the theme in their front matter: a template that is not there would end the build half-way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from knit.problem import Problem
from knit.project import Course


def templates(course: Course, folders: Iterable[str]) -> Iterator[Problem]:
    """Yield the pages whose template is in none of the theme's folders."""
    for page in course.pages:
        name = page.meta.get("template")
        if name is not None and not any((Path(folder) / str(name)).is_file() for folder in folders):
            yield Problem(page.path, 1, 1, f"there is no template {name} in the theme's folders")
