"""Stop and think: readers are asked before an answer unfolds, and only their own browser knows what they wrote."""

import pytest

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
BOTH = pytest.mark.parametrize("code", ["zh", "en"])
L1 = {"zh": "zh/l1-inner-product/", "en": "en/l1-inner-product/"}
STORED = "() => Object.entries(localStorage).filter(([key]) => key.includes('.think:'))"


def prompt(page, kind=".question", n=0):
    return page.locator(f"details{kind}").nth(n)


def answer_of(fold):
    """The paragraphs of the answer."""
    return fold.locator(":scope > p").first


@BOTH
def test_without_script_every_answer_is_in_its_fold(reader, code):
    page = reader(java_script_enabled=False).open(L1[code])
    fold = prompt(page)
    assert answer_of(fold).is_hidden()
    fold.locator("summary").click()
    assert answer_of(fold).is_visible()
    assert page.locator(".knit-guess, .knit-count, .knit-progress").count() == 0
    choice = prompt(page, ".choice")
    choice.locator("summary").click()
    assert choice.locator("li").first.is_visible()


@BOTH
def test_the_reader_is_asked_and_sees_both(reader, code):
    page = reader(viewport={"width": 390, "height": 844}).open(L1[code])
    fold = prompt(page)
    fold.locator("summary").click()
    assert answer_of(fold).is_hidden()
    fold.locator("button[type=submit]").click()  # nothing written: still asked
    assert answer_of(fold).is_hidden()
    fold.locator("textarea").fill("<b>angle</b> & 角")
    fold.locator("button[type=submit]").click()
    assert answer_of(fold).is_visible()
    assert fold.locator(".knit-guess strong").inner_text() == "<b>angle</b> & 角"
    # it stays, in both languages, and nowhere but in this browser
    other = "en" if code == "zh" else "zh"
    for path in (L1[code], L1[other]):
        fold = prompt(page)
        page.goto(page.url.partition(f"/{code}/")[0].partition(f"/{other}/")[0] + "/" + path)
        fold.locator("summary").click()
        assert answer_of(fold).is_visible()
        assert fold.locator(".knit-guess strong").inner_text() == "<b>angle</b> & 角"
    assert page.locator(".knit-count").inner_text().count("1") == 2  # 1 of 1…
    assert page.context.cookies() == []


def test_a_choice_and_a_number_are_asked_for_as_such(reader):
    page = reader().open(L1["en"])
    choice = prompt(page, ".choice", 1)
    choice.locator("summary").click()
    assert choice.locator("input[type=radio]").count() == 4
    choice.get_by_label("itself").check()
    choice.locator("button[type=submit]").click()
    assert choice.locator(".knit-guess strong").inner_text() == "itself"
    assert answer_of(choice).is_visible()
    assert choice.locator("li").first.is_hidden()  # the choice is made
    number = prompt(page, ".number")
    number.locator("summary").click()
    assert number.locator("input").get_attribute("inputmode") == "decimal"
    number.locator("input").fill("2")
    page.keyboard.press("Enter")
    assert number.locator(".knit-guess strong").inner_text() == "2"
    number.get_by_role("button", name="Change it").click()
    assert number.locator("input").input_value() == "2"
    number.locator("input").fill("0")
    page.keyboard.press("Enter")
    assert number.locator(".knit-guess strong").inner_text() == "0"


def test_nobody_has_to_guess(reader):
    page = reader().open(L1["en"])
    fold = prompt(page)
    summary = fold.locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert fold.locator("textarea").evaluate("element => element === document.activeElement")
    fold.get_by_role("button", name="Just show me").click()
    assert answer_of(fold).is_visible()
    assert "did not guess" in fold.locator(".knit-guess").inner_text()
    assert page.locator(".knit-count").inner_text().startswith("Thought about 0 of")
    # opened otherwise than by its title, a fold is simply open
    later = prompt(page, ".question", 1)
    later.evaluate("fold => { fold.open = true }")
    assert answer_of(later).is_visible()


def test_a_page_shows_progress_and_forgets_when_told(reader):
    page = reader().open(L1["en"])
    total = page.locator("details.question, details.success").count()
    for n in range(2):
        fold = prompt(page, ".question", n)
        fold.locator("summary").click()
        fold.locator("textarea").fill(f"guess {n}")
        fold.locator("button[type=submit]").click()
    assert page.locator(".knit-count").inner_text() == f"Thought about 2 of {total}"
    assert page.locator(".knit-thought").count() == 2
    page.locator(".knit-count").click()
    rows = page.locator(".knit-progress li")
    assert rows.count() == total
    assert [row.locator("span").inner_text() for row in rows.all()[:3]] == [
        "✓ thought about",
        "✓ thought about",
        "not yet",
    ]
    assert all(row.locator("a").inner_text().strip() for row in rows.all())
    assert len(page.evaluate(STORED)) == 1
    page.get_by_role("button", name="Forget what I wrote on this page").click()
    assert page.evaluate(STORED) == []
    assert page.locator(".knit-thought").count() == 0
    fold.locator("summary").click()
    fold.locator("summary").click()
    assert fold.locator("textarea").input_value() == ""


@pytest.mark.parametrize("kept", ["", "{", "[1]", "null", '{"question/1": 5}'])
def test_whatever_is_stored_the_page_works(reader, site, kept):
    window = reader()
    page = window.open(L1["en"])
    key = "/course/.think:l1-inner-product/"
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, kept])
    window.open(L1["en"])
    assert page.locator(".knit-count").is_visible()
    prompt(page).locator("summary").click()
    assert site.name == "course"


def test_paper_shows_answers_and_no_forms(reader):
    page = reader().open(L1["en"])
    fold = prompt(page)
    fold.locator("summary").click()
    page.emulate_media(media="print")
    assert answer_of(fold).is_visible()
    assert fold.locator("textarea").is_hidden()
    assert page.locator(".knit-progress").is_hidden()
