"""What runs and what does not: counted."""

import os
import shutil
from contextlib import closing

import pytest

from knit.project import Layout, Project
from knit.weave.kept import Weavings
from knit.weave.weaver import weave


def html(course):
    """Every piece of HTML of every page, by page."""
    return {page.path: weave(page, course).html for page in course.pages}


def test_each_script_runs_once_for_both_languages_and_then_not_again(new_workshop):
    assert new_workshop.executions() == ["snippets/balls.py", "snippets/boxes.py"]
    assert new_workshop.executions() == []


def test_one_constant_changes_every_place_in_both_languages_and_only_there(workshop):
    before = html(workshop.look()[0])
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 3.0")
    workshop.edit("snippets/boxes.py", "takes eight", "takes its cube")
    course, ran = workshop.look()
    after = html(course)
    assert ran == ["snippets/boxes.py"]
    of = 'data-of="boxes.volume"'
    for language in ("zh", "en"):
        assert f'<data value="27.0" {of}>27.0</data>' in after[f"docs/{language}/boxes.md"]
        page = f"docs/{language}/balls.md"
        changed = [(a, b) for a, b in zip(before[page], after[page], strict=True) if a != b]
        assert changed == [(f'<data value="8.0" {of}>8</data>', f'<data value="27.0" {of}>27</data>')]
        assert before[f"docs/{language}/index.md"] == after[f"docs/{language}/index.md"]


@pytest.mark.parametrize(
    ("module", "old", "new", "runs"),
    [
        ("solid/round.py", "4 / 3", "8 / 6 * 2", ["snippets/balls.py"]),
        ("solid/flat.py", "side**3", "side * side * side * 1.0", ["snippets/boxes.py"]),
        ("solid/flat.py", "def cube", "def unused(): return 1\n\n\ndef cube", ["snippets/boxes.py"]),
        ("solid/flat.py", "def cube", "# a comment\ndef cube", []),
        ("solid/__init__.py", "of solids", "and more", ["snippets/balls.py", "snippets/boxes.py"]),
        ("snippets/balls.py", "半径翻一倍", "半径加倍", []),
        ("docs/en/balls.md", "It takes", "It really takes", []),
    ],
)
def test_an_edit_runs_exactly_what_it_can_change(workshop, module, old, new, runs):
    workshop.edit(module, old, new)
    assert workshop.executions() == runs


def test_a_module_edit_leaves_nothing_stale(workshop):
    workshop.edit("solid/round.py", "4 / 3", "8 / 3")
    result = workshop.look()[0].results.outcomes["snippets/balls.py"].result
    assert result.values["volume"] == pytest.approx(2 * 4 / 3 * 3.141592653589793 * 1.5**3)


def test_edits_within_one_second_and_of_the_same_size_are_seen(workshop):
    workshop.edit("snippets/boxes.py", "volume == side", "volume >= side")
    for factor in "345":
        module = workshop.root / "solid" / "flat.py"
        module.write_text(f"def cube(side):\n    return side**{factor}\n")
        assert workshop.look()[0].results.outcomes["snippets/boxes.py"].result.values["volume"] == 2 ** int(factor)


def test_coming_back_to_an_older_state_runs_nothing(workshop):
    workshop.edit("solid/round.py", "4 / 3", "1.333333")
    assert workshop.executions() == ["snippets/balls.py"]
    workshop.edit("solid/round.py", "1.333333", "4 / 3")
    assert workshop.executions() == []


def test_a_module_imported_through_another_counts(workshop):
    workshop.write("solid/constants.py", "PI = 3.0\n")
    workshop.edit("solid/round.py", "import math", "from solid import constants")
    workshop.edit("solid/round.py", "math.pi", "constants.PI")
    workshop.edit("solid/constants.py", "3.0", "3.5")
    assert workshop.executions() == ["snippets/balls.py"]


def test_a_data_file_that_is_read_counts(empty_workshop):
    empty_workshop.write("snippets/n.txt", "5")
    empty_workshop.write(
        "snippets/s.py", "from pathlib import Path\nx = int((Path(__file__).parent / 'n.txt').read_text())\n"
    )
    assert empty_workshop.executions() == ["snippets/s.py"]
    assert empty_workshop.executions() == []
    empty_workshop.write("snippets/n.txt", "6")
    assert empty_workshop.look()[0].results.outcomes["snippets/s.py"].result.values["x"] == 6


def test_a_local_file_that_takes_an_outside_modules_place_counts(empty_workshop):
    empty_workshop.write("snippets/s.py", "import colorsys\nx = colorsys.ONE_THIRD\n")
    assert empty_workshop.executions() == ["snippets/s.py"]
    empty_workshop.write("colorsys.py", "ONE_THIRD = 7\n")
    course, ran = empty_workshop.look()
    assert ran == ["snippets/s.py"]
    assert course.results.outcomes["snippets/s.py"].result.values["x"] == 7


def test_a_failure_is_not_kept_and_mending_heals(workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 1 / 0")
    assert workshop.executions() == ["snippets/boxes.py"]
    assert workshop.executions() == ["snippets/boxes.py"]
    workshop.edit("snippets/boxes.py", "side = 1 / 0", "side = 2.0")
    assert workshop.executions() == []  # what was known before the failure is still known
    assert workshop.problems() == []


def test_a_damaged_store_is_made_anew(workshop):
    workshop.look()
    for file in (workshop.root / ".cache" / "knit" / "results").rglob("*.result"):
        file.write_bytes(file.read_bytes()[:40])
    assert workshop.executions() == ["snippets/balls.py", "snippets/boxes.py"]
    assert workshop.problems() == []


def test_a_woven_page_that_another_build_threw_away_is_woven_again(workshop):
    shutil.rmtree(workshop.root / ".cache/knit/kept")  # else it is put back, and what its script came to is not read
    course, _ = workshop.look()
    (page,) = (each for each in course.pages if each.path == "docs/en/boxes.md")
    kept = Weavings(course).woven(page)
    shutil.rmtree(workshop.root / ".cache")
    assert kept.text == weave(page, course).text


def aged(root, days):
    """Make everything in the cache so many days older."""
    for path in (root / ".cache/knit").rglob("*"):
        time = path.stat().st_mtime - days * 24 * 60 * 60
        os.utime(path, (time, time))


def test_what_was_not_used_for_a_month_is_removed(workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 3.0")
    assert workshop.executions() == ["snippets/boxes.py"]
    cache = workshop.root / ".cache/knit"
    (cache / "run-killed").mkdir()
    kept = {path.name for path in cache.glob("*/*.result")}
    assert len(kept) == 3
    aged(workshop.root, 20)
    assert workshop.executions() == []  # what is used is noted, and nothing is old enough
    aged(workshop.root, 20)
    assert {path.name for path in cache.glob("*/*.result")} == kept
    assert workshop.executions() == []
    assert len(kept - {path.name for path in cache.glob("*/*.result")}) == 1
    assert not list(cache.glob("run-*"))
    assert workshop.executions() == []
    workshop.edit("snippets/boxes.py", "side = 3.0", "side = 2.0")
    assert workshop.executions() == ["snippets/boxes.py"]
    assert workshop.problems() == []


WAITS = """from pathlib import Path
import time
while not (Path(__file__).parent / "go.txt").exists():
    time.sleep(0.01)
y = 2
"""


def test_what_is_done_is_at_hand_while_others_run(empty_workshop):
    empty_workshop.write("snippets/quick.py", "x = 1\n")
    empty_workshop.write("snippets/waits.py", WAITS)
    with closing(Project(Layout(empty_workshop.root))) as project:
        outcomes = project.course(ahead=True).results.outcomes
        assert list(outcomes) == ["snippets/quick.py", "snippets/waits.py"]
        assert "snippets/waits.py" in outcomes
        assert outcomes["snippets/quick.py"].result.values == {"x": 1}
        empty_workshop.write("snippets/go.txt", "")
        assert outcomes["snippets/waits.py"].result.values == {"y": 2}
    assert empty_workshop.executions() == ["snippets/waits.py"]  # what it looked for came while it ran
    assert empty_workshop.executions() == []


def test_what_nobody_waits_for_leaves_nothing(empty_workshop):
    empty_workshop.write("snippets/quick.py", "x = 1\n")
    empty_workshop.write("snippets/waits.py", WAITS)
    with closing(Project(Layout(empty_workshop.root))) as project:
        project.course(ahead=True)
        empty_workshop.write("snippets/waits.py", "y = 3\n")
        course = project.course(ahead=True)
        assert course.results.outcomes["snippets/waits.py"].result.values == {"y": 3}
    assert not list(empty_workshop.root.rglob("run-*"))
