"""What readers take with them: lessons and research days as notebooks and as scripts, complete, in their language."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from functools import partial
from pathlib import PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as SitePage

from knit.notebook.book import portable
from knit.notebook.cells import is_notebook
from knit.notebook.embedded import imported, whole
from knit.notebook.lesson import Lesson
from knit.notebook.site import full_address, ipynb
from knit.project import Course, is_lesson
from knit.read.page import Page
from knit.site.surroundings import digest
from knit.weave.weaver import Woven

WORDS = {
    "zh": ("把这一页带走：", "笔记本（.ipynb）", "脚本（.py）"),
    "en": ("Take this page with you: ", "notebook (.ipynb)", "script (.py)"),
}


class Downloads:
    """The downloads of a site; a notebook is written again only when something in it changed."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, str]] = {}
        self._offered: dict[str, tuple[str, str]] = {}

    def add(self, course: Course, woven: Mapping[str, Woven], files: Files, config: MkDocsConfig) -> None:
        """Add the downloads to a site's files; `knit.notebook.site` adds the notebooks of research days."""
        self._offered = {}
        docs, sources = course.layout.docs.as_posix(), course.results.sources
        for page in course.pages:
            script = (course.layout.snippets / str(page.meta.get("script", ""))).as_posix()
            outcome = course.results.outcomes.get(script)
            if not is_lesson(page) or outcome is None or outcome.result is None:
                continue
            source = sources[script]
            uri = posixpath.relpath(page.path, docs)
            beside = posixpath.join(posixpath.dirname(uri), PurePosixPath(script).name)
            text = whole(source, sources, page.language, course.layout.languages)
            files.append(File.generated(config, beside, content=text))
            self._offered[uri] = ipynb(uri), beside
            if not is_notebook(page):
                shown = woven[page.path]
                brought = [each.text for each in (source, *imported(source, sources).values())]
                key = digest(page.text, brought, outcome.result.outputs, shown.plain, shown.html)
                files.append(
                    File.generated(config, ipynb(uri), content=self._notebook(page, course, key, files, config))
                )

    def _notebook(self, page: Page, course: Course, key: str, files: Files, config: MkDocsConfig) -> str:
        """Write a lesson's notebook, or give the one that was written."""
        if self._kept.get(page.path, ("", ""))[0] != key:
            lesson = Lesson(page, course)
            lesson.weave()
            uri = posixpath.relpath(page.path, course.layout.docs.as_posix())
            address = partial(full_address, page=files.get_file_from_path(uri), files=files, config=config)
            self._kept[page.path] = key, portable(lesson, address)
        return self._kept[page.path][1]

    def links(self, page: SitePage, files: Files) -> str:
        """Give the foot of a page that can be taken away; nothing for others."""
        found = [files.get_file_from_path(uri) for uri in self._offered.get(page.file.src_uri, ())]
        addresses = [file.url_relative_to(page.file) for file in found if file]
        if not addresses:
            return ""
        lead, *kinds = WORDS.get(page.file.src_uri.partition("/")[0], WORDS["en"])
        each = (f'<a href="{to}" download>{kind}</a>' for to, kind in zip(addresses, kinds, strict=True))
        return f'<p class="knit-download" data-search-exclude>{lead}{" · ".join(each)}</p>'
