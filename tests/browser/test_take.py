"""What readers take with them: every lesson and research day as a notebook and as a script, in the page's language."""

import ast
import json
import re

import pytest

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)


@pytest.mark.parametrize(("code", "words"), [("zh", "把这一页带走"), ("en", "Take this page with you")])
def test_lessons_and_days_are_downloaded_from_their_foot(reader, site, code, words):
    pages = [path for path in site.pages(code) if re.match(rf"{code}/(l\d|research/t\d)", path)]
    assert len(pages) >= 9
    window = reader()
    for path in pages:
        page = window.open(path)
        foot = page.locator(".knit-download")
        assert words in foot.inner_text()
        found = {}
        for link in foot.locator("a").all():
            with page.expect_download() as begun:
                link.click()
            name = begun.value.suggested_filename
            found[name.rpartition(".")[2]] = begun.value.path().read_text("utf-8")
        assert set(found) == {"ipynb", "py"}
        notebook = json.loads(found["ipynb"])
        assert notebook["cells"][0]["source"].startswith({"zh": "要运行", "en": "To run"}[code])
        assert ast.parse(found["py"]).body
        assert not any(line.lstrip().startswith(("# zh:", "# en:")) for line in found["py"].split("\n"))


@pytest.mark.parametrize("code", ["zh", "en"])
def test_without_script_they_are_there_too(reader, code):
    window = reader(java_script_enabled=False)
    page = window.open(f"{code}/l1-inner-product/")
    with page.expect_download() as begun:
        page.locator(".knit-download a[href$='.py']").click()
    assert begun.value.suggested_filename == "l1_inner_product.py"
    assert 'module("repro_t1_scorers"' in begun.value.path().read_text("utf-8")
