"""A reader's way through a site in two languages."""

import re

import pytest

OTHER = {"zh": "en", "en": "zh"}
BOATS = pytest.mark.parametrize("site", ["boats"], indirect=True)  # the words are the fixture's
BOTH = pytest.mark.parametrize("code", ["zh", "en"])


@pytest.mark.parametrize(
    ("locale", "code"), [("zh-CN", "zh"), ("zh-TW", "zh"), ("en-GB", "en"), ("en-US", "en"), ("fr-FR", "en")]
)
def test_the_root_leads_to_the_language_of_the_browser(reader, locale, code):
    window = reader(locale=locale)
    window.open()
    window.page.wait_for_url(f"**/{code}/")
    assert window.path == f"{code}/"
    window.page.go_back()
    assert window.page.url == "about:blank"  # the root is no station on the way back


def test_the_root_leads_to_the_language_that_was_chosen(reader):
    window = reader(locale="zh-CN")
    window.open("zh/").locator(".bilingual-switch").click()
    window.page.wait_for_url("**/en/")
    window.open()
    window.page.wait_for_url("**/en/")
    window.page.locator(".bilingual-switch").click()
    window.page.wait_for_url("**/zh/")
    window.open()
    window.page.wait_for_url("**/zh/")


@BOTH
def test_without_script_the_root_offers_both_languages(reader, code):
    window = reader(java_script_enabled=False)
    page = window.open()
    assert window.path == ""
    assert page.locator("main a").evaluate_all("links => links.map(link => link.hreflang)") == ["zh-Hans", "en"]
    page.locator(f"main a[data-language={code}]").click()
    assert window.path == f"{code}/"
    page.locator(".bilingual-switch").click()
    assert window.path == f"{OTHER[code]}/"


@BOTH
def test_the_switch_stays_on_the_page_on_every_page(reader, site, code):
    window = reader()
    for path in site.pages(code):
        window.open(path).locator(".bilingual-switch").click()
        window.page.wait_for_url(f"**/{OTHER[code]}/**")
        assert window.path == path.replace(f"{code}/", f"{OTHER[code]}/", 1)
        assert window.page.locator("html").get_attribute("lang") == {"zh": "en", "en": "zh-Hans"}[code]


@BOTH
def test_the_switch_keeps_the_section(reader, site, code):
    """The section of the address; or, further down the page, the one that the reader has scrolled to."""
    window = reader()
    # The last page with headings of its own: they have the same explicit ids in every language.
    path, sections = next((path, found) for path in site.pages(code)[::-1] if len(found := _sections(site, path)) > 1)
    page = window.open(f"{path}#{sections[0]}")
    page.locator(".bilingual-switch").click()
    page.wait_for_url(f"**/{OTHER[code]}/**")
    assert window.path == path.replace(f"{code}/", f"{OTHER[code]}/", 1) + f"#{sections[0]}"

    window.open(path)
    page.locator(f"[id='{sections[1]}']").evaluate("heading => heading.scrollIntoView()")
    # The address follows a moment after the reader has stopped, and not at the first stop.
    reads_on = "section => { scrollBy(0, 1); return location.hash === '#' + section }"
    page.wait_for_function(reads_on, arg=sections[1], polling=400)
    page.locator(".bilingual-switch").click()
    page.wait_for_url(f"**/{OTHER[code]}/**")
    assert window.path.endswith(f"#{sections[1]}")
    top = page.locator(f"[id='{sections[1]}']").evaluate("heading => heading.getBoundingClientRect().top")
    assert -5 < top < 300  # the browser went there


def _sections(site, path):
    return re.findall(r'<h2 id="([a-z][a-z0-9-]+)"', (site.folder / path / "index.html").read_text("utf-8"))


@pytest.mark.parametrize(("code", "words"), [("zh", "点积"), ("zh", "向量"), ("en", "product"), ("en", "vector")])
def test_a_search_finds_pages_in_its_language_only(reader, code, words):
    window = reader()
    window.open(f"{code}/")
    found = window.search(words)
    assert found
    assert all(path.startswith(f"{code}/") for path in found)
    # The first result has it, marked (Chinese words are parted by an invisible space) …
    first = window.page.locator(".md-search-result__item").first.locator(".md-search-result__link")
    marked = [text.replace("\u200b", "").lower() for text in first.locator("mark").all_inner_texts()]
    assert any(text.startswith(words.split()[0]) for text in marked)
    # … and so has the page that it leads to.
    first.first.click()
    window.page.wait_for_url(f"**/{found[0].partition('?')[0]}*")
    assert words in window.page.locator("article").inner_text().lower().replace("\u200b", "")


@BOATS
def test_a_search_does_not_find_the_other_language(reader):
    window = reader()
    window.open("zh/")
    assert window.search("plank") == []
    window.open("en/")
    assert window.search("木板") == []


@BOATS
def test_a_chinese_query_is_read_to_its_end(reader):
    window = reader()
    window.open("zh/")
    # 点 alone is a word of another page, which the theme's search takes for all of the query.
    assert {path.partition("?")[0] for path in window.search("这个点")} == {"zh/sail/"}
    assert {path.partition("?")[0].partition("#")[0] for path in window.search("点积")} == {"zh/hull/"}


@BOTH
def test_an_address_that_leads_nowhere_is_told_in_its_language(reader, code):
    window = reader()
    page = window.open(f"{code}/no/such/page/")
    (heading,) = page.locator("h1:visible").all_inner_texts()
    assert heading == {"zh": "没有这一页", "en": "This page does not exist"}[code]
    page.locator("main a:visible").click()
    page.wait_for_url(f"**/{code}/")
    assert window.path == f"{code}/"
    assert len(window.wrong) == 1
    assert "404" in window.wrong.pop()  # the browser's own report


def test_without_script_such_an_address_is_told_in_both(reader):
    window = reader(java_script_enabled=False)
    page = window.open("zh/no/such/page/")
    assert page.locator("h1").all_inner_texts() == ["没有这一页", "This page does not exist"]
    assert len(window.wrong) == 1
    assert "404" in window.wrong.pop()
