"""Puts pages back instead of converting and templating them, where nothing that they depend on changed.

Three things are made of a page, each with a key that holds all that it depends on: its *conversion* from Markdown
(the source, what is woven into it, files that it shows, addresses that it links to), its *entries* in the search
index, and its *rendering* in the theme's templates (the conversion, the navigation, its neighbours and twins). What
all pages share, see `knit.site.surroundings`. Where something takes part of which nothing is known, nothing is kept.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from knit.programs import digest_of
from knit.shelf import Record, Shelf, Slot
from knit.site import surroundings
from knit.site.contents import contents
from knit.site.docstrings import Docstrings
from knit.site.noted import Linked, Warned, address
from knit.site.opened import Opened, own_files
from knit.site.replay import Replay
from knit.site.surroundings import Unknown, digest, plain

TEMPLATE = "knit-page.html"
"""Extends the page's own template, or the one that gives the kept HTML."""

REFERENCES = ("<autoref", "<backlinks", "data-autorefs", "<span data-autorefs-")
"""Marks of what mkdocs-autorefs and mkdocstrings put into a page after all are converted."""

SNIPPET = re.compile(r"^[^\n]*-8<-", re.MULTILINE)
OF_MKDOCS = frozenset(
    (
        "file",
        "title",
        "children",
        "previous_page",
        "next_page",
        "active",
        "_Page__active",
        "parent",
        "update_date",
        "canonical_url",
        "abs_url",
        "edit_url",
        "markdown",
        "render",
        "_title_from_render",
        "content",
        "toc",
        "meta",
        "present_anchor_ids",
        "links_to_anchors",
    )
)
"""Attributes of a page that are looked at by name, or show nothing of themselves."""

log = get_plugin_logger("knit")


@dataclass
class State:
    """What is known of one page during a build."""

    slot: Slot
    key: str
    kept: Record | None = None
    opened: set[str] = field(default_factory=set)
    links: dict[str, list[str] | None] = field(default_factory=dict)
    content: str = ""
    rendering: str = ""
    html: str | None = None
    template: str | None = None
    search: Any = None
    entries: str = ""
    found: list[Any] | None = None


class Incremental:
    """One build's keeping of pages.

    Parameters
    ----------
    config : MkDocsConfig
        After all plugins have had their say.
    root, folder : Path
        The project's folder, and the one to keep things in.
    opened : Opened
        The process's.

    """

    def __init__(self, config: MkDocsConfig, root: Path, folder: Path, opened: Opened) -> None:
        self._config = config
        self._root = root
        self._opened = opened
        self._shelf = Shelf(folder / "pages")
        self.templates = folder / "templates"
        self._replay = Replay(config)
        self._states: dict[str, State] = {}
        self._linked: Linked | None = None
        self._files: dict[str, str | None] = {}
        self._navigations: dict[int, str] = {}
        self._pages = ""
        self._warned = Warned()
        self.converted: list[str] = []
        self.rendered: list[str] = []
        try:
            self._docstrings = Docstrings(config, root)
            self._site: str | None = surroundings.of_site(config)
        except Unknown as unknown:
            log.info("every page is made anew: nothing is known of %s", unknown)
            self._site = None

    # --- conversion

    def before(self, page: Page, files: Files, woven: str) -> bool:
        """Before a page's source is read: put its conversion back, or have the real one noted.

        ``woven`` is the digest of what is woven into it. Give whether it was put back.
        """
        if self._site is None:
            return False
        source = page.file.content_bytes
        own = [page.file.src_uri, page.file.url, page.file.inclusion.name, vars(page).get("title")]
        others = self._docstrings.of(source.decode("utf-8", "replace"), files)
        key = digest(self._site, own, digest_of(source), woven, others)
        state = self._states[page.file.src_uri] = State(self._shelf.slot(page.file.src_uri), key)
        for version in state.slot.versions("conversions"):
            if version["key"] == key and self._still(version, files) and state.slot.holds(version["content"]):
                state.kept = version
                vars(page)["render"] = partial(self._put_back, page, version)
                return True
        self.converted.append(page.file.src_uri)
        self._warned.listen()
        self._replay.begin()
        render, linked = page.render, self.files(files)
        linked.asked = state.links

        def noting(config: MkDocsConfig, files: Files) -> None:
            del files
            with self._opened.noted() as state.opened:
                render(config, linked)

        vars(page)["render"] = noting
        return False

    def is_kept(self, page: Page) -> bool:
        """Whether a page's conversion was put back."""
        state = self._states.get(page.file.src_uri)
        return state is not None and state.kept is not None

    def files(self, files: Files) -> Linked:
        """Give the site's files as they note what a conversion asks for."""
        if self._linked is None:
            self._linked = Linked(files)
        return self._linked

    def after(self, page: Page, content: str) -> None:
        """When a page is converted and finished: keep what was made of it, unless it was put back or is warned of."""
        state = self._states.get(page.file.src_uri)
        if state is None or state.kept is not None:
            return
        self._warned.stop()
        if self._warned.warned or not self._keepable(page):
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

    def _put_back(self, page: Page, version: Record, config: MkDocsConfig, files: Files) -> None:
        """Stand for ``Page.render``. The content is read only if something needs it."""
        del config
        page.content = self._content(page) if version["late"] else ""
        page.toc = contents(version["toc"])
        page.present_anchor_ids = set(version["ids"])
        page.links_to_anchors = {
            file: names for path, names in version["anchors"] if (file := files.get_file_from_path(path))
        }
        if page.title != version["title"]:
            page.title = version["title"]
        self._replay.again(version["calls"], page)

    def _content(self, page: Page) -> str:
        state = self._states[page.file.src_uri]
        content = state.slot.content(state.kept["content"]) if state.kept else None
        if content is None:
            raise OSError(f"what was kept of {page.file.src_uri} is gone: build again")
        return content

    # --- templates

    def all_converted(self, pages: list[Page]) -> None:
        """When all pages are converted: have each page's template replaced by one that can give kept HTML."""
        if self._site is None:
            return
        self._pages = surroundings.of_pages(pages)
        for page in pages:
            if (state := self._states.get(page.file.src_uri)) is not None:
                state.template = page.meta.get("template", "main.html")
                page.meta = {**page.meta, "template": TEMPLATE}

    def before_search(self, context: TemplateContext, page: Page) -> TemplateContext:
        """When a page's context is complete: find its rendering and its entries, and keep the search from it."""
        state = self._states.get(page.file.src_uri)
        if state is None or state.template is None:
            return context
        page.meta = {key: value for key, value in page.meta.items() if key != "template"}
        if state.template != "main.html":
            page.meta["template"] = state.template
        unread = page.content == "" and state.kept is not None and not state.kept["late"]
        state.content = state.kept["content"] if unread and state.kept else digest_of(page.content or "")
        shared = [self._site, state.content, page.toc, page.title, page.url, page.meta]
        state.entries = digest("entries", shared)
        state.rendering = self._rendering(context, page, shared)
        for version in state.slot.versions("renderings"):
            if version["key"] == state.rendering:
                state.html = state.slot.content(version["html"])
        for version in state.slot.versions("entries"):
            if version["key"] == state.entries and (found := state.slot.content(version["entries"])) is not None:
                state.found = json.loads(found)
        if unread and (state.html is None or state.found is None):
            page.content = self._content(page)
        if state.found is not None:
            state.search = page.meta.get("search")
            page.meta["search"] = {**(state.search or {}), "exclude": True}
        context["layout"] = state.template if state.html is None else "knit-kept.html"  # type: ignore[typeddict-unknown-key]
        context["kept"] = state.html  # type: ignore[typeddict-unknown-key]
        return context

    def after_search(self, page: Page) -> None:
        """When the search has seen a page: give it its own front matter back."""
        state = self._states.get(page.file.src_uri)
        if state is not None and state.found is not None:
            del page.meta["search"]
            if state.search is not None:
                page.meta["search"] = state.search

    def after_template(self, page: Page, output: str) -> None:
        """When a page's template is filled: keep the HTML."""
        state = self._states.get(page.file.src_uri)
        if state is None or state.template is None:
            return
        if state.html is None:
            self.rendered.append(page.file.src_uri)
            if state.rendering:
                with suppress(OSError, ValueError):
                    state.slot.add("renderings", {"key": state.rendering}, {"html": output})
        state.html = None

    def _rendering(self, context: TemplateContext, page: Page, shared: list[Any]) -> str:
        """Give the key of a page's rendering; an empty one if it depends on something unknown."""
        nav: Navigation = context["nav"]
        if id(nav) not in self._navigations:
            self._navigations[id(nav)] = surroundings.of_navigation(nav)
        around = [surroundings.of_neighbour(each) for each in (page.previous_page, page.next_page)]
        here = [page.canonical_url, page.edit_url, page.is_homepage, page.file.inclusion.name, page.file.src_uri]
        more = {key: value for key, value in vars(page).items() if key not in OF_MKDOCS}
        known = {"nav", "pages", "page", "config", "build_date_utc"}
        rest = {key: value for key, value in context.items() if key not in known}
        try:
            return digest(shared, self._navigations[id(nav)], self._pages, around, here, more, rest)
        except Unknown as unknown:
            log.info("%s is rendered anew: nothing is known of %s", page.file.src_uri, unknown)
            return ""

    # --- search

    def entries(self, pages: list[Page], found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Put the entries of pages that the search did not see among those of the pages that it did, in order."""
        by_page: dict[str, list[dict[str, Any]]] = {}
        for entry in found:
            by_page.setdefault(entry["location"].partition("#")[0], []).append(entry)
        merged = []
        for page in pages:
            state = self._states.get(page.file.src_uri)
            own = by_page.get(page.url, [])
            if state is not None and state.found is not None:
                own = state.found
            elif state is not None and state.entries:
                with suppress(OSError, ValueError):
                    written = json.dumps(own, ensure_ascii=False)
                    state.slot.add("entries", {"key": state.entries}, {"entries": written})
            merged += own
        return merged

    def finish(self) -> None:
        """When a build ends, however it does: write what is new."""
        self._warned.stop()
        for state in self._states.values():
            with suppress(OSError):
                state.slot.save()
        if self._site is not None:
            self._shelf.sweep(set(self._states))
