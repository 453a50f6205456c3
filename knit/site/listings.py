"""The scripts on the site: each as it is, and as a page whose lines can be linked to and that says which make what.

``snippets/l1_inner_product.html#L40`` shows line 40; the page's data is what ``assets/knit/trace.js`` reads to show
the lines behind a number, and what a claim states.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Container, Iterator
from contextlib import suppress
from html import escape
from pathlib import Path, PurePosixPath
from string import Template
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from knit.claims import statements
from knit.programs import digest_of, digest_of_data
from knit.project import Course, Source
from knit.site.holding import fill
from knit.site.policy import protected
from knit.weave import sentences
from knit.weave.maths import MathsError

LOOKS = Path(__file__).parent / "listing"


def add_scripts(course: Course, files: Files, config: MkDocsConfig, *, serving: bool) -> None:
    """Add every script of a course to the files of its site, and its page."""
    text = protected((LOOKS / "listing.html").read_text("utf-8"), serving=serving)
    template, look = Template(text), digest_of(text)
    for path, source in course.results.sources.items():
        page = str(PurePosixPath(path).with_suffix(".html"))
        files.append(File.generated(config, path, content=source.text))
        files.append(made := File.generated(config, page, abs_src_path=""))
        _page(course, source, template, made, look)
    files.append(File.generated(config, "assets/knit/listing.css", abs_src_path=str(LOOKS / "listing.css")))


def _page(course: Course, source: Source, template: Template, file: File, look: str) -> None:
    """Have a file hold a script's page, as it was made last if it and the scripts that it may mean are the same."""
    named = sorted(course.results.modules.keys() & source.words)
    key = digest_of_data(source.digest, named, course.glossary.digest, look)
    slot = course.kept.slot(source.path)
    fill({"page": file}, slot, "listings", key, lambda: {"page": listing(course, source, template)})


def listing(course: Course, source: Source, template: Template) -> str:
    """Write a script's page."""
    path = PurePosixPath(source.path)
    lines = source.text.splitlines()
    data = _data(source, course.results.modules.keys()) | {"stated": dict(_stated(course, source))}
    return template.substitute(
        path=escape(source.path),
        name=escape(path.name),
        root="../" * (len(path.parts) - 1),
        lines="\n".join(f'<span id="L{number}">{escape(line)}</span>' for number, line in enumerate(lines, 1)),
        data=json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    )


def _data(source: Source, modules: Container[str]) -> dict[str, Any]:
    """Give the lines that make each name and each claim, and where imported names come from."""
    known = source.made
    others = {name: origin for name, origin in known.imported.items() if origin.partition(".")[0] in modules}
    functions = {lines[-1][0]: lines for lines in known.lines.values()}
    claims = {
        name: next((lines for first, lines in functions.items() if first <= line <= lines[-1][1]), [(line, line)])
        for name, line in source.claims.items()
    }
    return {"made": known.lines, "imported": others, "claims": claims}


def _stated(course: Course, source: Source) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield what each claim states in each language: its docstring says it, so the page comes of the source alone."""
    names = {line: name for name, line in source.claims.items()}
    for node in source.tree.body if names else ():
        if not isinstance(node, ast.FunctionDef):
            continue
        name, texts = names.get(node.lineno), statements(ast.get_docstring(node))
        if name and any(texts.values()):
            with suppress(MathsError):  # told where the ledger is woven
                symbols = course.glossary.symbols
                yield name, {language: sentences.woven(text, symbols) for language, text in texts.items()}
