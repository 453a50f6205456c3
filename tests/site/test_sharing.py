"""What others show of the site: pictures, tags and feeds; whole addresses or nothing."""

import datetime as dt
import re
import xml.etree.ElementTree as ET

import pytest
from bs4 import BeautifulSoup
from mkdocs.commands.build import build
from mkdocs.config import load_config
from PIL import Image

from knit.site.languages import languages_of
from knit.site.share import LEFT, MARGIN, drawing, wrapped

ADDRESS = "https://host.example/solids/"
ATOM = {"": "http://www.w3.org/2005/Atom"}
BOTH = pytest.mark.parametrize("code", ["zh", "en"])


def made(workshop, monkeypatch, *, address=ADDRESS, command="build"):
    monkeypatch.chdir(workshop.root)
    config = load_config(str(workshop.root / "mkdocs.yml"), site_url=address)
    config.plugins.on_startup(command=command, dirty=False)
    build(config, serve_url="http://localhost/" if command == "serve" else None)
    config.plugins.on_shutdown()
    return workshop.root / "site"


@pytest.fixture
def told(workshop):
    """The small course, one page of which tells what it is about and since when it is there."""
    workshop.edit("mkdocs.yml", "site_name: Solids", "site_name: 立体 | Solids\nsite_description: 有多大 | How large")
    about = {"zh": "球占多大地方 <& 为什么。", "en": "How much room a ball takes <& why."}
    for code, words in about.items():
        front = f'---\ntitle: {code} ball\ndescription: "{words}"\npublished: 2026-03-0{len(code)}\n'
        workshop.edit(f"docs/{code}/balls.md", "---\nscript: balls.py", f"{front}script: balls.py")
        workshop.edit(f"docs/{code}/boxes.md", "---\nscript: boxes.py", "---\npublished: 2026-04-01\nscript: boxes.py")
    return workshop


@pytest.fixture
def site(told, monkeypatch):
    return made(told, monkeypatch)


def tags(site, path):
    page = BeautifulSoup((site / path / "index.html").read_text("utf-8"), "html.parser")
    return page, {
        tag.get("property") or tag["name"]: tag["content"] for tag in page.select("meta[property], meta[name]")
    }


@BOTH
def test_a_page_tells_what_it_is_in_its_language(site, code):
    page, found = tags(site, f"{code}/balls")
    expected = {"zh": "球占多大地方 <& 为什么。", "en": "How much room a ball takes <& why."}[code]
    assert found["description"] == found["og:description"] == expected
    assert found["og:title"] == f"{code} ball"
    assert found["og:locale"] == {"zh": "zh_CN", "en": "en_US"}[code]
    assert found["og:locale:alternate"] == {"zh": "en_US", "en": "zh_CN"}[code]
    assert found["og:url"] == page.select_one("link[rel=canonical]")["href"] == f"{ADDRESS}{code}/balls/"
    assert found["twitter:card"] == "summary_large_image"
    assert found["og:image"] == f"{ADDRESS}assets/share/{code}/balls.png"
    picture = Image.open(site / f"assets/share/{code}/balls.png")
    assert picture.size == (1200, 630) == (int(found["og:image:width"]), int(found["og:image:height"]))
    assert picture.format == "PNG"
    # There is a figure in it: many colours on the right, where a picture without one has paper only.
    assert len(picture.convert("RGB").crop((LEFT, 0, 1200, 630)).getcolors(100_000)) > 20


def test_a_page_without_a_picture_shows_its_homes(site):
    _, found = tags(site, "en/claims")
    assert found["og:image"] == f"{ADDRESS}assets/share/en/index.png"
    assert (site / "assets/share/en/index.png").exists()
    assert not (site / "assets/share/en/claims.png").exists()


def test_pictures_differ_by_language_and_are_the_same_each_time(told, site, monkeypatch):
    before = {path: path.read_bytes() for path in site.rglob("assets/share/**/*.png")}
    assert len(before) == 6
    assert len(set(before.values())) >= 4
    for kept in (told.root / ".cache").rglob("pictures/*.png"):
        kept.unlink()
    made(told, monkeypatch)
    assert {path: path.read_bytes() for path in site.rglob("assets/share/**/*.png")} == before


@BOTH
def test_the_feed_lists_what_says_when_it_was_published_the_newest_first(site, code):
    feed = ET.parse(site / f"{code}/feed.xml").getroot()
    assert feed.tag == "{http://www.w3.org/2005/Atom}feed"
    assert feed.find("title", ATOM).text == {"zh": "立体", "en": "Solids"}[code]
    assert [entry.find("id", ATOM).text for entry in feed.iterfind("entry", ATOM)] == [
        f"{ADDRESS}{code}/boxes/",
        f"{ADDRESS}{code}/balls/",
    ]
    moments = [moment.text for moment in feed.iter("{http://www.w3.org/2005/Atom}updated")]
    assert [dt.datetime.fromisoformat(moment).month for moment in moments] == [4, 4, 3]
    assert (
        feed.findall("entry", ATOM)[1].find("summary", ATOM).text.endswith({"zh": "<& 为什么。", "en": "<& why."}[code])
    )
    page, _ = tags(site, f"{code}/balls")
    assert page.select_one("link[type='application/atom+xml']")["href"] == "../feed.xml"
    ids = {link["href"] for link in page.select("link[rel=alternate][hreflang]")}
    assert f"{ADDRESS}{code}/balls/" in ids


@pytest.mark.parametrize(("address", "command"), [("", "build"), (ADDRESS, "serve")])
def test_where_addresses_are_not_whole_nothing_is_made(told, monkeypatch, address, command):
    site = made(told, monkeypatch, address=address, command=command)
    assert not list(site.rglob("feed.xml"))
    assert not (site / "assets/share").exists()
    _, found = tags(site, "en/balls")
    assert "og:image" not in found
    assert found["twitter:card"] == "summary"


def test_lines_are_broken_between_words_and_characters_and_never_before_a_comma():
    assert list(wrapped("one two three", 4.5)) == ["one two", "three"]
    assert list(wrapped("一二三，四五", 3.5)) == ["一二", "三，四", "五"]
    assert list(wrapped("", 3)) == []


@BOTH
def test_words_stay_in_their_panel(workshop, code):
    for language in ("zh", "en"):
        workshop.edit(f"docs/{language}/balls.md", "---\nscript", "---\ndescription: " + "字 word，" * 30 + "\nscript")
    course = workshop.look()[0]
    page = next(page for page in course.pages if page.path == f"docs/{code}/balls.md")
    language = next(each for each in languages_of(["zh", "en"]) if each.code == code)
    svg = ET.fromstring(drawing(page, course, language, ("S", "A")))
    lines = [each for each in svg if each.tag.endswith("text")]
    for line in lines:
        ems = sum(1.0 if character > "\u2e7f" else 0.56 for character in line.text)
        assert ems * float(line.get("font-size")) <= LEFT - 2 * MARGIN + 30
        assert float(line.get("y")) < 630
    figure = next(each for each in svg if each.tag.endswith("svg"))
    assert {"zh": "半径", "en": "radius"}[code] in "".join(figure.itertext())
    assert not re.search(r"var\(", ET.tostring(svg, "unicode"))
