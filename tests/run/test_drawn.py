"""Figures that are not drawn again: which are, after an edit, and that all are as in a store in which nothing was."""

import shutil
from contextlib import closing
from typing import NamedTuple

import pytest

from knit.project import Layout, Project
from tests.conftest import Workshop

HEAD = """import numpy as np
from knit import colours, figure
from kit import shapes

"""
FIRST = """
@figure
def first(ax, t):
    ax.plot({first}, color=colours.QUERY)
    ax.set_title(t(zh="一", en="one"))
"""
SECOND = """
@figure
def second(ax, t):
    ax.plot({second}, color=colours.KEY)
    ax.set_title(t(zh="二", en="two"))
"""
SHAPES = """GAIN = 1.0

def up(n):
    return [GAIN * i for i in range(n)]

def down(n):
    return [-i for i in range(n)]
"""
KIT = {
    "kit/__init__.py": "",
    "kit/shapes.py": SHAPES,
    "kit/curves.py": "def left(n):\n    return [n, 0]\n\ndef right(n):\n    return [0, 2 * n]\n",
    "kit/clock.py": "import time\n\ndef now():\n    return time.time()\n",
    "snippets/data.txt": "3",
}


class Edit(NamedTuple):
    """An edit of a script, or of another file, and the figures that are drawn after it."""

    source: str
    old: str
    new: str
    drawn: set[str]
    path: str | None = None


def two(before: str, first: str, second: str) -> str:
    """Write a script with two figures."""
    return HEAD + before + FIRST.format(first=first) + SECOND.format(second=second)


COUNTED = """
count = 0
def tick():
    global count
    count += 1
    return count
"""
CLASS = """
class Line:
    slope = 1.0
    def __init__(self, n):
        self.n = n
    def points(self):
        return [self.slope * i for i in range(self.n)]
"""
IMPORTING = """
x = 1
@figure
def first(ax, t):
    from kit.shapes import up
    ax.plot(up(3), color=colours.QUERY)
"""

EDITS = {
    "a label": Edit(two("", "[1, 2]", "[1, 3]"), 'en="one"', 'en="the first"', {"first"}),
    "a value that no figure reads": Edit(two("x = 1\n", "[1, 2]", "[1, 3]"), "x = 1", "x = 2", set()),
    "a value that one reads": Edit(two("a = [1, 2]\nb = [1, 3]\n", "a", "b"), "[1, 3]", "[1, 4]", {"second"}),
    "an array": Edit(two("a = np.arange(4.0)\nb = a + 1\n", "a", "b"), "b = a + 1", "b = a + 1\nb[2] = 9", {"second"}),
    "the kind of a number": Edit(
        two("a = 1\nb = 2\n", "[0, 1], label=repr(a)", "[b, 2]"), "a = 1", "a = 1.0", {"first"}
    ),
    "lines above": Edit(two("", "[1, 2]", "[1, 3]"), "import numpy as np", "import math\n\nimport numpy as np", set()),
    "a list that a figure changes": Edit(
        two("a = [1, 2]\nx = 1\n", "(a.append(len(a)), a)[1]", "a"), "x = 1", "x = 2", {"first"}
    ),
    "a list that a figure changed": Edit(
        two("a = [1, 2]\n", "(a.append(len(a)), a)[1]", "a"), "a = [1, 2]", "a = [1, 5]", {"first", "second"}
    ),
    "a list that a figure no longer changes": Edit(
        two("a = [1, 2]\n", "(a.append(len(a)), a)[1]", "a"), "(a.append(len(a)), a)[1]", "a", {"first", "second"}
    ),
    "a loop's variable": Edit(
        two("f = [lambda n=n: n for n in range(3)]\ng = [lambda: n for n in (1, 2)]\n", "[0, f[1]()]", "[0, 1]"),
        "range(3)",
        "range(1, 4)",
        {"first"},
    ),
    "a variable enclosed": Edit(
        two("def make(n):\n    return lambda: [0, n]\nf, g = make(1), make(2)\n", "f()", "g()"),
        "make(2)",
        "make(3)",
        {"second"},
    ),
    "a default": Edit(
        two("k = 2\ndef f(n=k):\n    return [n, 1]\n", "f()", "[k, 0]"), "f(n=k)", "f(n=k + 1)", {"first"}
    ),
    "a function used by a function": Edit(
        two("def g(n):\n    return n * 2\ndef f(n):\n    return [0, g(n)]\n", "f(1)", "[0, 3]"),
        "n * 2",
        "n * 3",
        {"first"},
    ),
    "an attribute of a class": Edit(
        two(CLASS + "a = Line(3)\n", "a.points()", "[1, 3]"), "slope = 1.0", "slope = 2.0", {"first"}
    ),
    "an attribute of an object": Edit(
        two(CLASS + "a, b = Line(3), Line(4)\n", "a.points()", "b.points()"), "Line(4)", "Line(5)", {"second"}
    ),
    "a method put in place of another": Edit(
        two(CLASS + "a = Line(3)\nx = 1\n", "a.points()", "[1, 3]"),
        "x = 1",
        "Line.points = lambda self: [7, 8]",
        {"first"},
    ),
    "a module's attribute": Edit(
        two("x = 1\n", "shapes.up(3)", "shapes.down(3)"), "x = 1", "shapes.GAIN = 3.0", {"first"}
    ),
    "something within numpy": Edit(
        two("x = 1\n", "[float(np.linalg.norm(np.ones(4))), 1]", "[1, 3]"),
        "x = 1",
        "np.linalg._linalg.sqrt = abs",
        {"first", "second"},
    ),
    "a function of a module": Edit(
        two("from kit import curves\n", "curves.left(3)", "curves.right(3)"),
        "2 * n",
        "3 * n",
        {"second"},
        "kit/curves.py",
    ),
    "what an array's bytes stand for": Edit(
        two("a = np.zeros(1, [('x', 'i8')])\na['x'] = 2**62\n", "[float(a['x'][0]), 1]", "[1, 3]"),
        "2**62",
        "2**62\na = a.view([('x', 'f8')])",
        {"first"},
    ),
    "a number that is too long to be written": Edit(
        two("a = 10**5000\nx = 1\n", "[a % 7, 1]", "[1, 3]"), "x = 1", "x = 2", {"first"}
    ),
    "how numpy prints": Edit(
        two("a = np.array([1 / 3])\nx = 1\n", "[1, 2], label=str(a)", "[1, 3]"),
        "x = 1",
        "np.set_printoptions(precision=2)",
        {"first", "second"},
    ),
    "a function made one of numpy's": Edit(
        two("def f(n):\n    return n + 1\ng = np.frompyfunc(f, 1, 1)\n", "[float(g(1)), 2]", "[1, 3]"),
        "n + 1",
        "n + 2",
        {"first"},
    ),
    "chance": Edit(
        two("np.random.seed(1)\nx = 1\n", "np.random.normal(size=3)", "[1, 3]"), "seed(1)", "seed(2)", {"first"}
    ),
    "a generator": Edit(
        two("rng = np.random.default_rng(1)\n", "rng.normal(size=3)", "[1, 3]"), "rng(1)", "rng(2)", {"first"}
    ),
    "a generator asked before": Edit(
        two("rng = np.random.default_rng(1)\nx = 1\n", "rng.normal(size=3)", "rng.normal(size=3)"),
        "x = 1",
        "rng.normal()",
        {"first", "second"},
    ),
    "how often it was called": Edit(
        two(COUNTED + "x = 1\n", "[tick(), 2]", "[count, 3]"), "x = 1", "tick()", {"first", "second"}
    ),
    "a name made by a program": Edit(
        two("a = [1, 2]\nn = 'a'\n", "globals()[n]", "[1, 3]"), "a = [1, 2]", "a = [1, 9]", {"first"}
    ),
    "what a program's text names": Edit(
        two("a = [1, 2]\n", "eval('a')", "[1, 3]"), "a = [1, 2]", "a = [1, 9]", {"first"}
    ),
    "an attribute named by a program": Edit(
        two("import operator\n", "(operator.attrgetter('__globals__')(second)['a'])", "[1, 3]") + "\na = [1, 2]\n",
        "a = [1, 2]",
        "a = [1, 9]",
        {"first"},
    ),
    "what is remembered": Edit(
        two("import functools\na = [1, 2]\n@functools.cache\ndef f():\n    return a[0]\n", "[f(), 2]", "[1, 3]"),
        "a = [1, 2]",
        "a = [5, 2]",
        {"first"},
    ),
    "something imported within": Edit(HEAD + IMPORTING, "x = 1", "x = 2", {"first"}),
    "a file": Edit(
        two(
            "from pathlib import Path\nhere = Path(__file__).parent\n",
            "[int((here / 'data.txt').read_text()), 2]",
            "[1, 3]",
        ),
        "3",
        "4",
        {"first"},
        "snippets/data.txt",
    ),
    "a file that numpy reads": Edit(
        two("x = 1\nname = __file__[:-12] + 'data.txt'\n", "[float(np.loadtxt(name)), 2]", "[1, 3]"),
        "x = 1",
        "x = 2",
        {"first"},
    ),
    "the clock": Edit(
        two("from kit import clock\nx = 1\n", "[clock.now() * 0, 2]", "[1, 3]"), "x = 1", "x = 2", {"first"}
    ),
    "what it prints": Edit(two("x = 1\n", "(print('drawing'), [1, 2])[1]", "[1, 3]"), "x = 1", "x = 2", {"first"}),
    "the order of figures": Edit(
        two("a = [1]\n", "(a.append(2), a)[1]", "(a.append(3), a)[1]") + "x = 1\n",
        "x = 1",
        "first, second = second, first",
        {"first", "second"},
    ),
    "a set's order": Edit(two("a = {1, 2, 3}\n", "sorted(a)", "[1, 3]"), "{1, 2, 3}", "{1, 2, 4}", {"first"}),
    "the figure's size": Edit(
        two("", "[1, 2]", "[1, 3]"), "@figure\ndef first", "@figure(height=2.0)\ndef first", {"first"}
    ),
}


def look(root):
    """Give every result by script, and the figures drawn for it."""
    with closing(Project(Layout(root))) as project:
        outcomes = project.course().results.outcomes
        results = {script: outcome.result for script, outcome in outcomes.items()}
        told = [
            f"{fault.path}:{fault.line}: {fault.message}" for outcome in outcomes.values() for fault in outcome.faults
        ]
        return results, list(project.runner.drawn), told


@pytest.fixture(scope="module")
def looks(tmp_path_factory):
    """Look at all scripts, then after all edits, then in an empty store."""
    root = tmp_path_factory.mktemp("drawn") / "course"
    workshop = Workshop(root)
    for path, text in KIT.items():
        workshop.write(path, text)
    workshop.write("docs/en/index.md", "# T {#t}\n")
    for number, edit in enumerate(EDITS.values()):
        # Scripts share what is drawn alike, so that each needs a title of its own.
        source = edit.source.replace('"一"', f'"一 {number}"').replace('"二"', f'"二 {number}"')
        workshop.write(f"snippets/script_{number:02}.py", source)
    first = look(root)
    for number, edit in enumerate(EDITS.values()):
        workshop.edit(edit.path or f"snippets/script_{number:02}.py", edit.old, edit.new)
    second = look(root)
    shutil.rmtree(root / ".cache")
    return first, second, look(root)


def test_no_script_fails(looks):
    assert [told for _, _, told in looks] == [[], [], []]


@pytest.mark.parametrize("name", EDITS)
def test_after_an_edit_only_what_it_can_change_is_drawn_and_nothing_is_stale(looks, name):
    script = f"snippets/script_{list(EDITS).index(name):02}.py"
    _, (results, drawn, _), (clean, _, _) = looks
    assert {figure.partition(":")[2] for figure in drawn if figure.startswith(script)} == EDITS[name].drawn
    for kind in ("figures", "outputs", "values"):
        assert getattr(results[script], kind) == getattr(clean[script], kind)
    assert results[script].digest == clean[script].digest


def test_a_figure_that_is_not_whole_is_drawn_again(new_workshop):
    before, drawn, _ = look(new_workshop.root)
    cache = new_workshop.root / ".cache/knit"
    for damage in (lambda text: text[:-9], lambda text: text.replace("M", "L", 1), lambda _: ""):
        shutil.rmtree(cache / "results")
        kept = list((cache / "figures").glob("*.figure"))
        assert len(kept) == len(drawn) > 0
        for file in kept:
            file.write_text(damage(file.read_text("utf-8")), "utf-8")
        results, again, _ = look(new_workshop.root)
        assert again == drawn
        assert {s: r.digest for s, r in results.items()} == {s: r.digest for s, r in before.items()}
    shutil.rmtree(cache / "results")
    assert look(new_workshop.root)[1] == []
