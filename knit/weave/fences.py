"""The fenced blocks that knit fills: printed output, computed tables, the ledger; and code by section."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from knit.problem import Refused
from knit.read.pieces import Fence
from knit.weave.glossary import glossary
from knit.weave.ledger import ledger
from knit.weave.names import Found

if TYPE_CHECKING:
    from knit.weave.weaver import Weaver

SNIPPET = re.compile(r'^[ \t>]*-+8<-+[ \t]+"(?P<file>[^":]+)(?::(?P<section>[^"]+))?"[ \t]*$')
SEPARATOR = re.compile(r"\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?")
LANGUAGE_COMMENT = re.compile(r"^(?P<before>[ \t>]*#[ \t]*)(?P<language>[a-z]{2}):[ \t]*(?P<text>.*)$")
MINIMUM_ROWS = 2


class Fences:
    """Weaves the fences of one page."""

    def __init__(self, weaver: Weaver) -> None:
        self._weaver = weaver

    def woven(self, fence: Fence, source: str) -> str:
        """Give the Markdown that takes a fence's place."""
        if fence.closed:
            return self._made(fence, source)
        with suppress(Refused):
            self._made(fence, source)  # what it shows is not gone
        mark = source.lstrip(" \t>")
        mark = mark[: len(mark) - len(mark.lstrip(mark[0]))]
        raise Refused(f"the fence that opens here is never closed: write {mark} on a line of its own where it ends")

    def _made(self, fence: Fence, source: str) -> str:
        match fence.kind:
            case "output":
                return self._output(fence)
            case "table":
                return self._table(fence)
            case "claims":
                weaver, page = self._weaver, self._weaver.page
                return ledger(
                    weaver.course, page.language, weaver.woven.token, lambda wrong: weaver.refuse(wrong, fence.start)
                )
            case "glossary":
                return glossary(self._weaver.course, self._weaver.page, self._weaver.woven.token)
        self._check_snippets(fence)
        return source

    def _output(self, fence: Fence) -> str:
        _, name = _two(fence, "output SECTION")
        script, printed = self._weaver.names.output(name)
        self._weaver.publish(script, "outputs", name, printed.rstrip())
        lines = printed.rstrip().splitlines()
        longest = max((len(run) for run in re.findall("`+", "\n".join(lines))), default=0)
        mark = "`" * max(3, longest + 1)
        return "\n".join(fence.indent + line for line in (f"{mark}text {{ .knit-output }}", *lines, mark))

    def _table(self, fence: Fence) -> str:
        """Fill a table: the lesson's header, a row for each item of the value, a format for each column."""
        _, name = _two(fence, "table VALUE")
        rows = [line.removeprefix(fence.indent) for line in fence.body if line.strip()]
        if len(rows) < MINIMUM_ROWS or not SEPARATOR.fullmatch(rows[1].strip()):
            raise Refused("a table's fence holds its header row, the row |---|---|, and at most a row of formats")
        columns = len(cells(rows[1]))
        specs = cells(rows[2]) if len(rows) > MINIMUM_ROWS else [""] * columns
        found = self._weaver.names.value(name)
        if not isinstance(found.value, list) or not found.value:
            raise Refused(f"{name} is no list of rows", found.script, found.line)
        made = [item if isinstance(item, list) else [item] for item in found.value]
        for row in made:
            if len(row) != columns or len(specs) != columns:
                raise Refused(
                    f"the table has {columns} columns, {len(specs)} formats, and {name} has rows of {len(row)}",
                    found.script,
                    found.line,
                )
        header = self._weaver.stretch(fence.body_start, fence.body_start + len(fence.body[0]))
        body = ["| " + " | ".join(self._cells(found, row, number, specs)) + " |" for number, row in enumerate(made)]
        separator = fence.indent + rows[1]
        return "\n".join(["", header, separator, *(fence.indent + line for line in body), ""])

    def _cells(self, found: Found, row: list[object], number: int, specs: list[str]) -> Iterable[str]:
        for column, (value, spec) in enumerate(zip(row, specs, strict=True)):
            shown, html = self._weaver.written(found, value, f"{found.name}[{number}][{column}]", spec)
            words = isinstance(value, str | dict)
            yield self._weaver.woven.token(shown.html if words else html, shown.plain)

    def _check_snippets(self, fence: Fence) -> None:
        for line in fence.body:
            if match := SNIPPET.match(line):
                source = self._weaver.names.section(match["file"], match["section"])
                self._weaver.woven.code.append((source.path, match["section"]))


def cells(row: str) -> list[str]:
    """Split a table's row at its bars."""
    return [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]


def own_comments(lines: Iterable[str], language: str, languages: Iterable[str]) -> Iterable[str]:
    """Keep of the comments ``# zh: …`` and ``# en: …`` only the page's own, without their mark."""
    for line in lines:
        match = LANGUAGE_COMMENT.match(line)
        if not match or match["language"] not in languages:
            yield line
        elif match["language"] == language:
            yield match["before"] + match["text"]


def _two(fence: Fence, usage: str) -> tuple[str, str]:
    if len(fence.info) != 2:  # noqa: PLR2004 - a kind and a name
        raise Refused(f"write ```{usage}")
    return fence.info[0], fence.info[1]
