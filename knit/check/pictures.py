"""Pictures of a changed figure to look at: as it was accepted, as it is now, and where the two differ."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from html import escape
from pathlib import Path

from knit.run.result import Result
from knit.run.store import kept_results

STYLE = Path(__file__).parent.parent / "site" / "assets" / "figures.css"
BOX = re.compile(r'viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')

CHANGED = "changed"
"""The folder of pictures, in the course's cache."""

Drawing = tuple[Callable[[], Result], str, str]
"""What reads the result that has it, its name and its language."""


def digest(drawing: str) -> str:
    """Give what stands for a drawing in a file of published numbers."""
    return hashlib.sha256(drawing.encode()).hexdigest()


def forget(root: Path, cache: Path) -> None:
    """Remove what was drawn of earlier changes."""
    shutil.rmtree(root / cache / CHANGED, ignore_errors=True)


class Pictures:
    """The drawings that were accepted, which are among the results that are kept, and what became of them.

    Nothing is lost when the cache cannot be written: then there is nothing to look at.
    """

    def __init__(self, root: Path, cache: Path) -> None:
        self._root = root
        self._changed = root / cache / CHANGED
        self._results = kept_results(root / cache)
        self._seen: dict[str, Drawing] = {}
        forget(root, cache)

    def compare(self, name: str, drawings: Mapping[str, str], accepted: Mapping[str, str]) -> str:
        """Draw what changed, and say where. ``accepted`` are the digests of what was, by language."""
        kinds: set[str] = set()
        for language, drawing in drawings.items():
            if digest(drawing) == accepted.get(language):
                continue
            pictures = {"new": _alone(drawing)}
            if before := self._find(accepted[language]) if language in accepted else None:
                old = _alone(before)
                pictures = {"old": old, **pictures, "difference": _difference(old, pictures["new"])}
            for kind, picture in pictures.items():
                if _write(self._changed / f"{name}.{language}.{kind}.svg", picture):
                    kinds.add(kind)
        if not kinds:
            return ""
        where = self._changed.relative_to(self._root) if self._changed.is_relative_to(self._root) else self._changed
        said = "old, new and difference" if "old" in kinds else "the new one; the old is not on this machine"
        return f" (see {where.as_posix()}/{name}.*.svg: {said})"

    def _find(self, wanted: str) -> str | None:
        """Find a drawing by its digest, going through results, newest first, as far as needed."""
        while wanted not in self._seen:
            read = next(self._results, None)
            if read is None:
                return None
            with suppress(OSError, ValueError):  # what cannot be read is not there
                for name, drawings in read().figures.items():
                    for language, drawing in drawings.items():
                        self._seen.setdefault(digest(drawing), (read, name, language))
        read, name, language = self._seen[wanted]
        return read().figures[name][language]


def _alone(drawing: str) -> str:
    """Make a drawing that is seen outside a page: with its colours, on paper."""
    style = f"<style>{escape(STYLE.read_text('utf-8'), quote=False)}</style>"
    head, _, rest = drawing.partition(">")
    return f'{head}>{style}<rect width="100%" height="100%" fill="var(--knit-paper)"/>{rest}'


def _difference(old: str, new: str) -> str:
    """Lay two drawings over each other: black where they are the same."""
    boxes = [match for match in (BOX.search(old), BOX.search(new)) if match]
    width = max((float(box["width"]) for box in boxes), default=0)
    height = max((float(box["height"]) for box in boxes), default=0)
    images = "".join(
        f'<image href="data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"{blend}/>'
        for picture, blend in ((old, ""), (new, ' style="mix-blend-mode:difference"'))
    )
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{images}</svg>'


def _write(path: Path, text: str) -> bool:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError:
        return False
    return True
