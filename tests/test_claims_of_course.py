"""The claims of the course: named once, stated in both languages, and true whatever the seed."""

import ast
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from knit.claims import MARK, ClaimMark, evaluate, marked, statements

SNIPPETS = Path(__file__).parents[1] / "snippets"
SCRIPTS = sorted(path.stem for path in SNIPPETS.glob("repro_*.py"))

LETTERS = {"t1": "S", "t2": "P", "t3": "V", "t4": "O", "t5": "E"}
"""The letter of each research day's claims: T1 scores, T2 products, T3 variance, T4 order, T5 exponentials."""

ENDS = {"zh": "。！？", "en": ".!?"}
"""What a sentence ends with."""


def written() -> list[tuple[str, str, str]]:
    """Find the claims in the sources of all scripts: the script, the claim's name, its docstring."""
    found = []
    for path in sorted(SNIPPETS.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    match decorator:
                        case ast.Call(func=ast.Name(id="claim"), args=[ast.Constant(value=name)]):
                            found.append((path.stem, name, ast.get_docstring(node) or ""))
    return found


CLAIMS = written()


def alone(script, *arguments):
    """Run a script as a reader does."""
    return subprocess.run(
        [sys.executable, SNIPPETS / f"{script}.py", *arguments],
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_every_research_day_makes_claims():
    assert {script.split("_")[1] for script in SCRIPTS} == set(LETTERS)
    assert {script for script, *_ in CLAIMS} == set(SCRIPTS)


def test_names_are_unique_in_the_course():
    assert [name for name, times in Counter(name for _, name, _ in CLAIMS).items() if times > 1] == []


@pytest.mark.parametrize(("script", "name"), [(script, name) for script, name, _ in CLAIMS])
def test_a_claim_carries_the_letter_of_its_day(script, name):
    letter = LETTERS[script.split("_")[1]]
    assert re.fullmatch(rf"{letter}[1-9]\d*(\.[a-z])?", name)


@pytest.mark.parametrize("docstring", [pytest.param(docstring, id=name) for _, name, docstring in CLAIMS])
def test_a_claim_is_stated_in_both_languages_as_a_sentence(docstring):
    stated = statements(docstring)
    assert set(stated) == {"zh", "en"}
    for language, statement in stated.items():
        assert statement.endswith(tuple(ENDS[language]))
    assert not re.search(r"[\u4e00-\u9fff]", stated["en"])


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_run_alone_exits_with_0(script):
    expected = sum(of == script for of, *_ in CLAIMS)
    run = alone(script)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines()[-1] == f"{expected} of {expected} claims hold"


@pytest.mark.parametrize("script", SCRIPTS)
def test_an_unknown_claim_is_told_in_one_line(script):
    run = alone(script, "--claim", "X9")
    assert (run.returncode, run.stdout, run.stderr) == (1, "no claim named X9\n", "")


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("script", SCRIPTS)
def test_claims_hold_with_other_seeds(script, seed, monkeypatch):
    monkeypatch.syspath_prepend(SNIPPETS)
    monkeypatch.setattr(sys, "argv", [script, "--seed", str(seed)])
    namespace = runpy.run_path(str(SNIPPETS / f"{script}.py"))
    claims = {getattr(function, MARK).name: function for function in marked(namespace, ClaimMark)}
    assert set(claims) == {name for of, name, _ in CLAIMS if of == script}
    errors = {name: evaluate(function).error for name, function in claims.items()}
    assert {name: error for name, error in errors.items() if error} == {}
