"""The plugin's hooks that put pages back instead of making them anew; see `knit.site.incremental`."""

from __future__ import annotations

import json
from pathlib import Path

from jinja2 import Environment
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
    """Hooks of a plugin whose ``_incremental`` is set before each build, to None if nothing is to be kept."""

    _incremental: Incremental | None = None
    _pages: list[Page]

    @event_priority(-200)  # when every page has its content
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Have templates chosen late, and compiled once."""
        del config
        inclusion = InclusionLevel.is_in_serve
        self._pages = [file.page for file in files.documentation_pages(inclusion=inclusion) if file.page]
        if self._incremental:
            keep_templates(env, self._incremental.templates)
            self._incremental.all_converted(self._pages)
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
