"""Finds what a page's reference means: the script, the value, the figure, the claim; or says why it cannot."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from knit.claims import Verdict
from knit.count import COURSE
from knit.problem import Refused, several
from knit.project import Course, Layout, Results, Source
from knit.read.page import Page
from knit.run.result import Result

STEP = re.compile(r"\.(\w+)|\[(-?\d+)\]")


@dataclass(frozen=True)
class Found:
    """A value, its name in the script that makes it, and where."""

    value: Any
    name: str
    script: str
    line: int

    def origin(self, part: str = "") -> str:
        """Give script and name, of the value or a part of it, as a page of another script would write them.

        What is counted of the course itself comes from no script: then it is empty.
        """
        return f"{_module(self.script)}.{part or self.name}" if self.script else ""


class Names:
    """The names that one page can refer to.

    ``name`` is the page's own script's; ``other_script.name`` another's; ``course.name`` what is counted of the course.
    """

    def __init__(self, page: Page, layout: Layout, results: Results, course: Course | None = None) -> None:
        self._layout = layout
        self._results = results
        self._course = course
        self._fault = page.fault
        script = page.meta.get("script")
        self.script = self._path(str(script)) if script else None

    def value(self, path: str) -> Found:
        """Find the value of a reference such as ``weights[0][2]`` or ``l2_matrix_multiplication.n``."""
        head, _, rest_of_path = path.partition(".")
        if head == COURSE and rest_of_path and self._course and self._path(f"{COURSE}.py") not in self._results.sources:
            return self._counted(rest_of_path, self._course.counted)
        script, steps = self._split(path)
        result, source = self._result(script), self._results.sources[script]
        name, *rest = steps
        line = source.places.get(str(name), 1)
        if str(name) not in result.values:
            if str(name) in result.others:
                raise Refused(f"{name} is no value but {result.others[str(name)]}", script, line)
            meant = guess(str(name), result.values)
            if rest and isinstance(rest[0], str) and not meant:
                meant = f", and there is no script {self._path(f'{name}.py')}"
            raise Refused(f"{script} has no name {name}{meant}", script)
        value = result.values[str(name)]
        for step in rest:
            value = _step(value, step, path, script, line)
        own = path if script == self.script else path.removeprefix(f"{_module(script)}.")
        return Found(value, own, script, line)

    def figure(self, path: str) -> tuple[str, Mapping[str, str]]:
        """Find a figure: its script, and its SVG by language."""
        script, steps = self._split(path)
        result, name = self._result(script), str(steps[0])
        if fault := result.faults.get(f"figure:{name}"):
            raise Refused(fault.message, fault.path, fault.line)
        if name not in result.figures:
            raise Refused(f"{script} has no figure {name}{guess(name, result.figures)}", script)
        return script, result.figures[name]

    def claim(self, name: str) -> tuple[str, Verdict]:
        """Find a claim of any script: the script, and the verdict."""
        if name not in self._results.claims:
            for script, outcome in self._results.outcomes.items():
                source = self._results.sources[script]
                # A source that is no Python may make any claim.
                if (fault := outcome.fault) and (name in source.claims or not source.tree.body):
                    raise Refused(f"the script did not run: {fault.message}", fault.path, fault.line)
            raise Refused(f"no script makes the claim {name}{guess(name, self._results.claims)}")
        script, verdict = self._results.claims[name]
        result = self._result(script)
        if fault := result.faults.get(f"claim:{name}"):
            raise Refused(fault.message, fault.path, fault.line)
        return script, verdict

    def output(self, section: str) -> tuple[str, str]:
        """Give what a section printed: the script, and the text."""
        script, steps = self._split(section)
        result, name = self._result(script), str(steps[0])
        if name not in result.outputs:
            raise Refused(f"{script} has no section {name}{guess(name, result.outputs)}", script)
        if not result.outputs[name].strip():
            raise Refused(
                f"the section {name} prints nothing",
                script,
                self._results.sources[script].sections[name].start,
            )
        return script, result.outputs[name]

    def section(self, file: str, section: str | None) -> Source:
        """Find the source that ``--8<-- "file:section"`` shows."""
        path = self._path(file)
        source = self._results.sources.get(path)
        if source is None:
            raise Refused(f"there is no script {path}{self._guess_script(path)}")
        if section and section not in source.sections:
            raise Refused(f"{path} has no section {section}{guess(section, source.sections)}", path)
        return source

    def own_script(self) -> str:
        """Give the page's script; the front matter must name one that exists."""
        if self._fault:
            raise Refused(self._fault)
        if self.script is None:
            raise Refused("this page names no script: write `script: NAME.py` in its front matter")
        if self.script not in self._results.outcomes:
            raise Refused(f"there is no script {self.script}{self._guess_script(self.script)}")
        return self.script

    def _counted(self, name: str, counted: Mapping[str, float]) -> Found:
        if name not in counted:
            raise Refused(f"the course counts no {name}{guess(name, counted)}; it counts {', '.join(counted)}")
        return Found(counted[name], f"{COURSE}.{name}", "", 1)

    def _path(self, file: str) -> str:
        return (self._layout.snippets / file).as_posix()

    def _split(self, path: str) -> tuple[str, list[str | int]]:
        head, _, rest = path.partition(".")
        script = self._path(f"{head}.py")
        steps: list[str | int] = [
            match[1] if match[1] is not None else int(match[2]) for match in STEP.finditer("." + path)
        ]
        if rest and script in self._results.outcomes:
            return script, steps[1:]
        if rest and self.script is None:
            raise Refused(f"there is no script {script}{self._guess_script(script)}")
        return self.own_script(), steps

    def _guess_script(self, script: str) -> str:
        """Propose the script whose name, its folder apart, is most like a wrong one."""
        near = difflib.get_close_matches(_module(script), map(_module, self._results.sources), 1)
        return f"; is it {self._path(f'{near[0]}.py')}?" if near else ""

    def _result(self, script: str) -> Result:
        outcome = self._results.outcomes[script]
        if outcome.result is None:
            fault = outcome.fault
            assert fault is not None  # noqa: S101 - an outcome has a result or a fault
            raise Refused(f"the script did not run: {fault.message}", fault.path, fault.line)
        return outcome.result


def _step(value: Any, step: str | int, path: str, script: str, line: int) -> Any:  # noqa: ANN401
    try:
        if isinstance(value, dict):
            return value[str(step)]
        if isinstance(value, list) and (isinstance(step, int) or step.isdigit()):
            return value[int(step)]
    except (KeyError, IndexError):
        pass
    has = (
        f"the entries {', '.join(value)}"
        if isinstance(value, dict)
        else (several(len(value), "item") if isinstance(value, list) else f"a single {type(value).__name__}")
    )
    raise Refused(f"{path}: there is no {step} in what has {has}", script, line)


def _module(script: str) -> str:
    return script.rpartition("/")[2].removesuffix(".py")


def guess(name: str, known: Iterable[str]) -> str:
    """Propose the known name that is most like a wrong one, if one is."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; is it {near[0]}?" if near else ""
