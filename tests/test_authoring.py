"""A script run alone: the table of its claims, the exit code, one claim, another seed, either language."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from knit import seed
from knit.claims import Verdict
from knit.verdicts import columns, table, wrapped

ROOT = Path(__file__).parents[1]

SCRIPT = '''"""Two claims, of which one holds for some seeds only."""
import numpy as np

from knit import claim, main, seed

number = int(np.random.default_rng(seed(3)).integers(1000))


@claim("A1")
def below():
    """zh: 这个数小于一千，而且是整数，这句话特意写得长一点，好让它在窄的终端里换行。
    en: The number is below a thousand and whole, in a sentence long enough to be broken on a narrow terminal."""
    assert number < 1000
    return number


@claim("A2")
def odd():
    """zh: 这个数是奇数。
    en: The number is odd."""
    assert number % 2 == 1
    return number


if __name__ == "__main__":
    raise SystemExit(main())
'''


@pytest.fixture
def run(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")

    def run(*options, width=80):
        done = subprocess.run(
            [sys.executable, "script.py", *options], cwd=tmp_path, capture_output=True, text=True, check=False,
            env=os.environ | {"COLUMNS": str(width), "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        )  # fmt: skip
        return done.returncode, done.stdout

    return run


def numbers(seeds):
    """What the script draws for each seed, drawn here."""
    return {each: int(np.random.default_rng(each).integers(1000)) for each in seeds}


def test_all_claims_hold_or_the_exit_code_is_1(run):
    drawn = numbers(range(20))
    odd = next(each for each, number in drawn.items() if number % 2)
    even = next(each for each, number in drawn.items() if not number % 2)
    assert run("--seed", str(odd))[0] == 0
    code, said = run("--seed", str(even))
    assert code == 1
    assert f"not number % 2 == 1; number = {drawn[even]}" in said
    line = 1 + next(row for row, text in enumerate(SCRIPT.splitlines()) if "assert number % 2" in text)
    assert f"line {line}: " in said
    assert said.endswith("1 of 2 claims hold\n")


def test_one_claim_alone(run):
    code, said = run("--claim", "A1")
    assert code == 0
    assert "A1" in said
    assert "A2" not in said
    assert run("--claim", "A3") == (1, "no claim named A3\n")


def test_a_script_that_makes_none_checks_the_claims_of_those_that_it_imports(tmp_path):
    """As lessons do, whether the other script lies beside it or stands within it (a download)."""
    (tmp_path / "claims_script.py").write_text(SCRIPT, "utf-8")
    end = "\nif __name__ == '__main__':\n    raise SystemExit(main())\n"
    beside = f"from claims_script import number\nfrom knit import main\n{end}"
    within = f"from knit import main, module\nmodule('inside', {SCRIPT!r})\nfrom inside import number\n{end}"
    for name, script, there in (("beside", beside, True), ("within", within, False)):
        folder = tmp_path / name
        folder.mkdir()
        if there:
            (folder / "claims_script.py").write_text(SCRIPT, "utf-8")
        (folder / "lesson.py").write_text(script, "utf-8")
        run = [sys.executable, "lesson.py"]
        done = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
        assert "A1" in done.stdout, done.stderr
        assert "of 2 claims hold" in done.stdout
    (tmp_path / "none.py").write_text(f"from knit import main\n{end}")
    run = [sys.executable, "none.py"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "this script ran to its end; it makes no claim\n"


@pytest.mark.parametrize("width", [60, 80, 132])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_columns_are_aligned_and_no_line_is_wider_than_the_terminal(run, language, width):
    lines = run("--language", language, "--claim", "A1", width=width)[1].splitlines()[:-1]
    heads, rule, *rows = lines
    assert max(map(columns, lines)) <= width
    begins = [0, *(at + 2 for at in range(len(rule)) if rule[at : at + 2] == "  ")]
    for row in [heads, *rows]:
        # Before a column stand two spaces, or the line has ended.
        for begin in begins[1:]:
            before = cut(row, begin)
            assert before.endswith("  ") or columns(row) < begin, (row, begin)
    statement = "".join(" " * (language == "en") + cut_from(row, begins[-1]) for row in rows).strip()
    expected = {
        "en": "The number is below a thousand and whole, in a sentence long enough to be broken on a narrow terminal.",
        "zh": "这个数小于一千，而且是整数，这句话特意写得长一点，好让它在窄的终端里换行。",
    }[language]
    assert statement == expected


def test_formulas_are_written_as_text():
    stated = Verdict("N", {"en": r"A score is $q^\top k/\sqrt{d_k}$."}, 1, None, "", None, 1)
    assert "A score is qᵀk/√dₖ." in " ".join(table([stated], "en", 200).split())


def cut(row, width):
    """The part of a row within its first columns."""
    while columns(row) > width:
        row = row[:-1]
    return row


def cut_from(row, begin):
    return row[len(cut(row, begin)) :]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("一二三四", 4, ["一二", "三四"]),
        ("一二，三", 4, ["一", "二，", "三"]),
        ("abcdefgh ij", 4, ["abcd", "efgh", "ij"]),
    ],
)
def test_breaking_lines(text, width, lines):
    assert wrapped(text, width) == lines


def test_measured_values_are_short():
    values = [True, 1234567, 1 / 3, [0.5, 2.0], None]
    verdicts = [Verdict(f"N{i}", {"": ""}, value, None, "", None, 1) for i, value in enumerate(values)]
    rows = table(verdicts, "en", 100).splitlines()[2:]
    assert [row.split(maxsplit=2)[2] for row in rows] == ["True", "1,234,567", "0.3333", "0.5, 2", "None"]


def test_a_seed_is_asked_for_in_any_process(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["ipykernel_launcher.py", "-f", "kernel.json"])
    assert seed(7) == 7
    monkeypatch.setattr(sys, "argv", ["script.py", "--seed", "9"])
    assert seed(7) == 9
