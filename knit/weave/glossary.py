"""The glossary on the pages: the list of terms, and the link of a term at its first use."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from html import escape
from pathlib import PurePosixPath

from knit.problem import Refused
from knit.project import Course
from knit.read.glossary import Entry
from knit.read.page import Page
from knit.weave import sentences
from knit.weave.maths import MathsError

PAGE = "glossary.md"
"""The page, in each language's folder, that holds the list."""

POINT = "\N{NO-BREAK SPACE}· "
"""Between the names of a term; it never begins a line."""

WORDS = {
    "zh": {"first": "首次出现", "symbols": "公式里写作", "not": "不写作", "colon": "：", "comma": "；"},
    "en": {"first": "First used in", "symbols": "In formulas", "not": "Not", "colon": ": ", "comma": "; "},
}


def link(course: Course, page: Page, term: str, shown: str) -> str:
    """Give the Markdown of a term at its first use on a page."""
    entry = next(entry for entry in course.glossary.entries if entry.id == term)
    says = sentences.plain(entry.says[page.language]).replace('"', "&quot;")
    glossary = (course.layout.docs / page.language / PAGE).as_posix()
    target = posixpath.relpath(glossary, PurePosixPath(page.path).parent.as_posix())
    return f'[{shown}]({target}#{anchor(entry)} "{says}"){{ .knit-term }}'


def _woven(sentence: str, course: Course, entry: Entry) -> str:
    try:
        return sentences.woven(sentence, course.glossary.symbols)
    except MathsError as error:
        glossary = (course.layout.docs / "glossary.yml").as_posix()
        raise Refused(f"the entry {entry.id} has a bad formula: {error}", glossary, entry.line) from None


def anchor(entry: Entry) -> str:
    """Give the id of a term in the list."""
    return f"term-{entry.id}"


def glossary(course: Course, page: Page, token: Callable[[str, str], str]) -> str:
    """Write the list of terms as Markdown: a heading each, with its name in the other languages and its sentence.

    ``token`` puts HTML aside, as ``Woven.token`` does.
    """
    language = page.language
    words = WORDS.get(language, WORDS["en"])
    folder = (course.layout.docs / language).as_posix()
    pages = {PurePosixPath(path).stem: path for path in course.titles if path.startswith(f"{folder}/")}
    lines: list[str] = []
    for entry in course.glossary.entries:
        # For the search, which takes attributes of this kind out of the page.
        sought = escape("|".join(entry.sought(language)))
        place = posixpath.relpath(pages[entry.first], folder).removesuffix(".md") if entry.first in pages else ""
        found = f'data-search-names="{sought}" data-search-first="{escape(place)}"'
        names = dict.fromkeys([entry.names[language], *entry.names.values()])  # softmax is softmax in both
        lines += ["", f"## {POINT.join(names)} {{#{anchor(entry)} {found}}}", ""]
        lines += [token(_woven(entry.says[language], course, entry), sentences.plain(entry.says[language])), ""]
        if entry.symbols:
            letters = [_woven(f"${symbol}$", course, entry) for symbol in entry.symbols]
            text = f"{words['symbols']}{words['colon']}"
            lines += [token(f"{escape(text)}{' '.join(letters)}", text + " ".join(entry.symbols)), ""]
        if first := pages.get(entry.first):
            target = posixpath.relpath(first, folder)
            lines += [f"{words['first']}{words['colon']}[{course.titles[first]}]({target})", ""]
        for word, reason in entry.rejected.get(language, {}).items():
            said = escape(f"{words['not']}{words['colon']}{word}{words['comma']}{reason}")
            lines += [token(f'<small class="knit-rejected">{said}</small>', ""), ""]
    return "\n".join([*lines, ""])
