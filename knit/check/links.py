"""Links within the course lead somewhere: to a page or file that exists, at an id that it has.

What other hosts hold is not looked up; but a page fetches nothing from them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from urllib.parse import unquote, urlsplit

from knit.problem import Problem
from knit.programs import digest_of_data
from knit.project import Course
from knit.read.links import Link, ids, links
from knit.read.page import Page
from knit.read.pieces import ClaimLink
from knit.weave.ledger import anchor
from knit.weave.weaver import Woven

DOCUMENTED = re.compile(r"^:::[ ]+(?P<name>[\w.]+)", re.MULTILINE)
"""What mkdocstrings fills: the ids are the object's own name and its members'."""

WOVEN = {"claim": "[P2](claim:P2)", "fig": "![what is to be seen](fig:name), alone in its paragraph"}


def dead_links(course: Course, woven: Mapping[str, Woven]) -> Iterator[Problem]:
    """Yield the links of all pages that lead nowhere. ``woven`` are the woven pages by path."""
    places = Places(course, woven)
    for page in course.pages:
        yield from course.kept.unless_clean(("links", page.digest, places.digest), _dead_links(page, places))


def _dead_links(page: Page, places: Places) -> Iterator[Problem]:
    for link in links(page):
        if fault := places.fault(page, link):
            yield Problem(page.path, *page.place(link.start), fault)
    for piece in page.pieces:
        if isinstance(piece, ClaimLink) and (fault := places.without_ledger(page, piece.name)):
            yield Problem(page.path, *page.place(piece.start), fault)
    yield from _headings(page)


class Places:
    """Where the links of a course can lead."""

    def __init__(self, course: Course, woven: Mapping[str, Woven]) -> None:
        self._course = course
        self._woven = woven
        self._pages = {page.path: page for page in course.pages}
        self._docs = f"{course.layout.docs.as_posix()}/"
        self._ids: dict[str, set[str]] = {}

    @cached_property
    def digest(self) -> str:
        """A digest of all that a link can lead to."""
        layout, claims = self._course.layout, self._course.results.makers
        files = sorted(path.as_posix() for path in (layout.root / layout.docs).rglob("*") if path.is_file())
        documented = sorted(self._documented)
        return digest_of_data({path: sorted(self._of(path)) for path in self._pages}, files, documented, list(claims))

    def fault(self, page: Page, link: Link) -> str | None:
        """Say what is wrong with a link, if anything is."""
        if link.named:
            if self._is_documented(link.target.strip("`")):
                return None
            return f"the link [{link.target}] is defined nowhere: write [{link.text}](page.md#id)"
        fault = self._raw(page, link) if link.raw else self._target(page, link)
        what = "picture" if link.fetched and not link.raw else "link"
        return f"the {what} {link.target or '()'} {fault}" if fault else None

    def without_ledger(self, page: Page, claim: str) -> str | None:
        """Say that a claim's badge leads nowhere, if it does."""
        layout = self._course.layout
        ledger = (layout.docs / page.language / f"{layout.ledger}.md").as_posix()
        if claim not in self._course.results.makers or (ledger in self._pages and self._has(ledger, anchor(claim))):
            return None
        return f"the claim {claim} leads to {ledger}, which has no ledger: write a ```claims fence there"

    def _target(self, page: Page, link: Link) -> str | None:
        parts = urlsplit(link.target)
        if parts.scheme in WOVEN:
            if parts.scheme == "fig" and link.fetched:
                return None  # a figure, which is woven
            return f"stands where it means nothing: write {WOVEN[parts.scheme]}"
        if parts.scheme or parts.netloc:
            return "is fetched from another host: keep a copy among the pages" if link.fetched else None
        if not link.target:
            return "leads nowhere"
        if parts.path.startswith("/"):
            return "begins at the host's root, where the site need not stand: write it from this page"
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), unquote(parts.path)))
        path = path if parts.path else page.path
        if path not in self._pages:
            there = path.startswith(self._docs) and (self._course.layout.root / path).is_file()
            return None if there else f"leads to {path}, which does not exist{self._guess(page, path)}"
        name = unquote(parts.fragment)
        if name and not self._has(path, name):
            return f"leads to the id {name}, which {'this page' if path == page.path else path} does not have"
        return None

    def _raw(self, page: Page, link: Link) -> str | None:
        """Judge a link in raw HTML, which MkDocs leaves as it is: from address to address, not from file to file."""
        parts = urlsplit(link.target)
        if parts.scheme or parts.netloc or not parts.path:
            return self._target(page, link)
        if parts.path.endswith(".md"):
            return "names a file, not its address: write it in Markdown, [text](page.md)"
        here = page.path.removesuffix("index.md").removesuffix(".md")
        path = posixpath.normpath(posixpath.join(here, unquote(parts.path)))
        files = (path, f"{path}.md", f"{path}/index.md")
        there = path.startswith(self._docs) and any((self._course.layout.root / each).is_file() for each in files)
        return None if there else f"leads to {path}, which does not exist"

    def _has(self, path: str, name: str) -> bool:
        """Whether a page has an id."""
        documents = bool(DOCUMENTED.search(self._pages[path].text))
        return name in self._of(path) or (documents and self._is_documented(name))

    def _of(self, path: str) -> set[str]:
        """Give the ids of a page."""
        if path not in self._ids:
            known = self._woven[path]
            self._ids[path] = ids(self._pages[path], known.text) if known.ids is None else known.ids
        return self._ids[path]

    def _is_documented(self, name: str) -> bool:
        return any(f"{name}.".startswith(f"{each}.") for each in self._documented)

    @cached_property
    def _documented(self) -> set[str]:
        return {match["name"] for page in self._course.pages for match in DOCUMENTED.finditer(page.text)}

    def _guess(self, page: Page, path: str) -> str:
        """Propose the page of that name in the same language, where there is one."""
        name = posixpath.basename(path)
        same = [p.path for p in self._pages.values() if p.language == page.language and p.path.endswith(f"/{name}")]
        return f"; is it {posixpath.relpath(same[0], posixpath.dirname(page.path))}?" if len(same) == 1 else ""


def _headings(page: Page) -> Iterator[Problem]:
    seen: set[str] = set()
    for heading in page.headings:
        if heading.id is None and heading.level > 1:
            what = f"the heading “{heading.text}” has no id: write {{#id}} behind it, the same in every language"
            yield Problem(page.path, *page.place(heading.start), what)
        elif heading.id in seen:
            what = f"the id {heading.id} stands twice on this page: give one heading another"
            yield Problem(page.path, *page.place(heading.start), what)
        seen.add(heading.id or "")
