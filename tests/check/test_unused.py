"""What a script makes is used: names, figures, claims and sections that nothing shows, and names that hide others."""

import pytest

UNUSED = [
    # added to snippets/boxes.py after its value; what must be told
    ("spare = 3.0", "nothing uses spare: refer to it, remove it, or begin its name with _"),
    ("def spare():\n    return side", "nothing uses spare: refer to it, remove it, or begin its name with _"),
    ("for spare in range(3):\n    pass", "nothing uses spare: refer to it, remove it, or begin its name with _"),
    ("one, two = 1.0, 2.0", "nothing uses one and two: refer to it, remove it, or begin its name with _"),
    ("def _f():\n    spare = 1\n    return spare\n\n\nspare = _f()", "nothing uses spare"),
    ("# --8<-- [start:s]\nvolume\n# --8<-- [end:s]", 'no page shows the section s: write --8<-- "boxes.py:s"'),
    ("# --8<-- [start:s]", "the section s never ends: write # --8<-- [end:s] behind it"),
    ("# --8<-- [end:s]", "the section s ends here and never began"),
    (
        "# --8<-- [start:s]\n# --8<-- [end:s]\n# --8<-- [start:s]\n# --8<-- [end:s]",
        "the section s begins twice: give the second another name",
    ),
    (
        '@claim("B7")\ndef spare():\n    """Is."""\n    assert side\n    return side',
        "no page cites the claim B7: write [B7]",
    ),
    ("volume = cube(side) + 0", "volume is given a value in line 8 and again here, and pages show the last"),
    ("def cube(x):\n    return x", "cube is given a value in line 3 and again here: use two names"),
    ("balls = cube(2)", "balls is also a script, which {{ balls.… }} means: use another name"),
]


@pytest.mark.parametrize(("added", "told"), UNUSED)
def test_what_is_left_over_or_hidden_is_told_with_its_line(workshop, added, told):
    workshop.edit("snippets/boxes.py", "volume = cube(side)\n", f"volume = cube(side)\n{added}\n")
    source = (workshop.root / "snippets/boxes.py").read_text("utf-8").splitlines()
    found = [problem for problem in workshop.problems() if told in problem]
    assert found, workshop.problems()
    line = int(found[0].split(":")[1])
    assert 8 < line <= 8 + len(added.splitlines())
    assert source[line - 1] in added.splitlines()


USED = [
    "_spare = 3.0",
    "one, _two = 1.0, 2.0\nprint(one)",
    "spare = 3.0\nprint([spare for _ in range(2)])",
    "spare = 3.0\n\n\ndef _f():\n    return lambda: spare",
    "def spare(x: float) -> float:\n    return x\n\n\nprint(spare(side))",
    "class Spare:\n    size = side\n\n\nprint(Spare.size)",
    "import math as spare",
    "volume += 0.0",
    "volume = cube(side)",
    "if side > 1:\n    spare = 1\nelse:\n    spare = 2\nprint(spare)",
]


@pytest.mark.parametrize("added", USED)
def test_what_is_used_or_its_own_is_not(workshop, added):
    workshop.edit("snippets/boxes.py", "volume = cube(side)\n", f"volume = cube(side)\n{added}\n")
    assert workshop.problems() == []


def test_what_another_script_imports_is_used(workshop):
    workshop.edit("snippets/boxes.py", "volume = cube(side)\n", "volume = cube(side)\nspare = 3.0\nother = 4.0\n")
    workshop.edit(
        "snippets/balls.py",
        "from knit import claim",
        "import boxes\nfrom boxes import spare as _own\n\nprint(_own, boxes.other)\nfrom knit import claim",
    )
    assert workshop.problems() == []


def test_a_figure_that_no_page_shows_is_told(workshop):
    for language in ("zh", "en"):
        page = workshop.root / f"docs/{language}/balls.md"
        kept = [line for line in page.read_text("utf-8").splitlines() if "(fig:growth)" not in line]
        page.write_text("\n".join(kept), "utf-8")
    assert any("no page shows the figure growth: write ![" in problem for problem in workshop.problems())


def test_a_script_that_nothing_uses_is_told_once(workshop):
    workshop.write("snippets/cones.py", "x = 1\ny = 2\n")
    assert workshop.problems() == ["snippets/cones.py:1: no page and no script uses it: refer to it, or remove it"]


def test_a_misspelled_reference_is_told_once(workshop):
    workshop.edit("docs/en/boxes.md", "{{ side:.1f }}", "{{ sid:.1f }}")
    workshop.edit("docs/zh/boxes.md", "{{ side:.1f }}", "{{ sid:.1f }}")
    workshop.edit("snippets/boxes.py", "side * side * side", "8.0")
    workshop.edit("snippets/boxes.py", "cube(side)", "cube(2.0)")
    assert not any("nothing uses" in problem for problem in workshop.problems())
