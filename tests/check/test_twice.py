"""Reproducibility: what differs between two runs is named, with the line that could be the cause."""

import re
from contextlib import closing

import pytest

from knit.check.twice import twice
from knit.project import Layout, Project


@pytest.fixture
def differences(empty_workshop):
    def run(source, **files):
        empty_workshop.write("snippets/s.py", source)
        for name, text in files.items():
            empty_workshop.write(f"{name}.py", text)
        with closing(Project(Layout(empty_workshop.root), empty_workshop.limits)) as project:
            return [str(problem) for problem in twice(project, project.course())]

    return run


DIFFERENT = [
    (
        "import numpy as np\nx = np.random.default_rng().random()",
        2,
        "a generator without a seed, np.random.default_rng()",
    ),
    ("import numpy as np\nx = np.random.default_rng(None).random()", 2, "a generator without a seed"),
    ("from numpy.random import normal as n\nx = n()", 2, "numpy's global generator, n"),
    ("import random\nx = random.random()", 2, "chance, random.random"),
    ("import random\nx = random.Random().random()", 2, "a generator without a seed, random.Random()"),
    ("words = {'bank', 'the', 'was', 'steep', 'flat', 'river'}\nx = list(words)", 1, "the order of a set"),
    ("x = hash('bank')", 1, "a number that differs between runs, hash"),
    ("import time\nx = time.time()", 2, "the clock or the time zone, time.time"),
    ("from datetime import date\nx = date.today().year", 2, "the clock or the time zone, date.today"),
    ("import time\nx = time.strftime('%Z')", 2, "the clock or the time zone, time.strftime"),
    ("import os\nx = os.getcwd()", 2, "the working folder, os.getcwd"),
    ("from pathlib import Path\nx = str(Path('a').absolute())", 2, "the working folder"),
    ("import os\nx = os.environ['TZ']", 2, "the environment, os.environ"),
    ("import tempfile\nx = tempfile.gettempdir()", 2, "a temporary folder's name, tempfile.gettempdir"),
]


@pytest.mark.parametrize(("source", "line", "cause"), DIFFERENT)
def test_what_differs_is_named_with_its_cause(differences, source, line, cause):
    found = differences(source)
    assert len(found) == 1, found
    assert found[0].startswith("snippets/s.py:")
    assert "the value " in found[0]
    assert f"; line {line} could be the cause: {cause}" in found[0]


def test_only_the_origin_is_told_of_what_follows_from_it(differences):
    source = """\
import numpy as np
from knit import claim, colours, figure

n = 3
rng = np.random.default_rng(7)


def draw():
    return np.random.default_rng().normal(size=n)


x = draw()
y = x + rng.normal(size=3)
# --8<-- [start:s]
print(y.sum())
# --8<-- [end:s]
same = rng.normal()


@claim("C1")
def small():
    \"\"\"Is small.\"\"\"
    assert abs(x).max() < 100
    return x.max()


@figure
def f(ax, t):
    ax.plot(y, color=colours.QUERY)
"""
    found = differences(source)
    assert len(found) == 1
    assert found[0].startswith("snippets/s.py:12: the value x is not the same in two runs: [0] ")
    assert "; line 9 could be the cause: a generator without a seed, np.random.default_rng()" in found[0]


def test_outputs_claims_and_figures_are_compared(differences):
    source = """\
import time
from knit import claim, colours, figure

x = 1
# --8<-- [start:s]
print(time.time())
# --8<-- [end:s]


@claim("C1")
def late():
    \"\"\"Is late.\"\"\"
    return time.time()


@figure
def f(ax, t):
    ax.plot([1, 2], [1, 2], color=colours.QUERY)
    ax.set_xlabel(time.strftime("%Y"))
"""
    found = differences(source)
    assert [problem.split(":")[1] for problem in found] == ["6", "11", "17"]
    for problem, what, line in zip(found, ("output s", "claim C1", "figure f"), (6, 13, 19), strict=True):
        assert f"the {what} is not the same" in problem
        assert f"line {line} could be the cause: the clock" in problem


def test_a_cause_in_a_module_is_found(differences):
    found = differences(
        "from helper import draw\nx = draw()\n", helper="import random\n\n\ndef draw():\n    return random.random()\n"
    )
    assert len(found) == 1
    assert "helper.py:5 could be the cause: chance, random.random" in found[0]


def test_a_script_that_needs_its_folder_is_told(differences):
    found = differences("from pathlib import Path\nx = len(Path('snippets/s.py').read_text())\n")
    assert len(found) == 1
    assert (
        "it runs, but not with another hash seed, clock, locale, time zone or working folder: FileNotFound" in found[0]
    )


def test_a_number_that_is_none_is_the_same_as_itself(differences):
    assert differences("import numpy as np\nx = [np.nan, [1.0, float('nan')]]\n") == []


LAST_DIGITS = """\
import hashlib
import math
import numpy as np

rows = np.random.default_rng(1).normal(size=(100, 100))
digits = (rows @ rows).tobytes() + np.array([math.exp(number) for number in rows.ravel()]).tobytes()
x = hashlib.sha256(digits).hexdigest()
"""


def test_what_hangs_on_last_digits_is_told(differences):
    found = differences(LAST_DIGITS)
    assert len(found) == 1
    told = r"snippets/s.py:7: the value s.x, which docs/zh/page.md:6 shows, is \w+… here, \w+… on an older processor; "
    assert re.match(told, found[0])


KERNELS = """\
import numpy as np
from knit import claim

x = 1


@claim("C1")
def modern():
    \"\"\"Is modern.\"\"\"
    assert np.show_config(mode="dicts")["SIMD Extensions"].get("found")
"""


def test_a_verdict_that_hangs_on_the_processor_is_told(differences):
    found = differences(KERNELS)
    assert len(found) == 1
    assert found[0].startswith("snippets/s.py:10: on an older processor: claim C1 fails: ")


def test_last_digits_that_nobody_sees_are_silent(differences):
    assert differences(f"{LAST_DIGITS}y = x\nx = float((rows @ rows)[0, 0].round(6))\n") == []


def test_what_is_the_same_is_silent(workshop):
    with closing(Project(Layout(workshop.root))) as project:
        assert list(twice(project, project.course())) == []
