"""The feed (Atom, RFC 4287) of each language: what was published, by the dates in the pages' front matter."""

from __future__ import annotations

import datetime as dt
import posixpath
from collections.abc import Callable
from html import escape

from knit.project import Course
from knit.read.page import Page
from knit.site.languages import Language


def feed(course: Course, language: Language, names: tuple[str, str], address: Callable[[str], str]) -> str:
    """Write the feed of a language: the pages that say when they were ``published``, the newest first.

    Parameters
    ----------
    course : Course
        Whose pages these are.
    language : Language
        The feed's.
    names : tuple of str
        What the site is called in that language, and what it says of itself.
    address : callable
        Gives the whole address of a path in the site's sources, such as ``zh/index.md`` or ``zh/feed.xml``.

    """
    docs = course.layout.docs.as_posix()
    dated = [page for page in course.pages if page.language == language.code and date_of(page)]
    # By name where the day is the same: one order on every machine.
    pages = sorted(sorted(dated, key=lambda page: page.path), key=lambda page: str(date_of(page)), reverse=True)
    own, home = address(f"{language.code}/feed.xml"), address(f"{language.code}/index.md")
    entries = [_entry(page, address(posixpath.relpath(page.path, docs))) for page in pages]
    updated = _moment(date_of(pages[0]) if pages else None)
    head = (
        f"<title>{escape(names[0])}</title><subtitle>{escape(names[1])}</subtitle><id>{escape(home)}</id>"
        f'<link rel="self" href="{escape(own)}"/><link href="{escape(home)}"/><updated>{updated}</updated>'
        f"<author><name>{escape(names[0])}</name></author>"
    )
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
        f'xml:lang="{language.tag}">\n{head}\n{"".join(entries)}</feed>\n'
    )


def date_of(page: Page) -> dt.date | None:
    """Give the day on which a page was published, if its front matter says so: ``published: 2026-11-29``."""
    published = page.meta.get("published")
    return published if isinstance(published, dt.date) else None


def _entry(page: Page, address: str) -> str:
    title = str(page.meta.get("title") or page.headings[0].text)
    summary = page.meta.get("description")
    about = f"<summary>{escape(str(summary))}</summary>" if summary else ""
    moment = _moment(date_of(page))
    return (
        f'<entry><title>{escape(title)}</title><id>{escape(address)}</id><link href="{escape(address)}"/>'
        f"<published>{moment}</published><updated>{moment}</updated>{about}</entry>\n"
    )


def _moment(day: dt.date | None) -> str:
    return f"{day or dt.date(1970, 1, 1)}T00:00:00Z"
