"""The options of the bilingual plugin in mkdocs.yml."""

from __future__ import annotations

from mkdocs.config import config_options as option
from mkdocs.config.base import Config


class BilingualConfig(Config):  # type: ignore[no-untyped-call]
    """Languages are named by their folders in ``docs``, which are also Material's names for them."""

    languages = option.ListOfItems(option.Type(str), default=["zh", "en"])
    """In the order in which texts in mkdocs.yml have them: ``课程 | Lessons``."""
    fallback = option.Type(str, default="en")
    """For a reader whose browser asks for none of them; the first language, if this is none of them."""
