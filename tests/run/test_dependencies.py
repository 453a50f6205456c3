"""Whatever a script looks at, and however, a change of it runs the script again: it gives what a new store gives."""

import shutil
import time
from contextlib import closing

import pytest

from knit.project import Layout, Project

EMPTY = {"kit/__init__.py": ""}
CASES = {
    "a package takes a module's place": ("import kit\nx = kit.v", {"kit.py": "v = 1"}, {"kit/__init__.py": "v = 2"}),
    "a package takes a submodule's place": (
        "from kit import m\nx = m.v",
        {**EMPTY, "kit/m.py": "v = 1"},
        {"kit/m/__init__.py": "v = 2"},
    ),
    "a neighbour takes a module's place": (
        "import kit\nx = kit.v",
        {"kit.py": "v = 1"},
        {"snippets/kit.py": "v = 2"},
    ),
    "a folder without a package becomes one": (
        "from kit import m\nx = m.v",
        {"kit/m.py": "v = 1"},
        {"kit/__init__.py": "from kit import m\nm.v = 2"},
    ),
    "a folder without a package gets another part": (
        "from kit import m\nx = m.v",
        {"kit/m.py": "v = 1"},
        {"snippets/kit/m.py": "v = 2"},
    ),
    "a module comes that was not there": (
        "try:\n    from kit import v as x\nexcept ImportError:\n    x = 0",
        {},
        {"kit.py": "v = 2"},
    ),
    "a submodule comes that was not there": (
        "try:\n    from kit.m import v as x\nexcept ImportError:\n    x = 0",
        EMPTY,
        {"kit/m.py": "v = 2"},
    ),
    "a module reads as it is imported": (
        "import kit\nx = kit.v",
        {"kit.py": "v = int(open('n.txt').read())", "n.txt": "1"},
        {"n.txt": "2"},
    ),
    "a package's data": (
        "import pkgutil\nx = int(pkgutil.get_data('kit', 'n.txt'))",
        {**EMPTY, "kit/n.txt": "1"},
        {"kit/n.txt": "2"},
    ),
    "a function has the name of one of the engine's": (
        "def asserts():\n    return int(open('n.txt').read())\n\nx = asserts()",
        {"n.txt": "1"},
        {"n.txt": "2"},
    ),
    "a module loaded from its file": (
        (
            "import importlib.util as u\ns = u.spec_from_file_location('o', 'o.py')\n"
            "m = u.module_from_spec(s)\ns.loader.exec_module(m)\nx = m.v"
        ),
        {"o.py": "v = 1"},
        {"o.py": "v = 2"},
    ),
    "a module that was forgotten": (
        "import sys\nimport kit\nx = kit.v\ndel sys.modules['kit']",
        {"kit.py": "v = 1"},
        {"kit.py": "v = 2"},
    ),
    "a module's encoding": (
        "import kit\nx = kit.v",
        {"kit.py": "# coding: latin-1\nv = 'é'"},
        {"kit.py": "# coding: utf-8\nv = 'é'"},
    ),
    "names in a folder": ("import os\nx = os.listdir('data')", {"data/a": "1"}, {"data/b": "2"}),
    "names that match": (
        "from pathlib import Path\nx = len(list(Path('data').glob('*.csv')))",
        {"data/a.csv": "1"},
        {"data/b.csv": "2"},
    ),
    "whether there is a file": ("from pathlib import Path\nx = str(Path('n.txt').exists())", {}, {"n.txt": "2"}),
    "whether a file can be opened": (
        "try:\n    x = open('n.txt').read()\nexcept OSError:\n    x = 0",
        {},
        {"n.txt": "2"},
    ),
    "a file's size": ("import os\nx = os.path.getsize('n.txt')", {"n.txt": "1"}, {"n.txt": "22"}),
    "a file outside the project": ("x = open('../n.txt').read()", {"../n.txt": "1"}, {"../n.txt": "2"}),
    "a module outside the project": (
        "import sys\nsys.path.insert(0, '../lib')\nimport kit\nx = kit.v",
        {"../lib/kit.py": "v = 1"},
        {"../lib/kit.py": "v = 2"},
    ),
}


def value(workshop, root=None):
    with closing(Project(Layout(root or workshop.root))) as project:
        outcome = project.course().results.outcomes["snippets/s.py"]
        assert not outcome.faults
        return outcome.result.values["x"]


def changes(workshop, edit):
    """Check that an edit changes what the script gives, as it does where nothing is kept, and nothing else runs it."""
    before = value(workshop)
    assert workshop.executions() == []
    edit()
    after = value(workshop)
    assert after != before
    shutil.rmtree(workshop.root / ".cache")
    assert value(workshop) == after


@pytest.mark.parametrize("case", CASES)
def test_a_change_of_what_was_looked_at_counts(empty_workshop, case):
    script, first, then = CASES[case]
    empty_workshop.write("snippets/s.py", script + "\n")
    for path, text in first.items():
        empty_workshop.write(path, text)

    def edit():
        for path, text in then.items():
            empty_workshop.write(path, text)

    changes(empty_workshop, edit)


@pytest.mark.parametrize(("link", "script"), [("n.txt", "x = open('n.txt').read()"), ("kit.py", "from kit import x")])
@pytest.mark.parametrize("inside", [True, False])
def test_a_link_that_leads_elsewhere_counts(empty_workshop, link, script, inside):
    empty_workshop.write("snippets/s.py", script + "\n")
    folder = empty_workshop.root / ("data" if inside else "../data")
    for name in "12":
        empty_workshop.write(folder / name, f"x = {name}\n")
    place = empty_workshop.root / link
    place.symlink_to(folder / "1")

    def edit():
        place.unlink()
        place.symlink_to(folder / "2")

    changes(empty_workshop, edit)


def test_what_a_link_leads_to_outside_the_project_counts(empty_workshop):
    empty_workshop.write("snippets/s.py", "x = open('n.txt').read()\n")
    empty_workshop.write("../n.txt", "1")
    (empty_workshop.root / "n.txt").symlink_to(empty_workshop.root / "../n.txt")
    changes(empty_workshop, lambda: empty_workshop.write("../n.txt", "2"))


WAITS = """from pathlib import Path
import time
x = 1
while not Path("../go").exists():
    time.sleep(0.01)
"""


def test_a_script_that_was_another_while_it_ran_is_not_kept(empty_workshop):
    """It was read as the other one, perhaps: its process begins when there is a core for it."""
    empty_workshop.write("snippets/s.py", WAITS)
    with closing(Project(Layout(empty_workshop.root))) as project:
        outcomes = project.course(ahead=True).results.outcomes
        time.sleep(0.05)
        empty_workshop.write("snippets/s.py", WAITS.replace("x = 1", "x = 2"))
        empty_workshop.write("snippets/s.py", WAITS)
        empty_workshop.write("../go", "")
        assert outcomes["snippets/s.py"].result.values == {"x": 1}
    assert empty_workshop.executions() == ["snippets/s.py"]
    assert empty_workshop.executions() == []
