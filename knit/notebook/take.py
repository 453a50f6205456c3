"""What readers take with them: lessons and research days as notebooks and as scripts, complete, in their language."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from contextlib import suppress
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
from knit.weave.kept import digest_of_woven
from knit.weave.weaver import Woven

WORDS = {
    "zh": ("把这一页带走：", "笔记本（.ipynb）", "脚本（.py）"),
    "en": ("Take this page with you: ", "notebook (.ipynb)", "script (.py)"),
}


class Downloads:
    """The downloads of a site; they are written again only when something that they depend on changed."""

    def __init__(self) -> None:
        self._offered: dict[str, tuple[str, str]] = {}

    def add(self, course: Course, woven: Mapping[str, Woven], files: Files, config: MkDocsConfig) -> None:
        """Add the downloads to a site's files; `knit.notebook.site` adds the notebooks of research days."""
        self._offered = {}
        docs = course.layout.docs.as_posix()
        addresses = digest_of_data(config.site_url, sorted((file.src_uri, file.url) for file in files))
        for page in course.pages:
            script = (course.layout.snippets / str(page.meta.get("script", ""))).as_posix()
            outcome = course.results.outcomes.get(script)
            if not is_lesson(page) or outcome is None or outcome.fault:
                continue
            uri = posixpath.relpath(page.path, docs)
            beside = posixpath.join(posixpath.dirname(uri), PurePosixPath(script).name)
            taken = _taken(page, course, woven[page.path], addresses, files, config)
            files.append(File.generated(config, beside, content=taken["script"]))
            self._offered[uri] = ipynb(uri), beside
            if not is_notebook(page):
                files.append(File.generated(config, ipynb(uri), content=taken["notebook"]))

    def links(self, page: SitePage, files: Files) -> str:
        """Give the foot of a page that can be taken away; nothing for others."""
        found = [files.get_file_from_path(uri) for uri in self._offered.get(page.file.src_uri, ())]
        addresses = [file.url_relative_to(page.file) for file in found if file]
        if not addresses:
            return ""
        lead, *kinds = WORDS.get(page.file.src_uri.partition("/")[0], WORDS["en"])
        each = (f'<a href="{to}" download>{kind}</a>' for to, kind in zip(addresses, kinds, strict=True))
        return f'<p class="knit-download" data-search-exclude>{lead}{" · ".join(each)}</p>'


def _taken(
    page: Page, course: Course, woven: Woven, addresses: str, files: Files, config: MkDocsConfig
) -> Mapping[str, str]:
    """Write a page's script and notebook, or give those that were written of the same."""
    key, slot = _key(page, course, woven, addresses), course.kept.slot(page.path)
    if slot and key and (version := slot.find("taken", key)):
        kept = {name: slot.content(version[name]) for name in ("script", "notebook")}
        if None not in kept.values():
            return {name: content or "" for name, content in kept.items()}
    script = (course.layout.snippets / str(page.meta["script"])).as_posix()
    sources = course.results.sources
    made = {"script": whole(sources[script], sources, page.language, course.layout.languages), "notebook": ""}
    if not is_notebook(page):
        lesson = Lesson(page, course)
        lesson.weave()
        uri = posixpath.relpath(page.path, course.layout.docs.as_posix())
        address = partial(full_address, page=files.get_file_from_path(uri), files=files, config=config)
        made["notebook"] = portable(lesson, address)
    if slot and key:
        with suppress(OSError):
            slot.add("taken", {"key": key}, made)
    return made


def _key(page: Page, course: Course, woven: Woven, addresses: str) -> str:
    """Give the digest of what is taken away with a page; empty when something of it is not known."""
    results, snippets = course.results, course.layout.snippets
    names = {PurePosixPath(path).stem: path for path in results.sources}
    reached: set[str] = set()
    waiting = [(snippets / str(page.meta["script"])).as_posix()]
    waiting += [each.script for each in woven.shown] + [script for script, _ in woven.code]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            # A script that it imports is named in it.
            waiting += [names[word] for word in results.sources[path].words & names.keys()]
    scripts = [[path, results.sources[path].digest, results.outcomes[path].digest] for path in sorted(reached)]
    if not all(digest for *_, digest in scripts):
        return ""
    return digest_of_data(page.digest, scripts, digest_of_woven(woven), addresses, course.layout.languages)
