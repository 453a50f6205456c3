"""What is kept of a file: whole or absent, and placed elsewhere without being lost."""

from pathlib import Path

import pytest

from knit.shelf import VERSIONS, Shelf


@pytest.fixture
def slot(tmp_path):
    slot = Shelf(tmp_path / "kept").slot("a.md")
    slot.add("made", {"key": "1"}, {"page": "as it was"})
    slot.save()
    return slot


def placed(slot, path):
    return slot.place(slot.find("made", "1")["page"], str(path))


def test_what_is_damaged_is_absent_until_it_is_made_again(slot, tmp_path):
    name = slot.find("made", "1")["page"]
    (kept,) = tmp_path.rglob(f"*.{name}")
    kept.write_text("something else")
    assert slot.content(name) is None
    slot.add("made", {"key": "1"}, {"page": "as it was"})
    assert slot.content(name) == "as it was"


def test_what_is_cut_short_is_not_held(slot, tmp_path):
    """As a full disk leaves it, or a copy that was broken off: it is not read to find out."""
    version = slot.find("made", "1")
    (kept,) = tmp_path.rglob(f"*.{version['page']}")
    assert slot.holds(version, "page")
    kept.write_text("as it")
    assert not slot.holds(version, "page")
    kept.unlink()
    assert not slot.holds(version, "page")


def test_a_content_is_placed_and_stays_kept(slot, tmp_path):
    there = tmp_path / "site/en/a.txt"
    assert placed(slot, there) == str(there)
    assert there.read_text("utf-8") == "as it was"
    there.unlink()  # as a site is cleared before the next build
    assert slot.content(slot.find("made", "1")["page"]) == "as it was"


def test_what_is_in_the_place_already_stays(slot, tmp_path):
    there = tmp_path / "a.txt"
    there.write_text("another's")
    kept = placed(slot, there)
    assert kept != str(there)
    assert there.read_text("utf-8") == "another's"
    assert Path(kept).read_text("utf-8") == "as it was"


def test_contents_go_with_the_last_version_that_names_them(tmp_path):
    shelf = Shelf(tmp_path)
    for number in range(2 * VERSIONS):
        slot = shelf.slot("a.md")
        slot.add("made", {"key": str(number)}, {"page": f"version {number // 2}", "same": "the same"})
        slot.save()
    contents = {path.read_text("utf-8") for path in tmp_path.iterdir() if path.suffix != ".json"}
    assert contents == {f"version {number // 2}" for number in range(VERSIONS, 2 * VERSIONS)} | {"the same"}


def test_what_is_used_between_others_stays(tmp_path):
    """As a branch that one comes back to after each of many others."""
    shelf = Shelf(tmp_path)
    for number in range(3 * VERSIONS):
        slot = shelf.slot("a.md")
        if slot.find("made", "main") is None:
            assert number == 0
            slot.add("made", {"key": "main"}, {"page": "as it is on main"})
        slot.save()
        slot = shelf.slot("a.md")
        slot.add("made", {"key": str(number)}, {"page": f"as it is on branch {number}"})
        slot.save()
    slot = shelf.slot("a.md")
    assert slot.content(slot.find("made", "main")["page"]) == "as it is on main"
    assert slot.find("made", "0") is None


def test_pages_that_are_gone_are_swept_once_they_are_many(tmp_path):
    shelf = Shelf(tmp_path)

    def keep(*pages):
        for page in pages:
            slot = shelf.slot(page)
            slot.add("made", {"key": page}, {"page": f"what is on {page}"})
            slot.save()

    keep("a.md", "b.md", "c.md")
    shelf.sweep({"a.md", "b.md"})
    assert shelf.slot("c.md").find("made", "c.md")
    shelf.sweep({"a.md"})
    assert shelf.slot("a.md").find("made", "a.md")
    assert shelf.slot("c.md").find("made", "c.md") is None
    assert len(list(tmp_path.iterdir())) == 2
