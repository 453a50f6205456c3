"""Keeps the conversions of pages from Markdown, and puts them back where nothing that they depend on changed."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from knit.programs import digest_of
from knit.shelf import Record, Slot
from knit.site.contents import contents
from knit.site.docstrings import Docstrings
from knit.site.noted import Linked, Warned, address
from knit.site.opened import Opened, own_files
from knit.site.replay import Replay
from knit.site.state import State
from knit.site.surroundings import digest, plain

REFERENCES = ("<autoref", "<backlinks", "data-autorefs", "<span data-autorefs-")
"""Marks of what mkdocs-autorefs and mkdocstrings put into a page after all are converted."""

SNIPPET = re.compile(r"^[^\n]*-8<-", re.MULTILINE)


class Conversions:
    """The conversions of one build; ``site`` is the digest of what all pages share.

    Raises
    ------
    Unknown
        When something takes part of which nothing is known.

    """

    def __init__(self, config: MkDocsConfig, root: Path, opened: Opened, site: str) -> None:
        self._config = config
        self._root = root
        self._opened = opened
        self._site = site
        self._replay = Replay(config)
        self._docstrings = Docstrings(config, root)
        self._linked: Linked | None = None
        self._files: dict[str, str | None] = {}
        self._warned = Warned()
        self._began = time.time()
        self._warned_of: set[str] = set()

    def state(self, page: Page, files: Files, woven: str, slot: Slot) -> State:
        """Find what is kept of a page; ``woven`` is the digest of what is woven into it."""
        source = page.file.content_bytes
        own = [page.file.src_uri, page.file.url, page.file.inclusion.name, vars(page).get("title")]
        others = self._docstrings.of(source)
        name = digest_of(source)
        state = State(slot, digest(self._site, own, name, woven, others), name)

        def fits(version: Record) -> bool:
            return version["key"] == state.key and self._still(version, files) and slot.holds(version, "content")

        state.kept = slot.first("conversions", fits)
        return state

    def put_back(self, page: Page, state: State) -> None:
        """Have a page take the conversion that is kept instead of being converted."""
        vars(page)["render"] = partial(self._put_back, page, state)

    def note(self, page: Page, state: State, files: Files) -> None:
        """Have what a page's conversion looks at noted."""
        self._warned.listen()
        self._replay.begin()
        render, linked = page.render, self.files(files)
        linked.asked = state.links

        def noting(config: MkDocsConfig, files: Files) -> None:
            del files
            with self._opened.noted() as state.opened:
                render(config, linked)

        vars(page)["render"] = noting

    def files(self, files: Files) -> Linked:
        """Give the site's files as they note what a conversion asks for."""
        if self._linked is None:
            self._linked = Linked(files)
        return self._linked

    def keep(self, page: Page, state: State, content: str) -> None:
        """Keep what was made of a page, unless it is warned of, or was edited meanwhile.

        Of docstrings is warned when they are first read: what is said of a package is said of all pages that show it.
        """
        self._warned.stop()
        packages = self._docstrings.packages(page.markdown or "")
        if self._warned.warned:
            self._warned_of |= packages
        warned = self._warned.warned or packages & self._warned_of
        if warned or not self._keepable(page) or _source(page) != state.source or self._edited(page, state, packages):
            return
        links = page.links_to_anchors or {}
        version: Record = {
            "key": state.key,
            "links": state.links,
            "files": {path: self._file(path) for path in own_files(self._root, state.opened)},
            "title": page.title,
            "toc": plain(page.toc),
            "ids": sorted(page.present_anchor_ids or ()),
            "anchors": [[file.src_uri, names] for file, names in links.items()],
            "calls": self._replay.calls,
            "late": any(mark in content for mark in REFERENCES),
        }
        with suppress(OSError, ValueError):
            state.slot.add("conversions", version, {"content": content})
            state.kept = version

    def _edited(self, page: Page, state: State, packages: set[str]) -> bool:
        """Whether a file was edited since the build began: what was read of it may be neither what it was nor is."""
        opened = own_files(self._root, state.opened | {str(page.file.abs_src_path)})
        files = [*(self._root / path for path in opened), *self._docstrings.files(packages)]
        try:
            return any(file.stat().st_mtime >= self._began for file in files)
        except OSError:
            return True

    def stop(self) -> None:
        """Listen no longer."""
        self._warned.stop()

    def _keepable(self, page: Page) -> bool:
        """Whether all that a page's snippets depend on is known: files that are not there are not noted."""
        if not SNIPPET.search(page.markdown or ""):
            return True
        options = self._config.mdx_configs.get("pymdownx.snippets", {})
        places = options.get("base_path", [])
        return bool(options.get("check_paths")) and not options.get("url_download") and len(places) == 1

    def _still(self, version: Record, files: Files) -> bool:
        """Whether the addresses and files that a conversion looked at are as they were."""
        return all(address(files.get_file_from_path(path)) == to for path, to in version["links"].items()) and all(
            self._file(path) == was for path, was in version["files"].items()
        )

    def _file(self, path: str) -> str | None:
        if path not in self._files:
            try:
                self._files[path] = digest_of((self._root / path).read_bytes())
            except OSError:
                self._files[path] = None
        return self._files[path]

    def _put_back(self, page: Page, state: State, config: MkDocsConfig, files: Files) -> None:
        """Stand for ``Page.render``. The content is read only if something needs it."""
        del config
        version = state.kept
        assert version is not None  # noqa: S101 - only a kept one is put back
        page.content = content_of(page, state) if version["late"] else ""
        page.toc = contents(version["toc"])
        page.present_anchor_ids = set(version["ids"])
        page.links_to_anchors = {
            file: names for path, names in version["anchors"] if (file := files.get_file_from_path(path))
        }
        if page.title != version["title"]:
            page.title = version["title"]
        self._replay.again(version["calls"], page)


def _source(page: Page) -> str:
    """Give the digest of a page's source as it is now, nothing if it is gone."""
    try:
        return digest_of(page.file.content_bytes)
    except OSError:
        return ""


def content_of(page: Page, state: State) -> str:
    """Read the content of a kept conversion.

    Raises
    ------
    PluginError
        When it is gone: another build, of newer pages, has thrown it away, or it was damaged.

    """
    content = state.slot.content(state.kept["content"]) if state.kept else None
    if content is None:
        if state.kept:
            state.slot.drop(state.kept["content"])  # so that it is made anew
        raise PluginError(f"what was kept of {page.file.src_uri} is gone: build again")
    return content
