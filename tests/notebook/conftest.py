"""The small course of fixtures/geometry with a notebook in it, from fixtures/day."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from knit.check.accept import accept
from knit.check.course import woven_pages
from knit.project import Layout, Project

FIXTURE = Path(__file__).parents[1] / "fixtures" / "day"
PLUGINS = '  - search\n  - mkdocs-jupyter: {include: ["*.ipynb"]}\n'


@pytest.fixture(scope="session")
def with_a_day(geometry, tmp_path_factory):
    """The folder of a course that no test changes: its scripts have run, what they publish is accepted."""
    root = tmp_path_factory.mktemp("day") / "course"
    shutil.copytree(geometry, root)
    shutil.copytree(FIXTURE, root, dirs_exist_ok=True)
    settings = root / "mkdocs.yml"
    text = settings.read_text("utf-8")
    settings.write_text(text.replace("plugins:\n", f"plugins:\n{PLUGINS}"), "utf-8")
    with closing(Project(Layout(root))) as project:
        course = project.course()
    list(accept(course, woven_pages(course), []))
    return root


@pytest.fixture
def diary(with_a_day, workshop):
    """A course with a notebook, of the test's own, in which nothing has to run."""
    shutil.rmtree(workshop.root)
    shutil.copytree(with_a_day, workshop.root)
    return workshop
