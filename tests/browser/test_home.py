"""The home page: the first experiment, at once, on a phone, with script and without."""

import pytest

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
PHONE = {"width": 390, "height": 844}

WIDE = """() => [...document.querySelectorAll('article .knit-maths')]
  .filter(each => each.scrollWidth > each.clientWidth + 1).length"""


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
@pytest.mark.parametrize("code", ["zh", "en"])
def test_a_phone_shows_the_first_experiment_at_once(reader, site, code, script):
    window = reader(viewport=PHONE, has_touch=True, java_script_enabled=script)
    page = window.open(f"{code}/")
    prompt = page.locator("article details.question").first
    box = prompt.locator("summary").bounding_box()
    assert box["y"] + box["height"] <= PHONE["height"]
    assert page.evaluate(WIDE) == 0  # all three words are seen
    answer = prompt.locator("a[href*=l1-inner-product]")
    assert not answer.is_visible()
    prompt.locator("summary").tap()
    if script:
        prompt.locator("label", has_text="steep").tap()
        prompt.locator("button[type=submit], button").first.tap()
    answer.wait_for()
    answer.tap()
    page.wait_for_url(f"{site.address}{code}/l1-inner-product/")


@pytest.mark.parametrize("code", ["zh", "en"])
def test_a_desk_shows_title_and_experiment_side_by_side_and_the_lessons_in_a_row(reader, code):
    page = reader(viewport={"width": 1440, "height": 900}).open(f"{code}/")
    boxes = [page.locator(place).bounding_box() for place in ("h1", ".home-try", ".home-try summary")]
    title, trying, prompt = boxes
    assert title["x"] + title["width"] < trying["x"]
    assert prompt["y"] + prompt["height"] <= 900
    cards = [card.bounding_box() for card in page.locator(".home-card").all()]
    assert len(cards) == 4
    assert len({card["y"] for card in cards}) == 1
    for card in page.locator(".home-card").all():  # each has its lesson's own figure
        assert card.locator("svg.knit-figure").bounding_box()["height"] > 100


@pytest.mark.parametrize("code", ["zh", "en"])
def test_a_card_leads_to_its_lesson_and_tells_how_far_she_came(reader, site, code):
    page = reader().open(f"{code}/")
    assert page.locator(".knit-followed").count() == 0
    page.locator(".home-card").first.click(position={"x": 15, "y": 100})  # beside its words
    page.wait_for_url(f"{site.address}{code}/l1-inner-product/")
    total = page.locator("details.question, details.success").count()
    fold = page.locator("details.question").first
    fold.locator("summary").click()
    fold.locator("textarea").fill("the angle")
    fold.locator("button[type=submit]").click()
    page.goto(f"{site.address}{code}/")
    assert page.locator(".knit-followed").all_inner_texts() == [
        {"zh": f"想过 1 / {total} 题", "en": f"Thought about 1 of {total}"}[code]
    ]


@pytest.mark.parametrize("code", ["zh", "en"])
def test_the_answer_is_an_experiment(reader, code):
    page = reader(viewport=PHONE, has_touch=True).open(f"{code}/")
    prompt = page.locator("article details.question").first
    prompt.locator("summary").tap()
    prompt.locator("label", has_text="the").last.tap()
    prompt.locator("button[type=submit]").tap()
    live = prompt.locator("knit-piece .knit-live")
    live.wait_for()
    before = live.locator("tbody").inner_text()
    live.locator("input[type=range]").fill("2")
    assert live.locator("tbody").inner_text() != before


@pytest.mark.parametrize("code", ["zh", "en"])
def test_without_script_the_page_has_the_courses_colours(reader, code):
    page = reader(java_script_enabled=False).open(f"{code}/")
    header = page.evaluate("() => getComputedStyle(document.querySelector('.md-header')).backgroundColor")
    assert header == "rgb(23, 73, 77)"
