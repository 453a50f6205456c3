"""What many problems come of is told first: the module that changed and that the failing scripts share."""

import json
import subprocess
import sys

import pytest

from knit.check.course import problems
from knit.cli import main
from knit.problem import Problem
from knit.report import FORMATS, folded, in_order

SIGN = ("solid/round.py", "return 4 / 3", "return -4 / 3")


def git(root, *arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments], cwd=root, check=True)


def commit(root):
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")


@pytest.fixture
def history(workshop):
    """The course under git, as it was accepted."""
    git(workshop.root, "init", "-q")
    workshop.write(".gitignore", ".cache\n")
    commit(workshop.root)
    return workshop


def found(workshop):
    return problems(workshop.look()[0])


def test_a_wrong_sign_in_a_module_is_told_first_with_its_line(history):
    history.edit(*SIGN)
    first, *others = found(history)
    assert (first.path, first.line) == ("solid/round.py", 8)
    assert str(first) == (
        "solid/round.py:8: changed since the last commit; scripts that use it and fail or show something else: 1; "
        f"problems that may come of that: {len(others)}, which knit check --all lists"
    )
    assert len(others) > 3
    assert {each.follows for each in others} == {"solid/round.py"}


def test_the_check_folds_what_follows_and_the_formats_hold_everything(history, monkeypatch, capsys):
    history.edit(*SIGN)
    every = found(history)
    monkeypatch.chdir(history.root)
    assert main(["check"]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines() == [str(every[0])]
    assert f"knit: {len(every)} problems" in told.err
    main(["check", "--all"])
    assert capsys.readouterr().out.splitlines() == [str(each) for each in every]
    main(["check", "--format", "json"])
    assert len(json.loads(capsys.readouterr().out)) == len(every)
    for name, size in (("github", "::error "), ("junit", "<failure "), ("sarif", '"ruleId"')):
        main(["check", "--format", name])
        assert capsys.readouterr().out.count(size) == len(every)


def test_a_build_folds_them_as_well(history):
    history.edit(*SIGN)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    done = subprocess.run(command, cwd=history.root, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert [line for line in done.stderr.splitlines() if "ERROR" in line and ".md:" in line] == []
    assert str(found(history)[0]) in done.stderr


def test_what_has_another_cause_is_told_as_well(history):
    history.edit(*SIGN)
    history.edit("docs/en/boxes.md", "{{ side:.1f }}", "{{ sides:.1f }}")
    told = [str(each) for each in folded(found(history))]
    assert len(told) == 2
    assert told[1].startswith("docs/en/boxes.md:6: snippets/boxes.py has no name sides; is it side?")


def test_a_change_that_was_committed_is_found(history):
    history.edit(*SIGN)
    commit(history.root)
    assert str(found(history)[0]).startswith("solid/round.py:8: changed with the last commit; ")
    history.edit("docs/en/index.md", "# ", "# On ")
    history.edit("docs/zh/index.md", "# ", "# 说 ")
    commit(history.root)
    assert str(found(history)[0]).startswith("solid/round.py:8: changed since results were last accepted, in ")


def test_a_script_that_cannot_run_any_more_follows_too(history):
    history.write("solid/__init__.py", 'raise ValueError("negative")\n')
    first, *others = found(history)
    assert str(first).startswith("solid/__init__.py:1: changed since the last commit; ")
    assert len(others) > 3
    assert all(each.follows for each in others)


@pytest.mark.parametrize("git_is_there", [True, False])
def test_what_a_script_itself_changed_is_its_own(history, git_is_there):
    if git_is_there:
        history.edit("solid/round.py", "import math", "# a comment\nimport math")
    else:
        git(history.root, "update-ref", "-d", "HEAD")
        history.edit(*SIGN)
    history.edit("snippets/balls.py", "radius = 1.5", "radius = 2.5")
    told = found(history)
    assert len(told) > 3
    assert not any(each.follows for each in told)


def test_origins_come_first_and_problems_are_one_line():
    cause = Problem("snippets/shared.py", 1, 1, "changed")
    effect = Problem("docs/a.md", 1, 1, "array([[1.,\n        2.]])", "s.py", 3, follows="snippets/shared.py")
    assert in_order([effect, cause]) == [cause, effect]
    assert FORMATS["text"]([effect]) == "docs/a.md:1: array([[1., 2.]]) · s.py:3\n"
