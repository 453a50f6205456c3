"""The MkDocs plugin that makes one site of several languages, in one build, each page in its own.

Pages live in ``docs/zh/`` and ``docs/en/``, mirror images of each other. Texts in mkdocs.yml that readers see
(``site_name``, ``site_description``, ``copyright``, titles in ``nav``, ``extra``, the theme's) hold all
languages, parted by bars: ``发明注意力 | Inventing Attention``. ``nav`` is written once, without the folders
of the languages. The templates are in ``overrides/``, and come with the plugin.
"""

from __future__ import annotations

import logging
import posixpath
from copy import copy
from pathlib import Path
from typing import Literal, cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files, file_sort_key
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url, nest_paths
from mkdocs.utils.templates import TemplateContext

from knit.problem import several
from knit.site import navigation, search, search_entries
from knit.site.bilingual_config import BilingualConfig
from knit.site.languages import Language, languages_of

OVERRIDES = Path(__file__).parent / "overrides"
TEXTS = ("site_name", "site_description", "site_author", "copyright", "extra")
log = get_plugin_logger("bilingual")


class BilingualPlugin(BasePlugin[BilingualConfig]):  # type: ignore[no-untyped-call]
    """Gives every page the words, the navigation and the search of its language, and a link to its twins."""

    def __init__(self) -> None:
        self._serving = False
        self._languages: tuple[Language, ...] = ()
        self._fallback: Language | None = None
        self._twins: dict[str, dict[str, File]] = {}
        self._navigation: dict[str, Navigation] = {}

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Note whether this is a build or a preview."""
        del dirty
        self._serving = command == "serve"

    @event_priority(100)  # before the search plugin fills its gaps from one language
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Add the templates, and refuse texts that lack a language."""
        self._languages = languages_of(self.config.languages)
        named = [language for language in self._languages if language.code == self.config.fallback]
        self._fallback = (named or list(self._languages))[0]
        if "navigation.instant" in config.theme.get("features", []):
            raise PluginError("navigation.instant keeps the first page's words and search index: turn it off")
        for language in self._languages:
            self._localised(config, language)
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(OVERRIDES))
        config.theme.static_templates.add("index.html")
        config.extra_css.insert(0, "assets/bilingual.css")
        if (plugin := config.plugins.get("material/search")) and not plugin.config["separator"]:
            plugin.config["separator"] = search.SEPARATOR
        # jieba tells of its dictionary, at the level of debugging, on its own handler.
        logging.getLogger("jieba").setLevel(logging.WARNING)
        return config

    @event_priority(-100)  # after mkdocs-jupyter has made pages of notebooks
    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Pair the pages, refuse one without its twins, and write out the navigation of every language."""
        self._twins, wrong = {}, []
        for file in files.documentation_pages():
            code, _, name = file.src_uri.partition("/")
            if code in self.config.languages:
                self._twins.setdefault(name, {})[code] = file
            else:
                wrong.append(f"{file.src_uri} is in no language's folder ({', '.join(self.config.languages)})")
        for name, twins in sorted(self._twins.items()):
            there = next(iter(twins.values())).src_uri
            missing = [code for code in self.config.languages if code not in twins]
            wrong += [f"{there} has no twin {posixpath.join(code, name)}: write it" for code in missing]
        for message in wrong:
            log.log(logging.WARNING if self._serving else logging.ERROR, "%s", message)
        if wrong and not self._serving:
            raise Abort(f"bilingual: {several(len(wrong), 'page')} without twins; nothing was built")
        written = config.nav
        if written is None:
            # As MkDocs does it: by folder, an index first.
            names = sorted(self._twins, key=lambda name: file_sort_key(next(iter(self._twins[name].values()))))
            written = nest_paths(names)  # type: ignore[no-untyped-call]
        config.nav = navigation.mirrored(written, self._languages)
        return files

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Part the navigation by language; and have the search, which is set up by now, see what we say of pages."""
        del files
        search_entries.use(config)
        self._navigation = navigation.parted(nav, self._languages)
        return nav

    @event_priority(200)  # before pages are put back, which look at the whole context
    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Give the page's templates its language: words, navigation, twins, and where its search index is."""
        del nav
        language = self._language_of(page)
        if language is None:
            return context
        localised = self._localised(config, language)
        # All languages share what the reader chose (light or dark): its scope is the site …
        localised.extra["scope"] = context["base_url"]
        # … but the theme fetches the search index from the base, which is therefore the language's folder.
        context["base_url"] = get_relative_url(f"{language.code}/", page.url)
        # Shows the theme's place for a language switch; not a list, so that it makes no links of its own.
        localised.extra["alternate"] = True
        context["config"] = localised
        context["nav"] = self._navigation[language.code]
        own = {"language": language, "twins": self._links(page), "everyone": self._everyone(page, config)}
        return cast("TemplateContext", {**context, **own})

    def on_template_context(
        self, context: TemplateContext, *, template_name: str, config: MkDocsConfig
    ) -> TemplateContext:
        """Give the pages that belong to no language (``/``, 404, the sitemap) all of them."""
        del template_name
        homes = [
            {"language": language, "home": home.url, "config": self._localised(config, language)}
            for language in self._languages
            if (home := self._navigation[language.code].homepage)
        ]
        pages = [
            {"url": page.canonical_url, "twins": self._links(page), "everyone": self._everyone(page, config)}
            for file in context["pages"]
            if (page := file.page)
        ]
        own = {"homes": homes, "fallback": self._fallback, "listed": pages}
        return cast("TemplateContext", {**context, **own})

    @event_priority(-100)  # after the search plugin has written the index
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Part the search index by language."""
        search.part(Path(config.site_dir), self._languages)
        search.prepare(Path(config.site_dir))
        # Holds the day of the build, so that no two are alike; crawlers read the plain one.
        Path(config.site_dir, "sitemap.xml.gz").unlink(missing_ok=True)

    def _language_of(self, page: Page) -> Language | None:
        code = page.file.src_uri.partition("/")[0]
        return next((language for language in self._languages if language.code == code), None)

    def _localised(self, config: MkDocsConfig, language: Language) -> MkDocsConfig:
        """Copy the configuration, its texts in one language."""
        localised = copy(config)
        for key in TEXTS:
            localised[key] = language.words_in(config[key])
        # Templates read the theme as a mapping; a Theme itself would share its values with the copy.
        localised["theme"] = language.words_in(dict(config.theme))
        return localised

    def _links(self, page: Page) -> list[dict[str, object]]:
        """Give a page's address in every language that has it: whole where the site's is known."""
        name = page.file.src_uri.partition("/")[2]
        return [
            {"language": language, "url": twin.url, "whole": (twin.page and twin.page.canonical_url) or twin.url}
            for language in self._languages
            if (twin := self._twins.get(name, {}).get(language.code))
        ]

    def _everyone(self, page: Page, config: MkDocsConfig) -> str:
        """Give the address for readers of other languages: ``/`` for home pages, the fallback for the rest."""
        if page in (own.homepage for own in self._navigation.values()):
            return config.site_url or "."
        links = self._links(page)
        return str(next((link["whole"] for link in links if link["language"] == self._fallback), links[0]["whole"]))
