"""The languages of a site: their names, and how words are written once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from babel import Locale
from babel.core import get_global
from mkdocs.exceptions import PluginError

BAR = " | "
"""Parts the languages in a text of mkdocs.yml: ``发明注意力 | Inventing Attention``."""


@dataclass(frozen=True)
class Language:
    """One language of a site.

    ``code`` is the folder of its pages and the name of Material's file of interface words; ``place`` is its
    place among the site's languages, which is also its place in texts parted by bars.
    """

    code: str
    place: int
    count: int

    @property
    def tag(self) -> str:
        """The language tag (BCP 47): Chinese says which script, because browsers choose its font by it."""
        return "zh-Hans" if self.code == "zh" else self.code

    @property
    def locale(self) -> str:
        """The language with its largest country (CLDR), as Open Graph names it: ``zh_CN``, ``en_US``."""
        own = str(Locale.parse(self.code, sep="-"))
        likely = Locale.parse(get_global("likely_subtags").get(own, own))
        return f"{likely.language}_{likely.territory}" if likely.territory else likely.language

    @property
    def name(self) -> str:
        """The language's own name for itself, from CLDR."""
        return str(Locale.parse(self.code, sep="-").display_name)

    def words(self, text: str) -> str:
        """Pick this language's part of a text; a text without bars serves all languages.

        Raises
        ------
        PluginError
            If the text has bars, but not one part a language.

        """
        parts = text.split(BAR)
        if len(parts) == 1:
            return text
        if len(parts) != self.count:
            raise PluginError(f"mkdocs.yml: “{text}” has {len(parts)} parts for {self.count} languages")
        return parts[self.place].strip()

    def words_in(self, value: Any) -> Any:  # noqa: ANN401 - whatever YAML holds
        """Pick this language's part of every text in a value of mkdocs.yml."""
        if isinstance(value, str):
            return self.words(value)
        if isinstance(value, dict):
            return {key: self.words_in(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.words_in(item) for item in value]
        return value


def languages_of(codes: Sequence[str]) -> tuple[Language, ...]:
    """Make the languages of a site from their codes, in the order in which texts have them."""
    return tuple(Language(code, place, len(codes)) for place, code in enumerate(codes))
