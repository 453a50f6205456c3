"""Sources that are nested deeply are read like others, and those that Python cannot read are told."""

import ast

import pytest

from knit.read.made import made
from knit.read.script import bindings, names_read, places
from knit.run.keys import code

SUM = "+".join(["part"] * 1500)
"""Python builds a tree of it that is 1,500 nodes deep, and may itself call no more than 1,000 functions at once."""

SOURCE = f"x = 1\npart = 2\nx = {SUM}\ndef f():\n    return {SUM}\n"


def test_names_are_found_however_deep_a_statement_is():
    tree = ast.parse(SOURCE)
    assert places(tree) == {"x": 3, "part": 2, "f": 4}
    assert [each.line for each in bindings(tree)["x"]] == [1, 3]
    assert made(tree).lines["x"] == [(3, 3)]
    assert "part" in names_read(SOURCE)


def test_a_key_is_of_every_letter_where_the_tree_cannot_be_written():
    assert code(SOURCE.encode()) != code(f"# a comment\n{SOURCE}".encode())
    assert code(b"x = 1\n") == code(b"# a comment\nx = 1\n")


@pytest.mark.parametrize("line", [f"y = {'-' * 100_000}1", f"y = {'+'.join(['1'] * 20_000)}", "y = f" + ".g()" * 1500])
def test_a_source_that_is_too_deep_for_python_is_told(workshop, line):
    workshop.edit("snippets/boxes.py", "side = 2.0", f"side = 2.0\n{line}")
    told = [problem for problem in workshop.problems() if "boxes.md" in problem]
    assert told
    assert all("the script did not run: " in problem for problem in told)


def test_a_deep_source_that_python_can_read_runs(workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", f"side = 2.0\n_part = {SUM.replace('part', '1')}")
    assert not [problem for problem in workshop.problems() if "boxes" in problem and "published" not in problem]
