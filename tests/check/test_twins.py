"""Sections whose twin changed since both were confirmed."""

import subprocess

import pytest

from knit.check.twins import confirm, difference, stale


@pytest.fixture
def confirmed(workshop):
    list(confirm(workshop.look()[0], []))
    return workshop


def told(workshop):
    return [str(problem) for problem in stale(workshop.look()[0])]


def commit(root):
    for command in ("init -q", "add docs", "-c user.name=a -c user.email=a@b.c commit -q -m x"):
        subprocess.run(["git", *command.split()], cwd=root, check=True)


def test_what_is_confirmed_is_not_stale(confirmed):
    assert told(confirmed) == []
    file = (confirmed.root / "docs/twins.toml").read_text("utf-8")
    assert '["balls.md"]\n"top" = { en = "' in file


def test_a_section_whose_twin_changed_is_told_with_the_change(confirmed):
    commit(confirmed.root)
    confirmed.edit("docs/en/boxes.md", "{{ volume:.1f }} of {{ side:.1f }}", "{{ volume:.1f }}, from {{ side:.1f }}")
    assert told(confirmed) == [
        (
            "docs/zh/boxes.md:4: warning: #top may be stale: docs/en/boxes.md:4 changed since both were confirmed "
            "(} {{ volume:.1f }}{+,+} [-of-]{+from+} {{ side:.1f }}:); if both say the same: knit accept boxes"
        )
    ]
    assert list(confirm(confirmed.look()[0], ["boxes"])) == [
        "docs/twins.toml: 1 section confirmed to say the same in every language"
    ]
    assert told(confirmed) == []


def test_without_history_the_change_is_told_without_its_text(confirmed):
    confirmed.edit("docs/zh/boxes.md", " of ", " from ")
    assert len(told(confirmed)) == 1
    assert "docs/en/boxes.md:4: warning: #top may be stale: docs/zh/boxes.md:4 changed" in told(confirmed)[0]
    assert "not in git's history" in told(confirmed)[0]


def test_other_scripts_pages_stay_as_they_were(confirmed):
    confirmed.edit("docs/zh/boxes.md", " of ", " from ")
    confirmed.edit("docs/zh/balls.md", "箱子为", "一个箱子为")
    list(confirm(confirmed.look()[0], ["balls"]))
    assert [line.split(":")[0] for line in told(confirmed)] == ["docs/en/boxes.md"]


def test_a_section_changed_in_every_language_is_told_once(confirmed):
    for language in ("zh", "en"):
        confirmed.edit(f"docs/{language}/boxes.md", " of ", " from ")
    assert told(confirmed) == [
        (
            "docs/zh/boxes.md:1: warning: changed in every language since it was confirmed: #top; "
            "if all say the same: knit accept boxes"
        )
    ]


def test_line_breaks_change_nothing(confirmed):
    confirmed.edit("docs/en/balls.md", "A box takes", "A box\ntakes")
    assert told(confirmed) == []


def test_a_damaged_record_is_one_clear_line(workshop):
    workshop.write("docs/twins.toml", "[a")
    assert len(told(workshop)) == 1
    assert told(workshop)[0].startswith("docs/twins.toml:1: is no TOML")


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("It takes eight of them.", "It takes nine of them.", "It takes [-eight-]{+nine+} of them."),
        ("它要八个。", "它要九个。", "它要[-八-]{+九+}个。"),
        ("one", "one and two", "one{+ and two+}"),
        ("same", "same", ""),
    ],
)
def test_a_difference_is_shown_in_words(before, after, shown):
    assert difference(before, after) == shown
