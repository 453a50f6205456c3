"""Reads a page's source into its pieces, without making HTML: the one reading that weaving and checking share."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath

from knit.programs import digest_of_data
from knit.read.data import read_yaml
from knit.read.pieces import (
    BadReference,
    ClaimLink,
    CodeSpan,
    Fence,
    Formula,
    Heading,
    Image,
    Piece,
    Value,
)
from knit.read.text import Unreadable

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n+|\Z)|\A\n+", re.DOTALL)
UNCLOSED = "the front matter that opens here is never closed: write --- below it"
OPENED = re.compile(r"---[ \t]*\n\w+:")
FENCE = re.compile(r"^(?P<indent>[ \t>]*)(?P<mark>`{3,}|~{3,})(?P<info>[^`\n]*)$")
HEADING = re.compile(
    r"^(?P<marks>#{1,6})[ \t]+(?P<text>.*?)[ \t]*#*[ \t]*(?P<attributes>\{:?[^{}]*\})?[ \t]*$", re.MULTILINE
)
NAME = r"[^\W\d]\w*(?:\.\w+|\[-?\d+\])*"
REFERENCE = re.compile(rf"(?P<path>{NAME})(?::(?P<spec>[^{{}}\n]*))?")
ALIVE = re.compile(rf"\{{ piece=(?P<name>[\w-]+) from=(?P<given>{NAME}) \}}")
INLINE = re.compile(
    r"""
    (?P<skip> <!--.*?--> | (?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`) | \\[\\$!\[\]{}`] )
  | (?P<display> \$\$ (?P<display_latex>(?:(?!\n[ \t]*\n)[^$])+) \$\$ )
  | (?P<inline> (?<!\$)\$(?![\s$]) (?P<inline_latex>(?:(?!\n[ \t]*\n)(?:\\.|[^$\\]))+?) (?<!\s)\$(?![\d$]) )
  | (?P<image> !\[ (?P<alt>(?:[^\[\]]|\[[^\[\]]*\])*) \]\( (?P<target>[^()\s]+) (?:[ \t]+"[^"\n]*")? [ \t]*\)
      (?P<alive>\{[ ]*piece=[^{}\n]*\})? )
  | (?P<claim> \[ (?P<claim_text>[^\[\]\n]+) \]\( claim:(?P<claim_name>[^()\s]+) \) )
  | (?P<value> \{\{ [ ] (?P<reference>[^{}\n]*?) [ ] \}\} )
  | (?P<braces> \{\{ [^{}\n]* \}\} )
    """,
    re.VERBOSE | re.DOTALL,
)


def plain(heading: str) -> bool:
    """Whether a heading is words alone, with nothing woven in and no formula."""
    return "{{" not in heading and "$" not in heading


@dataclass(frozen=True)
class Page:
    """A page's source.

    Parameters
    ----------
    path : str
        Path from the project's root, as messages name it.
    language : str
        The page's language, such as ``zh``.
    text : str
        Markdown, with or without front matter.
    meta : dict
        Front matter.
    first_line : int
        The line of the file at which ``text`` begins.
    front : str
        The source of the front matter, from the file's first line.
    fault : str
        Why the page or its front matter could not be read; empty when it could.
    fault_line : int
        The line of the file where that is.

    """

    path: str
    language: str
    text: str
    meta: dict[str, object] = field(default_factory=dict)
    first_line: int = 1
    front: str = ""
    fault: str = ""
    fault_line: int = 1

    @classmethod
    def read(cls, path: str, language: str, source: str) -> Page:
        """Take a page's whole source, front matter included; ``text`` begins where MkDocs lets it begin."""
        match = FRONT_MATTER.match(source)
        if not match:
            return cls(path, language, source, fault=UNCLOSED if OPENED.match(source) else "")
        text, fault, line = source[match.end() :], "", 1
        try:
            meta = read_yaml(match[1] or "", first_line=2) or {}
        except Unreadable as error:
            meta, fault, line = {}, f"the front matter {error}", error.line
        if not isinstance(meta, dict):
            meta, fault = {}, "the front matter has no names: write `script: NAME.py`"
        return cls(path, language, text, meta, 1 + match[0].count("\n"), match[0], fault, line)

    @cached_property
    def digest(self) -> str:
        """A digest of the page."""
        return digest_of_data(
            self.path, self.language, self.front, self.text, self.first_line, repr(self.meta), self.fault
        )

    @property
    def title(self) -> str:
        """The title, or the file's name where the title has something woven in."""
        heading = str(self.meta.get("title") or (self.headings[0].text if self.headings else ""))
        return heading if heading and plain(heading) else PurePosixPath(self.path).stem

    def place(self, offset: int) -> tuple[int, int]:
        """Give line and column, both from 1, of an offset in ``text``."""
        row = bisect_right(self._line_starts, offset) - 1
        return self.first_line + row, offset - self._line_starts[row] + 1

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces in the order of the source; pieces inside a formula or an alternative text are theirs."""
        found: list[Piece] = []
        position = 0
        for fence in self._fences():
            found += self.between(position, fence.start)
            found.append(fence)
            position = fence.end
        found += self.between(position, len(self.text))
        return tuple(found)

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings, in order."""
        inside = [(piece.start, piece.end) for piece in self.pieces if isinstance(piece, Fence | CodeSpan)]
        found = []
        for match in HEADING.finditer(self.text):
            if not any(start <= match.start() < end for start, end in inside):
                explicit = re.search(r"#([\w-]+)", match["attributes"] or "")
                name = explicit[1] if explicit else None
                found.append(Heading(match.start(), match.end(), len(match["marks"]), match["text"], name))
        return tuple(found)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def _fences(self) -> Iterator[Fence]:
        """Find the fenced blocks."""
        lines = self.text.split("\n")
        starts = self._line_starts
        row = 0
        while row < len(lines):
            if opening := FENCE.match(lines[row]):
                last, closed = _last(lines, row, opening["mark"])
                body = tuple(lines[row + 1 : last + (not closed)])
                begun = starts[row + 1] if row + 1 < len(lines) else len(self.text)
                end = starts[last] + len(lines[last])
                yield Fence(starts[row], end, opening["indent"], tuple(opening["info"].split()), begun, body, closed)
                row = last
            row += 1

    def between(self, start: int, end: int) -> Iterator[Piece]:
        """Read a stretch of the source that has no fence in it."""
        for match in INLINE.finditer(self.text, start, end):
            yield self._piece(match)

    def _piece(self, match: re.Match[str]) -> Piece:
        start, end = match.span()
        if match["skip"]:
            return CodeSpan(start, end)
        if match["display"] or match["inline"]:
            group = "display_latex" if match["display"] else "inline_latex"
            return Formula(start, end, match[group], bool(match["display"]), self._values_in(*match.span(group)))
        if match["image"]:
            alt_start, alt_end = match.span("alt")
            inner = tuple(self.between(alt_start, alt_end))
            image = Image(start, end, match["alt"], alt_start, match["target"], inner)
            return image if match["alive"] is None else _alive(image, match["alive"])
        if match["claim"]:
            return ClaimLink(start, end, match["claim_text"], match["claim_name"])
        reference = REFERENCE.fullmatch(match["reference"]) if match["value"] else None
        if reference:
            return Value(start, end, reference["path"], reference["spec"] or "")
        return BadReference(start, end, match[0])

    def _values_in(self, start: int, end: int) -> tuple[Value | BadReference, ...]:
        """Find the values in a formula. Other double braces are LaTeX's own."""
        found = (self._piece(match) for match in INLINE.finditer(self.text, start, end) if match["value"])
        return tuple(piece for piece in found if isinstance(piece, Value))


def _last(lines: list[str], row: int, mark: str) -> tuple[int, bool]:
    """Find the last line of the fence that opens in a row, and whether that closes it.

    A fence of as many marks, or more, cannot begin inside it.
    """
    guess = None
    for later in range(row + 1, len(lines)):
        line = lines[later].strip().lstrip("> ")
        if line.startswith(mark) and not line.strip(mark[0]):
            return later, True
        fence = FENCE.match(lines[later])
        if guess is None and (not line or fence):
            guess = later - 1
        if fence and fence["mark"].startswith(mark):
            break
    return len(lines) - 1 if guess is None else guess, False


def _alive(image: Image, attributes: str) -> Image:
    """Read which piece a figure becomes, and from which value."""
    match = ALIVE.fullmatch(attributes)
    return replace(image, alive=match["name"] if match else "", given=match["given"] if match else "")
