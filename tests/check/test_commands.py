"""The commands, as they are called, and the formats of problems."""

import json
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from knit.cli import main
from knit.problem import Problem
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
    assert "coverage           100.0%" in knit("stats")[1]
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
    assert "100%25 wrong%0Ahere · snippets/s.py:7" in first
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
