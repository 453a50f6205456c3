"""The search: its index parted by language, in files of moderate size, and a worker that reads what is typed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from knit.site.languages import Language

INDEX = Path("search/search_index.json")
WORKERS = Path("assets/javascripts/workers")
READING = Path(__file__).parent / "search.js"

SEPARATOR = (
    r"[\s\u200b\u3000\\\-‐–—…·,.:;!?&，。、：；！？（）「」『』《》〈〉“”‘’()\[\]{}\"'/|=+*"
    r"−±×÷⋅∘∙⊙⊕∑∏∫∝∈≤≥≪≫≈≠≡≅∼→←↦⇒⇔⟶⟨⟩‖∞⋯⋮]+"
)
"""What parts words, in every language. jieba puts U+200B between Chinese words: without it none is found."""

LARGEST = 150_000
"""Bytes of a file of the index, unless one page has more: compressed, a third of that goes over the wire."""

PREFERRED = 3
"""How much more a word counts in a lesson than in a page about code or claims, whose titles are made of names."""

Entry = dict[str, Any]


def part(site: Path, languages: Sequence[Language]) -> None:
    """Write ``zh/search/search_index.json`` and its like, and remove the index of the whole site.

    Locations become relative to the language's folder, which is what the pages give the theme as base. What is
    beyond the first file's size is in others beside it, which the worker fetches (``parts``); ``terms`` says where
    the terms of the glossary are told.
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
        terms = list(_terms(docs))
        first, *others = list(_packed(docs)) or [[]]
        own = (site / prefix / INDEX).parent
        own.mkdir(parents=True, exist_ok=True)
        names = [f"part-{number}.json" for number in range(1, len(others) + 1)]
        for name, entries in zip(names, others, strict=True):
            (own / name).write_text(_json(entries), "utf-8")
        up = "../" * len(WORKERS.parts)
        parts = [f"{up}{prefix}{INDEX.parent.as_posix()}/{name}" for name in names]
        config = {**index["config"], "parts": parts, "terms": terms}
        (own / INDEX.name).write_text(_json({"config": config, "docs": first}), "utf-8")
    whole.unlink()
    if not any(whole.parent.iterdir()):
        whole.parent.rmdir()


def prepare(site: Path) -> None:
    """Put our reading of what is typed before the theme's search, in its worker."""
    for worker in (site / WORKERS).glob("search.*.min.js"):
        script = worker.read_text("utf-8")
        worker.write_text(READING.read_text("utf-8") + script, "utf-8")


def _packed(docs: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries file by file; those of one page stay together, as the theme wants them."""
    pages: dict[str, list[Entry]] = {}
    for entry in docs:
        pages.setdefault(_page(entry), []).append(entry)
    packed: list[Entry] = []
    size = 0
    for entries in pages.values():
        more = len(_json(entries).encode())
        if packed and size + more > LARGEST:
            yield packed
            packed, size = [], 0
        packed = [*packed, *entries]
        size += more
    if packed:
        yield packed


def _terms(docs: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """Yield each term's names, and the places that tell of it: a lesson, then its entry in the glossary.

    The lesson is the one that has the term in its title, else the one that uses it first. What entries say for this
    use is taken out of them; those of lessons come to count for more.
    """
    found = [(entry, entry.pop("term")) for entry in docs if "term" in entry]
    firsts = {term["first"] for _, term in found}
    titles = {_page(each): _said(each["title"]) for each in docs if "#" not in each["location"]}
    lessons = {page: title for page, title in titles.items() if page.rstrip("/") in firsts}
    for entry in docs:
        if _page(entry) in lessons:
            entry.setdefault("boost", PREFERRED)
    for entry, term in found:
        name = _said(term["names"][0])
        pattern = re.compile(rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name))
        named = [page for page, title in lessons.items() if pattern.search(title)]
        first = [page for page in lessons if page.rstrip("/") == term["first"]]
        yield {"names": term["names"], "places": [*(named or first)[:1], entry["location"]]}


def _page(entry: Entry) -> str:
    return str(entry["location"]).partition("#")[0]


def _said(text: str) -> str:
    return text.replace("\u200b", "").lower()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
