"""The commands, as they are called, and the formats of problems."""

import io
import json
import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from knit.cli import main
from knit.problem import Problem
from knit.progress import Progress, watched
from knit.report import FORMATS


@pytest.fixture
def knit(workshop, monkeypatch, capsys):
    monkeypatch.chdir(workshop.root)

    def call(*arguments):
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_check_is_silent_about_what_is_well(knit):
    assert knit("check")[:2] == (0, "")


def test_check_tells_and_fails(knit, workshop):
    workshop.edit("docs/en/boxes.md", "{{ side:.1f }}", "{{ sides:.1f }}")
    code, out, _ = knit("check")
    assert code == 1
    assert "docs/en/boxes.md:6: snippets/boxes.py has no name sides; is it side? · snippets/boxes.py:1" in out


def test_accept_then_check(knit, workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 4.0")
    assert knit("check")[0] == 1
    assert knit("accept", "boxes")[0] == 0
    assert knit("check")[0] == 0


def test_a_new_lesson_passes_every_check_and_stands_in_the_navigation(knit, workshop):
    workshop.write("mkdocs.yml", (workshop.root / "mkdocs.yml").read_text() + "nav:\n  - L:\n      - l1-a.md\n")
    code, out, _ = knit("new", "l2-cones")
    assert code == 0
    assert "snippets/l2_cones.py" in out
    assert knit("check")[:2] == (0, "")
    assert "      - l1-a.md\n      - l2-cones.md\n" in (workshop.root / "mkdocs.yml").read_text()
    assert knit("new", "l2-cones")[0] == 2
    assert knit("new", "L2 cones")[0] == 2


def test_explain_says_where_a_value_is_made_and_shown(knit, workshop):
    code, out, _ = knit("explain", "boxes.volume")
    assert code == 0
    assert "boxes.volume = 8.0" in out
    for path, text in (("snippets/boxes.py", "volume = "), ("docs/en/balls.md", "boxes.volume")):
        assert workshop.place(path, text).replace("\\", "") in out
    assert "depends on side" in out
    assert "uses solid/flat.py" in out
    assert knit("explain", "nothing")[0] == 2


def test_claims_stats_and_run(knit):
    assert "半径翻倍" in knit("claims", "--language", "zh")[1]
    assert "coverage     100.0%\n" in knit("stats")[1]
    assert "snippets/balls.py: known" in knit("run", "balls")[1]


def test_outside_a_course_one_line_says_so(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "knit.cli", "check"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("knit: no mkdocs.yml in ")


PROBLEMS = [
    Problem("docs/zh/a,b.md", 3, 5, "100% wrong\nhere", "snippets/s.py", 7),
    Problem("docs/en/c.md", 1, 1, "has <no> twin"),
]


def test_github_annotations_land_on_the_line():
    first, second = FORMATS["github"](PROBLEMS).splitlines()
    assert first.startswith("::error file=docs/zh/a%2Cb.md,line=3,col=5::")
    assert "100%25 wrong here · snippets/s.py:7" in first
    assert second.startswith("::error file=docs/en/c.md,line=1,col=1::")


def test_junit_is_a_suite_with_a_failure_a_problem():
    suite = ET.fromstring(FORMATS["junit"](PROBLEMS))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    assert [case.get("line") for case in suite.iter("testcase")] == ["3", "1"]
    assert ET.fromstring(FORMATS["junit"]([])).get("failures") == "0"


def test_sarif_and_json_say_the_same():
    log = json.loads(FORMATS["sarif"](PROBLEMS))
    places = [result["locations"][0]["physicalLocation"] for result in log["runs"][0]["results"]]
    assert log["version"] == "2.1.0"
    assert [(p["artifactLocation"]["uri"], p["region"]["startLine"]) for p in places] == [
        (each["path"], each["line"]) for each in json.loads(FORMATS["json"](PROBLEMS))
    ]


def commit(root):
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b.c commit -q -m x"):
        subprocess.run(["git", *command.split()], cwd=root, check=True)


def test_changes_lists_what_is_published_otherwise_than_at_a_revision(knit, workshop):
    commit(workshop.root)
    assert knit("changes") == (0, "", "")
    assert "No published number changes" in knit("changes", "HEAD", "--markdown")[1]
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 3.0")
    knit("accept")
    code, out, _ = knit("changes")
    assert code == 0
    assert "boxes: value volume:.1f: 8.0 → 27.0\n" in out
    assert "balls" not in out
    table = knit("changes", "HEAD", "--markdown")[1]
    assert table.startswith("### 4 published numbers change\n")
    assert "| boxes | value volume:.1f | 8.0 | 27.0 |" in table
    assert knit("changes", "no-such-revision")[0] == 2


def test_changes_lists_what_is_no_longer_shown_and_what_is_new(knit, workshop):
    commit(workshop.root)
    for language in ("zh", "en"):
        workshop.edit(f"docs/{language}/boxes.md", "{{ side:.1f }}", "{{ side:.2f }}")
    knit("accept")
    out = knit("changes")[1]
    assert "boxes: value side:.1f: 2.0 → no longer shown\n" in out
    assert "boxes: value side:.2f: not shown → 2.00\n" in out


def test_run_runs_what_is_named_alone(knit, workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 4.0")
    workshop.edit("snippets/balls.py", "radius = 1.5", "radius = 2.5")
    code, out, _ = knit("run", "boxes")
    assert code == 0
    assert out.startswith("snippets/boxes.py: ran ")
    assert "balls" not in out
    code, _, err = knit("run", "cones")
    assert code == 2
    assert err == "knit: there is no script cones; there are balls, boxes\n"


def test_fix_weaves_and_says_so(knit, workshop):
    workshop.edit("docs/en/boxes.md", "{{ volume:.1f }}", "8.0")
    assert knit("check")[0] == 1
    code, out, err = knit("check", "--fix")
    assert (code, out) == (0, "")
    assert err.startswith("docs/en/boxes.md: 1 typed number woven\n")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_shells_complete_commands_and_options(knit, shell):
    code, out, _ = knit("completion", shell)
    assert code == 0
    for word in ("check", "accept", "explain", "--twice", "github"):
        assert word in out


def test_bash_takes_the_completion(knit):
    script = knit("completion", "bash")[1]
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command", ["check", "accept", "changes", "run", "claims", "stats", "explain", "new", "completion"]
)
def test_every_command_says_what_it_does_with_examples(capsys, command):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert f"knit {command}" in out.partition("examples:")[2]


def test_whoever_reads_no_further_hears_no_traceback(workshop):
    workshop.edit("docs/en/boxes.md", "{{ side:.1f }}", "{{ sides:.1f }}")
    pipe = f"{sys.executable} -m knit.cli check | true"
    done = subprocess.run(["bash", "-c", pipe], cwd=workshop.root, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("plugins: [", "mkdocs.yml:1: is no YAML: the bracket that opens here is not closed"),
        ("", "mkdocs.yml holds no settings"),
        ("plugins:\n  - knit:\n      limits: 3\n", "mkdocs.yml: limits is 3, not such as {}"),
        ("plugins:\n  - knit:\n      limits: {seconds: long}\n", "mkdocs.yml: seconds is 'long', not such as 60.0"),
        ("plugins:\n  - knit:\n      languages: []\n", "mkdocs.yml: knit's languages are []"),
        ("plugins: [knit]\ndocs_dir: [a]\n", "mkdocs.yml: docs_dir is ['a'], not such as 'docs'"),
    ],
)
def test_bad_settings_are_one_clear_line(knit, workshop, settings, told):
    workshop.write("mkdocs.yml", settings)
    code, out, err = knit("check")
    assert (code, out) == (2, "")
    assert err.startswith(f"knit: {told}")
    assert err.count("\n") == 1


def test_progress_is_a_line_that_goes(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr("knit.progress.PATIENCE", 0.0)
    progress = Progress(terminal)
    progress(["snippets/a.py", "snippets/b.py"], 3)
    progress.close()
    assert re.fullmatch(r"\r\x1b\[Kknit: 1 of 3 scripts done, 0 s: a\.py, b\.py\r\x1b\[K", terminal.getvalue())
    assert watched(terminal) is None


def test_a_page_shows_what_is_counted_of_the_course(workshop):
    counted = workshop.look()[0].counted
    assert counted["pages"] == 8
    assert counted["claims"] == 2
    assert counted["coverage"] == 1.0
    for language in ("zh", "en"):
        workshop.edit(
            f"docs/{language}/index.md",
            "#top}",
            "#top}\n\n{{ course.claims:d }} {{ course.coverage:.0% }}, ${{ course.pages:d }}$\n",
        )
    assert workshop.problems() == []
    workshop.edit("docs/en/index.md", "course.claims", "course.claim")
    assert workshop.problems()[0].startswith("docs/en/index.md:3: the course counts no claim; is it claims?")


def test_claims_that_share_a_letter_stand_in_the_order_of_their_numbers(workshop):
    assert list(workshop.look()[0].results.claims) == ["B1", "B2"]
    for path, old in (
        ("snippets/balls.py", 'claim("B1"'),
        ("docs/en/balls.md", "[B1](claim:B1)"),
        ("docs/zh/balls.md", "[B1](claim:B1)"),
    ):
        workshop.edit(path, old, old.replace("B1", "B10"))
    assert list(workshop.look()[0].results.claims) == ["B2", "B10"]
