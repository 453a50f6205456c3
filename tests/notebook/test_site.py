"""A notebook on the built site: light, linked, in the page's language, with a copy to download."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

LIMIT = 200_000
"""Bytes of a notebook's page; as mkdocs-jupyter leaves it, it has more than 600,000."""


def build(root):
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=root, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"}, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def build_dirty(root):
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--dirty"], cwd=root, capture_output=True, check=True)


@pytest.fixture(scope="module")
def site(with_a_day, tmp_path_factory):
    root = tmp_path_factory.mktemp("built") / "course"
    shutil.copytree(with_a_day, root)
    code, said = build(root)
    assert code == 0, said
    return root / "site"


@pytest.fixture(params=["zh", "en"])
def page(site, request):
    html = (site / request.param / "research/day/index.html").read_text("utf-8")
    return request.param, BeautifulSoup(html, "html.parser")


def test_a_page_is_light_and_asks_no_other_host(site, page):
    language, soup = page
    assert (site / language / "research/day/index.html").stat().st_size <= LIMIT
    assert not soup.select(".jupyter-wrapper :is(script, style, clipboard-copy)")
    assert not re.findall(r'(?:src|href)="(?:https?:)?//(?!squidfunk)[^"]*"', str(soup.select_one(".jupyter-wrapper")))


def test_cells_hold_what_knit_put_aside(page):
    language, soup = page
    cells = soup.select_one(".jupyter-wrapper")
    assert cells.select_one('data[data-of="day.guess"]').get_text() == "4.0"
    assert cells.select_one("math mn").get_text() == "8"
    assert cells.select_one(".jp-OutputArea svg.knit-figure")["aria-label"] in {"曲线一直到 27", "A curve up to 27"}
    assert cells.select_one(".jp-RenderedText pre").get_text() == "volumes [1.0, 8.0, 27.0]\n"
    assert ("先猜" in cells.get_text(), "guess first" in cells.get_text()) == (language == "zh", language == "en")
    assert not re.search("[\ue000-\uf8ff]", str(soup))


def test_headings_links_and_contents_are_the_sites_own(page):
    language, soup = page
    cells = soup.select_one(".jupyter-wrapper")
    assert [heading["id"] for heading in cells.select("h1, h2")] == ["top", "run"]
    assert cells.select_one(".knit-claim").parent["href"] == "../../claims/#claim-b2"
    assert cells.select_one('a[href="../../boxes/#top"]')
    listed = soup.select('.md-sidebar--secondary a[href="#run"]')
    assert [" ".join(link.get_text().split()) for link in listed] == [{"zh": "运行", "en": "The run"}[language]]
    assert soup.select_one("title").get_text().startswith({"zh": "一日", "en": "A day"}[language])


def test_code_looks_and_copies_as_in_lessons(page):
    _, soup = page
    assert soup.select_one(".highlight > pre > code").get_text().startswith("import numpy as np")


def test_the_download_is_beside_the_page(site, page):
    language, soup = page
    link = soup.select_one("a[download]")["href"]
    notebook = json.loads((site / language / "research/day" / link).read_text("utf-8"))
    assert notebook["nbformat"] == 4


def test_outputs_are_not_searched_and_prose_is(site):
    index = json.loads((site / "en/search/search_index.json").read_text("utf-8"))
    texts = " ".join(entry["text"] for entry in index["docs"])
    assert "The guess" in texts
    assert "volumes [1.0" not in texts
    assert "In [1]" not in texts


def test_a_failing_cell_fails_the_build_with_both_places(diary):
    diary.edit("snippets/day.py", "[float(cube(side))", "[float(1 / 0)")
    code, said = build(diary.root)
    assert code != 0
    assert re.search(r"docs/zh/research/day\.md:8: .*ZeroDivisionError.* · snippets/day\.py:16", said), said
    assert not (diary.root / "site").exists()


def test_dirty_builds_notebooks_that_changed(diary):
    assert build(diary.root)[0] == 0
    pages = {name: diary.root / f"site/{name}/index.html" for name in ("zh/research/day", "en/research/day")}
    before = {name: page.stat().st_mtime_ns for name, page in pages.items()}
    diary.edit("docs/en/research/day.md", "The guess", "Our guess")
    build_dirty(diary.root)
    assert "Our guess" in pages["en/research/day"].read_text("utf-8")
    assert pages["zh/research/day"].stat().st_mtime_ns == before["zh/research/day"]


def test_dirty_takes_back_what_was_kept_before(diary):
    def made():
        paths = [*diary.root.glob("site/*/**/*.py"), *diary.root.glob("site/*/**/*.ipynb")]
        return {path: path.read_text("utf-8") for path in paths}

    assert build(diary.root)[0] == 0
    before = made()
    assert {path.suffix for path in before} == {".py", ".ipynb"}
    diary.edit("snippets/boxes.py", "How much room", "How much space")
    build_dirty(diary.root)
    assert made() != before
    diary.edit("snippets/boxes.py", "How much space", "How much room")
    build_dirty(diary.root)
    assert made() == before


def preview(root):
    """Build as ``mkdocs serve`` does, and give the notebook's English page."""
    config = load_config(str(root / "mkdocs.yml"))
    config.plugins.on_startup(command="serve", dirty=False)
    mkdocs_build(config, serve_url="http://localhost/")
    config.plugins.on_shutdown()
    return BeautifulSoup((root / "site/en/research/day/index.html").read_text("utf-8"), "html.parser")


def test_a_preview_shows_an_error_in_its_cell_and_heals(diary, monkeypatch):
    monkeypatch.chdir(diary.root)
    diary.edit("snippets/day.py", "[float(cube(side))", "[float(1 / 0)")
    soup = preview(diary.root)
    told = [box.get_text() for box in soup.select(".jupyter-wrapper .knit-error")]
    assert any(
        re.search(r"^docs/en/research/day\.md:24: .*ZeroDivisionError.* · snippets/day\.py:16$", t) for t in told
    )
    diary.edit("snippets/day.py", "[float(1 / 0)", "[float(2 * cube(side))")
    soup = preview(diary.root)
    assert not soup.select(".knit-error")
    assert soup.select_one(".jp-RenderedText pre").get_text() == "volumes [2.0, 16.0, 54.0]\n"


def test_without_mkdocs_jupyter_the_build_says_what_is_missing(diary):
    diary.edit("mkdocs.yml", '  - mkdocs-jupyter: {include: ["*.ipynb"]}\n', "")
    code, said = build(diary.root)
    assert code != 0
    assert "notebooks are rendered by mkdocs-jupyter: add it to the plugins" in said


def test_headings_written_another_way_are_refused(diary):
    diary.edit("docs/en/research/day.md", "## The run {#run}", "## The run {#run}\n\nUnderlined\n---")
    code, said = build(diary.root)
    assert code != 0
    assert "docs/en/research/day.md:16: an underlined heading: write it with # and its {#id}" in said
