"""The glossary: the course's terms in every language, read from one file, and where pages use them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from knit.read.page import Page
from knit.read.pieces import Fence, Term

EXEMPT = "quotes_rejected_words"
"""Front matter, ``true``, of a page that quotes rejected words on purpose, such as the errata."""

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
    lessons do not use for it, each with the reason.
    """

    id: str
    line: int
    first: str
    names: dict[str, str]
    says: dict[str, str]
    forms: dict[str, list[str]] = field(default_factory=dict)
    rejected: dict[str, dict[str, str]] = field(default_factory=dict)

    def all_forms(self, language: str) -> list[str]:
        """Give the forms that count as the term in a language."""
        return [self.names[language], *self.forms.get(language, [])]


@dataclass(frozen=True)
class Glossary:
    """The terms of a course, in the order of the file ``path``; or in ``error`` why it could not be read."""

    path: str = ""
    entries: tuple[Entry, ...] = ()
    error: str = ""

    @classmethod
    def read(cls, root: Path, path: str, languages: tuple[str, ...]) -> Glossary:
        """Read the file; a course without one has no terms."""
        if not (root / path).exists():
            return cls(path)
        source = (root / path).read_text("utf-8")
        try:
            return cls(path, tuple(_entry(item, source, languages) for item in yaml.safe_load(source) or []))
        except (yaml.YAMLError, ValueError) as error:
            return cls(path, error=" ".join(str(error).split()))

    def uses(self, page: Page) -> Iterator[Term]:
        """Yield where a page first uses each term, in order."""
        forms = {form.lower(): entry for entry in self.entries for form in entry.all_forms(page.language)}
        if not forms:
            return
        longest_first = sorted(forms, key=len, reverse=True)
        pattern = re.compile("|".join(_spelled(form) for form in longest_first), re.IGNORECASE)
        seen: set[str] = set()
        for match in pattern.finditer(prose(page)):
            entry = next(forms[form] for form in longest_first if re.fullmatch(_spelled(form), match[0], re.IGNORECASE))
            if entry.id not in seen:
                seen.add(entry.id)
                yield Term(match.start(), match.end(), entry.id)

    def rejected(self, page: Page) -> Iterator[tuple[int, str, str, Entry]]:
        """Yield where a page uses a word that the glossary rejects: offset, word, reason, and the term to use."""
        text = prose(page, headings=True)
        for entry in self.entries:
            for word, reason in entry.rejected.get(page.language, {}).items():
                for match in re.finditer(_spelled(word), text, re.IGNORECASE):
                    yield match.start(), match[0], reason, entry


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


def _entry(item: Any, source: str, languages: tuple[str, ...]) -> Entry:  # noqa: ANN401 - whatever YAML holds
    # What is not as it must be is told as a fault of the file, whatever its type.
    # ruff: noqa: TRY004
    if "id" not in item:
        raise ValueError(f"every entry is a mapping with an id; found {str(item)[:40]}")
    name = str(item["id"])
    names = {language: item.get(language) for language in languages}
    says = item.get("says") or {}
    for language in languages:
        if not isinstance(names[language], str) or not isinstance(says.get(language), str):
            raise ValueError(f"the entry {name} lacks its name ({language}: …) or its sentence (says: {language}: …)")
    for words in (item.get("rejected") or {}).values():
        for word, reason in words.items():
            if not isinstance(reason, str):
                raise ValueError(
                    f"the entry {name} rejects {word} without a reason (a comma inside braces parts words)"
                )
    place = re.search(rf"^- id: {re.escape(name)}[ ]*$", source, re.MULTILINE)
    line = source[: place.start()].count("\n") + 1 if place else 1
    said = {language: str(says[language]).strip() for language in languages}
    known = {language: str(names[language]) for language in languages}
    return Entry(
        name, line, str(item.get("first", "")), known, said, item.get("forms") or {}, item.get("rejected") or {}
    )
