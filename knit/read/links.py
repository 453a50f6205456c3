"""Finds the links of a page, in Markdown and in raw HTML, and the ids that they can lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown.extensions.toc import slugify

from knit.read.page import Page
from knit.read.pieces import ClaimLink, CodeSpan, Fence, Formula, Image, Value

LINK = re.compile(
    r"(?P<picture>!)?\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\([ ]*<?(?P<target>[^()\s<>]*)>?(?:[ ]+\"[^\"]*\")?[ ]*\)"
)
BY_NAME = re.compile(r"(?<!\])\[(?P<text>[^\[\]]+)\]\[(?P<name>[^\[\]]*)\]")
DEFINITION = re.compile(r"^[ ]{0,3}\[(?P<name>[^\[\]^]+)\]:[ \t]*<?(?P<target>[^\s<>]+)", re.MULTILINE)
RAW = re.compile(r"<(?P<tag>[A-Za-z]+)\b[^<>]*?\s(?:href|src)=[\"'](?P<target>[^\"']*)[\"']")
STYLED = re.compile(r"(?:@import\s+|\burl\()[\"']?(?P<target>(?:https?:)?//[^\"')\s]+)")
ATTRIBUTE_ID = re.compile(r"\{:?[^{}\n]*?#([\w.:-]+)[^{}\n]*\}")
RAW_ID = re.compile(r"<[A-Za-z][^<>]*?\s(?:id|name)=[\"']([^\"']+)[\"']")
FETCHED = {"script", "img", "iframe", "link", "source", "video", "audio", "embed", "track"}
"""Elements whose target the browser fetches by itself."""


@dataclass(frozen=True)
class Link:
    """A link: its offset, where it leads, whether the browser fetches that, whether it is raw HTML.

    Of a link by name (``[text][name]``) the target is ``name`` and ``named`` is true.
    """

    start: int
    target: str
    text: str = ""
    fetched: bool = False
    raw: bool = False
    named: bool = False


def links(page: Page) -> Iterator[Link]:
    """Yield the links of a page, save those that are woven: claims and figures."""
    text = _without_code(page)
    defined = {match["name"].casefold() for match in DEFINITION.finditer(text)}
    for match in LINK.finditer(text):
        yield Link(match.start(), match["target"], match["text"], fetched=bool(match["picture"]))
        for inner in LINK.finditer(match["text"]):  # a picture that is a link
            yield Link(match.start(), inner["target"], inner["text"], fetched=True)
    for match in DEFINITION.finditer(text):
        yield Link(match.start(), match["target"])
    for match in BY_NAME.finditer(text):
        name = match["name"] or match["text"]
        if name.casefold() not in defined:
            yield Link(match.start(), name, match["text"], named=True)
    for match in STYLED.finditer(text):
        yield Link(match.start(), match["target"], fetched=True, raw=True)
    for match in RAW.finditer(text):
        yield Link(match.start(), match["target"], fetched=match["tag"].lower() in FETCHED, raw=True)


def ids(page: Page, woven: str) -> set[str]:
    """Give the ids of a page; ``woven`` is its Markdown with what was woven in, such as the ledger's headings."""
    found = set(ATTRIBUTE_ID.findall(woven)) | set(RAW_ID.findall(woven))
    return found | {slugify(heading.text, "-") for heading in page.headings if heading.id is None}


def _without_code(page: Page) -> str:
    """Give a page's text with code, formulas and references blanked, every offset kept."""
    letters = list(page.text)
    inside = (inner for piece in page.pieces if isinstance(piece, Image) for inner in piece.inner)
    for piece in (*page.pieces, *inside):
        if isinstance(piece, CodeSpan | Fence | Formula | ClaimLink | Value):
            letters[piece.start : piece.end] = ["\n" if c == "\n" else " " for c in letters[piece.start : piece.end]]
    return "".join(letters)
