"""Number coverage: which numerals are the author's own, and what is proposed for them."""

import pytest

from knit.check.coverage import fix
from knit.read.numerals import typed
from knit.read.page import Page


def numbers(text):
    return [number.text for number in typed(Page.read("p.md", "en", text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is 2.12 long.", ["2.12"]),
        ("| a | 3.5 |", ["3.5"]),
        ("About 79 % or 79% of 2,500.", ["79 %", "79%", "2,500"]),
        ("$x = 4.5$", ["4.5"]),
        ("$10^{-15}$", ["10"]),
        ("$2{,}500$", ["2", "500"]),
        ("![falls to 3.2](fig:f)", ["3.2"]),
        ("/// caption\nIt has 17 points.\n///", ["17"]),
        ('!!! note "After 30 seconds"\n    x', ["30"]),
        ("```table t\n| after 40 |\n|---|\n```", ["40"]),
        ("一百个词，十万格，两倍，一倍半，百分之三十", ["一百", "十万", "两倍", "一倍半", "百分之三十"]),
        ("零点七三，是三点五倍，约三点一四", ["零点七三", "三点五倍", "三点一四"]),
        ("一点零头也没有，一点一点来，差一点", []),
        ("ten thousand words, a hundred times, tenfold", ["ten thousand", "a hundred", "tenfold"]),
        ("one hundred and twenty-eight, a hundred and two", ["one hundred and twenty-eight", "a hundred and two"]),
        ("between a hundred and two hundred", ["a hundred", "two hundred"]),
        ("one million two hundred thousand and five", ["one million two hundred thousand and five"]),
        ("two thousand and\nforty-eight", ["two thousand and forty-eight"]),
        ("three and a half million, half a million", ["three and a half million", "half a million"]),
        ("the two hundred and fifty-sixth, two point five", ["two hundred and fifty-sixth", "two point five"]),
        ("a hundred\n\ntwenty words", ["a hundred"]),
        ("一百二十八、两千零四十八、十二万", ["一百二十八", "两千零四十八", "十二万"]),
        ("一百二十八分之一，百分之十二点五，千分之三", ["一百二十八分之一", "百分之十二点五", "千分之三"]),
        ("十二点五，一百二十点五，负一百二十，一百倍", ["十二点五", "一百二十点五", "负一百二十", "一百倍"]),
        ("一百二十八万三千，一千〇二十四，百万", ["一百二十八万三千", "一千〇二十四", "百万"]),
        ("-5 and −5", ["-5", "−5"]),
        ("(1.8, 1.5)", ["1.8", "1.5"]),
    ],
)
def test_a_typed_number_is_found(text, found):
    assert sorted(numbers(text)) == sorted(found)


@pytest.mark.parametrize(
    "text",
    [
        "# 3. A heading\n\n1. a list\n2) another",
        "L3, P1.a, T2, W1, q_1, fp16, float64, GPT-2",
        "see §2.1, section 3, Exercise 2, Lesson 4, 第 2 节, 第 3 到 6 节, 练习 1",
        "a 2×2 table with d = 2 and d > 2",
        "$s_{12} = q_1 k_2$, $W^{2}$, $x^2$, $1 - p$, $2 - 2q$, $\\frac{1}{2}$",
        "$\\begin{array}{c3} a \\\\[2pt] b\\end{array}$",
        "`2.12` and <!-- 2.12 -->\n\n```python\nx = 2.12\n```",
        "{{ distance:.2f }} and $ {{ n:d }} $",
        "[2.12]{.premise} and [$x = 4.5$]{.premise}",
        "[a link](page.md#section-3) {: .class3 } <span title='4'>x</span>",
        "https://example.org/2024/05",
        "第九十百分位，一起，万一，十分，十二点五分，几百万，成千上万，三分之一，第一百二十八页",
        "in one, two or three steps, sixty-four words, two thirds of it, hundreds of them, at one point only",
    ],
)
def test_what_is_structural_or_marked_is_not(text):
    assert numbers(text) == []


def test_a_typed_number_is_reported_with_the_name_that_is_written_like_it(workshop):
    workshop.edit("docs/en/boxes.md", "{{ volume:.1f }}", "8.0")
    found = [problem for problem in workshop.problems() if "typed" in problem]
    assert found == ["docs/en/boxes.md:6: the number 8.0 is typed: write {{ volume:.1f }}"]


def test_every_woven_number_replaced_by_a_wrong_one_is_caught(workshop):
    for language in ("zh", "en"):
        for page in ("balls", "boxes"):
            path = f"docs/{language}/{page}.md"
            source = (workshop.root / path).read_text("utf-8")
            for piece in Page.read(path, language, source).pieces:
                text = Page.read(path, language, source).text
                if text[piece.start : piece.start + 2] != "{{":
                    continue
                workshop.write(path, source.replace(text[piece.start : piece.end], "77.7", 1))
                assert any(problem.startswith(f"{path}:") for problem in workshop.problems())
                workshop.write(path, source)
    assert workshop.problems() == []


def test_two_values_swapped_in_one_language_are_caught(workshop):
    workshop.edit("docs/zh/boxes.md", "{{ volume:.1f }}", "{{ hold }}")
    workshop.edit("docs/zh/boxes.md", "{{ side:.1f }}", "{{ volume:.1f }}")
    workshop.edit("docs/zh/boxes.md", "{{ hold }}", "{{ side:.1f }}")
    assert any("the languages differ" in problem for problem in workshop.problems())


@pytest.mark.parametrize(
    "place",
    [
        "$a = {} + {}$",
        "![A line from {} to {}](fig:balls.growth)",
        "```table balls.table\n| {} | {} | c |\n|---|---|---|\n```",
    ],
)
def test_two_values_swapped_in_one_piece_are_caught(workshop, place):
    one, two = "{{ volume:.1f }}", "{{ side:.1f }}"
    for language, order in (("zh", (one, two)), ("en", (two, one))):
        workshop.edit(f"docs/{language}/boxes.md", "(claim:B2).", f"(claim:B2).\n\n{place.format(*order)}")
    found = [problem for problem in workshop.problems() if "the languages differ" in problem]
    assert found == [
        "docs/zh/boxes.md:{0}: has the value volume:.1f where docs/en/boxes.md:{0} has the value side:.1f:"
        " the languages differ".format(9 if "table" in place else 8)
    ]


def test_a_block_of_another_kind_in_one_language_is_told(workshop):
    workshop.edit("docs/zh/balls.md", '!!! note "提示里', '!!! tip "提示里')
    assert any("has a block !!! tip where docs/en/balls.md:" in problem for problem in workshop.problems())


@pytest.mark.parametrize(("zh", "en", "told"), [("7", "8", True), ("7", "7", False), ("七个", "seven", False)])
def test_premises_are_the_same_in_every_language(workshop, zh, en, told):
    workshop.edit("docs/zh/boxes.md", "{{ volume:.1f }} of", f"[{zh}]{{.premise}} {{{{ volume:.1f }}}} of")
    workshop.edit("docs/en/boxes.md", "{{ volume:.1f }} of", f"[{en}]{{.premise}} {{{{ volume:.1f }}}} of")
    assert any("the languages differ" in problem for problem in workshop.problems()) == told


@pytest.mark.parametrize(
    ("old", "typed", "told"),
    [
        ("script: boxes.py", "script: boxes.py\ntitle: Of 8", "docs/en/boxes.md:3: the number 8 is typed in the title"),
        ("# Boxes", "```python\nside = 3.0\n```\n\n# Boxes", "docs/en/boxes.md:4: this code is typed and never run"),
        ("# Boxes", "``` { .python }\nside = 3.0\n```\n\n# Boxes", "docs/en/boxes.md:4: this code is typed"),
        ("# Boxes", "```text\nside 3.0\n```\n\n# Boxes", "docs/en/boxes.md:5: the number 3.0 is typed"),
        ("# Boxes", "# 3 boxes", "docs/en/boxes.md:4: the number 3 is typed"),
    ],
)  # fmt: skip
def test_numbers_outside_the_prose_are_found(workshop, old, typed, told):
    workshop.edit("docs/en/boxes.md", old, typed)
    assert any(problem.startswith(told) for problem in workshop.problems()), workshop.problems()


def test_fix_weaves_what_only_one_value_is_written_like(workshop):
    before = (workshop.root / "docs/en/boxes.md").read_text("utf-8")
    workshop.edit("docs/en/boxes.md", "{{ volume:.1f }}", "8.0")
    workshop.edit("docs/en/boxes.md", "{{ side:.1f }}", "3.7")
    assert fix(workshop.look()[0]) == {"docs/en/boxes.md": 1}
    workshop.edit("docs/en/boxes.md", "3.7", "{{ side:.1f }}")
    assert (workshop.root / "docs/en/boxes.md").read_text("utf-8") == before


def test_fix_leaves_what_two_values_are_written_like_and_keeps_braces_apart(workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 2.0\ntwin = 2.0\nprint(twin)")
    workshop.edit("docs/en/boxes.md", "{{ side:.1f }}", "2.0 and $\\sqrt{8.0}$")
    assert fix(workshop.look()[0]) == {"docs/en/boxes.md": 1}
    assert "2.0 and $\\sqrt{ {{ volume:.1f }} }$" in (workshop.root / "docs/en/boxes.md").read_text("utf-8")
