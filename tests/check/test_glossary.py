"""The glossary: terms are linked at first use, rejected words are refused, first lessons are told truly."""

import pytest

from knit.weave.weaver import weave

GLOSSARY = """\
- id: ball
  zh: 球
  en: ball
  forms: {en: [round solid]}
  first: balls
  says: {zh: 圆的东西。, en: "Something round."}
  rejected:
    zh:
      圆球: >-
        多了、
        一个字
    en: {sphere: that is only its skin}
- id: box
  zh: 箱子
  en: box
  first: balls
  says: {zh: 有六个面的东西。, en: Something with six faces.}
"""


@pytest.fixture
def course(workshop):
    workshop.write("docs/glossary.yml", GLOSSARY)
    for language in ("zh", "en"):
        workshop.write(f"docs/{language}/glossary.md", "# G {#g}\n\n```glossary\n```\n")
    workshop.edit("docs/en/balls.md", "It takes", "A ball, an Round Solid, some balls and a [ball](boxes.md) take")
    workshop.edit("docs/zh/balls.md", "体积为", "球和球，体积为")
    return workshop


def page(course, path):
    read, _ = course.look()
    return weave(next(page for page in read.pages if page.path == path), read)


def test_a_term_is_linked_at_its_first_use_only_and_never_in_headings(course):
    text = page(course, "docs/en/balls.md").text
    assert text.count("glossary.md#term-ball") == 1
    assert '[ball](glossary.md#term-ball "Something round."){ .knit-term }, an Round Solid, some balls' in text
    assert text.splitlines()[0].startswith("# A ball of radius")
    assert page(course, "docs/zh/balls.md").text.count("[球](glossary.md#term-ball") == 1


def test_an_everyday_word_is_the_term_only_where_it_is_bold(course):
    course.edit("docs/glossary.yml", "- id: box", "  everyday: true\n- id: box")
    course.edit(
        "docs/en/balls.md", "some balls and a [ball](boxes.md) take", "some **balls** and a [ball](boxes.md) take"
    )
    course.edit("docs/zh/balls.md", "球和球，", "球和**球**，")
    assert "Round Solid, some **[balls](glossary.md#term-ball" in page(course, "docs/en/balls.md").text
    assert "球和**[球](glossary.md#term-ball" in page(course, "docs/zh/balls.md").text


def test_a_well_kept_glossary_is_no_problem(course):
    assert [problem for problem in course.problems() if "accept" not in problem] == []


def test_a_rejected_word_is_refused_with_the_reason(course):
    course.edit("docs/en/boxes.md", "{{ side", "A sphere of {{ side")
    course.edit("docs/zh/boxes.md", "{{ side", "圆球 {{ side")
    found = course.problems()
    for language, told in (
        ("en", "sphere is not the course's word: write ball (that is only its skin)"),
        ("zh", "圆球 is not the course's word: write 球 (多了、一个字)"),
    ):
        assert f"docs/{language}/boxes.md:6: {told}" in found


def test_a_page_may_quote_a_rejected_word_on_purpose(course):
    for language in ("zh", "en"):
        course.edit(f"docs/{language}/boxes.md", "script: boxes.py", "script: boxes.py\nquotes_rejected_words: true")
    course.edit("docs/en/boxes.md", "{{ side", "A sphere of {{ side")
    assert not [problem for problem in course.problems() if "course's word" in problem]


def test_a_wrong_first_lesson_is_told_at_the_entrys_line(course):
    course.write("docs/glossary.yml", GLOSSARY.replace("first: balls", "first: boxes", 1))
    assert [p for p in course.problems() if p.startswith("docs/glossary.yml:1: ball says that boxes uses it first")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- id: a\n  zh: 甲\n", "the entry a lacks its name"),
        ("- a: [", "is no YAML: the bracket that opens here"),
        ("- id: a\n  zh: 甲\n  en: a\n  says: {zh: x, en: y}\n  rejected: {en: {b: }}\n", "rejects b without a reason"),
    ],
)
def test_a_bad_file_is_one_clear_line(course, text, told):
    course.write("docs/glossary.yml", text)
    assert [p for p in course.problems() if p.startswith("docs/glossary.yml:1: ") and told in p]


def test_the_list_names_the_term_in_both_languages_and_leads_to_its_first_lesson(course):
    text = page(course, "docs/en/glossary.md").text
    assert "## ball\N{NO-BREAK SPACE}· 球 {#term-ball " in text
    # a heading with a number woven in is no title to copy: the page's name stands for it
    assert "First used in: [balls](balls.md)" in text
