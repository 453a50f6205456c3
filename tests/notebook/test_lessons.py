"""Lessons to take away: notebooks and scripts that run with nothing but the installed packages, and say the same."""

import ast
import json
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import nbformat
import pytest

from knit.check.course import woven_pages
from knit.notebook.book import portable
from knit.notebook.embedded import embedded, whole
from knit.notebook.lesson import Lesson
from knit.project import Layout, Project, Source

ROOT = Path(__file__).parents[2]
LESSONS = sorted(path.stem for path in (ROOT / "docs/en").glob("l[0-9]*.md"))
BOTH = pytest.mark.parametrize("language", ["zh", "en"])

# Runs each code cell as Jupyter would, and tells what each printed and drew. It stands alone: nothing of this
# repository's folder can be imported where it runs.
RUN = """
import contextlib, io, json, sys
names, told = {"__name__": "__main__"}, []
for number, source in enumerate(json.load(sys.stdin)):
    printed = io.StringIO()
    *before, last = source.rstrip().split("\\n")
    shows = last.startswith("show(")
    with contextlib.redirect_stdout(printed):
        exec(compile("\\n".join(before) if shows else source, f"cell {number}", "exec"), names)
        drawn = eval(last, names)._repr_svg_() if shows else ""
    told.append([printed.getvalue(), drawn])
json.dump(told, sys.stdout)
"""


@pytest.fixture(scope="module")
def course():
    with closing(Project(Layout(ROOT))) as project:
        return project.course()


def lesson(course, name, language, address=lambda _: None):
    page = next(page for page in course.pages if page.path == f"docs/{language}/{name}.md")
    made = Lesson(page, course)
    made.weave()
    notebook = nbformat.reads(portable(made, address), as_version=4)
    nbformat.validate(notebook)
    return page, notebook.cells


def run(program, folder, given="", root=None):
    """Run a program in an empty folder: isolated, so that only what is installed can be imported."""
    environment = os.environ | ({"PYTHONPATH": str(root)} if root else {})
    command = [sys.executable, *([] if root else ["-I"]), *program]
    done = subprocess.run(
        command, cwd=folder, input=given, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ran(cells, folder, root=None):
    """What each code cell printed and drew, run; and what it says it did."""
    codes = [cell for cell in cells if cell.cell_type == "code"]
    told = json.loads(run(["-c", RUN], folder, json.dumps([cell.source for cell in codes]), root))
    said = [
        [
            "".join(output.get("text", "") for output in cell.outputs),
            "".join(output.data["image/svg+xml"] for output in cell.outputs if "data" in output),
        ]
        for cell in codes
    ]
    return told, said


def test_there_are_lessons():
    assert {"l1-inner-product", "l2-matrix-multiplication", "l3-variance", "l4-position"} <= set(LESSONS)


@BOTH
@pytest.mark.parametrize("name", LESSONS)
def test_a_lessons_notebook_runs_alone_and_gives_what_it_shows(course, name, language, tmp_path):
    _, cells = lesson(course, name, language)
    told, said = ran(cells, tmp_path)
    assert told == said
    assert sum(bool(drawn) for _, drawn in said) >= 3
    assert sum(bool(printed) for printed, _ in said) >= 3


@pytest.mark.parametrize("name", LESSONS)
def test_a_lessons_notebook_is_its_whole_script(course, name):
    """Each statement of the script is in some cell, once."""
    page, cells = lesson(course, name, "en")
    source = course.results.sources[f"snippets/{page.meta['script']}"]
    here = [
        ast.dump(node)
        for cell in cells
        if cell.cell_type == "code" and "module(" not in cell.source
        for node in ast.parse(cell.source).body
        if not re.match(r"show\(|from knit import show|import repro_", ast.unparse(node))
    ]
    expected = [ast.dump(node) for node in source.tree.body[1:] if "__main__" not in ast.unparse(node)]
    assert sorted(here) == sorted(expected)


@BOTH
@pytest.mark.parametrize("name", LESSONS)
def test_a_lessons_prose_has_no_marks_of_other_tools(course, name, language):
    page, cells = lesson(course, name, language)
    words = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    bare = re.sub(r"```.*?```|`[^`]*`", "", words, flags=re.DOTALL)
    for mark in ("???", "///", "{#", "{.", "8<", "fig:", "claim:", "piece=", "\ue000", "\ue002", "{{ "):
        assert mark not in bare, mark
    assert words.count("<details>") == words.count("</details>") > 3
    headings = [line for line in words.split("\n") if re.match("#{1,6} ", line)]
    assert len(headings) >= len(page.headings)


def script(course, name, language):
    page = next(page for page in course.pages if page.path == f"docs/{language}/{name}.md")
    path = f"snippets/{page.meta['script']}"
    return path, whole(course.results.sources[path], course.results.modules, language, ("zh", "en"))


@pytest.mark.parametrize("name", LESSONS)
def test_a_lessons_script_runs_alone_and_prints_what_is_published(course, name, tmp_path):
    path, text = script(course, name, "en")
    (tmp_path / "lesson.py").write_text(text, "utf-8")
    printed = run(["lesson.py"], tmp_path)
    for section, expected in course.results.outcomes[path].result.outputs.items():
        assert expected.rstrip() in printed, section


@pytest.mark.parametrize("name", LESSONS)
def test_a_lessons_script_has_the_comments_of_its_language_and_the_same_code(course, name):
    (_, zh), (_, en) = (script(course, name, language) for language in ("zh", "en"))
    assert not re.search("^ *# ?(zh|en):", zh + en, re.MULTILINE)
    plain = [re.sub("^ *#.*$", "", text, flags=re.MULTILINE) for text in (zh, en)]
    assert plain[0].split() == plain[1].split()


def test_a_script_is_brought_along_whatever_stands_in_it():
    text = "\"\"\"Doc '''quoted''' and \\\\alpha\\n.\"\"\"\nx = '''a\\tb\\\n'''\n"
    names = {}
    call = embedded("brought_along", Source("snippets/brought_along.py", text), "en", ("zh", "en"))
    exec(f"from knit import module\n{call}\nfrom brought_along import x, __doc__ as said", names)  # noqa: S102
    expected = {}
    exec(text, expected)  # noqa: S102
    assert (names["x"], names["said"]) == (expected["x"], expected["__doc__"])
    del sys.modules["brought_along"]


def test_a_script_brought_along_that_fails_says_where_and_cannot_be_imported():
    with pytest.raises(ZeroDivisionError) as failure:
        exec("from knit import module\nmodule('broken_along', 'x = 1\\ny = x / 0\\n')", {})  # noqa: S102
    assert str(failure.traceback[-1].statement).strip() == "y = x / 0"
    assert "broken_along" not in sys.modules


def lesson_of(workshop, page="balls", language="en"):
    course = workshop.look()[0]
    assert woven_pages(course)
    return lesson(course, page, language)[1]


def test_a_script_that_a_lesson_imports_comes_first(workshop, tmp_path):
    workshop.edit(
        "snippets/balls.py", "from solid.round import sphere", "from boxes import side\nfrom solid.round import sphere"
    )
    codes = [cell for cell in lesson_of(workshop) if cell.cell_type == "code"]
    assert codes[0].source.startswith('from knit import module\n\nmodule("boxes", \'\'\'\\\n"""How much room a box')
    assert codes[0].metadata == {"jupyter": {"source_hidden": True}}
    told, said = ran(codes, tmp_path, workshop.root)
    assert told == said


def test_what_a_figure_needs_runs_before_it(workshop, tmp_path):
    """Even where the lesson shows it before the code that makes it: that code is text then."""
    for language in ("zh", "en"):
        path = f"docs/{language}/balls.md"
        page = (workshop.root / path).read_text("utf-8")
        figure = re.search(r"!\[.*?\]\(fig:growth\)", page)[0]
        workshop.write(path, page.replace(figure, "").replace("```python", f"{figure}\n\n```python"))
    cells = lesson_of(workshop)
    told, said = ran(cells, tmp_path, workshop.root)
    assert told == said
    assert [bool(drawn) for _, drawn in said].index(True) == 1
    assert said[0][0] == "volume 14.137\n"
    words = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert "```python\n# twice the radius\nradius = 1.5" in words
    assert "```text\nvolume 14.137\n```" in words


def test_folds_and_captions_are_written_as_notebooks_know_them(workshop):
    fold = '\n??? question "How *large*?"\n    Say {{ radius:.1f }}.\n\n    Then $r = {{ radius:.1f }}$.\n\nAfter.\n'
    shows = '\n??? success "Code"\n    Look:\n\n    ```python\n    --8<-- "balls.py:volume"\n    ```\n\n    Done.\n'
    for language in ("zh", "en"):
        path = f"docs/{language}/balls.md"
        page = (workshop.root / path).read_text("utf-8")
        code = re.search(r"```python\n.*?```\n\n```output volume\n```\n", page, re.DOTALL)[0]
        workshop.write(path, page.replace(code, fold + shows))
    words = "\n".join(cell.source for cell in lesson_of(workshop))
    assert (
        "**How *large*?**\n\n<details><summary>Unfold</summary>\n\nSay 1.5.\n\nThen $r = 1.5$.\n\n</details>\n\nAfter."
        in words
    )
    assert "**Code**\n\nLook:\n" in words  # a fold with code in it stands open
    assert "\n# twice the radius\nradius = 1.5" in words
    assert "> It grows to 113.1." in words
