"""What makes a page a notebook: its cells, run in their order, are the whole script, and show all that it says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from knit.notebook.cells import is_notebook, section_of
from knit.problem import Problem
from knit.project import Course, Source
from knit.read.page import Page
from knit.read.pieces import Fence, Piece
from knit.weave.names import Names


def notebooks(course: Course) -> Iterator[Problem]:
    """Yield what is wrong with the notebooks of a course, besides what is wrong with any page."""
    for page in course.pages:
        if is_notebook(page):
            script = Names(page, course.layout, course.results).script or ""
            if source := course.results.sources.get(script):
                parts = ("notebook", page.digest, source.digest, course.results.outcomes[script].digest)
                yield from course.kept.unless_clean(parts, _notebook(page, course, source))
            else:
                yield Problem(
                    page.path, 1, 1, "a notebook names its script: write `script: NAME.py` in its front matter"
                )


def _notebook(page: Page, course: Course, source: Source) -> Iterator[Problem]:
    yield from _cells(page, source)
    yield from _outputs(page, course, source)
    yield from _imports(page, course, source)


def _cells(page: Page, source: Source) -> Iterator[Problem]:
    """Check that the code cells, in their order, are the script."""
    shown: list[range] = []
    for piece in page.pieces:
        if isinstance(piece, Fence) and piece.kind in {"python", "py"}:
            section = section_of(piece)
            lines = source.sections.get(section or "")
            if section is None:
                yield _problem(page, piece, "a notebook's code is one section of its script: it is run with it")
            elif lines:
                if shown and lines.start < shown[-1].stop:
                    yield _problem(page, piece, f"{section} comes earlier in {source.path}: a notebook keeps its order")
                shown.append(lines)
    for statement in source.tree.body:
        if not (_aside(statement) or any(statement.lineno in lines for lines in shown)):
            message = f"the notebook lacks line {statement.lineno} of its script: show a section that holds it"
            yield Problem(page.path, 1, 1, message, source.path, statement.lineno)
            return


def _aside(statement: ast.stmt) -> bool:
    """Whether a statement is of no use in a notebook: the module's docstring, ``if __name__ == "__main__"``."""
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
    return False


def _outputs(page: Page, course: Course, source: Source) -> Iterator[Problem]:
    """Check that what a cell prints follows it, and nothing else does."""
    result = course.results.outcomes[source.path].result
    fences = [piece for piece in page.pieces if isinstance(piece, Fence)]
    for before, fence in pairwise([None, *fences]):
        if fence is not None and fence.kind == "output":
            follows = before is not None and not page.text[before.end : fence.start].strip()
            if not (follows and before is not None and section_of(before) == fence.info[-1]):
                yield _problem(page, fence, f"the output {fence.info[-1]} does not follow the code that printed it")
    for fence, after in pairwise([*fences, None]):
        section = section_of(fence) if fence else None
        printed = result.outputs.get(section, "").strip() if result and section else ""
        if fence and printed and not (after and after.kind == "output"):
            yield _problem(page, fence, f"the code prints something: write ```output {section} below it")


def _imports(page: Page, course: Course, source: Source) -> Iterator[Problem]:
    """Check that who downloads the notebook has what it imports: the installed packages, no other script."""
    uses = course.results.outcomes[source.path].uses
    for module in uses.modules if uses else ():
        if module.startswith(f"{course.layout.snippets.as_posix()}/"):
            message = f"the notebook imports {module}, which nobody has who downloads it"
            yield Problem(page.path, 1, 1, message, source.path, 1)


def _problem(page: Page, piece: Piece, message: str) -> Problem:
    return Problem(page.path, *page.place(piece.start), message)
