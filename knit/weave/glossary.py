"""The glossary on the pages: the list of terms, and the link of a term at its first use."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from html import escape
from pathlib import PurePosixPath

from knit.project import Course
from knit.read.glossary import Entry
from knit.read.page import Page
from knit.weave.maths import render
from knit.weave.maths_symbols import coloured

PAGE = "glossary.md"
"""The page, in each language's folder, that holds the list."""

WORDS = {
    "zh": {"first": "首次出现", "symbols": "公式里写作", "not": "不写作", "colon": "：", "comma": "；"},
    "en": {"first": "First used in", "symbols": "In formulas", "not": "Not", "colon": ": ", "comma": "; "},
}


def link(course: Course, page: Page, term: str, shown: str) -> str:
    """Give the Markdown of a term at its first use on a page."""
    entry = next(entry for entry in course.glossary.entries if entry.id == term)
    says = entry.says[page.language].replace('"', "&quot;")
    glossary = (course.layout.docs / page.language / PAGE).as_posix()
    target = posixpath.relpath(glossary, PurePosixPath(page.path).parent.as_posix())
    return f'[{shown}]({target}#{anchor(entry)} "{says}"){{ .knit-term }}'


def anchor(entry: Entry) -> str:
    """Give the id of a term in the list."""
    return f"term-{entry.id}"


def glossary(course: Course, page: Page, token: Callable[[str, str], str]) -> str:
    """Write the list of terms as Markdown: a heading each, with its name in the other languages and its sentence.

    ``token`` puts HTML aside, as ``Woven.token`` does.
    """
    language = page.language
    words = WORDS.get(language, WORDS["en"])
    titles = {PurePosixPath(each.path).stem: each for each in course.pages if each.language == language}
    folder = (course.layout.docs / language).as_posix()
    lines: list[str] = []
    for entry in course.glossary.entries:
        others = [entry.names[other] for other in course.layout.languages if other != language]
        # For the search, which takes attributes of this kind out of the page.
        names = escape("|".join(entry.sought(language)))
        place = posixpath.relpath(titles[entry.first].path, folder).removesuffix(".md") if entry.first in titles else ""
        sought = f'data-search-names="{names}" data-search-first="{escape(place)}"'
        lines += ["", f"## {entry.names[language]} · {' · '.join(others)} {{#{anchor(entry)} {sought}}}", ""]
        lines += [token(escape(entry.says[language]), entry.says[language]), ""]
        if entry.symbols:
            letters = [coloured(render(symbol, display=False), course.glossary.symbols) for symbol in entry.symbols]
            text = f"{words['symbols']}{words['colon']}"
            lines += [token(f"{escape(text)}{' '.join(letters)}", text + " ".join(entry.symbols)), ""]
        if first := titles.get(entry.first):
            target = posixpath.relpath(first.path, folder)
            title = _title(first)
            lines += [f"{words['first']}{words['colon']}[{title}]({target})", ""]
        for word, reason in entry.rejected.get(language, {}).items():
            said = escape(f"{words['not']}{words['colon']}{word}{words['comma']}{' '.join(reason.split())}")
            lines += [token(f'<small class="knit-rejected">{said}</small>', ""), ""]
    return "\n".join([*lines, ""])


def _title(page: Page) -> str:
    """Give a page's title, or its name where the title has something woven in."""
    heading = str(page.meta.get("title") or (page.headings[0].text if page.headings else ""))
    return heading if heading and "{{" not in heading and "$" not in heading else PurePosixPath(page.path).stem
