"""The plugin's hooks that put pages back instead of making them anew; see `knit.site.incremental`."""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment
from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.files import Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from knit.site.compiled import keep_templates
from knit.site.incremental import Incremental
from knit.site.search import INDEX


class KeepsPages:
    """Hooks of a plugin whose ``_incremental`` is set before each build, to None if nothing is to be kept.

    ``_serving`` says whether a preview is built, ``_woven_into`` gives the digest of what is woven into a page.
    """

    _serving: bool
    _incremental: Incremental | None = None
    _pages: list[Page]
    _nav: Navigation

    @event_priority(-100)  # when the navigation is as it stays
    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Have several processes convert the pages of which nothing is kept."""
        self._nav = nav
        if self._incremental:
            convert = partial(_populate_page, config=config, files=files)
            self._incremental.convert(self._those_built(files), files, self._woven_into, convert)
        return nav

    @event_priority(-200)  # when every page has its content
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Have templates chosen late, and compiled once, and several processes fill those of changed pages."""
        self._pages = self._those_built(files)
        if self._incremental:
            keep_templates(env, self._incremental.templates)
            built = [page.file for page in self._pages]

            def render(page: Page) -> None:
                _build_page(page, config, built, self._nav, env, excluded=page.file.inclusion.is_excluded())  # type: ignore[no-untyped-call]

            self._incremental.render(self._pages, render, partial(_index, config))
        return env

    @event_priority(100)  # after the languages have added to the context (200), before the search looks (0)
    def _before_search(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        del config, nav
        return self._incremental.before_search(context, page) if self._incremental else context

    @event_priority(-100)
    def _after_search(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        del config, nav
        if self._incremental:
            self._incremental.after_search(page)
        return context

    on_page_context = CombinedEvent(_before_search, _after_search)

    @event_priority(100)  # before others change what the template gave
    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Keep what the template gave."""
        del config
        if self._incremental:
            self._incremental.after_template(page, output)
        return output

    @event_priority(-50)  # after the search has written its index, before the languages part it (-100)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Complete the search index."""
        if self._incremental is None:
            return
        index = Path(config.site_dir) / INDEX
        if index.exists():
            data = json.loads(index.read_text("utf-8"))
            data["docs"] = self._incremental.entries(self._pages, data["docs"])
            index.write_text(json.dumps(data, separators=(",", ":"), default=str), "utf-8")
        self._incremental.finish()

    def on_build_error(self, *, error: Exception) -> None:
        """Keep what was made so far."""
        del error
        if self._incremental:
            self._incremental.finish()

    def _those_built(self, files: Files) -> list[Page]:
        inclusion = InclusionLevel.is_in_serve if self._serving else InclusionLevel.is_included
        return [file.page for file in files.documentation_pages(inclusion=inclusion) if file.page]

    def _woven_into(self, page: Page) -> str:
        raise NotImplementedError


def _index(config: MkDocsConfig) -> list[dict[str, Any]]:
    """Give the search's entries of the pages rendered so far: in a process that writes no site."""
    search = config.plugins.get("material/search") or config.plugins.get("search")
    if search is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        config.site_dir = folder
        search.on_post_build(config=config)
        docs: list[dict[str, Any]] = json.loads((Path(folder) / INDEX).read_text("utf-8"))["docs"]
        return docs
