"""Writes cells as a notebook in Jupyter's format: one to render on the site, one to download and run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from knit.notebook.cells import Cells, Code, Prose
from knit.notebook.standalone import standalone
from knit.weave.weaver import CLOSE, OPEN

TOKEN = re.compile(f"{OPEN}(\\d+){CLOSE}")
LINK = re.compile(r'(?<!!)\[([^\[\]]*)\]\(([^()\s]+)(?:\s+"[^"]*")?\)')

RUN = {
    "zh": "要运行这个笔记本，先装课程的两个包 attn 和 knit：在课程代码的目录里执行 `pip install .`。",
    "en": "To run this notebook, install the course's packages, attn and knit: `pip install .` in a copy of its code.",
}

HIDDEN = {
    "zh": "收起来的单元格是脚本的其余部分，也要运行。",
    "en": " Cells that are folded in hold the rest of the script: run them too.",
}

Json = dict[str, Any]


def rendered(cells: Cells) -> str:
    """Write the notebook that becomes a page: tokens stand in it for what knit puts there afterwards."""
    return _written([_for_page(cell) for cell in cells.cells])


def portable(cells: Cells, address: Callable[[str], str | None]) -> str:
    """Write the notebook that readers download: formulas in LaTeX, values as text, figures with their own colours.

    ``address`` gives the full address of what a link on the page leads to; None where that is not known, and then
    only the link's words stay.
    """

    def plain(text: str) -> str:
        return TOKEN.sub(lambda match: cells.latex.get(int(match[1]), cells.woven.plain[int(match[1])]), text)

    def linked(match: re.Match[str]) -> str:
        full = address(match[2])
        return f"[{match[1]}]({full})" if full else match[1]

    language, whole = cells.page.language, cells.cells
    hidden = any(isinstance(cell, Code) and cell.hidden for cell in whole)
    made = [_markdown(RUN.get(language, RUN["en"]) + (HIDDEN.get(language, HIDDEN["en"]) if hidden else ""))]
    for cell in whole:
        match cell:
            case Prose():
                made.append(_markdown(plain(LINK.sub(linked, cell.text))))
            case Code():
                drawing = {"image/svg+xml": standalone(cell.svg), "text/plain": plain(cell.drawn)} if cell.svg else {}
                made.append(_code(cell, drawing))
    return _written(made)


def _for_page(cell: Prose | Code) -> Json:
    if isinstance(cell, Prose):
        return _markdown(cell.text)
    return _code(cell, {"text/html": cell.drawn} if cell.drawn else {})


def _markdown(text: str) -> Json:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(cell: Code, drawing: dict[str, str]) -> Json:
    outputs: list[Json] = []
    if cell.printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": cell.printed})
    if drawing:
        outputs.append({"output_type": "display_data", "data": drawing, "metadata": {}})
    metadata = {"jupyter": {"source_hidden": True}} if cell.hidden else {}
    return {"cell_type": "code", "metadata": metadata, "source": cell.source, "outputs": outputs}


def _written(cells: list[Json]) -> str:
    """Write the cells, numbered, so that the same page gives the same bytes."""
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number}"
    for count, cell in enumerate((cell for cell in cells if cell["cell_type"] == "code"), 1):
        cell["execution_count"] = count
    kernel = {"name": "python3", "language": "python", "display_name": "Python 3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
