"""Weaves a page: each of its pieces becomes a token in the Markdown, and HTML that takes the token's place.

Tokens are private-use characters around a number. They pass through Markdown as plain letters would, so
values can stand in headings, table cells, captions and links.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import PurePosixPath

from knit.problem import Problem, Refused
from knit.project import Course
from knit.read.page import Page
from knit.read.pieces import BadReference, ClaimLink, Fence, Formula, Image, Piece, Value
from knit.weave import maths
from knit.weave.badge import measured
from knit.weave.fences import Fences
from knit.weave.format import Shown, full_precision, show
from knit.weave.ledger import anchor
from knit.weave.names import Names

OPEN, CLOSE = "\ue000", "\ue001"


@dataclass
class Woven:
    """A woven page: Markdown with tokens, the HTML, plain text and source of each token, and what was wrong."""

    text: str = ""
    html: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def token(self, html: str, plain: str, source: str = "") -> str:
        """Put HTML aside and give the token that stands for it."""
        self.html.append(html)
        self.plain.append(plain)
        self.source.append(source)
        return f"{OPEN}{len(self.html) - 1}{CLOSE}"


def weave(page: Page, course: Course) -> Woven:
    """Weave a page. Nothing is raised: what is wrong is in ``problems``, and in a box in its place."""
    return Weaver(page, course).weave()


class Weaver:
    """The weaving of one page from its course's results."""

    def __init__(self, page: Page, course: Course) -> None:
        self.page = page
        self.course = course
        self.names = Names(page, course.layout, course.results)
        self.woven = Woven()
        self._fences = Fences(self)

    def weave(self) -> Woven:
        """Weave the whole page."""
        if self.page.meta.get("script"):
            try:
                self.names.own_script()
            except Refused as refused:
                self.woven.problems.append(refused.at(self.page.path, 1, 1))
        self.woven.text = self._replaced(self.page.pieces, 0, len(self.page.text))
        return self.woven

    def stretch(self, start: int, end: int) -> str:
        """Weave a part of the source that has no fence in it."""
        return self._replaced(list(self.page.between(start, end)), start, end)

    def value(self, path: str, spec: str) -> tuple[Shown, str]:
        """Write a value, and give its HTML with full precision."""
        found = self.names.value(path)
        try:
            shown = show(found.value, spec, self.page.language)
        except Refused as refused:
            separator = " " if refused.message.startswith(("is ", "has ")) else ": "
            raise Refused(f"{path}{separator}{refused.message}", found.script, found.line) from None
        return shown, f'<data value="{escape(full_precision(found.value))}">{shown.html}</data>'

    def refuse(self, refused: Refused, start: int) -> str:
        """Note a problem, and give the box that takes the piece's place on the page."""
        problem = refused.at(self.page.path, *self.page.place(start))
        if problem not in self.woven.problems:
            self.woven.problems.append(problem)
        return self.woven.token(f'<span class="knit-error" role="alert">{escape(str(problem))}</span>', str(problem))

    def _replaced(self, pieces: Sequence[Piece], start: int, end: int) -> str:
        parts, position = [], start
        for piece in pieces:
            parts.append(self.page.text[position : piece.start])
            parts.append(self._piece(piece))
            position = piece.end
        return "".join([*parts, self.page.text[position:end]])

    def _piece(self, piece: Piece) -> str:
        try:
            return self._woven(piece)
        except Refused as refused:
            box = self.refuse(refused, piece.start)
            return f"{piece.indent}{box}" if isinstance(piece, Fence) else box

    def _woven(self, piece: Piece) -> str:
        source = self.page.text[piece.start : piece.end]
        match piece:
            case Value():
                shown, html = self.value(piece.path, piece.spec)
                return self.woven.token(html, shown.plain, source)
            case BadReference():
                raise Refused(
                    f"{piece.source} is no reference: write a name with dots and indices, then its format, "
                    "with one space inside the braces; what has to be computed is computed in the script"
                )
            case Formula():
                return self._formula(piece, source)
            case Image():
                return self._image(piece, source)
            case ClaimLink():
                return self._claim(piece)
            case Fence():
                return self._fences.woven(piece, source)
        return source

    def _latex(self, piece: Formula) -> str:
        parts, position = [], piece.start + (2 if piece.display else 1)
        for inner in piece.values:
            parts.append(self.page.text[position : inner.start])
            assert isinstance(inner, Value)  # noqa: S101 - the reading finds no others in formulas
            parts.append(self.value(inner.path, inner.spec)[0].tex)
            position = inner.end
        return "".join([*parts, self.page.text[position : piece.end - (2 if piece.display else 1)]])

    def _formula(self, piece: Formula, source: str) -> str:
        latex = self._latex(piece)
        try:
            html = maths.render(latex, display=piece.display)
        except maths.MathsError as error:
            raise Refused(f"bad formula: {error}") from None
        return self.woven.token(html, maths.plain(latex), source)

    def _image(self, piece: Image, source: str) -> str:
        alt = self._plain(piece)
        if not alt.strip():
            raise Refused(f"{piece.target} has no alternative text: write what is to be seen between ![ and ]")
        if piece.figure is None:
            return source.replace(piece.alt, alt, 1)
        _, drawings = self.names.figure(piece.figure)
        described = f' role="img" aria-label="{escape(alt)}"'
        return self.woven.token(drawings[self.page.language].replace(' role="img"', described, 1), alt, source)

    def _plain(self, piece: Image) -> str:
        """Write an alternative text: values and formulas as plain text."""
        parts, position = [], piece.alt_start
        for inner in piece.inner:
            parts.append(self.page.text[position : inner.start])
            match inner:
                case Value():
                    parts.append(self.value(inner.path, inner.spec)[0].plain)
                case Formula():
                    parts.append(maths.plain(self._latex(inner)))
                case BadReference():
                    self._woven(inner)
                case _:
                    parts.append(self.page.text[inner.start : inner.end])
            position = inner.end
        return "".join([*parts, self.page.text[position : piece.alt_start + len(piece.alt)]])

    def _claim(self, piece: ClaimLink) -> str:
        _, verdict = self.names.claim(piece.name)
        shown = measured(verdict, self.page.language)
        label = self.woven.token(
            f'<span class="knit-claim">{escape(piece.text)}{shown.html}</span>', piece.text, piece.text
        )
        layout = self.course.layout
        docs = layout.docs / self.page.language / f"{layout.ledger}.md"
        ledger = posixpath.relpath(docs.as_posix(), PurePosixPath(self.page.path).parent.as_posix())
        return f"[{label}]({ledger}#{anchor(piece.name)})"
