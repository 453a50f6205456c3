"""What every page of a site depends on besides its own source, as plain data and digests.

A value that cannot be written as plain data might change without its digest changing: then `Unknown` is raised, and
nothing is kept between builds.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import os
import sysconfig
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import FunctionType
from typing import Any

import mkdocs
from babel import Locale
from jinja2 import Undefined
from markdown.extensions import Extension
from mkdocs.config.base import Config
from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents
from mkdocs.theme import Theme
from pathspec import PathSpec

from knit.programs import KNIT, digest_of, digest_of_data, programs

PLUGINS = frozenset({"search", "material/search", "bilingual", "knit", "autorefs", "mkdocstrings", "mkdocs-jupyter"})
"""Plugins of which is known what they read and leave, so that a page that they saw can be put back."""

EXTENSIONS = ("markdown.extensions.", "pymdownx.", "material.", "knit.", "mkdocs_autorefs.", "mkdocstrings.")
"""Modules of Markdown extensions that look at nothing but the page and at files that they open."""

ELSEWHERE = frozenset(
    {"nav", "plugins", "theme", "watch", "dev_addr", "strict", "site_dir", "docs_dir", "config_file_path"}
)
"""Parts of the configuration that are looked at where they matter, or matter to no page."""


class Unknown(Exception):  # noqa: N818 - it says what is unknown
    """Names what cannot be put into a key."""


def digest(*parts: object) -> str:
    """Give the digest of anything that `plain` knows."""
    return digest_of_data(*plain(parts))


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a configuration or a template's context holds
    """Write a value as data that JSON knows.

    Raises
    ------
    Unknown
        When there is something in it that might change unseen.

    """
    match value:
        case None | bool() | int() | float():
            return value
        case ExtraScriptValue():
            return [str(value), plain(vars(value))]
        case str():
            return str(value)
        case Path() | dt.date():
            return str(value)
        case Config() | Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case AbstractSet():
            return sorted((plain(item) for item in value), key=repr)
        case TableOfContents() | list() | tuple():
            return [plain(item) for item in value]
    return _object(value)


def _object(value: Any) -> Any:  # noqa: ANN401
    kind = type(value)
    match value:
        case Undefined():
            return None
        case Locale():
            return str(value)
        case PathSpec():
            return [[pattern.include, pattern.regex.pattern if pattern.regex else ""] for pattern in value.patterns]
        case Theme():
            return [plain(dict(value)), value.dirs, sorted(value.static_templates)]
        case AnchorLink():
            return [value.title, value.id, value.level, plain(value.children)]
        case Extension() if kind.__module__.startswith(EXTENSIONS):
            return [kind.__qualname__, plain(value.getConfigs())]
        case FunctionType() if value.__module__.startswith(EXTENSIONS):
            return [value.__module__, value.__qualname__]
    if dataclasses.is_dataclass(value):
        return [kind.__qualname__, plain(vars(value))]
    raise Unknown(f"a {kind.__module__}.{kind.__qualname__}")


def of_site(config: MkDocsConfig) -> str:
    """Give the digest of what all pages share: the configuration but for ``nav``, the templates, the programs.

    Raises
    ------
    Unknown
        When a plugin, an extension or a value takes part of which nothing is known.

    """
    for name in config.plugins:
        if name not in PLUGINS:
            raise Unknown(f"the plugin {name}")
    for extension in config.markdown_extensions:
        if isinstance(extension, str) and not _module(extension).startswith(EXTENSIONS):
            raise Unknown(f"the Markdown extension {extension}")
    plugins = {name: _options(plugin) for name, plugin in config.plugins.items()}
    rest = {key: value for key, value in config.items() if key not in ELSEWHERE}
    return digest(rest, plugins, config.theme, _own_templates(config.theme), programs())


def _options(plugin: BasePlugin[Any]) -> Any:  # noqa: ANN401
    return plain(dict(plugin.config))


def _module(extension: str) -> str:
    return extension if "." in extension else f"markdown.extensions.{extension}"


def _own_templates(theme: Theme) -> list[list[str]]:
    """Give the files of templates that come with no package: the author's."""
    installed = (*(Path(place) for place in set(site_places())), KNIT)
    folders = [path for path in map(Path, theme.dirs) if not any(place in path.parents for place in installed)]
    # A folder may be a link to one that several courses share.
    walks = (walk for folder in folders for walk in os.walk(folder, followlinks=True))
    files = sorted(Path(folder, name) for folder, _, names in walks for name in names)
    return [[str(path), digest_of(path.read_bytes())] for path in files if path.is_file()]


def site_places() -> list[str]:
    """Give the folders in which packages are installed."""
    return [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), str(Path(mkdocs.__file__).parents[1])]


def of_navigation(nav: Navigation, pages: Mapping[str, list[Any]]) -> str:
    """Give the digest of what a navigation shows, whichever page it is shown on; of each page, see ``of_neighbour``."""
    home = _shown(nav.homepage, pages) if nav.homepage else None
    return digest([_shown(item, pages) for item in nav.items], home)


def _shown(item: Any, pages: Mapping[str, list[Any]]) -> list[Any]:  # noqa: ANN401 - MkDocs' items have no common type
    match item:
        case Page():
            return ["page", *of_neighbour(item, pages)]
        case Section():
            return ["section", item.title, [_shown(child, pages) for child in item.children]]
        case Link():
            return ["link", item.title, item.url]
    raise Unknown(f"{type(item).__qualname__} in the navigation")


def of_neighbour(page: Page | None, known: Mapping[str, list[Any]]) -> list[Any]:
    """Give what other pages show of a page, as it was written down in ``known`` (by source) if it is there."""
    if page is None:
        return []
    if page.file.src_uri in known:
        return known[page.file.src_uri]
    return [page.title, page.url, page.canonical_url, page.is_homepage, plain(page.meta)]
