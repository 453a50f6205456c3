"""The pieces of a page that knit is answerable for, each with its place in the source."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Piece:
    """A stretch of a page's source: offsets from ``start`` to ``end``."""

    start: int
    end: int


@dataclass(frozen=True)
class Value(Piece):
    """``{{ name:spec }}``. ``path`` is the name with its dots and indices."""

    path: str
    spec: str


@dataclass(frozen=True)
class BadReference(Piece):
    """Something between double braces that is no reference."""

    source: str


@dataclass(frozen=True)
class Formula(Piece):
    """LaTeX between dollars, with the values in it."""

    latex: str
    display: bool
    values: tuple[Value | BadReference, ...] = field(default=())


@dataclass(frozen=True)
class Image(Piece):
    """``![alt](target)``: ``inner`` are the values and formulas of the alternative text.

    ``![alt](fig:name){ piece=ranking from=drag }`` comes alive as the interactive piece ``alive``, which starts
    from the value ``given``; empty texts stand for attributes that cannot be read.
    """

    alt: str
    alt_start: int
    target: str
    inner: tuple[Piece, ...] = field(default=())
    alive: str | None = None
    given: str = ""

    @property
    def figure(self) -> str | None:
        """Name of the script's figure that it shows, if it shows one."""
        return self.target.removeprefix("fig:") if self.target.startswith("fig:") else None


@dataclass(frozen=True)
class ClaimLink(Piece):
    """``[text](claim:NAME)``."""

    text: str
    name: str


@dataclass(frozen=True)
class Fence(Piece):
    """A fenced block: the indentation before it, its info words, where its body begins and the body's lines.

    One that is not ``closed`` ends, as far as can be guessed, at the next blank line or the next fence.
    """

    indent: str
    info: tuple[str, ...]
    body_start: int
    body: tuple[str, ...]
    closed: bool = True

    @property
    def kind(self) -> str:
        """First word after the fence."""
        return self.info[0] if self.info else ""


@dataclass(frozen=True)
class Heading(Piece):
    """A heading: its level, its source text without marks, and its explicit id, if it has one."""

    level: int
    text: str
    id: str | None


@dataclass(frozen=True)
class CodeSpan(Piece):
    """Inline code, an HTML comment or an escape: never woven."""


@dataclass(frozen=True)
class Term(Piece):
    """The first use of a term of the glossary on a page; ``id`` is the entry's."""

    id: str
