"""The glossary: the course's terms in every language, read from one file, and where pages use them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from knit.claims import in_one_line
from knit.programs import digest_of_data
from knit.read.data import read_yaml
from knit.read.page import Page
from knit.read.pieces import Fence, Term
from knit.read.text import Unreadable, read_if_there

EXEMPT = "quotes_rejected_words"
"""Front matter, ``true``, of a page that quotes rejected words on purpose, such as the errata."""

COLOURED = ("query", "key", "value", "score", "weight")
"""The terms that have a colour of their own, by which `knit.colours` calls it."""

NOT_PROSE = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^#{1,6}[ \t].*$",  # headings: a link there would be one in the table of contents
        r"^[ \t>]*(?:///|!!!|\?\?\?\+?).*$",  # titles of admonitions, which are buttons
        r"!?\[[^\[\]]*\]\([^()\s]+(?:\s+\"[^\"]*\")?\)",  # links and pictures
        r"\{[:#.][^{}]*\}",
        r"</?[A-Za-z][^<>]*>",
        r"<?https?://\S+",
    )
]


@dataclass(frozen=True)
class Entry:
    """A term: its id and line in the file, the lesson that uses it first, and, by language, what it is called.

    ``forms`` are other forms that count as it, ``says`` one sentence of what it is, ``rejected`` the words that
    lessons do not use for it, each with the reason, ``symbols`` the letters that stand for it in formulas, ``also``
    what else readers type who look for it. An ``everyday`` word counts as the term only where a page sets it in bold.
    """

    id: str
    line: int
    first: str
    names: dict[str, str]
    says: dict[str, str]
    forms: dict[str, list[str]] = field(default_factory=dict)
    rejected: dict[str, dict[str, str]] = field(default_factory=dict)
    symbols: tuple[str, ...] = ()
    everyday: bool = False
    also: dict[str, list[str]] = field(default_factory=dict)

    def all_forms(self, language: str) -> list[str]:
        """Give the forms that count as the term in a language."""
        return [self.names[language], *self.forms.get(language, [])]

    def sought(self, language: str) -> list[str]:
        """Give what readers type to find the term: its name in their language, then all others in any language."""
        forms = [form for other in self.names for form in self.all_forms(other)]
        others = [word for words in (self.also, self.rejected) for listed in words.values() for word in listed]
        return list(dict.fromkeys([self.names[language], *forms, *others, *self.symbols]))


@dataclass(frozen=True)
class Glossary:
    """The terms of a course, in the order of the file ``path``; or why, and at which line, it could not be read."""

    path: str = ""
    entries: tuple[Entry, ...] = ()
    error: str = ""
    error_line: int = 1

    @classmethod
    def read(cls, root: Path, path: str, languages: tuple[str, ...]) -> Glossary:
        """Read the file; a course without one has no terms."""
        try:
            source = read_if_there(root / path) or ""
            return cls(path, tuple(_entries(read_yaml(source) or [], source, languages)))
        except Unreadable as error:
            return cls(path, error=str(error), error_line=error.line)

    @cached_property
    def digest(self) -> str:
        """A digest of the terms."""
        return digest_of_data([vars(entry) for entry in self.entries])

    @cached_property
    def symbols(self) -> dict[str, str]:
        """The letters that stand for a term in every formula, with the term's id, which names its colour."""
        return {symbol: entry.id for entry in self.entries for symbol in entry.symbols}

    def uses(self, page: Page) -> Iterator[Term]:
        """Yield where a page first uses each term, in order."""
        pattern, forms = self._forms(page.language)
        everyday = {entry.id for entry in self.entries if entry.everyday}
        seen: set[str] = set()
        for match in pattern.finditer(prose(page)) if forms else ():
            found = " ".join(match[0].lower().split())
            name = forms[found] if found in forms else forms[found.removesuffix("s")]
            bold = page.text[: match.start()].endswith("**") and page.text.startswith("**", match.end())
            if name not in seen and (bold or name not in everyday):
                seen.add(name)
                yield Term(match.start(), match.end(), name)

    def rejected(self, page: Page) -> Iterator[tuple[int, str, str, Entry]]:
        """Yield where a page uses a word that the glossary rejects: offset, word, reason, and the term to use."""
        text = prose(page, headings=True)
        for word, reason, entry in self._rejected(page.language):
            for match in word.finditer(text):
                yield match.start(), match[0], reason, entry

    def _forms(self, language: str) -> tuple[re.Pattern[str], dict[str, str]]:
        """Give the pattern of all terms of a language, and the entries' ids by form."""
        if language not in self._by_language:
            forms = {form.lower(): entry.id for entry in self.entries for form in entry.all_forms(language)}
            longest_first = sorted(forms, key=len, reverse=True)
            pattern = re.compile("|".join(_spelled(form) for form in longest_first), re.IGNORECASE)
            self._by_language[language] = pattern, forms
        return self._by_language[language]

    def _rejected(self, language: str) -> Iterator[tuple[re.Pattern[str], str, Entry]]:
        for entry in self.entries:
            for word, reason in entry.rejected.get(language, {}).items():
                yield re.compile(_spelled(word), re.IGNORECASE), reason, entry

    @cached_property
    def _by_language(self) -> dict[str, tuple[re.Pattern[str], dict[str, str]]]:
        return {}


def prose(page: Page, *, headings: bool = False) -> str:
    """Give a page's text with all that is no prose blanked, every offset kept."""
    letters = list(page.text)
    for piece in page.pieces:
        end = piece.end + (1 if isinstance(piece, Fence) else 0)
        letters[piece.start : end] = [" " if letter != "\n" else "\n" for letter in letters[piece.start : end]]
    text = "".join(letters)[: len(page.text)]
    for pattern in NOT_PROSE[2 if headings else 0 :]:
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return text


def _spelled(form: str) -> str:
    """Give the pattern of a form: Latin words as whole words, with a plural s."""
    pattern = re.escape(form).replace(r"\ ", r"(?:[ \t]+|[ \t]*\n[ \t]*)")
    return rf"\b{pattern}s?\b" if form.isascii() else pattern


def _entries(found: Any, source: str, languages: tuple[str, ...]) -> Iterator[Entry]:  # noqa: ANN401
    if not isinstance(found, list):
        raise Unreadable("is no list of entries: begin each with - id: …")
    marks = [number for number, text in enumerate(source.splitlines(), 1) if re.match(r"-(?:\s|$)", text)]
    lines = marks if len(marks) == len(found) else [1] * len(found)
    seen: dict[str, int] = {}
    for item, line in zip(found, lines, strict=True):
        try:
            entry = _entry(item, line, languages)
        except ValueError as error:
            raise Unreadable(str(error), line) from None
        if entry.id in seen:
            raise Unreadable(f"the entry {entry.id} already stands at line {seen[entry.id]}: take one out", line)
        seen[entry.id] = line
        yield entry


def _entry(item: Any, line: int, languages: tuple[str, ...]) -> Entry:  # noqa: ANN401 - whatever YAML holds
    # What is not as it must be is told as a fault of the file, whatever its type.
    # ruff: noqa: TRY004
    if not isinstance(item, dict) or "id" not in item:
        raise ValueError(f"every entry is a mapping with an id; found {str(item)[:40]}")
    name = str(item["id"])
    for key, kind in {"says": dict, "forms": list, "rejected": dict, "also": list}.items():
        by_language = {"": item[key]} if key == "says" and item.get(key) else item.get(key) or {}
        if not isinstance(by_language, dict) or not all(isinstance(each, kind) for each in by_language.values()):
            raise ValueError(f"the entry {name} does not say its {key} by language: write {key}: {{en: …, zh: …}}")
    names = {language: item.get(language) for language in languages}
    says = item.get("says") or {}
    for language in languages:
        if not all(isinstance(text, str) and text.strip() for text in (names[language], says.get(language))):
            raise ValueError(f"the entry {name} lacks its name ({language}: …) or its sentence (says: {language}: …)")
    for words in (item.get("rejected") or {}).values():
        for word, reason in words.items():
            if not isinstance(reason, str):
                raise ValueError(
                    f"the entry {name} rejects {word} without a reason (a comma inside braces parts words)"
                )
    symbols = item.get("symbols") or []
    if symbols and name not in COLOURED:
        raise ValueError(f"the entry {name} has symbols, but no colour of its own: {', '.join(COLOURED)} have one")
    if not isinstance(symbols, list) or not all(isinstance(symbol, str) for symbol in symbols):
        raise ValueError(f"the entry {name} has the symbols {symbols!r}: write a list such as [q, Q]")
    said = {language: in_one_line(says[language]) for language in languages}
    known = {language: str(names[language]) for language in languages}
    rejected = {
        language: {word: in_one_line(reason) for word, reason in words.items()}
        for language, words in (item.get("rejected") or {}).items()
    }
    forms = item.get("forms") or {}
    everyday = item.get("everyday") is True
    also = item.get("also") or {}
    return Entry(name, line, str(item.get("first", "")), known, said, forms, rejected, tuple(symbols), everyday, also)
