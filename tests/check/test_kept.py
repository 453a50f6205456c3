"""What did not change is not woven again, what did is, and what cannot be read back counts as absent."""

import pytest

from knit.check.course import problems, woven_pages
from knit.weave import kept
from knit.weave.weaver import weave


@pytest.fixture
def weave_all(workshop, monkeypatch):
    """Weave a course's pages as a check does: give those that were woven anew, and what all hold."""

    def again():
        anew = []
        monkeypatch.setattr(kept, "weave", lambda page, course: (anew.append(page.path), weave(page, course))[1])
        course, _ = workshop.look()
        found = woven_pages(course)
        held = {path: [getattr(woven, name) for name in kept.CONTENTS] for path, woven in found.items()}
        course.kept.save()
        return anew, held

    again()
    return again


def clean(workshop):
    """What all pages hold when nothing is kept."""
    course, _ = workshop.look()
    return {page.path: [getattr(weave(page, course), name) for name in kept.CONTENTS] for page in course.pages}


def test_nothing_changed_and_nothing_is_woven(workshop, weave_all):
    anew, held = weave_all()
    assert anew == []
    assert held == clean(workshop)


@pytest.mark.parametrize(
    ("path", "old", "new", "pages"),
    [
        ("docs/en/index.md", "No script here.", "None here.", {"en/index"}),
        ("docs/en/boxes.md", ": [B2]", ":\n[B2]", {"en/boxes", "zh/claims", "en/claims"}),
        ("snippets/boxes.py", "side = 2.0", "side = 3.0", {"boxes", "balls", "claims"}),
        ("solid/round.py", "4 / 3", "8 / 3", {"balls", "claims"}),
    ],
)
def test_what_looked_at_a_change_is_woven(workshop, weave_all, path, old, new, pages):
    workshop.edit(path, old, new)
    anew, held = weave_all()
    assert {page for page in pages if not any(page in each for each in anew)} == set()
    assert [each for each in anew if not any(page in each for page in pages)] == []
    assert held == clean(workshop)
    assert weave_all()[0] == []


def test_a_state_that_was_there_before_is_put_back(workshop, weave_all):
    workshop.edit("solid/round.py", "4 / 3", "8 / 3")
    weave_all()
    workshop.edit("solid/round.py", "8 / 3", "4 / 3")
    assert weave_all()[0] == []


def test_what_is_damaged_is_woven_again(workshop, weave_all):
    for path in (workshop.root / ".cache/knit/kept").rglob("*.json"):
        path.write_text("{]", "utf-8")
    anew, held = weave_all()
    assert "docs/en/balls.md" in anew
    assert held == clean(workshop)


def test_a_problem_is_told_every_time(workshop):
    workshop.edit("docs/en/index.md", "No script here.", "There are 17 of them.")
    course, _ = workshop.look()
    first = problems(course)
    course, _ = workshop.look()
    assert [str(each) for each in problems(course)] == [str(each) for each in first]
    assert any("17 is typed" in str(each) for each in first)
