"""Published numbers: a change is told at every line that shows it, until it is accepted."""

import shutil
from xml.etree import ElementTree as ET

import pytest

from knit.check.accept import accept, edges
from knit.check.course import woven_pages
from knit.check.published import Entry, read, shown, written
from knit.problem import Refused


def accepted(workshop, *scripts):
    course, _ = workshop.look()
    return list(accept(course, woven_pages(course), scripts))


def test_a_moved_number_is_told_at_every_line_and_language(workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 3.0")
    found = workshop.problems()
    changes = [problem for problem in found if "publishes" in problem]
    assert {problem.split(":")[0] for problem in changes} == {
        f"docs/{language}/{page}.md" for language in ("zh", "en") for page in ("balls", "boxes")
    }
    assert any("value volume:.1f: 8.0 → 27.0; if meant: knit accept boxes" in problem for problem in changes)
    assert any("value volume:.0f: 8 → 27" in problem for problem in changes)
    accepted(workshop, "boxes")
    assert workshop.problems() == []
    file = (workshop.root / "snippets/boxes.published.toml").read_text("utf-8")
    assert '"volume:.1f" = { en = "27.0", zh = "27.0" }' in file


def test_accepting_one_script_leaves_the_others(workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 3.0")
    workshop.edit("snippets/balls.py", "radius = 1.5", "radius = 2.5")
    accepted(workshop, "boxes")
    left = workshop.problems()
    assert left
    assert all("knit accept balls" in problem for problem in left)


def test_a_changed_figure_and_output_are_told(workshop):
    workshop.edit("snippets/balls.py", 'en="radius")', 'en="r")')
    workshop.edit("snippets/balls.py", "volume {volume:.3f}", "room {volume:.3f}")
    found = "\n".join(workshop.problems())
    assert "publishes figure growth" in found
    assert "publishes output volume: volume 14.137 → room 14.137" in found


def test_a_number_no_longer_shown_is_told(workshop):
    for language in ("zh", "en"):
        workshop.edit(f"docs/{language}/boxes.md", "{{ side:.1f }}", "")
    assert [problem for problem in workshop.problems() if "no page shows value side:.1f any longer" in problem]


def test_the_machines_noise_is_none_of_the_authors(workshop):
    workshop.edit("snippets/boxes.py", "volume = cube(side)", "volume = cube(side) * (1 + 3e-16) + 1e-15")
    workshop.edit("snippets/boxes.py", "assert volume == side * side * side", "assert abs(volume - side**3) < 1e-12")
    workshop.edit("snippets/balls.py", "noise = abs(ratio - 8)", "noise = abs(ratio - 8) + 8e-15")
    assert workshop.problems() == []
    files = list((workshop.root / "snippets").glob("*.published.toml"))
    before = [path.read_bytes() for path in files]
    assert accepted(workshop) == []
    assert [path.read_bytes() for path in files] == before


def test_a_value_at_the_edge_of_rounding_is_found_when_accepted():
    entries = {
        ("values", "a:.2f"): Entry({"en": "2.12"}, [], 2.125),
        ("values", "b:.2f"): Entry({"en": "2.13"}, [], 2.127),
        ("values", "c:.1f"): Entry({"en": "0.3"}, [], 0.35 - 1e-12),
    }
    assert [name for name, _ in edges(entries)] == ["a:.2f", "c:.1f"]


def test_what_is_written_is_read_back(workshop, tmp_path):
    course, _ = workshop.look()
    for entries in shown(course, woven_pages(course)).values():
        path = tmp_path / "published.toml"
        path.write_text(written(entries), "utf-8")
        assert read(path) == {key: entry.texts for key, entry in entries.items()}


def test_a_damaged_file_is_one_clear_line(workshop):
    workshop.write("snippets/boxes.published.toml", "[values\n")
    found = workshop.problems()
    assert len(found) == 1
    assert found[0].startswith("snippets/boxes.published.toml:1: is no TOML")


def test_an_unknown_script_is_refused(workshop):
    with pytest.raises(Refused, match="no script is called cones, and none publishes it; there are balls, boxes"):
        accepted(workshop, "cones")


def test_a_failing_script_is_not_accepted(workshop):
    before = (workshop.root / "snippets/boxes.published.toml").read_text("utf-8")
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 1 / 0")
    assert accepted(workshop) == ["snippets/boxes.py: not accepted, it fails"]
    assert (workshop.root / "snippets/boxes.published.toml").read_text("utf-8") == before


def test_one_value_alone_is_accepted_by_its_name(workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 3.0")
    accepted(workshop, "boxes.side")
    left = [problem for problem in workshop.problems() if "publishes" in problem]
    assert left
    assert not any("value side" in problem for problem in left)
    accepted(workshop, "volume", "B2")
    assert workshop.problems() == []


def test_a_value_that_is_gone_is_accepted_by_its_name(workshop):
    for language in ("zh", "en"):
        workshop.edit(f"docs/{language}/boxes.md", "{{ side:.1f }}", "")
    accepted(workshop, "side")
    assert not any("no page shows" in problem for problem in workshop.problems())


def changed_pictures(workshop):
    return {path.name: path.read_text("utf-8") for path in (workshop.root / ".cache/knit/changed").glob("*")}


def test_a_changed_figure_is_drawn_as_it_was_and_is_and_differs(workshop):
    assert workshop.problems() == []
    workshop.edit("snippets/balls.py", 'en="radius")', 'en="r")')
    told = [problem for problem in workshop.problems() if "figure growth" in problem]
    assert len(told) == 2
    files = changed_pictures(workshop)
    assert set(files) == {f"balls.growth.en.{kind}.svg" for kind in ("old", "new", "difference")}
    assert all("(see .cache/knit/changed/balls.growth.*.svg: old, new and difference)" in line for line in told)
    for svg in files.values():
        ET.fromstring(svg)
    assert ">radius</text>" in files["balls.growth.en.old.svg"]
    assert ">r</text>" in files["balls.growth.en.new.svg"]
    accepted(workshop, "growth")
    assert changed_pictures(workshop) == {}
    assert workshop.problems() == []


def test_where_the_old_drawing_is_not_kept_that_is_said(workshop):
    shutil.rmtree(workshop.root / ".cache/knit/results")
    workshop.edit("snippets/balls.py", 'en="radius")', 'en="r")')
    assert any("balls.growth.*.svg: the new one; the old is not on this machine)" in p for p in workshop.problems())
    assert set(changed_pictures(workshop)) == {"balls.growth.en.new.svg"}


def test_an_old_drawing_is_found_behind_newer_results_and_broken_ones(workshop):
    assert workshop.problems() == []
    for was, now in (('en="radius")', 'en="r")'), ('en="r")', 'en="rr")')):
        workshop.edit("snippets/balls.py", was, now)
        workshop.problems()
    (workshop.root / ".cache/knit/results/broken.result").write_text("no result", "utf-8")
    workshop.problems()
    assert ">radius</text>" in changed_pictures(workshop)["balls.growth.en.old.svg"]


def test_what_differs_far_inside_a_long_text_is_shown(workshop):
    long = ", ".join(f"{number}.0" for number in range(60))
    workshop.edit("snippets/boxes.py", "side = 2.0", f"side = 2.0\nmany = [{long}]")
    for language in ("zh", "en"):
        workshop.edit(f"docs/{language}/boxes.md", "{{ side:.1f }}", "{{ side:.1f }} {{ many:.0f }}")
    list(accept(workshop.look()[0], woven_pages(workshop.look()[0]), []))
    workshop.edit("snippets/boxes.py", "57.0", "75.0")
    told = [problem for problem in workshop.problems() if "many" in problem]
    assert "55, 56, 57, 58, 59)… → " in told[0]
    assert "55, 56, 75, 58, 59)…; if meant" in told[0]


def test_what_one_language_shows_no_longer_is_told(workshop):
    workshop.edit("docs/en/boxes.md", "{{ side:.1f }}", "{{ volume:.1f }}")
    told = [problem for problem in workshop.problems() if "side" in problem and "publishes" in problem]
    assert len(told) == 1
    assert told[0].startswith("docs/zh/boxes.md:6: publishes value side:.1f: 2.0 in en and zh → 2.0 in zh; if meant")
