"""A script's outline: lines of statements, and what functions look up."""

import ast

from knit.read.outline import outline

SCRIPT = '''"""What it is
for."""

import numpy as np

@figure
@other(
    1)
def curve(ax, t):
    inner = [scale * x for x in np.arange(3)]
    def nested():
        return deep(inner, ax)
    return nested() + len(inner)

x, y = (
    1,
    2)
if __name__ == "__main__":
    print(x)
'''


def of(source):
    return outline(ast.parse(source))


def test_lines_are_those_of_whole_statements():
    found = of(SCRIPT)
    assert found.begin == 3
    assert found.statements == (range(1, 3), range(4, 5), range(6, 14), range(15, 18), range(18, 20))
    assert found.functions["curve"].lines == range(6, 14)
    assert found.report == 18


def test_names_are_those_that_are_found_outside_a_function():
    assert set(of(SCRIPT).functions["curve"].names) == {"figure", "other", "np", "scale", "deep", "len"}


def test_a_script_may_have_none_of_it():
    assert of("").begin == of("x = 1").begin == 1
    assert of("x = 1").report is None
    assert of("def f():\n    nonlocal x\n").functions["f"].names == ()
