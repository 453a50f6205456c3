"""What the search's index says of a page: formulas and code as text, and under which names a term is looked for."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import Any
from xml.etree import ElementTree as ET

from material.plugins.search.plugin import SearchIndex, Section
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

from knit.weave.maths_text import written

FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)
CODE = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
COLOURS = re.compile(r"</?(?:span|a)\b[^>]*>")
"""What Pygments marks code with: four of five tags of a page, which Material's parser need not see."""
REMEMBERED = 10_000
"""The languages share their formulas, and a served site is built again and again."""


def use(config: MkDocsConfig) -> None:
    """Have the search plugin, once it is set up, make its index of our entries."""
    plugin: Any = config.plugins.get("material/search")
    if plugin is not None and plugin.config.enabled:
        plugin.search_index = Entries(**plugin.config)


class Entries(SearchIndex):  # type: ignore[misc] # Material has no types
    """Material's index, to which a formula is not the letters of its MathML in a row, and code is not its colours."""

    def add_entry_from_context(self, page: Page) -> None:
        """Add the sections of a page, each formula as `knit.weave.maths.plain` writes it: √dₖ, QKᵀ."""
        content = page.content or ""
        page.content = CODE.sub(_plain, FORMULA.sub(lambda formula: _text(formula[0]), content))
        try:
            super().add_entry_from_context(page)
        finally:
            page.content = content

    def create_entry_for_section(self, section: Section, toc: Any, url: str, page: Page) -> None:  # noqa: ANN401
        """Add a section; a term's, by the attributes of its heading, with the names that readers may type."""
        super().create_entry_for_section(section, toc, url, page)
        names = section.el.attrs.get("data-search-names")
        if names:
            self.entries[-1]["term"] = {"names": names.split("|"), "first": section.el.attrs["data-search-first"]}


def _plain(code: re.Match[str]) -> str:
    """Give code without its colours, unless a part of it is not to be found."""
    return code[0] if "data-search-" in code[0] else COLOURS.sub("", code[0])


@lru_cache(maxsize=REMEMBERED)
def _text(formula: str) -> str:
    try:
        return escape(written(ET.fromstring(formula)), quote=False)  # noqa: S314 - made by knit
    except ET.ParseError:  # somebody else's
        return formula
