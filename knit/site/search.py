"""The search: its index parted by language, so that it finds pages in the reader's language only."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from knit.site.languages import Language

INDEX = Path("search/search_index.json")

SEPARATOR = r"[\s\u200b\u3000√\\\-‐–—…·,.:;!?，。、：；！？（）「」『』《》〈〉“”‘’()\[\]{}\"'/|=+*]+"
"""What parts words, in every language. jieba puts U+200B between Chinese words: without it none is found."""

LAST_LEFT_OUT = re.compile(r"(\w)<(\w)\.length;\1\+\+\)\2\.slice\((\w),\1\)in ")
"""Where the theme's search looks for the words in a Chinese query, and leaves its last character out."""


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


def mend(site: Path) -> None:
    """Let the theme's search see a Chinese query to its end.

    Material 9.8 cuts a query into words that the index has, but never looks at its last character: 点积 becomes
    点, when that is a word too, and 矩阵乘法 becomes 矩阵. Where Material is mended there is nothing to do.
    """
    for worker in (site / "assets/javascripts/workers").glob("search.*.min.js"):
        script = worker.read_text("utf-8")
        worker.write_text(LAST_LEFT_OUT.sub(r"\1<=\2.length;\1++)\2.slice(\3,\1)in ", script), "utf-8")
