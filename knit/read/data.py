"""Reads YAML and TOML that authors write: what cannot be read is told with its line, and with what to do."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import yaml

from knit.read.text import Unreadable

# The C library's reader, where PyYAML has it, is ten times as fast.
FastLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

ADVICE = (
    (r"mapping values are not allowed", "a colon where none can stand: put a text that holds one in quotes"),
    (r"cannot start any token", "a tab, or a text that begins with a mark: indent with spaces, put the text in quotes"),
    (r"expected '-'|expected key|<block end>", "indented otherwise than its neighbours: begin them in one column"),
)
"""What YAML's reader says, and what to do about it."""


def read_yaml(source: str, loader: Any = FastLoader, first_line: int = 1) -> Any:  # noqa: ANN401 - whatever it holds
    """Read YAML that begins in a line of its file; ``loader`` is a safe one.

    Raises
    ------
    Unreadable
        When it is none, with the line.

    """
    try:
        return yaml.load(source, loader)  # noqa: S506 - a safe one
    except yaml.MarkedYAMLError as error:
        reason, mark = _explained(error)
        # What is missing at the end is told where the text ends, not below it.
        row = min(mark.line if mark else 0, source.rstrip().count("\n"))
        raise Unreadable(f"is no YAML: {reason}", first_line + row) from None
    except yaml.reader.ReaderError as error:
        row = source.count("\n", 0, error.position)
        raise Unreadable("is no YAML: a character that no text can hold: take it out", first_line + row) from None
    except ValueError as error:  # such as a thirteenth month
        raise Unreadable(f"is no YAML: {error}", first_line) from None


def _explained(error: yaml.MarkedYAMLError) -> tuple[str, yaml.Mark | None]:
    """Say what is wrong and what to do, and where: what is never closed, where it opens."""
    context, problem = error.context or "", error.problem or ""
    if "flow" in context:
        return "the bracket that opens here is not closed, or a comma is missing in it", error.context_mark
    if "quoted" in context:
        return "the quotation mark that opens here is not closed, or is needed twice inside", error.context_mark
    advice = next((what for pattern, what in ADVICE if re.search(pattern, problem)), problem)
    return advice, error.problem_mark


def read_toml(source: str) -> dict[str, Any]:
    """Read TOML.

    Raises
    ------
    Unreadable
        When it is none, with the line.

    """
    try:
        return tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r" \(at (?:line (\d+)|end of document).*\)$", str(error))
        line = int(found[1] or source.rstrip().count("\n") + 1) if found else 1
        what = str(error)[: found.start()] if found else str(error)
        raise Unreadable(f"is no TOML: {what[:1].lower()}{what[1:]}", line) from None
