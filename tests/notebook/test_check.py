"""What is refused in a notebook, besides what is refused on any page: told with its place."""

import re

import pytest

PAGE = "docs/en/research/day.md"
SCRIPT = "snippets/day.py"


def told(workshop, place, message):
    problems = workshop.problems()
    assert [problem for problem in problems if re.match(place, problem) and message in problem], problems


def test_a_good_notebook_is_not_refused(diary):
    assert diary.problems() == []


@pytest.mark.parametrize(
    ("path", "old", "new", "line", "message"),
    [
        (PAGE, "script: day.py\n", "", 1, "a notebook names its script"),
        (PAGE, '--8<-- "day.py:run"', "print(8)", 20, "one section of its script"),
        (PAGE, "```output run\n```", "", 20, "write ```output run below it"),
        (PAGE, "```output run", "Prose.\n\n```output run", 26, "does not follow the code"),
        (PAGE, '```python\n--8<-- "day.py:drawing"\n```', "", 1, "lacks line 23"),
        (SCRIPT, "# --8<-- [end:setup]", "# --8<-- [end:setup]\nimport math", 1, "lacks line 13"),
        (SCRIPT, "from solid.flat import cube", "from boxes import cube", 1, "imports snippets/boxes.py"),
    ],
)
def test_each_rule_of_a_notebook_names_its_place(diary, path, old, new, line, message):
    diary.edit(path, old, new)
    told(diary, f"{PAGE}:{line}:", message)


def test_sections_out_of_order_are_refused(diary):
    for language in ("zh", "en"):
        page = f"docs/{language}/research/day.md"
        diary.edit(page, '"day.py:setup"', '"day.py:X"')
        diary.edit(page, '"day.py:drawing"', '"day.py:setup"')
        diary.edit(page, '"day.py:X"', '"day.py:drawing"')
    told(diary, f"{PAGE}:27:", "setup comes earlier in snippets/day.py")


def test_code_cells_are_the_same_in_both_languages(diary):
    diary.edit(PAGE, '```python\n--8<-- "day.py:drawing"\n```', "")
    told(diary, "docs/zh/research/day.md:27:", "has the code day.py:drawing, which is missing at docs/en/research/")


def test_a_typed_number_is_refused_as_on_any_page(diary):
    diary.edit(PAGE, "**The guess**", "**The guess**, 17.5,")
    told(diary, diary.place(PAGE, "17.5"), "the number 17.5 is typed")


def test_a_failing_cell_names_the_page_and_the_script(diary):
    diary.edit(SCRIPT, 'print("volumes"', "print(1 / 0")
    told(diary, f"{PAGE}:8:", "ZeroDivisionError: division by zero")
    told(diary, f"{PAGE}:8:", f" · {SCRIPT}:17")
