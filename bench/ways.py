"""The ways to build a course that are compared: the two floors, ours, and what the peers share."""

from __future__ import annotations

import base64
import json
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bench import course, plain
from bench.finished import Desk
from bench.generate import ALT, CAPTION, HEADING, LANGUAGES, STOP, Lesson, title, told
from bench.measure import CORES, PYTHON, Cost, run
from bench.states import CHANGED, State

MKDOCS = [PYTHON, "-m", "mkdocs", "build", "-q"]
CODED = re.compile(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)")
Values = Mapping[str, Mapping[str, float]]
"""What each script computes, by script and name, found by plain Python."""

MATERIAL = f"""{course.THEME}{course.EXTENSIONS}  - pymdownx.arithmatex:
      generic: true
plugins:
  - search:
      lang: [zh, en]
"""
"""Material as ours has it, for those that have no way of their own to show formulas and two languages."""


class Way(ABC):
    """One way to build a course. ``root`` is its folder."""

    name = ""
    scenarios: frozenset[str] | None = None
    """Those in which it takes part; None: in all."""
    pages = "site/{language}/{name}/index.html"

    def __init__(self, root: Path) -> None:
        self.root = root

    @abstractmethod
    def files(self, state: State) -> dict[str, str]:
        """Write a state's files."""

    @abstractmethod
    def build(self, *, memory: bool = False) -> Cost:
        """Build, and say what it took."""

    def clear(self) -> None:
        """Forget everything."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)

    def save(self, state: State) -> None:
        """Write a state to the folder, as an author or git does: not measured."""
        course.write(self.files(state), self.root)

    def stale(self, state: State, values: Values) -> list[str]:
        """Name the lessons whose built pages do not say what the state's scripts compute, or draw other labels."""
        found = []
        for lesson in state.lessons:
            for language in LANGUAGES:
                path = self.root / self.pages.format(language=language, name=lesson.name)
                words = course.words(path) if path.exists() else ""
                told_all = all(sentence in words for sentence in expected(lesson, language, values))
                if not told_all or not all(self._drawn(path, label) for label in labels(lesson, language)):
                    found.append(f"{language}/{lesson.name}")
        return found

    def _drawn(self, page: Path, label: str) -> bool:
        """Whether a figure with this label is on a page: in it, in a file, or in it as a coded file."""
        html = page.read_text("utf-8")
        return (
            label in html
            or any(label in path.read_text("utf-8") for path in (self.root / "site").rglob("*.svg"))
            or any(label.encode() in base64.b64decode(coded) for coded in CODED.findall(html))
        )


def labels(lesson: Lesson, language: str) -> list[str]:
    """Give the labels that were edited."""
    return [CHANGED] if language == "en" and any(CHANGED in figure.source for figure in lesson.figures) else []


def expected(lesson: Lesson, language: str, values: Values) -> list[str]:
    """Give what a lesson's page has to say: its numbers, and the words that lead to them."""
    shown = {name: f"{value:.4f}" for name, value in values[lesson.name].items()}
    found = [told(snippet, language, shown).rstrip(STOP[language]) for snippet in lesson.snippets]
    found += [lesson.sentences[language][index][0] for index in range(len(lesson.snippets))]
    return [" ".join(sentence.split()) for sentence in found]


class Execution(Way):
    """The floor of execution."""

    name = "plain"
    _due: list[str]
    _parts = 0

    def files(self, state: State) -> dict[str, str]:
        """Write the scripts."""
        return plain.files(state)

    def save(self, state: State) -> None:
        """Write the scripts, and find those that have to run."""
        before = {path: path.read_text("utf-8") for path in self.root.rglob("*.py")}
        super().save(state)
        changed = {path for path in self.root.rglob("*.py") if before.get(path) != path.read_text("utf-8")}
        modules = [path.stem for path in changed if path.parent.name == "kit"]
        self._parts = state.size.snippets
        self._due = [
            str(path)
            for path in sorted((self.root / "snippets").glob("*.py"))
            if path in changed or any(f"import {module} as" in path.read_text("utf-8") for module in modules)
        ]

    def build(self, *, memory: bool = False) -> Cost:
        """Run those that have to run."""
        command = [PYTHON, "-m", "bench.plain", str(self.root), str(CORES), *self._due]
        return replace(run(command, self.root, memory=memory), executions=self._parts * len(self._due))

    def values(self) -> dict[str, dict[str, float]]:
        """Give what they computed."""
        return {path.stem: json.loads(path.read_text("utf-8")) for path in (self.root / "values").glob("*.json")}


class Render(Way):
    """The floor of rendering: MkDocs with Material on finished pages, drawings in them as ours are, or as files."""

    name = "render"

    def __init__(self, root: Path, execution: Execution, desk: Desk, *, inline: bool = True) -> None:
        super().__init__(root)
        self._execution, self._desk, self._inline = execution, desk, inline
        if not inline:
            self.name, self.scenarios = "render, files", frozenset({"cold", "same"})

    def files(self, state: State) -> dict[str, str]:
        """Write finished pages."""
        names = [lesson.name for lesson in state.lessons]
        made = {"mkdocs.yml": MATERIAL + nav(names), **course.homes(state.size)}
        values, drawings = self._execution.values(), self._desk.of(state).drawings
        for lesson in state.lessons:
            for language in LANGUAGES:
                made[f"docs/{language}/{lesson.name}.md"] = self._page(lesson, language, values, drawings)
                for figure in () if self._inline else lesson.figures:
                    name = f"{lesson.name}.{figure.name}.{language}.svg"
                    made[f"docs/figures/{name}"] = drawings[name]
        return made

    def _page(self, lesson: Lesson, language: str, values: Values, drawings: Mapping[str, str]) -> str:
        shown = {name: f"{value:.4f}" for name, value in values[lesson.name].items()}

        def picture(index: int) -> str:
            figure = lesson.figures[index]
            name = f"{lesson.name}.{figure.name}.{language}.svg"
            alt = ALT[language].format(value=shown[figure.value])
            if self._inline:
                return f"<div>{drawings[name]}</div>"
            return f"![{alt}](../figures/{name})"

        parts = [f"# {title(lesson.number, language)} {{#{lesson.name}}}\n"]
        for index, snippet in enumerate(lesson.snippets):
            mean, spread, top = (shown[name] for name in snippet.shows)
            printed = f"mean {mean} spread {spread} top {top}"
            parts += [
                f"\n## {HEADING[language]} {{#part-{index + 1}}}\n\n",
                before(lesson, index, language),
                f"{told(snippet, language, shown)}\n",
                f"\n```python\n{snippet.source}```\n",
                f"\n```text\n{printed}\n```\n",
                formula(mean, spread),
                after(lesson, index, language),
            ]
            if index < len(lesson.figures):
                parts.append(f"\n{picture(index)}\n\n/// caption\n{CAPTION[language]}\n///\n")
        return "".join(parts)

    def build(self, *, memory: bool = False) -> Cost:
        """Render the pages."""
        return run(MKDOCS, self.root, memory=memory)


class Empty(Render):
    """Rendering without lessons: what MkDocs takes before the first of them."""

    def __init__(self, root: Path, execution: Execution, desk: Desk) -> None:
        super().__init__(root, execution, desk)
        self.name, self.scenarios = "render, no lessons", frozenset({"same"})

    def files(self, state: State) -> dict[str, str]:
        """Write the first pages."""
        return {"mkdocs.yml": MATERIAL + nav([]), **course.homes(state.size)}

    def stale(self, state: State, values: Values) -> list[str]:
        """Nothing is shown."""
        del state, values
        return []


def before(lesson: Lesson, index: int, language: str) -> str:
    """Give the sentences that lead to a snippet's values."""
    stop = STOP[language]
    return f"{stop.join(lesson.sentences[language][index][:4])}{stop}"


def after(lesson: Lesson, index: int, language: str) -> str:
    """Give the paragraph below a snippet."""
    stop = STOP[language]
    mean, *_ = lesson.snippets[index].shows
    return (
        f"\n{stop.join(lesson.sentences[language][index][4:])}{stop}**{HEADING[language]}** `{mean}`{stop.rstrip()}\n"
    )


def formula(mean: str, spread: str) -> str:
    """Give the formula below a snippet."""
    return f"\n$$\n\\frac{{ {mean} }}{{ {spread} }} = \\sum_i \\alpha_i \\sqrt{{ x_i }}\n$$\n"


def nav(names: list[str], ending: str = "md") -> str:
    """Give the navigation of pages in both languages, for those that know one only."""
    lines = ["nav:\n"]
    for language in LANGUAGES:
        lines += [f"  - {language}:\n", f"      - {language}/index.md\n"]
        lines += [f"      - {language}/{name}.{ending}\n" for name in names]
    return "".join(lines)


class Ours(Way):
    """Knit. What was published is accepted before the clock starts, as it is in a commit."""

    name = "knit"

    def __init__(self, root: Path, desk: Desk) -> None:
        super().__init__(root)
        self._desk = desk

    def files(self, state: State) -> dict[str, str]:
        """Write the course, with the records that authors commit."""
        return course.files(state) | self._desk.of(state).records

    def build(self, *, memory: bool = False) -> Cost:
        """Build the site."""
        return self._counted([*MKDOCS, "--strict"], memory=memory)

    def check(self) -> Cost:
        """Check without building."""
        return self._counted([PYTHON, "-m", "knit.cli", "check"])

    def _counted(self, command: list[str], *, memory: bool = False) -> Cost:
        """Count executions by the results that they leave, whose heads say what was drawn; known ones leave none."""
        results = self.root / ".cache/knit/results"
        known = {(path, path.stat().st_mtime_ns) for path in results.rglob("*.result")}
        cost = run(command, self.root, memory=memory)
        new = {(path, path.stat().st_mtime_ns) for path in results.rglob("*.result")} - known
        snippets = len(list((self.root / "snippets").glob("*.py")))
        parts = (self.root / "snippets/lesson_0001.py").read_text("utf-8").count("[start:") if snippets else 0
        heads = [json.loads(path.read_bytes().partition(b"\n")[0]) for path, _ in new]
        return replace(cost, executions=parts * len(new), drawn=sum(len(head["drawn"]) for head in heads))
