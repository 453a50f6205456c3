"""Hands the notebooks of a course to mkdocs-jupyter, and to readers for download."""

from __future__ import annotations

import posixpath
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from markdown.extensions.toc import nest_toc_tokens
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as SitePage
from mkdocs.structure.toc import get_toc

from knit.notebook.book import portable, rendered
from knit.notebook.cells import Cells, is_notebook
from knit.project import Course
from knit.shelf import write
from knit.weave.weaver import Woven

log = get_plugin_logger("knit")


class Notebooks:
    """The notebooks of one build, by the path of their sources from ``docs``.

    A source keeps its name for MkDocs, so that links and ``nav`` lead to it; its contents are a notebook in ``folder``.
    """

    def __init__(self, course: Course, folder: Path) -> None:
        docs = course.layout.docs.as_posix()
        self._cells = {
            posixpath.relpath(page.path, docs): Cells(page, course) for page in course.pages if is_notebook(page)
        }
        self._folder = folder

    def add(self, files: Files, config: MkDocsConfig) -> None:
        """Put each notebook in the place of its source, and a copy for download beside it."""
        if self._cells and "mkdocs-jupyter" not in config.plugins:
            raise PluginError("notebooks are rendered by mkdocs-jupyter: add it to the plugins, after knit")
        for source, cells in self._cells.items():
            cells.weave()
            written = self._folder / Path(source).with_suffix(".ipynb")
            text = rendered(cells)
            # Only a notebook that changed is newer than its page: `mkdocs serve --dirty` goes by that.
            if not written.exists() or written.read_bytes() != text.encode():
                write(written, text)  # whole: another build may be reading the old one
            if old := files.get_file_from_path(source):
                files.remove(old)
            files.append(File.generated(config, source, abs_src_path=str(written)))
        # Links in the copies lead to pages, so all pages are there first.
        for source, cells in self._cells.items():
            page = files.get_file_from_path(source)
            copy = portable(cells, partial(full_address, page=page, files=files, config=config))
            files.append(File.generated(config, ipynb(source), content=copy))

    def woven(self, page: SitePage) -> Woven | None:
        """Give what is woven into a notebook; None for any other page."""
        cells = self._cells.get(page.file.src_uri)
        return cells.woven if cells else None

    def meta(self, page: SitePage) -> dict[str, object] | None:
        """Give a notebook's front matter; None for any other page."""
        cells = self._cells.get(page.file.src_uri)
        return cells.page.meta if cells else None

    def put_back(self, page: SitePage) -> None:
        """Give a page that was not rendered again its front matter."""
        if (cells := self._cells.get(page.file.src_uri)) is not None:
            page.meta = cells.page.meta

    def finish(self, html: str, page: SitePage, files: Files) -> str:
        """Finish the page that mkdocs-jupyter made of a notebook; any other page stays as it is."""
        cells = self._cells.get(page.file.src_uri)
        if cells is None:
            return html
        # What parses HTML takes longer to load than all that a build without news does with notebooks.
        from knit.notebook.finish import finished  # noqa: PLC0415

        headings = cells.page.headings
        ids = [heading.id for heading in headings]
        try:
            body, titles = finished(html, cells.woven, ids, lambda target: _relative(target, page, files))
        except ValueError:
            raise PluginError(f"{cells.page.path}: write every heading of a notebook with #") from None
        contents: list[Any] = [
            {"level": heading.level, "id": heading.id or "", "name": title}
            for heading, title in zip(headings, titles, strict=True)
        ]
        page.toc = get_toc(nest_toc_tokens(contents))
        page.meta = cells.page.meta
        page.title = str(page.meta.get("title") or titles[0])
        page.present_anchor_ids = {name for name in ids if name}
        return body


def ipynb(source: str) -> str:
    """Give the name of the notebook for download."""
    return Path(source).with_suffix(".ipynb").as_posix()


def _target(link: str, page: File, files: Files) -> tuple[File | None, str]:
    """Find the source file that a link names, and its anchor."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or not parts.path:
        return None, parts.fragment
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page.src_uri), parts.path))
    return files.get_file_from_path(path), parts.fragment


def _relative(link: str, page: SitePage, files: Files) -> str | None:
    """Give the address of a source file that a page links to, and have MkDocs check its anchor."""
    found, anchor = _target(link, page.file, files)
    if found is None:
        if urlsplit(link).path and not urlsplit(link).scheme:
            log.warning("%s links to %s, which is not there", page.file.src_uri, link)
        return None
    if anchor:
        page.links_to_anchors = page.links_to_anchors or {}
        page.links_to_anchors.setdefault(found, {}).setdefault(anchor, link)
    return found.url_relative_to(page.file) + (f"#{anchor}" if anchor else "")


def full_address(link: str, page: File | None, files: Files, config: MkDocsConfig) -> str | None:
    """Give the whole address of what a page links to, where the site's own is known."""
    if urlsplit(link).scheme:
        return link
    found, anchor = _target(link, page, files) if page else (None, "")
    if found is None or not config.site_url:
        return None
    return urljoin(config.site_url, found.url) + (f"#{anchor}" if anchor else "")
