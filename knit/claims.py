"""Claims: what the decorators leave on a script's functions, and the checking of a claim."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

MARK = "__knit__"
"""The attribute that a decorator leaves on a function, for the runner to find."""

STOP = "[\u3000-\u303f\uff00-\uffef]"
CHINESE_BREAK = re.compile(rf"(?<={STOP}) | (?={STOP})|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
"""A space that a line break left between Chinese characters, or beside Chinese punctuation."""

LANGUAGE_LINE = re.compile(r"(?m)^\s*(zh|en):\s*")


@dataclass(frozen=True)
class ClaimMark:
    """What ``@claim`` leaves on a function: the claim's name and how its measured value is shown."""

    name: str
    show: str | None


@dataclass(frozen=True)
class FigureMark:
    """What ``@figure`` leaves on a function: the size in inches and the grid of axes."""

    width: float
    height: float
    rows: int
    columns: int


@dataclass(frozen=True)
class Verdict:
    """What came of checking a claim once.

    ``statement`` has a text per language (or one under ``""``), ``bound`` the asserted comparisons as
    written, ``error`` and ``line`` say what failed and where in the script.
    """

    name: str
    statement: Mapping[str, str]
    measured: Any
    show: str | None
    bound: str
    error: str | None
    line: int

    @property
    def holds(self) -> bool:
        """Whether every assert of the claim held."""
        return self.error is None

    def stated(self, language: str) -> str:
        """Give the statement in a language, or in the first that it has."""
        return self.statement.get(language) or next(iter(self.statement.values()), "")


def marked(namespace: Mapping[str, Any], kind: type) -> Iterator[Callable[..., Any]]:
    """Yield the functions of a script's namespace that carry a mark of this kind, in the order written."""
    module = namespace.get("__name__")
    for value in list(namespace.values()):
        mark = getattr(value, "__dict__", {}).get(MARK) if inspect.isfunction(value) else None
        if isinstance(mark, kind) and value.__module__ == module:
            yield value


def evaluate(function: Callable[[], Any]) -> Verdict:
    """Check a claim: call its function, and keep what it measured or why it failed."""
    mark: ClaimMark = getattr(function, MARK)
    measured, error, line = None, None, function.__code__.co_firstlineno
    try:
        measured = function()
    except AssertionError as failure:
        line, error = _failing_assert(failure, function)
    except Exception as failure:  # noqa: BLE001 - whatever a claim raises makes it fail, and is told
        line = _line_in(failure, function.__code__.co_filename) or line
        error = f"{type(failure).__name__}: {failure}"
    if error is None and measured is None:
        error = "a claim returns what it measured; this one returned nothing"
    if measured is not None and getattr(measured, "shape", None) == ():
        measured = measured.item()  # a numpy scalar
    return Verdict(mark.name, statements(function.__doc__), measured, mark.show, _bound(function), error, line)


def statements(docstring: str | None) -> dict[str, str]:
    """Split a claim's docstring by language: lines after ``zh:`` and ``en:``, or one text under ``""``."""
    doc = inspect.cleandoc(docstring or "")
    parts = LANGUAGE_LINE.split(doc)
    texts = dict(zip(parts[1::2], parts[2::2], strict=True)) if len(parts) > 1 else {"": doc}
    return {language: in_one_line(text) for language, text in texts.items()}


def in_one_line(text: str) -> str:
    """Join lines; between Chinese characters, and beside Chinese punctuation, without a space."""
    return CHINESE_BREAK.sub("", " ".join(text.split()))


def asserts(function: Callable[..., Any]) -> list[ast.Assert]:
    """Read what a claim asserts from its source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]


def _bound(function: Callable[..., Any]) -> str:
    return "; ".join(ast.unparse(node.test) for node in asserts(function))


def _line_in(failure: BaseException, filename: str) -> int | None:
    lines = [f.lineno for f in traceback.extract_tb(failure.__traceback__) if f.filename == filename]
    return lines[-1] if lines else None


def _no_value(thing: object) -> bool:
    return callable(thing) or isinstance(thing, ModuleType)


def _failing_assert(failure: AssertionError, function: Callable[..., Any]) -> tuple[int, str]:
    """Say which assert failed and what its names stood for."""
    frame, line = None, function.__code__.co_firstlineno
    for frame, line in traceback.walk_tb(failure.__traceback__):  # noqa: B007 - the innermost is wanted
        pass
    start = function.__code__.co_firstlineno
    for node in asserts(function):
        if frame is not None and node.lineno + start - 1 <= line <= (node.end_lineno or 0) + start - 1:
            known = {**frame.f_globals, **frame.f_locals}
            names = dict.fromkeys(n.id for n in ast.walk(node.test) if isinstance(n, ast.Name))
            shown = [f"{n} = {known[n]!r:.60}" for n in names if n in known and not _no_value(known[n])]
            reason = f" ({failure})" if str(failure) else ""
            return line, "; ".join([f"not {ast.unparse(node.test)}{reason}", *shown])
    return line, str(failure) or "an assert failed"
