"""The course's own research days: their cells run for a reader who has nothing but the installed packages."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from knit.notebook.cells import code, is_notebook, section_of
from knit.project import Source
from knit.read.page import Page

ROOT = Path(__file__).parents[2]
DAYS = sorted(path.stem for path in (ROOT / "docs/en/research").glob("*.md"))
PARTS = ["hypothesis", "prediction", "experiment", "result", "surprise"]


def day_of(name, language="en"):
    """A day's page and its script's source."""
    path = f"docs/{language}/research/{name}.md"
    page = Page.read(path, language, (ROOT / path).read_text("utf-8"))
    script = f"snippets/{page.meta['script']}"
    return page, Source(script, (ROOT / script).read_text("utf-8"))


def test_there_are_five():
    assert [name[:2] for name in DAYS] == ["t1", "t2", "t3", "t4", "t5"]
    assert all(is_notebook(day_of(name, language)[0]) for name in DAYS for language in ("zh", "en"))


@pytest.mark.parametrize("name", DAYS)
def test_the_prediction_stands_before_the_experiment(name):
    page, source = day_of(name)
    assert [heading.id for heading in page.headings[1:]] == PARTS
    shown = [section for piece in page.pieces if (section := section_of(piece))]
    assert shown.index("prediction") < shown.index("experiment")
    assert not set(source.sections["prediction"]) & set(source.sections["experiment"])


@pytest.mark.parametrize("name", DAYS)
def test_the_cells_run_alone_and_print_what_is_published(name, tmp_path):
    page, source = day_of(name)
    sections = [section for piece in page.pieces if (section := section_of(piece))]
    program = tmp_path / "cells.py"
    program.write_text("\n".join(line for section in sections for line in code(source, section)), "utf-8")
    # Isolated (-I): not the course's folder, only what is installed.
    done = subprocess.run(
        [sys.executable, "-I", str(program)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    published = tomllib.loads((ROOT / source.path.replace(".py", ".published.toml")).read_text("utf-8"))["outputs"]
    printed = "\n".join(published[section]["en"] for section in sections if section in published)
    assert done.stdout.rstrip() == printed
