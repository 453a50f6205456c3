"""The options of the knit plugin in mkdocs.yml."""

from __future__ import annotations

from mkdocs.config import config_options as option
from mkdocs.config.base import Config


class LimitsConfig(Config):  # type: ignore[no-untyped-call]
    """What a script may use."""

    seconds = option.Type((int, float), default=60)
    memory = option.Type(int, default=2048)
    """MiB."""
    output = option.Type(int, default=1024)
    """KiB printed."""


class KnitConfig(Config):  # type: ignore[no-untyped-call]
    """Folders are from the project's root."""

    snippets = option.Type(str, default="snippets")
    cache = option.Type(str, default=".cache/knit")
    languages = option.ListOfItems(option.Type(str), default=["zh", "en"])
    ledger = option.Type(str, default="claims")
    """The page, in each language's folder, that holds the ledger of claims."""
    limits = option.SubConfig(LimitsConfig)
    incremental = option.Type(bool, default=True)
    """Whether pages of which nothing changed are put back from the last builds instead of being made anew."""
