"""Weaves a lesson into the cells of a notebook: its prose, the code and figures that it shows, and the rest folded in.

Cells keep the script's order; between two that the lesson shows stand the lines that it does not show. A figure's
function, which stands at the script's end, moves to where the lesson shows the figure, with the functions that it
calls. Code that ran before the lesson shows it is shown as text.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable
from pathlib import PurePosixPath

from knit.notebook.cells import BREAK, Cells, Code, code, section_of
from knit.notebook.embedded import embedded, imported
from knit.project import Course, Source
from knit.read.page import Page
from knit.read.pieces import Fence, Formula, Image, Piece
from knit.read.script import SECTION
from knit.weave.fences import SNIPPET, own_comments
from knit.weave.weaver import Woven

ANSWER = {"zh": "展开", "en": "Unfold"}

FOLD = re.compile(
    r'^\?\?\?\+?[ ]+(?P<kind>\w+)[\w ]*?(?:"(?P<title>[^\n]*)")?[ ]*\n(?P<body>(?:[ ]*\n|[ ]{4}[^\n]*(?:\n|\Z))*)',
    re.MULTILINE,
)
CAPTION = re.compile(r"^(?P<indent>[ ]*)/// caption\n(?P<words>.*?)\n[ ]*///$", re.MULTILINE | re.DOTALL)
ABOUT_THE_PAGE = re.compile(r"[ ]?\[[^\[\]]*\]\{[ ]?\.with-script[ ]?\}")
"""Sentences about what the page does in a browser."""


class Lesson(Cells):
    """The weaving of one lesson as a notebook; ``weave`` comes first."""

    def __init__(self, page: Page, course: Course) -> None:
        super().__init__(page, course)
        self._source: Source = course.results.sources[self.names.script or ""]
        self._lines = self._source.text.splitlines()
        self._functions = self._source.outline.functions
        self._made = self._source.made.lines
        self._moved: set[int] = set()
        self._drawing: list[str] = []  # other scripts whose figures are shown
        self._shown_to = 0  # where, on the page, the last code ends that became a cell
        self._next = self._source.outline.begin

    def weave(self) -> Woven:
        """Weave the whole page, and add what is left of the script."""
        super().weave()
        rest = self._until(self._source.outline.report or len(self._lines) + 1)
        text = CAPTION.sub(_quoted, ABOUT_THE_PAGE.sub("", self.woven.text))
        before, mark, after = f"{FOLD.sub(self._unfolded, text)}{rest}".partition(BREAK)
        modules = self.course.results.modules
        others = imported(self._source, modules)
        for path in self._drawing:
            other = self.course.results.sources[path]
            others |= imported(other, modules) | {PurePosixPath(path).stem: other}
        brought = [embedded(name, other, self._language, self._languages) for name, other in others.items()]
        first = "".join(self._cell(Code(f"from knit import module\n\n{each}", hidden=True)) for each in brought)
        self.woven.text = f"{before}{first}{mark}{after}"
        return self.woven

    def _woven(self, piece: Piece) -> str:
        match piece:
            case Formula():
                token = self.woven.token("", "")
                mark = "$$" if piece.display else "$"
                self.latex[len(self.woven.html) - 1] = f"{mark}{self._latex(piece)}{mark}"
                return token
            case Fence(kind="output"):
                printed = self.names.output(piece.info[1])[1].rstrip()
                follows = self.page.text[: piece.start].rstrip() == self.page.text[: self._shown_to].rstrip()
                return "" if follows else _fenced("text", printed.split("\n"), piece.indent)
            case Fence() if section := section_of(piece):
                return self._section(piece, section)
            case Image(figure=str(name)) if name in self._functions:
                functions, end = self._needs(name)
                before, drawn = self._until(end), super()._woven(piece)
                cell = self._codes[-1]
                cell.source, cell.hidden = "\n\n\n".join([*functions, cell.source]), True
                return before + drawn
            case Image(figure=str(name)):
                drawn, (path, _) = super()._woven(piece), self.names.figure(name)
                cell = self._codes[-1]
                cell.source, cell.hidden = f"import {PurePosixPath(path).stem}\n{cell.source}", True
                self._drawing.append(path)
                return drawn
        return super()._woven(piece)

    def _section(self, piece: Fence, section: str) -> str:
        """Give the cell of a section, and before it what the script does before; text, if it ran already."""
        match = SNIPPET.match(piece.body[0])
        source = self.names.section(match["file"] if match else "", section)
        lines = source.sections[section]
        shown = self._own(code(source, section))
        if source is not self._source or lines.start < self._next:
            return _fenced("python", shown, piece.indent)
        before, self._next, self._shown_to = self._until(lines.start), lines.stop, piece.end
        return piece.indent + before + self._cell(Code("\n".join(shown), self._printed(lines)))

    def _until(self, end: int) -> str:
        """Give the cell of the lines before ``end`` that did not run yet; nothing, if they do nothing."""
        stretch = range(self._next, end)
        self._next = max(self._next, end)
        lines = [self._lines[number - 1] for number in stretch if number not in self._moved]
        text = "\n".join(self._own(line for line in lines if not SECTION.match(line)))
        if not ast.parse(text).body:
            return ""
        return self._cell(Code(re.sub(r"\n{4,}", "\n\n\n", text).strip("\n"), self._printed(stretch), hidden=True))

    def _printed(self, stretch: range) -> str:
        """Give what the sections in a stretch of lines printed."""
        result = self.course.results.outcomes[self._source.path].result
        inside = [name for name, lines in self._source.sections.items() if lines.start in stretch]
        return "".join(result.outputs.get(name, "") for name in inside) if result else ""

    def _needs(self, figure: str) -> tuple[list[str], int]:
        """Take a figure's function, and those it calls, out of the script; give the line before which all is made."""
        functions, end = [], 0
        for name in self._used(figure):
            if name in self._functions and not self._in_place(name):
                lines = self._functions[name].lines
                self._moved.update(lines)
                functions.append("\n".join(self._own(self._lines[number - 1] for number in lines)))
            else:
                ends = [self._made[name][-1][1]] if name in self._made else []
                end = max(
                    [end, *(lines.stop for lines in self._source.outline.statements for line in ends if line in lines)]
                )
        return functions, end

    def _used(self, function: str) -> list[str]:
        """Give the names that a function and those that move with it use, in the script's order."""
        places, found, ahead = self._source.places, set[str](), [function]
        while ahead:
            name = ahead.pop()
            if name in places and name not in found:
                found.add(name)
                if name in self._functions and not self._in_place(name):
                    ahead += self._functions[name].names
        return sorted(found, key=lambda name: places[name])

    def _in_place(self, name: str) -> bool:
        """Whether a function stays where it is: it ran already, or is part of a section."""
        line = self._functions[name].lines.start
        return line < self._next or line in self._moved or any(line in each for each in self._source.sections.values())

    def _own(self, lines: Iterable[str]) -> list[str]:
        return list(own_comments(lines, self._language, self._languages))

    def _unfolded(self, match: re.Match[str]) -> str:
        """Write a fold as a notebook knows it; one with cells in it stands open."""
        title, body = match["title"] or "", textwrap.dedent(match["body"]).strip("\n")
        if BREAK in body:
            return f"**{title}**\n\n{body}\n\n"
        question = match["kind"] == "question"
        summary = ANSWER.get(self._language, ANSWER["en"]) if question else title
        asked = f"**{title}**\n\n" if question else ""
        return f"{asked}<details><summary>{summary}</summary>\n\n{body}\n\n</details>\n\n"


def _fenced(kind: str, lines: Iterable[str], indent: str) -> str:
    return "\n".join(indent + line for line in (f"```{kind}", *lines, "```"))


def _quoted(match: re.Match[str]) -> str:
    return "\n".join(f"{match['indent']}> {line.strip()}" for line in match["words"].split("\n"))
