"""Weaves a page into the cells of a notebook: its prose, and its script's sections with what they printed and drew."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from knit.project import Course, Source
from knit.read.page import Page
from knit.read.pieces import Fence, Formula, Image, Piece
from knit.read.script import SECTION
from knit.weave.fences import SNIPPET, own_comments
from knit.weave.weaver import Weaver

BREAK = "\ue002"
"""Stands around the number of a code cell, where the prose is cut."""

ATTRIBUTES = re.compile(r"(?:\[([^\[\]]+)\]|[ \t]*)\{:?[ ]*[.#][^{}\n]*\}")
"""Attributes such as ``{#id}`` and ``[words]{.premise}``: Python-Markdown knows them, notebooks do not."""


@dataclass(frozen=True)
class Prose:
    """A Markdown cell: text with tokens."""

    text: str


@dataclass
class Code:
    """A code cell: its source, what it printed, and what it drew (a token for the page, an SVG for anywhere).

    ``hidden`` cells are folded in: readers see what they print and draw.
    """

    source: str
    printed: str = ""
    drawn: str = ""
    svg: str = ""
    hidden: bool = False


def is_notebook(page: Page) -> bool:
    """Say whether a page's front matter makes it a notebook."""
    return page.meta.get("notebook") is True


def section_of(piece: Piece) -> str | None:
    """Give the section of the page's script that a fence shows: that is a code cell."""
    match = SNIPPET.match(piece.body[0]) if isinstance(piece, Fence) and len(piece.body) == 1 else None
    return match["section"] if match else None


class Cells(Weaver):
    """The weaving of one notebook; ``weave`` comes first.

    Attributes
    ----------
    cells : list of Prose or Code
        In the order of the page.
    latex : dict of int to str
        Tokens that stand for formulas, as LaTeX with its values written in.

    """

    def __init__(self, page: Page, course: Course) -> None:
        super().__init__(page, course)
        self.latex: dict[int, str] = {}
        self._codes: list[Code] = []

    @property
    def cells(self) -> list[Prose | Code]:
        """The cells of the woven page."""
        found: list[Prose | Code] = []
        for number, part in enumerate(self.woven.text.split(BREAK)):
            if number % 2:
                found.append(self._codes[int(part)])
            elif text := ATTRIBUTES.sub(r"\1", part).strip():
                found.append(Prose(text))
        return found

    def _woven(self, piece: Piece) -> str:
        match piece:
            case Fence(kind="output") if self._codes:
                # Checked as on any page; where it belongs is checked by knit.notebook.check.
                super()._woven(piece)
                self._codes[-1].printed = self.names.output(piece.info[1])[1].rstrip() + "\n"
                return ""
            case Fence() if section := section_of(piece):
                super()._woven(piece)
                match = SNIPPET.match(piece.body[0])
                source = self.names.section(match["file"] if match else "", section)
                return self._cell(Code("\n".join(own_comments(code(source, section), self._language, self._languages))))
            case Image(figure=str(name)):
                drawn = super()._woven(piece)
                svg = self.names.figure(name)[1][self._language]
                first = "from knit import show\n\n" if not any(cell.drawn for cell in self._codes) else ""
                return self._cell(Code(f'{first}show({name}, "{self._language}")', drawn=drawn, svg=svg))
            case Formula():
                token = super()._woven(piece)
                mark = "$$" if piece.display else "$"
                self.latex[len(self.woven.html) - 1] = f"{mark}{self._latex(piece)}{mark}"
                return token
        return super()._woven(piece)

    def _cell(self, cell: Code) -> str:
        self._codes.append(cell)
        return f"{BREAK}{len(self._codes) - 1}{BREAK}"

    @property
    def _language(self) -> str:
        return self.page.language

    @property
    def _languages(self) -> tuple[str, ...]:
        return self.course.layout.languages


def code(source: Source, section: str) -> list[str]:
    """Give the lines of a script's section, without the marks of other sections in it."""
    lines = source.text.splitlines()
    kept = [lines[number - 1] for number in source.sections[section] if not SECTION.match(lines[number - 1])]
    return textwrap.dedent("\n".join(kept)).strip("\n").split("\n")
