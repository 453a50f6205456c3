"""The Python-Markdown extension that puts computed values, figures, tables, claims and formulas into a page.

It works wherever Python-Markdown does: ``markdown.markdown(text, extensions=["knit"], ...)``. The MkDocs
plugin only tells it which page is being converted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from knit.project import Layout, Project
from knit.read.page import Page
from knit.read.pieces import Fence
from knit.weave.fences import own_comments
from knit.weave.prose import mended
from knit.weave.stops import kept, with_stops
from knit.weave.weaver import CLOSE, OPEN, Woven, weave

TOKEN = re.compile(f"{OPEN}(\\d+){CLOSE}")
ELEMENT = re.compile(r'<knit n="(\d+)">.*?</knit>', re.DOTALL)
BOUND = with_stops(r'<knit n="(?P<n>\d+)">[^<]*</knit>')
CODE = re.compile(r"(<(pre|code)\b.*?</\2>)", re.DOTALL)
HEADINGS = {f"h{level}" for level in range(1, 7)}


@dataclass
class State:
    """What the processors of one Markdown instance share: the page being converted, woven, and its language."""

    woven: Woven = field(default_factory=Woven)
    language: str = ""


class KnitExtension(Extension):
    """Weaves one page at a time.

    Used alone, it takes the options ``root`` (the project's folder), ``language``, ``script`` and ``page``
    (the page's path, for messages). An adapter sets ``weave`` instead, to weave with what it knows.
    """

    def __init__(self, **options: Any) -> None:  # noqa: ANN401
        self.config = {
            "root": [".", "the project's folder"],
            "language": ["en", "the page's language"],
            "languages": [["zh", "en"], "the course's languages"],
            "script": ["", "the page's script, where its front matter names none"],
            "page": ["page.md", "the page's path, for messages"],
        }
        super().__init__(**options)
        self.weave: Callable[[str], tuple[Woven, str]] = self._weave_alone

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown's name
        """Register the processors."""
        # One conversion can hold another (mkdocstrings converts docstrings inside a page): each has its state.
        state = State()
        # Before snippets (32), fences (25) and all that reads the text: places are those of the source.
        md.preprocessors.register(Pieces(md, self, state), "knit-pieces", 40)
        # After snippets has put the code in, before SuperFences (25) takes it away.
        md.preprocessors.register(Comments(md, self, state), "knit-comments", 31)
        md.inlinePatterns.register(Tokens(TOKEN.pattern, md, state), "knit-tokens", 185)
        # After inline processing (20) and attribute lists (8), before the table of contents (5).
        md.treeprocessors.register(Labels(md), "knit-labels", 6)
        md.postprocessors.register(Html(md, state), "knit-html", -10)

    def _weave_alone(self, text: str) -> tuple[Woven, str]:
        language = self.getConfig("language")
        page = Page.read(self.getConfig("page"), language, text)
        page.meta.setdefault("script", self.getConfig("script"))
        layout = Layout(Path(self.getConfig("root")).resolve(), languages=tuple(self.getConfig("languages")))
        with closing(Project(layout)) as project:
            return weave(page, project.course()), language


class Pieces(Preprocessor):
    """Replaces the pieces of the page's source by tokens."""

    def __init__(self, md: Markdown, extension: KnitExtension, state: State) -> None:
        super().__init__(md)
        self._extension = extension
        self._state = state

    def run(self, lines: list[str]) -> list[str]:
        """Weave the page."""
        self._state.woven, self._state.language = self._extension.weave("\n".join(lines))
        return self._state.woven.text.split("\n")


class Comments(Preprocessor):
    """Drops the other languages' comments from embedded code."""

    def __init__(self, md: Markdown, extension: KnitExtension, state: State) -> None:
        super().__init__(md)
        self._extension = extension
        self._state = state

    def run(self, lines: list[str]) -> list[str]:
        """Go through the fences of Python code."""
        text, parts, position = "\n".join(lines), [], 0
        languages = self._extension.getConfig("languages")
        for fence in Page("", "", text).pieces:
            if isinstance(fence, Fence) and fence.kind in {"python", "py"}:
                end = fence.body_start + sum(len(line) + 1 for line in fence.body)
                kept = own_comments(fence.body, self._state.language, languages)
                parts += [text[position : fence.body_start], *(f"{line}\n" for line in kept)]
                position = end
        return "".join([*parts, text[position:]]).split("\n")


class Tokens(InlineProcessor):
    """Turns a token into an element that carries its plain text, for whoever reads the tree."""

    def __init__(self, pattern: str, md: Markdown, state: State) -> None:
        super().__init__(pattern, md)
        self._state = state

    def handleMatch(  # type: ignore[override]  # noqa: N802 - Markdown's name
        self, m: re.Match[str], data: str
    ) -> tuple[Element, int, int]:
        """Make the element."""
        del data
        element = Element("knit", n=m[1])
        element.text = AtomicString(self._state.woven.plain[int(m[1])] or " ")
        return element, m.start(0), m.end(0)


class Labels(Treeprocessor):
    """Gives headings with values or formulas their plain text as label in the table of contents."""

    def run(self, root: Element) -> None:
        """Label the headings."""
        for heading in root.iter():
            if heading.tag in HEADINGS and heading.find(".//knit") is not None:
                heading.set("data-toc-label", "".join(heading.itertext()).strip())


class Html(Postprocessor):
    """Puts each piece's HTML in its place, and its source back where it stands in code."""

    def __init__(self, md: Markdown, state: State) -> None:
        super().__init__(md)
        self._state = state

    def run(self, text: str) -> str:
        """Replace elements and tokens."""
        text = mended(text)
        woven = self._state.woven
        if not woven.html:
            return text
        text = kept(BOUND, text, woven.html)
        text = ELEMENT.sub(lambda match: woven.html[int(match[1])], text)
        if OPEN not in text:
            return text
        # What is left stands in raw HTML, where it is woven, or in indented code, which shows its source.
        parts = CODE.split(text)
        for index in range(0, len(parts), 3):
            parts[index] = TOKEN.sub(lambda match: woven.html[int(match[1])], parts[index])
            if index + 1 < len(parts):
                parts[index + 1] = TOKEN.sub(lambda match: woven.source[int(match[1])], parts[index + 1])
                parts[index + 2] = ""
        return "".join(parts)


def makeExtension(**options: Any) -> KnitExtension:  # noqa: ANN401, N802 - the name that Markdown looks for
    """Make the extension from its options."""
    return KnitExtension(**options)
