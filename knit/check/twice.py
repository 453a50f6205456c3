"""Reproducibility: every script runs again under conditions that must not matter, and what differs is named."""

from __future__ import annotations

import ast
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, wait
from pathlib import Path

from knit.check.causes import first_cause
from knit.check.differing import differing
from knit.check.processors import older_processor, on_an_older_processor
from knit.problem import Problem
from knit.project import Course, Project
from knit.read.depends import Depends
from knit.run.pool import Conditions, Pool
from knit.run.result import Outcome
from knit.run.runner import read_outcome

YEAR_AND_A_BIT = 400 * 86_400 + 7 * 3600 + 13 * 60
OTHER_LOCALES = ("de_DE.utf8", "fr_FR.utf8", "zh_CN.utf8", "C")
"""Locales that write numbers or dates otherwise; the first that the machine has is taken."""


def twice(project: Project, course: Course) -> Iterator[Problem]:
    """Run every script twice, and yield a problem for each value, output, claim or figure that differs.

    The runs differ in hash seed, clock, time zone, locale and working folder. What only follows from something else
    that differs is not told on its own. Scripts of which nothing differs run once more, as on an older processor:
    that changes last digits, so what readers see is compared.
    """
    scripts = [script for script, outcome in course.results.outcomes.items() if outcome.result]
    conditions = (
        Conditions(hash_seed=1),
        Conditions(2, "Pacific/Kiritimati", _other_locale(), later=YEAR_AND_A_BIT, elsewhere=True),
    )
    first, second = (_run(project, scripts, each) for each in conditions)
    found = {script: list(_compared(course, script, first[script], second[script])) for script in scripts}
    for each in found.values():
        yield from each
    same = [script for script in scripts if not found[script]]
    older = _run(project, same, Conditions(hash_seed=1, variables=older_processor()))
    yield from on_an_older_processor(course, {script: first[script] for script in same}, older)


def _run(project: Project, scripts: list[str], conditions: Conditions) -> dict[str, Outcome]:
    layout = project.layout
    scratch = Path(tempfile.mkdtemp(prefix="knit-twice-"))
    try:
        with Pool(layout.root, list(layout.languages), project.limits, layout.root / layout.cache, conditions) as pool:
            ended: dict[str, Future[str]] = {}
            for number, script in enumerate(scripts):
                (scratch / str(number)).mkdir()
                ended[script] = pool.submit(script, scratch / str(number))
            while wait(ended.values(), timeout=0.5).not_done:
                if project.progress is not None:
                    project.progress([script for script, future in ended.items() if not future.done()], len(ended))
        return {s: read_outcome(s, scratch / str(n), ended[s].result()) for n, s in enumerate(scripts)}
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _other_locale() -> str:
    try:
        listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    except OSError:
        listed = []
    return next((locale for locale in OTHER_LOCALES if locale in listed), "C")


def _compared(course: Course, script: str, first: Outcome, second: Outcome) -> Iterator[Problem]:
    for outcome in (first, second):
        if fault := outcome.fault:
            what = "it runs, but not with another hash seed, clock, locale, time zone or working folder"
            yield Problem(fault.path, fault.line, 1, f"{what}: {fault.message}")
            return
    assert first.result and second.result  # noqa: S101, PT018 - an outcome has a result or a fault
    different = list(differing(first.result, second.result))
    if not different:
        return
    makers = Makers(course, script)
    values = {name for kind, name, *_ in different if kind == "value"}
    for kind, name, before, after in different:
        if not makers.follows(kind, name, values):
            what = f"the {kind} {name}".rstrip()
            cause = makers.cause(kind, name)
            message = f"{what} is not the same in two runs: {before}, then {after}; {cause}"
            yield Problem(script, makers.line(kind, name), 1, message)


class Makers:
    """What makes each thing of a script: its lines, and what in them need not be the same in two runs."""

    def __init__(self, course: Course, script: str) -> None:
        self._course = course
        self._script = script
        self._source = course.results.sources[script]
        self._depends = Depends(self._source.text)

    def line(self, kind: str, name: str) -> int:
        """Give the line at which a thing is made."""
        if kind == "output":
            return self._source.sections[name].start if name else 1
        return self._source.claims.get(name, 1) if kind == "claim" else self._source.places.get(name, 1)

    def follows(self, kind: str, name: str, values: set[str]) -> bool:
        """Whether a thing depends on one of ``values`` that does not depend on it, or comes from another script."""
        origin = f"{(self._course.layout.snippets / str(self._depends.origin(name))).as_posix()}.py"
        if kind == "value" and origin in self._course.results.sources:
            return True
        own = self._names(kind, name)
        reached = {other for each in own for other in self._depends.all(each)} - (own if kind == "value" else set())
        return any(kind != "value" or name not in self._depends.all(value) for value in reached & values)

    def cause(self, kind: str, name: str) -> str:
        """Say which line could be the cause."""
        nodes: set[ast.AST] = {node for each in self._names(kind, name) for node in self._depends.making(each)}
        if kind == "output" and name:
            lines = self._source.sections[name]
            nodes |= {node for node in ast.walk(self._depends.tree) if getattr(node, "lineno", 0) in lines}
        if found := first_cause(self._depends.tree, nodes):
            return f"line {found[0]} could be the cause: {found[1]}"
        uses = self._course.results.outcomes[self._script].uses
        for module in uses.modules if uses else ():
            tree = ast.parse((self._course.layout.root / module).read_text("utf-8"))
            if found := first_cause(tree, ast.walk(tree)):
                return f"{module}:{found[0]} could be the cause: {found[1]}"
        return "no generator without a seed, set, clock or path is in sight"

    def _names(self, kind: str, name: str) -> set[str]:
        """Give the names whose lines make a thing."""
        match kind:
            case "output":
                lines = self._source.sections[name] if name else range(1, self._source.text.count("\n") + 2)
                return self._depends.within(lines)
            case "claim":
                line = self._source.claims.get(name)
                functions = (node for node in self._depends.tree.body if isinstance(node, ast.FunctionDef))
                return {function.name for function in functions if function.lineno == line}
        return {name}
