"""What readers take with them: lessons and research days as notebooks and as scripts, complete, in their language."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as SitePage

from knit.notebook.book import portable
from knit.notebook.cells import is_notebook
from knit.notebook.embedded import whole
from knit.notebook.lesson import Lesson
from knit.notebook.site import full_address, ipynb
from knit.programs import digest_of_data
from knit.project import Course, is_lesson
from knit.read.page import Page
from knit.site.holding import fill
from knit.weave.kept import digest_of_woven
from knit.weave.weaver import Woven

WORDS = {
    "zh": ("把这一页带走：", "笔记本（.ipynb）", "脚本（.py）"),
    "en": ("Take this page with you: ", "notebook (.ipynb)", "script (.py)"),
}


@dataclass(frozen=True)
class Taken:
    """What is taken away with a page: files by kind, and the digest of all that they come of, if it is known."""

    page: Page
    key: str
    files: Mapping[str, File]


class Downloads:
    """The downloads of a site; they are written again only when something that they depend on changed.

    Their files are there from the beginning, since pages lead to them. What they hold is written by the processes that
    make pages.
    """

    def __init__(self) -> None:
        self._offered: dict[str, tuple[str, str]] = {}
        self._due: dict[str, Taken] = {}

    def add(self, course: Course, woven: Mapping[str, Woven], files: Files, config: MkDocsConfig) -> None:
        """Add the downloads to a site's files; `knit.notebook.site` adds the notebooks of research days."""
        self._offered, self._due = {}, {}
        self._course, self._files, self._config = course, files, config
        docs = course.layout.docs.as_posix()
        addresses = digest_of_data(config.site_url, sorted((file.src_uri, file.url) for file in files))
        for page in course.pages:
            script = (course.layout.snippets / str(page.meta.get("script", ""))).as_posix()
            outcome = course.results.outcomes.get(script)
            if not is_lesson(page) or outcome is None or outcome.fault:
                continue
            uri = posixpath.relpath(page.path, docs)
            beside = posixpath.join(posixpath.dirname(uri), PurePosixPath(script).name)
            names = {"script": beside} if is_notebook(page) else {"script": beside, "notebook": ipynb(uri)}
            made = {kind: File.generated(config, name, abs_src_path="") for kind, name in names.items()}
            for file in made.values():
                files.append(file)
            self._offered[uri] = ipynb(uri), beside
            self._due[uri] = Taken(page, _key(page, course, woven[page.path], addresses), made)

    def links(self, page: SitePage, files: Files) -> str:
        """Give the foot of a page that can be taken away; nothing for others."""
        found = [files.get_file_from_path(uri) for uri in self._offered.get(page.file.src_uri, ())]
        addresses = [file.url_relative_to(page.file) for file in found if file]
        if not addresses:
            return ""
        lead, *kinds = WORDS.get(page.file.src_uri.partition("/")[0], WORDS["en"])
        each = (f'<a href="{to}" download>{kind}</a>' for to, kind in zip(addresses, kinds, strict=True))
        return f'<p class="knit-download" data-search-exclude>{lead}{" · ".join(each)}</p>'

    def write(self, uri: str) -> None:
        """Write what is taken away with a page, unless it is kept: its files are then as they are to be copied."""
        if (taken := self._due.pop(uri, None)) is None:
            return
        page, files = taken.page, taken.files
        slot = self._course.kept.slot(page.path)
        fill(files, slot, "taken", taken.key, lambda: {kind: self._made(page, kind) for kind in files})

    def finish(self) -> None:
        """Write what is taken away with pages that are not built."""
        for uri in list(self._due):
            self.write(uri)

    def _made(self, page: Page, kind: str) -> str:
        """Write a page's script or notebook."""
        course = self._course
        if kind == "script":
            results = course.results
            script = (course.layout.snippets / str(page.meta["script"])).as_posix()
            return whole(results.sources[script], results.modules, page.language, course.layout.languages)
        lesson = Lesson(page, course)
        lesson.weave()
        uri = posixpath.relpath(page.path, course.layout.docs.as_posix())
        file = self._files.get_file_from_path(uri)
        return portable(lesson, partial(full_address, page=file, files=self._files, config=self._config))


def _key(page: Page, course: Course, woven: Woven, addresses: str) -> str:
    """Give the digest of what is taken away with a page; empty when something of it is not known."""
    results, snippets = course.results, course.layout.snippets
    reached: set[str] = set()
    waiting = [(snippets / str(page.meta["script"])).as_posix()]
    waiting += [each.script for each in woven.shown] + [script for script, _ in woven.code]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            # A script that it imports is named in it.
            named = results.sources[path].words & results.modules.keys()
            waiting += [results.modules[word].path for word in named]
    scripts = [[path, results.sources[path].digest, results.outcomes[path].digest] for path in sorted(reached)]
    if not all(digest for *_, digest in scripts):
        return ""
    return digest_of_data(page.digest, scripts, digest_of_woven(woven), addresses, course.layout.languages)
