"""Sections whose twin changed since an author last confirmed that both say the same.

Parity compares what a program can; whether two languages say the same, only a reader can tell. What she read is kept
as a digest of each section in ``twins.toml``, beside the languages' folders. A section that changed since, while its
twin did not, may have left the twin stale.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

from knit.git import git_or_nothing
from knit.problem import Problem, Refused, several
from knit.project import Course
from knit.read.data import read_toml
from knit.read.page import Page
from knit.read.text import Unreadable, read_if_there
from knit.shelf import write

FILE = "twins.toml"
DIGITS = 12
"""Of a digest: enough, as nobody forges the sections of a lesson."""

WORD = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)
AROUND = 12
"""Words shown on either side of a change."""

LONGEST = 400
"""Letters of a difference that are shown."""

Record = dict[str, dict[str, dict[str, str]]]
"""Digests by page (``l1-inner-product.md``), section id and language."""


@dataclass(frozen=True)
class Section:
    """A heading's section, up to the next heading: its offset in the page, and its text."""

    start: int
    text: str

    @property
    def digest(self) -> str:
        """A digest that line breaks do not change."""
        return hashlib.sha256(" ".join(self.text.split()).encode()).hexdigest()[:DIGITS]


def sections(page: Page) -> dict[str, Section]:
    """Give the sections of a page by their ids."""
    bounds = [*((heading.id, heading.start) for heading in page.headings), (None, len(page.text))]
    return {name: Section(start, page.text[start:end]) for (name, start), (_, end) in pairwise(bounds) if name}


def stale(course: Course) -> Iterator[Problem]:
    """Yield a warning for every section whose twin alone changed, with the change, and one for pages changed in all."""
    path = course.layout.root / course.layout.docs / FILE
    try:
        record = read(path)
    except Unreadable as error:
        yield Problem((course.layout.docs / FILE).as_posix(), error.line, 1, f"{error}; run `knit accept`")
        return
    for name, twins in _by_name(course).items():
        now = {language: sections(page) for language, page in twins.items()}
        together = []
        for section, before in record.get(name, {}).items():
            if not all(section in now.get(language, {}) for language in before):
                continue  # a section that is gone is parity's business
            changed = [language for language in before if now[language][section].digest != before[language]]
            for language in before:
                if changed and language not in changed:
                    yield _stale(course, section, twins[language], twins[changed[0]], before[changed[0]])
            if len(changed) == len(before) > 1:
                together.append(section)
        if together:
            page = next(iter(twins.values()))
            what = ", ".join(f"#{section}" for section in together)
            message = f"changed in every language since it was confirmed: {what}; if all say the same: {_accept(page)}"
            yield Problem(page.path, 1, 1, message, warning=True)


def confirm(course: Course, scripts: Iterable[str]) -> Iterator[str]:
    """Record the sections of the named scripts' pages (all, without names) as saying the same, and say how many."""
    wanted = set(scripts)
    path = course.layout.root / course.layout.docs / FILE
    try:
        record = read(path)
    except Unreadable as error:
        if path.is_dir() or path.is_symlink():
            raise Refused(f"{path.name} {error}") from None
        record = {}
    new: Record = {}
    count = 0
    for name, twins in _by_name(course).items():
        if wanted and not any(
            str(page.meta.get("script", "")).removesuffix(".py") in wanted for page in twins.values()
        ):
            new |= {name: record[name]} if name in record else {}
            continue
        by_language = {language: sections(page) for language, page in twins.items()}
        shared = [each for each in next(iter(by_language.values())) if all(each in s for s in by_language.values())]
        new[name] = {each: {lang: found[each].digest for lang, found in by_language.items()} for each in shared}
        count += sum(digests != record.get(name, {}).get(section) for section, digests in new[name].items())
    if new != record:
        write(path, written(new))
        told = (course.layout.docs / FILE).as_posix()
        yield f"{told}: {several(count, 'section')} confirmed to say the same in every language"


def read(path: Path) -> Record:
    """Read the record; one that is not there is empty.

    Raises
    ------
    Unreadable
        When it cannot be read.

    """
    record = read_toml(read_if_there(path) or "")
    for name, found in record.items():
        if not isinstance(found, dict) or not all(isinstance(digests, dict) for digests in found.values()):
            raise Unreadable(f"{name} is no table of sections")
    return record


def written(record: Record) -> str:
    """Write the record as TOML: a table a page, a line a section."""
    lines = ["# Sections that an author confirmed to say the same in every language. Written by `knit accept`."]
    for name in sorted(record):
        lines += ["", f"[{json.dumps(name, ensure_ascii=False)}]"]
        for section, digests in record[name].items():
            each = ", ".join(f'{language} = "{digest}"' for language, digest in sorted(digests.items()))
            lines.append(f"{json.dumps(section, ensure_ascii=False)} = {{ {each} }}")
    return "\n".join([*lines, ""])


def difference(before: str, after: str) -> str:
    """Show what changed between two texts, ``[-taken out-]`` and ``{+put in+}``, with a few words around."""
    old, new = WORD.findall(" ".join(before.split())), WORD.findall(" ".join(after.split()))
    parts = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND):
        text = ""
        for kind, a, b, c, d in group:
            text += "".join(old[a:b]) if kind == "equal" else ""
            text += f"[-{''.join(old[a:b])}-]" if kind != "equal" and b > a else ""
            text += f"{{+{''.join(new[c:d])}+}}" if kind != "equal" and d > c else ""
        parts.append(text.strip())
    shown = " … ".join(parts)
    return shown if len(shown) <= LONGEST else shown[:LONGEST] + "…"


def _by_name(course: Course) -> dict[str, dict[str, Page]]:
    found: dict[str, dict[str, Page]] = {}
    for page in course.pages:
        folder = (course.layout.docs / page.language).as_posix()
        found.setdefault(posixpath.relpath(page.path, folder), {})[page.language] = page
    return {name: twins for name, twins in found.items() if len(twins) > 1}


def _stale(course: Course, section: str, page: Page, changed: Page, digest: str) -> Problem:
    start = sections(page)[section].start
    after = sections(changed)[section]
    line, _ = changed.place(after.start)
    before = _earlier(course.layout.root, changed.path, section, digest)
    how = difference(before, after.text) if before is not None else "its former text is not in git's history"
    message = (
        f"#{section} may be stale: {changed.path}:{line} changed since both were confirmed ({how}); "
        f"if both say the same: {_accept(page)}"
    )
    return Problem(page.path, *page.place(start), message, warning=True)


def _accept(page: Page) -> str:
    return f"knit accept {str(page.meta.get('script', '')).removesuffix('.py')}".rstrip()


def _earlier(root: Path, path: str, section: str, digest: str) -> str | None:
    """Find in git's history the text of a section that has a digest."""
    for commit in git_or_nothing(root, "log", "--format=%H", "-200", "--", path).split():
        source = git_or_nothing(root, "show", f"{commit}:./{path}")
        found = sections(Page.read(path, "", source)).get(section) if source else None
        if found and found.digest == digest:
            return found.text
    return None
