"""The search index, parted by language, so that a search finds pages in the reader's language only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from knit.site.languages import Language

INDEX = Path("search/search_index.json")

SEPARATOR = r"[\s\u200b\u3000\-‐–—…·,.:;!?，。、：；！？（）「」『』《》〈〉“”‘’()\[\]{}\"'/|=+*]+"
"""What parts words, in every language. jieba puts U+200B between Chinese words: without it none is found."""


def part(site: Path, languages: Sequence[Language]) -> None:
    """Write ``zh/search/search_index.json`` and its like, and remove the index of the whole site.

    Locations become relative to the language's folder, which is what the pages give the theme as base.
    """
    whole = site / INDEX
    if not whole.exists():  # no search plugin
        return
    index = json.loads(whole.read_text("utf-8"))
    for language in languages:
        prefix = f"{language.code}/"
        docs = [
            {**entry, "location": entry["location"].removeprefix(prefix)}
            for entry in index["docs"]
            if entry["location"].startswith(prefix)
        ]
        own = site / language.code / INDEX
        own.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**index, "docs": docs}, ensure_ascii=False, separators=(",", ":"))
        own.write_text(text, "utf-8")
    whole.unlink()
    if not any(whole.parent.iterdir()):
        whole.parent.rmdir()
