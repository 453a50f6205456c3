"""Shapes in docstrings: an axis that is called as a module is no link to it."""

import logging
from pathlib import Path

import griffe
import pytest
from mkdocs.config import load_config

from knit.site.axes import Axes

SPLIT = '''"""Splits."""
from pack.state import State

def split(X, state=None):
    """Split.

    Parameters
    ----------
    X : array(n, heads * d)
        Words.
    state : State
        What was seen.

    Returns
    -------
    array(heads, n, d)
        A slice a head.
    """
'''


@pytest.fixture
def linked(tmp_path):
    """Load a package, and give the names in its types that are links."""
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text('"""A package."""\nfrom pack.heads import split\n')
    (package / "heads.py").write_text(SPLIT)
    (package / "state.py").write_text('"""A state."""\n\nclass State:\n    """Seen."""\n')

    def load(*extensions):
        found = griffe.load(
            "pack", search_paths=[tmp_path], docstring_parser="numpy", extensions=griffe.load_extensions(*extensions)
        )
        items = [item for section in found["heads.split"].docstring.parsed[1:] for item in section.value]
        names = [name for item in items for name in item.annotation.iterate() if isinstance(name, griffe.ExprName)]
        return [name.reference_path for name in names if name.reference_path]

    return load


def test_an_axis_is_no_link_and_a_class_is_one(linked):
    assert linked() == ["pack.heads", "pack.state.State", "pack.heads"]  # as Griffe has it
    assert linked(Axes) == ["pack.state.State"]


def test_a_shape_of_one_axis_keeps_its_comma(tmp_path):
    docstring = "F.\n\n    Returns\n    -------\n    array (n,)\n        Y.\n"
    (tmp_path / "one.py").write_text(f'def f():\n    """{docstring}    """\n')
    found = griffe.load(
        "one", search_paths=[tmp_path], docstring_parser="numpy", extensions=griffe.load_extensions(Axes)
    )
    (item,) = found["f"].docstring.parsed[1].value
    assert str(item.annotation) == "array(n,)"


def test_arguments_on_one_line_share_a_shape_and_no_default(tmp_path):
    docstring = "F.\n\n    Parameters\n    ----------\n    a, b : array (n,), optional\n        Both.\n"
    (tmp_path / "two.py").write_text(f'def f(*, a=1, b=2):\n    """{docstring}    """\n')
    found = griffe.load(
        "two", search_paths=[tmp_path], docstring_parser="numpy", extensions=griffe.load_extensions(Axes)
    )
    items = found["f"].docstring.parsed[1].value
    assert [(item.name, str(item.annotation), item.value) for item in items] == [
        ("a", "array(n,)", "1"),
        ("b", "array(n,)", "2"),
    ]


def test_the_course_uses_it(linked):
    assert linked("knit.site.axes") == ["pack.state.State"]


def test_the_courses_own_docstrings_are_read_without_a_warning(monkeypatch):
    """What a dataclass takes is known only once Griffe's own extension has looked at it: it comes first."""
    root = Path(__file__).parents[2]
    options = load_config(str(root / "mkdocs.yml")).plugins["mkdocstrings"].config.handlers["python"]["options"]
    told = []
    monkeypatch.setattr(logging.getLogger("griffe"), "handle", lambda record: told.append(record.getMessage()))
    monkeypatch.setattr(griffe.logger, "_logger", logging.getLogger("griffe"))
    extensions = griffe.load_extensions(*options["extensions"])
    griffe.load("attn", search_paths=[root], docstring_parser="numpy", extensions=extensions)
    assert told == []
