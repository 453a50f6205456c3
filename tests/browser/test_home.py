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
def test_without_script_the_page_has_the_courses_colours(reader, code):
    page = reader(java_script_enabled=False).open(f"{code}/")
    header = page.evaluate("() => getComputedStyle(document.querySelector('.md-header')).backgroundColor")
    assert header == "rgb(23, 73, 77)"
