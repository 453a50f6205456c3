"""Research days as readers get them: light pages, and a notebook to download."""

import json

import pytest

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
LIMIT = 200_000  # bytes of a page; mkdocs-jupyter alone makes it 650,000


@pytest.mark.parametrize("code", ["zh", "en"])
def test_pages_are_light_and_notebooks_download(reader, site, code):
    days = [path for path in site.pages(code) if "/research/" in path]
    assert len(days) == 5
    window = reader()
    for path in days:
        assert (site.folder / path / "index.html").stat().st_size <= LIMIT, path
        page = window.open(path)
        assert page.locator(".jp-CodeCell pre > code").count() > 3
        with page.expect_download() as begun:
            page.locator(".knit-download a[href$=ipynb]").click()
        notebook = json.loads(begun.value.path().read_text("utf-8"))
        assert begun.value.suggested_filename == path.rstrip("/").rpartition("/")[2] + ".ipynb"
        assert sum(cell["cell_type"] == "code" for cell in notebook["cells"]) > 3
