"""The same course in the syntax of other tools, each as its documentation advises."""

from __future__ import annotations

import json
from abc import abstractmethod

from bench import course
from bench.course import section
from bench.generate import ALT, CAPTION, HEADING, LANGUAGES, VALUES, Figure, Lesson, Snippet, title
from bench.measure import CORES, PYTHON, Cost, run
from bench.states import State
from bench.ways import MATERIAL, MKDOCS, Way, after, before, formula, nav


def head(lesson: Lesson) -> str:
    """Write what a lesson's snippets need: imports, and the generator of random numbers."""
    needed = "from kit import counting\nfrom kit import drawing as colours\nfrom kit.drawing import drawn"
    return lesson.head.partition("\n\n")[2].replace("from knit import colours, figure", needed)


def source(snippet: Snippet) -> str:
    """Write a snippet that counts that it runs."""
    return f"counting.note()\n{snippet.source}"


def sentence(snippet: Snippet, language: str) -> str:
    """Write Python that prints the sentence of a snippet's values, and the formula."""
    mean, spread, top = (f"{{{name}:.4f}}" for name in snippet.shows)
    words = VALUES[language].format(mean=mean, spread=spread, top=top)
    tex = (
        formula("MEAN", "SPREAD").replace("{", "{{").replace("}", "}}").replace("MEAN", mean).replace("SPREAD", spread)
    )
    return f"print(f{words!r})\nprint(fr'''{tex}''')\n"


def alt(figure: Figure, language: str) -> str:
    """Give the description of a figure, as the inside of an f-string."""
    return ALT[language].format(value=f"{{{figure.value}:.4f}}")


class Peer(Way):
    """A tool in whose pages each lesson's snippets run once a language."""

    ending = "md"

    def files(self, state: State) -> dict[str, str]:
        """Write a page a lesson and language."""
        made = {
            **state.kit,
            **course.homes(state.size),
            **self.configuration([lesson.name for lesson in state.lessons]),
        }
        for lesson in state.lessons:
            for language in LANGUAGES:
                made[f"docs/{language}/{lesson.name}.{self.ending}"] = self.page(lesson, language)
        return made

    def configuration(self, names: list[str]) -> dict[str, str]:
        """Write mkdocs.yml."""
        return {"mkdocs.yml": MATERIAL + self.plugin + nav(names, self.ending)}

    plugin = ""

    @abstractmethod
    def page(self, lesson: Lesson, language: str) -> str:
        """Write a page."""

    def build(self, *, memory: bool = False) -> Cost:
        """Build with MkDocs."""
        return run(MKDOCS, self.root, memory=memory)


class MarkdownExec(Peer):
    """markdown-exec: fences that are run, in a session a page."""

    name = "markdown-exec"
    plugin = "  - markdown-exec\n"

    def page(self, lesson: Lesson, language: str) -> str:
        """Write fences."""
        session = f'session="{lesson.name}_{language}"'
        parts = [
            f"# {title(lesson.number, language)} {{#{lesson.name}}}\n",
            f'\n```python exec="1" {session}\n{head(lesson)}\n```\n',
        ]
        for index, snippet in enumerate(lesson.snippets):
            parts += [
                f"\n## {HEADING[language]} {{#part-{index + 1}}}\n\n{before(lesson, index, language)}\n",
                f'\n```python exec="1" source="above" result="text" {session}\n{source(snippet)}```\n',
                f'\n```python exec="1" {session}\n{sentence(snippet, language)}```\n',
                after(lesson, index, language),
            ]
            if index < len(lesson.figures):
                figure = lesson.figures[index]
                parts += [
                    f'\n```python exec="1" html="1" {session}\n{figure.source}',
                    f'print(drawn({figure.name}, "{language}"))\n```\n\n/// caption\n{CAPTION[language]}\n///\n',
                ]
        return "".join(parts)


class Macros(Peer):
    """mkdocs-macros: values of scripts that a module of the author's runs once a build."""

    name = "mkdocs-macros"
    plugin = "  - macros\n"

    def configuration(self, names: list[str]) -> dict[str, str]:
        """Write the module besides."""
        module = '''"""Runs each script once a build."""

import contextlib, functools, io, pathlib, types

from kit.drawing import drawn


def define_env(env):
    @functools.cache
    def run(name):
        names = {"__name__": name}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(pathlib.Path("snippets", name + ".py").read_text("utf-8"), name, "exec"), names)
        return types.SimpleNamespace(**names)

    env.macro(run, "lesson")

    @env.macro
    def picture(lesson, figure, language):
        return drawn(getattr(lesson, figure), language)
'''
        return {**super().configuration(names), "main.py": module}

    def files(self, state: State) -> dict[str, str]:
        """Write the scripts besides."""
        scripts = {}
        for lesson in state.lessons:
            sections = [section(part).replace("points_", "counting.note(); points_", 1) for part in lesson.snippets]
            figures = [f"\n\n{figure.source}" for figure in lesson.figures]
            scripts[f"snippets/{lesson.name}.py"] = "".join([head(lesson), *sections, *figures])
        return {**super().files(state), **scripts}

    def page(self, lesson: Lesson, language: str) -> str:
        """Write Jinja."""
        parts = [f'{{% set v = lesson("{lesson.name}") %}}\n# {title(lesson.number, language)}\n']
        for index, snippet in enumerate(lesson.snippets):
            mean, spread, top = (f'{{{{ "%.4f" | format(v.{name}) }}}}' for name in snippet.shows)
            parts += [
                f"\n## {HEADING[language]}\n\n{before(lesson, index, language)}",
                VALUES[language].format(mean=mean, spread=spread, top=top),
                f"\n\n```python\n{{% raw %}}{snippet.source}{{% endraw %}}```\n",
                f"\n```text\nmean {mean} spread {spread} top {top}\n```\n",
                formula(mean, spread),
                after(lesson, index, language),
            ]
            if index < len(lesson.figures):
                figure = lesson.figures[index]
                parts.append(f'\n<div>{{{{ picture(v, "{figure.name}", "{language}") }}}}</div>\n\n/// caption\n')
                parts.append(f"{CAPTION[language]}\n///\n")
        return "".join(parts)


class Jupyter(Peer):
    """mkdocs-jupyter: notebooks, run by a kernel, with its cache."""

    name = "mkdocs-jupyter"
    plugin = "  - mkdocs-jupyter:\n      include: ['*.ipynb']\n      execute: true\n      allow_errors: false\n"
    ending = "ipynb"

    def page(self, lesson: Lesson, language: str) -> str:
        """Write a notebook."""
        cells = [text(f"# {title(lesson.number, language)}"), code(head(lesson))]
        for index, snippet in enumerate(lesson.snippets):
            cells += [
                text(f"## {HEADING[language]}\n\n{before(lesson, index, language)}"),
                code(source(snippet)),
                code(sentence(snippet, language)),
                text(after(lesson, index, language)),
            ]
            if index < len(lesson.figures):
                figure = lesson.figures[index]
                show = f"from IPython.display import SVG\nSVG(drawn({figure.name}, '{language}'))"
                cells += [code(f"{figure.source}\n{show}"), text(CAPTION[language])]
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        book = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
        for number, cell in enumerate(cells):
            cell["id"] = f"cell-{number}"
        return json.dumps(book, ensure_ascii=False, indent=1)


def text(words: str) -> dict[str, object]:
    """Write a cell of text."""
    return {"cell_type": "markdown", "metadata": {}, "source": words}


def code(lines: str) -> dict[str, object]:
    """Write a cell of code."""
    return {"cell_type": "code", "metadata": {}, "source": lines, "outputs": [], "execution_count": None}


class MystNB(Peer):
    """Sphinx with myst-nb: notebooks written as Markdown, with its cache, as many processes as cores."""

    name = "myst-nb"
    pages = "site/{language}/{name}.html"

    def configuration(self, names: list[str]) -> dict[str, str]:
        """Write conf.py and the tables of contents."""
        conf = 'project = "Course"\nextensions = ["myst_nb"]\nmyst_enable_extensions = ["dollarmath", "attrs_block"]\n'
        conf += 'nb_execution_mode = "cache"\nnb_execution_raise_on_error = True\nlanguage = "en"\n'
        conf += 'suppress_warnings = ["myst.header"]\n'
        listed = "\n".join(f"{language}/{name}" for language in LANGUAGES for name in ("index", *names))
        return {"docs/conf.py": conf, "docs/index.md": f"# Course\n\n```{{toctree}}\n{listed}\n```\n"}

    def page(self, lesson: Lesson, language: str) -> str:
        """Write code cells."""
        parts = [
            "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n",
            f"\n# {title(lesson.number, language)}\n\n```{{code-cell}}\n{head(lesson)}\n```\n",
        ]
        for index, snippet in enumerate(lesson.snippets):
            parts += [
                f"\n## {HEADING[language]}\n\n{before(lesson, index, language)}\n",
                f"\n```{{code-cell}}\n{source(snippet)}```\n",
                f"\n```{{code-cell}}\n:tags: [remove-input]\n{sentence(snippet, language)}```\n",
                after(lesson, index, language),
            ]
            if index < len(lesson.figures):
                figure = lesson.figures[index]
                show = f"from IPython.display import SVG\nSVG(drawn({figure.name}, '{language}'))"
                parts.append(f"\n```{{code-cell}}\n{figure.source}\n{show}\n```\n\n{CAPTION[language]}\n")
        return "".join(parts)

    def build(self, *, memory: bool = False) -> Cost:
        """Build with Sphinx."""
        if not (self.root / ".jupyter_cache").exists():
            # Two of its processes may make the database at once, and one then fails: it is made before, unmeasured.
            make = "from jupyter_cache import get_cache; get_cache('.jupyter_cache').list_cache_records()"
            run([PYTHON, "-c", make], self.root)
        command = [PYTHON, "-m", "sphinx", "-q", "-b", "html", "-j", str(CORES), "docs", "site"]
        return run(command, self.root, memory=memory)


PEERS = (MarkdownExec, Macros, Jupyter, MystNB)
