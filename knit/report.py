"""Problems in the formats that people, GitHub, test reporters and code scanners read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from xml.etree import ElementTree as ET

from knit.problem import Problem

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Put problems in the order of files and lines, first what others follow."""
    found = sorted(problems)
    origins = {problem.follows for problem in found}
    return sorted(found, key=lambda problem: problem.path not in origins)


def folded(problems: Sequence[Problem]) -> list[Problem]:
    """Leave out the problems that follow from another."""
    return [problem for problem in problems if not problem.follows]


def text(problems: Sequence[Problem]) -> str:
    """Give a line a problem."""
    return "".join(f"{problem}\n" for problem in problems)


def github(problems: Sequence[Problem]) -> str:
    """Give workflow commands, which a pull request shows at the Markdown's line."""
    return "".join(
        f"::{_level(each)} file={_property(each.path)},line={each.line},col={each.column}::{_data(str(each))}\n"
        for each in problems
    )


def as_json(problems: Sequence[Problem]) -> str:
    """Give a list of objects with the fields of ``Problem``."""
    return json.dumps([asdict(problem) for problem in problems], ensure_ascii=False, indent=1) + "\n"


def junit(problems: Sequence[Problem]) -> str:
    """Give a JUnit test suite with a case a problem, failed if it is no warning; without problems, one that passed."""
    failures = str(sum(not problem.warning for problem in problems))
    suite = ET.Element("testsuite", name="knit check", tests=str(len(problems) or 1), failures=failures)
    for problem in problems:
        case = ET.SubElement(
            suite, "testcase", classname=problem.path, name=f"line {problem.line}", file=problem.path,
            line=str(problem.line),
        )  # fmt: skip
        if problem.warning:
            ET.SubElement(case, "system-out").text = str(problem)
        else:
            ET.SubElement(case, "failure", message=problem.message).text = str(problem)
    if not problems:
        ET.SubElement(suite, "testcase", classname="knit", name="check")
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def sarif(problems: Sequence[Problem]) -> str:
    """Give a SARIF 2.1.0 log: the page is where it is, the script is a related place."""
    results = [
        {
            "ruleId": "knit",
            "level": _level(problem),
            "message": {"text": problem.message},
            "locations": [_place(problem.path, problem.line, problem.column)],
            "relatedLocations": [_place(problem.script, problem.script_line or 1, 1)] if problem.script else [],
        }
        for problem in problems
    ]
    driver = {"name": "knit", "rules": [{"id": "knit", "shortDescription": {"text": "the page and its code disagree"}}]}
    return json.dumps(
        {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]},
        ensure_ascii=False,
        indent=1,
    ) + "\n"  # fmt: skip


FORMATS: dict[str, Callable[[Sequence[Problem]], str]] = {
    "text": text, "github": github, "json": as_json, "junit": junit, "sarif": sarif,
}  # fmt: skip


def _place(path: str, line: int, column: int) -> dict[str, object]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": path},
            "region": {"startLine": line, "startColumn": column},
        }
    }


def _level(problem: Problem) -> str:
    return "warning" if problem.warning else "error"


def _data(message: str) -> str:
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
