"""Weaves a page: each of its pieces becomes a token in the Markdown, and HTML that takes the token's place.

Tokens are private-use characters around a number. They pass through Markdown as plain letters would, so
values can stand in headings, table cells, captions and links.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import PurePosixPath
from typing import Any

from knit.problem import Problem, Refused
from knit.project import Course, is_lesson
from knit.read.page import Page
from knit.read.pieces import BadReference, ClaimLink, Fence, Formula, Image, Piece, Term, Value
from knit.weave import maths
from knit.weave.alive import alive
from knit.weave.badge import measured
from knit.weave.fences import Fences
from knit.weave.format import Shown, data, exact, show
from knit.weave.glossary import link
from knit.weave.ledger import anchor
from knit.weave.maths_symbols import coloured
from knit.weave.names import Found, Names

OPEN, CLOSE = "\ue000", "\ue001"


@dataclass(frozen=True)
class Publication:
    """Something of a script's that a page shows: what readers of its language see, and at which line.

    ``kind`` is one of values, outputs, claims and figures; ``name`` a value's name with its format. ``exact``
    is the value behind the text, where there is one.
    """

    script: str
    kind: str
    name: str
    text: str
    line: int
    exact: Any = None


@dataclass
class Woven:
    """A woven page: Markdown with tokens, each token's HTML, plain text and source; what it shows, what is wrong.

    ``code`` are the scripts and sections that it embeds, ``terms`` the ids of the terms that it uses. Of one that is
    kept, ``ids`` are those that links can lead to, and ``digest`` is its contents'.
    """

    text: str = field(default_factory=str)
    html: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    shown: list[Publication] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    code: list[tuple[str, str | None]] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    ids: set[str] | None = None
    digest: str = ""

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
        self.names = Names(page, course.layout, course.results, course)
        self.woven = Woven()
        self._fences = Fences(self)
        self._at = 0

    def weave(self) -> Woven:
        """Weave the whole page."""
        if self.page.meta.get("script"):
            try:
                self.names.own_script()
            except Refused as refused:
                self.woven.problems.append(refused.at(self.page.path, 1, 1))
        terms = list(self.course.glossary.uses(self.page)) if is_lesson(self.page) else []
        self.woven.terms = [term.id for term in terms]
        pieces = sorted([*self.page.pieces, *terms], key=lambda piece: piece.start)
        self.woven.text = self._replaced(pieces, 0, len(self.page.text))
        return self.woven

    def stretch(self, start: int, end: int) -> str:
        """Weave a part of the source that has no fence in it."""
        return self._replaced(list(self.page.between(start, end)), start, end)

    def value(self, path: str, spec: str) -> tuple[Shown, str]:
        """Write a value, and give its HTML with full precision."""
        found = self.names.value(path)
        return self.written(found, found.value, found.name, spec)

    def written(self, found: Found, value: Any, name: str, spec: str) -> tuple[Shown, str]:  # noqa: ANN401
        """Write a found value or a part of it, called ``name``, and note that readers see it."""
        try:
            shown = show(value, spec, self.page.language)
        except Refused as refused:
            separator = " " if refused.message.startswith(("is ", "has ")) else ": "
            raise Refused(f"{name}{separator}{refused.message}", found.script or None, found.line) from None
        self.publish(found.script, "values", f"{name}:{spec}" if spec else name, shown.plain, value)
        return shown, data(value, spec, shown.html, found.origin(name))

    def publish(self, script: str, kind: str, name: str, text: str, exact: Any = None) -> None:  # noqa: ANN401
        """Note what readers see of a script. What is counted of the course is no script's, and not kept."""
        if not script:
            return
        line = self.page.place(self._at)[0]
        self.woven.shown.append(Publication(script, kind, name, text, line, exact))

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
        self._at = piece.start
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
            case Term():
                return link(self.course, self.page, piece.id, source)
        return source

    def _latex(self, piece: Formula, traced: list[tuple[str, str]] | None = None) -> str:
        """Write a formula's values into it; note origin and full precision of each in ``traced``."""
        parts, position = [], piece.start + (2 if piece.display else 1)
        for inner in piece.values:
            parts.append(self.page.text[position : inner.start])
            assert isinstance(inner, Value)  # noqa: S101 - the reading finds no others in formulas
            found = self.names.value(inner.path)
            parts.append(self.written(found, found.value, found.name, inner.spec)[0].tex)
            if traced is not None and found.origin():
                traced.append((found.origin(), exact(found.value, inner.spec)))
            position = inner.end
        return "".join([*parts, self.page.text[position : piece.end - (2 if piece.display else 1)]])

    def _formula(self, piece: Formula, source: str) -> str:
        traced: list[tuple[str, str]] = []
        latex = self._latex(piece, traced)
        html = coloured(self._maths(partial(maths.render, display=piece.display), latex), self.course.glossary.symbols)
        if traced:
            html = html.replace(">", f"{_origins(traced)}>", 1)
        return self.woven.token(html, maths.plain(latex), source)

    @staticmethod
    def _maths(convert: Callable[[str], str], latex: str) -> str:
        try:
            return convert(latex)
        except maths.MathsError as error:
            raise Refused(f"bad formula: {error}") from None

    def _image(self, piece: Image, source: str) -> str:
        alt = self._plain(piece)
        if not alt.strip():
            raise Refused(f"{piece.target} has no alternative text: write what is to be seen between ![ and ]")
        if piece.figure is None:
            if piece.alive is not None:
                raise Refused(f"{piece.target} is no figure of a script: only such a one becomes a piece")
            return source.replace(piece.alt, alt, 1)
        script, drawings = self.names.figure(piece.figure)
        drawing = drawings[self.page.language]
        self.publish(script, "figures", piece.figure, hashlib.sha256(drawing.encode()).hexdigest())
        described = f' role="img" aria-label="{escape(alt)}"'
        # The words in a drawing are no words of the page: a search would find axes' labels.
        origin = f"{PurePosixPath(script).stem}.{piece.figure.rpartition('.')[2]}"
        drawing = drawing.replace(' role="img"', described, 1)
        html = f'<span data-search-exclude data-of="{escape(origin)}">{drawing}</span>'
        if piece.alive is not None:
            html = alive(self, piece.alive, piece.given, html)
        return self.woven.token(html, alt, source)

    def _plain(self, piece: Image) -> str:
        """Write an alternative text: values and formulas as plain text."""
        parts, position = [], piece.alt_start
        for inner in piece.inner:
            parts.append(self.page.text[position : inner.start])
            match inner:
                case Value():
                    parts.append(self.value(inner.path, inner.spec)[0].plain)
                case Formula():
                    parts.append(self._maths(maths.plain, self._latex(inner)))
                case BadReference():
                    self._woven(inner)
                case _:
                    parts.append(self.page.text[inner.start : inner.end])
            position = inner.end
        return "".join([*parts, self.page.text[position : piece.alt_start + len(piece.alt)]])

    def _claim(self, piece: ClaimLink) -> str:
        script, verdict = self.names.claim(piece.name)
        shown = measured(verdict, self.page.language)
        self.publish(script, "claims", piece.name, shown.plain.strip(), verdict.measured)
        origin = escape(f"{PurePosixPath(script).stem}:{piece.name}")
        html = f'<span class="knit-claim" data-of="{origin}">{escape(piece.text)}{shown.html}</span>'
        label = self.woven.token(html, piece.text, piece.text)
        layout = self.course.layout
        docs = layout.docs / self.page.language / f"{layout.ledger}.md"
        ledger = posixpath.relpath(docs.as_posix(), PurePosixPath(self.page.path).parent.as_posix())
        return f"[{label}]({ledger}#{anchor(piece.name)})"


def _origins(traced: list[tuple[str, str]]) -> str:
    """Give the attributes by which a formula's values are traced: each once, in their order."""
    once = dict(traced)
    names, values = " ".join(once), json.dumps(list(once.values()), ensure_ascii=False, separators=(",", ":"))
    return f" data-of=\"{escape(names)}\" data-value='{escape(values, quote=False).replace(chr(39), '&#39;')}'"
