"""Which lines make a name: each script with the names' lines, marked in it by hand."""

import ast
import re

import pytest

from knit.read.made import made

SCRIPTS = {
    "the last value counts": "x = 1  # \n\nx = 2  # x\ny = x  # y\n",
    "a statement over several lines": "x = [  # x\n    1,  # x\n]  # x\n",
    "what changes the value": (
        "x = []  # x\nx.append(1)  # x\nx[0] = 2  # x\nx += [3]  # x\nlen(x)\nprint(x)\ny = x.pop()  # y\n"
    ),
    "attributes deep inside": "x = {}  # x\nx['a'].b[0] = 1  # x\n",
    "several at once": "a, (b, *c) = 1, (2, 3)  # a b c\n",
    "a loop": "x = 0  # x\nfor i in (  # x i y\n    1, 2,  # x i y\n):  # x i y\n    x += i  # x\n    y = i  # y\n",
    "a branch": "if True:  # x\n    x = 1  # x\nelse:\n    x = 2  # x\n",
    "a with": "with open('a') as f:  # f x\n    x = 1  # x\n    print(x)\n",
    "a try": "try:  # x\n    x = 1  # x\nexcept OSError:\n    x = 2  # x\nfinally:\n    pass\n",
    "a comprehension keeps its names": "x = [y for y in range(3)]  # x\n",
    "a walrus does not": "x = [(y := 1)]  # x y\n",
    "a function": "import math  # math\n\n@print  # f\n@max  # f\ndef f():  # f\n    y = 1  # f\n    return y  # f\n",
    "a class": "class C:  # C\n    x = 1  # C\n",
    "a type": "x: int = 1  # x\n",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_lines_that_make_a_name(name):
    source = SCRIPTS[name]
    wanted: dict[str, set[int]] = {}
    for number, line in enumerate(source.splitlines(), 1):
        marks = re.search("#(.*)$", line)
        for each in marks[1].split() if marks else []:
            wanted.setdefault(each, set()).add(number)
    found = made(ast.parse(source))
    assert {name: {n for a, b in lines for n in range(a, b + 1)} for name, lines in found.lines.items()} == wanted


def test_where_imported_names_come_from():
    found = made(ast.parse("from a import b, c as d\nimport e.f\nfrom . import g\nb = 1\n"))
    assert found.imported == {"d": "a.c"}
    assert found.lines["b"] == [(4, 4)]
    assert found.lines["d"] == [(1, 1)]
