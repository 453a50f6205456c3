"""Keeps the renderings of pages in the theme's templates, and their entries in the search index.

A page whose rendering is kept gets it through a template of one line. The search does not look at a page whose entries
are kept; they are put among the others when its index is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from knit.programs import digest_of
from knit.site import surroundings
from knit.site.conversions import content_of
from knit.site.state import State
from knit.site.surroundings import Unknown, digest

TEMPLATE = "knit-page.html"
"""Extends the page's own template, or the one that gives the kept HTML."""

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


class Renderings:
    """The renderings of one build; ``site`` is the digest of what all pages share, ``pages`` are all that there are.

    Made when all pages are converted and none is rendered: what pages show of each other is written down as it is then.
    """

    def __init__(self, site: str, pages: Iterable[Page]) -> None:
        self._site = site
        self._shown = {page.file.src_uri: surroundings.of_neighbour(page, {}) for page in pages}
        self._pages = digest(list(self._shown.values()))
        self._navigations: dict[int, str] = {}

    def expected(self, state: State) -> bool:
        """Whether a rendering is kept that will do, as far as can be told before a page has its context."""
        name = state.kept["content"] if state.kept else ""
        found = state.slot.versions("renderings")
        return any(version.get("of") == name and version.get("among") == self._pages for version in found)

    def take_template(self, page: Page, state: State) -> None:
        """Have a page's template replaced by one that can give kept HTML."""
        state.template = page.meta.get("template", "main.html")
        state.named = "template" in page.meta
        page.meta = {**page.meta, "template": TEMPLATE}

    def before_search(self, context: TemplateContext, page: Page, state: State) -> TemplateContext:
        """When a page's context is complete: find its rendering and its entries, and keep the search from it."""
        page.meta = {key: value for key, value in page.meta.items() if key != "template"}
        if state.named:
            page.meta["template"] = state.template
        unread = page.content == "" and state.kept is not None and not state.kept["late"]
        state.content = state.kept["content"] if unread and state.kept else digest_of(page.content or "")
        shared = [self._site, state.content, page.toc, page.title, page.url, page.meta]
        state.entries = digest("entries", shared)
        state.rendering = self._rendering(context, page, shared)
        if kept := state.slot.find("renderings", state.rendering):
            state.html = state.slot.content(kept["html"])
        if (kept := state.slot.find("entries", state.entries)) and (found := state.slot.content(kept["entries"])):
            state.found = json.loads(found)
        if unread and (state.html is None or state.found is None):
            page.content = content_of(page, state)
        if state.found is not None:
            state.search = page.meta.get("search")
            page.meta["search"] = {**(state.search or {}), "exclude": True}
        context["layout"] = state.template if state.html is None else "knit-kept.html"  # type: ignore[typeddict-unknown-key]
        context["kept"] = state.html  # type: ignore[typeddict-unknown-key]
        return context

    def after_search(self, page: Page, state: State) -> None:
        """When the search has seen a page: give it its own front matter back."""
        if state.found is not None:
            del page.meta["search"]
            if state.search is not None:
                page.meta["search"] = state.search

    def after_template(self, state: State, output: str) -> None:
        """When a page's template is filled: keep the HTML."""
        if state.html is None and state.rendering:
            version = {
                "key": state.rendering,
                "of": state.kept["content"] if state.kept else "",
                "among": self._pages,
            }
            with suppress(OSError, ValueError):
                state.slot.add("renderings", version, {"html": output})
        state.html = None

    def _rendering(self, context: TemplateContext, page: Page, shared: list[Any]) -> str:
        """Give the key of a page's rendering; an empty one if it depends on something unknown."""
        nav: Navigation = context["nav"]
        around = [surroundings.of_neighbour(each, self._shown) for each in (page.previous_page, page.next_page)]
        here = [page.canonical_url, page.edit_url, page.is_homepage, page.file.inclusion.name, page.file.src_uri]
        more = {key: value for key, value in vars(page).items() if key not in OF_MKDOCS}
        known = {"nav", "pages", "page", "config", "build_date_utc"}
        rest = {key: value for key, value in context.items() if key not in known}
        try:
            if id(nav) not in self._navigations:
                self._navigations[id(nav)] = surroundings.of_navigation(nav, self._shown)
            return digest(shared, self._navigations[id(nav)], self._pages, around, here, more, rest)
        except Unknown as unknown:
            log.info("%s is rendered anew: nothing is known of %s", page.file.src_uri, unknown)
            return ""


def complete(states: dict[str, State], pages: Iterable[Page], found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put the entries of pages that the search did not see among those of the pages that it did, and keep these."""
    by_page: dict[str, list[dict[str, Any]]] = {}
    for entry in found:
        by_page.setdefault(entry["location"].partition("#")[0], []).append(entry)
    merged = []
    for page in pages:
        state = states.get(page.file.src_uri)
        own = by_page.get(page.url, [])
        if state is not None and state.found is not None:
            own = state.found
        elif state is not None and state.entries:
            with suppress(OSError, ValueError):
                written = json.dumps(own, ensure_ascii=False)
                state.slot.add("entries", {"key": state.entries}, {"entries": written})
        merged += own
    return merged
