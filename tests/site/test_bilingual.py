"""One build, two languages: what each page says, and where it leads."""

import filecmp
import json
import re
from pathlib import PurePosixPath
from xml.etree import ElementTree as ET

import pytest
from mkdocs.exceptions import Abort

PAGES = ["index.html", "hull/index.html", "sail/index.html", "research/wind/index.html"]
WORDS = {
    "zh": {
        "lang": "zh-Hans",
        "site": "小船",
        "next": "下一页",
        "search": "搜索",
        "section": "课程",
        "switch": "换成浅色",
    },
    "en": {
        "lang": "en",
        "site": "Small Boats",
        "next": "Next",
        "search": "Search",
        "section": "Lessons",
        "switch": "Switch to light",
    },
}
BOTH = pytest.mark.parametrize("code", ["zh", "en"])
ALL = pytest.mark.parametrize("name", PAGES)
OTHER = {"zh": "en", "en": "zh"}


@BOTH
@ALL
def test_a_page_is_in_its_language(built, code, name):
    page, words, others = built.page(f"{code}/{name}"), WORDS[code], WORDS[OTHER[code]]
    assert page.html["lang"] == words["lang"]
    shell = page.select_one("header").text + page.select_one("footer").text + page.select_one(".md-tabs").text
    for own, other in ((words["site"], others["site"]), (words["section"], others["section"])):
        assert own in shell
        assert other not in shell
    assert page.select_one("input[name=query]")["placeholder"] == words["search"]
    assert page.select_one("label[for=__palette_1]")["title"] == words["switch"]
    assert page.title.text.endswith(words["site"])


@BOTH
def test_a_home_page_has_the_name_of_the_site_once(built, code):
    assert built.page(f"{code}/index.html").title.text == WORDS[code]["site"]


@BOTH
def test_descriptions_and_copyright_are_in_the_language_of_the_page(built, code):
    page = built.page(f"{code}/hull/index.html")
    description = {"zh": "怎样造一条小船", "en": "How to build a small boat"}[code]
    assert page.select_one("meta[name=description]")["content"] == description
    assert page.select_one("meta[property='og:description']")["content"] == description
    assert page.select_one("meta[property='og:site_name']")["content"] == WORDS[code]["site"]
    assert page.select_one(".md-copyright__highlight").text.strip() == {"zh": "自由使用", "en": "Free to use"}[code]


@BOTH
@ALL
def test_only_the_switch_leads_to_the_other_language(built, code, name):
    path = f"{code}/{name}"
    page = built.page(path)
    foreign = [
        element
        for element in page.select("body a[href], head link[rel=prev], head link[rel=next]")
        if built.target(path, element["href"]).startswith(f"{OTHER[code]}/")
    ]
    (switch,) = foreign
    assert built.target(path, switch["href"]) == f"{OTHER[code]}/{name}"
    assert (switch["hreflang"], switch["lang"]) == (WORDS[OTHER[code]]["lang"],) * 2
    assert switch.text == {"zh": "English", "en": "中文"}[code]


@BOTH
def test_navigation_is_written_once_and_read_in_each_language(built, code):
    page = built.page(f"{code}/sail/index.html")
    titles = [" ".join(item.text.split()) for item in page.select(".md-nav--primary .md-nav__item .md-ellipsis")]
    expected = {
        "zh": ["小船", "课程", "船身", "船帆", "研究", "风的测量"],
        "en": ["Small Boats", "Lessons", "The hull", "The sail", "Research", "Measuring the wind"],
    }[code]
    assert list(dict.fromkeys(titles)) == expected
    assert [tab.text.split() for tab in page.select(".md-tabs__item")] == [
        title.split() for title in (expected[0], expected[1], expected[4])
    ]


@BOTH
def test_previous_and_next_walk_through_one_language_and_stop_at_its_ends(built, code):
    path, walked = f"{code}/index.html", []
    assert not built.page(path).select_one("link[rel=prev], .md-footer__link--prev")
    while True:
        walked.append(path)
        following = built.page(path).select_one(".md-footer__link--next")
        if following is None:
            break
        assert WORDS[code]["next"] in following.text
        assert built.target(path, following["href"]) == built.target(
            path, built.page(path).select_one("link[rel=next]")["href"]
        )
        path = built.target(path, following["href"])
    assert walked == [f"{code}/{name}" for name in PAGES]


@pytest.mark.parametrize(("which", "root"), [("built", "/"), ("published", "https://host.example/course/")])
def test_every_link_leads_somewhere_and_is_relative(which, root, request):
    site = request.getfixturevalue(which)
    own = (root, "/course/" if which == "published" else "/")  # the address of the site, where it must be whole
    for path in site.pages():
        for link in site.links(path):
            if link.startswith(("data:", "#")):
                continue
            whole = path == "404.html" or (path, link) == ("index.html", root) or "example" in link
            inside = next((link.removeprefix(begin) for begin in own if link.startswith(begin)), None)
            assert (inside is not None) == whole, f"{path} refers to {link}"
            target = site.target("", inside) if whole else site.target(path, link)
            assert (site.out / target).is_file(), f"{path} refers to {link}"


@BOTH
@ALL
def test_a_page_names_its_twins_for_search_engines(published, code, name):
    page = published.page(f"{code}/{name}")
    folder = name.removesuffix("index.html")
    root = "https://host.example/course/"
    assert page.select_one("link[rel=canonical]")["href"] == f"{root}{code}/{folder}"
    assert {link["hreflang"]: link["href"] for link in page.select("link[rel=alternate]")} == {
        "zh-Hans": f"{root}zh/{folder}",
        "en": f"{root}en/{folder}",
        "x-default": root if name == "index.html" else f"{root}en/{folder}",
    }


@BOTH
@ALL
def test_a_page_names_its_twins_where_the_site_does_not_know_its_address(built, code, name):
    path = f"{code}/{name}"
    page = built.page(path)
    assert page.select_one("link[rel=canonical]") is None
    assert {link["hreflang"]: built.target(path, link["href"]) for link in page.select("link[rel=alternate]")} == {
        "zh-Hans": f"zh/{name}",
        "en": f"en/{name}",
        "x-default": name if name == "index.html" else f"en/{name}",
    }


def test_the_sitemap_lists_every_page_with_its_twins(published, built):
    sitemap = ET.parse(published.out / "sitemap.xml")
    spaces = {"": "http://www.sitemaps.org/schemas/sitemap/0.9", "xhtml": "http://www.w3.org/1999/xhtml"}
    root = "https://host.example/course/"
    assert {location.text for location in sitemap.iterfind("url/loc", spaces)} == {
        f"{root}{code}/{name.removesuffix('index.html')}" for code in ("zh", "en") for name in PAGES
    }
    for url in sitemap.iterfind("url", spaces):
        links = {link.get("hreflang"): link.get("href") for link in url.iterfind("xhtml:link", spaces)}
        assert set(links) == {"zh-Hans", "en", "x-default"}
        assert url.find("loc", spaces).text in (links["zh-Hans"], links["en"])
    assert not (published.out / "sitemap.xml.gz").exists()  # it would hold the day of the build
    assert not (built.out / "sitemap.xml").exists()  # addresses must be whole


def test_the_root_leads_to_each_language_without_script(published):
    page = published.page("index.html")
    assert [link["href"] for link in page.select("main a")] == ["./zh/", "./en/"]
    assert [heading.text for heading in page.select("h1")] == ["小船", "Small Boats"]
    assert [section["lang"] for section in page.select("section")] == ["zh-Hans", "en"]
    assert page.title.text == "小船 · Small Boats"
    assert not page.select("meta[http-equiv=refresh]")  # it would choose for the reader
    assert {link["hreflang"]: link["href"] for link in page.select("link[rel=alternate]")} == {
        "zh-Hans": "https://host.example/course/zh/",
        "en": "https://host.example/course/en/",
        "x-default": "https://host.example/course/",
    }


def test_the_404_page_speaks_both_languages(published):
    page = published.page("404.html")
    assert [heading.text for heading in page.select("h1")] == ["没有这一页", "This page does not exist"]
    assert [link["href"] for link in page.select("main a")] == ["/course/zh/", "/course/en/"]


@BOTH
def test_each_language_has_a_search_index_of_its_own(built, code):
    index = json.loads((built.out / code / "search/search_index.json").read_text("utf-8"))
    found = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert found == {name.removesuffix("index.html") for name in PAGES}
    text = " ".join(entry["title"] + entry["text"] for entry in index["docs"])
    assert ("plank" in text, "木板" in text) == (code == "en", code == "zh")
    words = set(re.split(index["config"]["separator"], re.sub(r"<[^>]+>", " ", text)))
    assert words >= {"zh": {"点积", "向量", "wind"}, "en": {"dot", "product", "wind"}}[code]
    assert not (built.out / "search").exists()
    page = built.page(f"{code}/hull/index.html")
    settings = json.loads(page.select_one("#__config").text)
    assert built.target(f"{code}/hull/index.html", settings["base"] + "/search/search_index.json") == (
        f"{code}/search/search_index.json"
    )


def test_a_separator_of_the_authors_own_is_kept(site):
    site.configure(plugins=[{"search": {"separator": "x"}}, "bilingual"])
    index = json.loads((site.build().out / "zh/search/search_index.json").read_text("utf-8"))
    assert index["config"]["separator"] == "x"


def test_a_site_without_search_is_built(site):
    site.configure(plugins=["bilingual"])
    assert not list(site.build().out.rglob("search_index.json"))


@BOTH
def test_a_notebook_is_a_page_like_the_others(built, code):
    page = built.page(f"{code}/research/wind/index.html")
    assert page.select_one("article h1").text.startswith({"zh": "风的测量", "en": "Measuring the wind"}[code])
    assert "42" in page.select_one(".jp-OutputArea-output").text
    assert built.page(f"{code}/research/wind/index.html").select_one(".md-tabs__item--active").text.split() == [
        {"zh": "研究", "en": "Research"}[code]
    ]


@pytest.mark.parametrize("name", ["keel.md", "deep/keel.md", "keel.ipynb"])
@BOTH
def test_a_page_without_its_twin_fails_the_build_naming_both(site, caplog, name, code):
    site.configure(plugins=["search", "bilingual", {"mkdocs-jupyter": {"include": ["*.ipynb"], "cache": False}}])
    site.write(f"docs/{code}/{name}", "# Keel\n")
    with pytest.raises(Abort):
        site.build(strict=False)
    assert f"{code}/{name} has no twin {OTHER[code]}/{name}: write it" in caplog.text
    assert not site.out.exists()


def test_a_page_in_no_language_fails_the_build(site, caplog):
    site.write("docs/about.md", "# About\n")
    with pytest.raises(Abort):
        site.build(strict=False)
    assert "about.md is in no language's folder (zh, en)" in caplog.text


def test_a_preview_shows_a_page_whose_twin_is_not_written_yet(site, caplog):
    site.write("docs/zh/keel.md", "# 龙骨\n")
    site.configure(nav=["index.md", "hull.md", "keel.md"])
    site.build(command="serve", strict=False)
    assert "zh/keel.md has no twin en/keel.md: write it" in caplog.text
    page = site.page("zh/keel/index.html")
    assert [link["hreflang"] for link in page.select("link[rel=alternate]:not([hreflang=x-default])")] == ["zh-Hans"]
    assert "None" not in site.page("en/hull/index.html").select_one(".md-nav--primary").text


def test_a_page_that_nav_lacks_or_has_too_much_is_told(site):
    site.configure(nav=["index.md"], validation={"nav": {"omitted_files": "warn"}})
    with pytest.raises(Abort, match="strict"):
        site.build()
    site.configure(nav=["index.md", "hull.md", "sail.md", "rudder.md"])
    with pytest.raises(Abort, match="strict"):
        site.build()


def test_without_nav_the_folders_are_the_navigation(site):
    site.configure(nav=None)
    for code in ("zh", "en"):
        site.write(f"docs/{code}/more/rope.md", "# Rope\n")
    page = site.build().page("en/index.html")
    links = [link["href"] for link in page.select(".md-nav--primary a.md-nav__link")]
    assert list(dict.fromkeys(links)) == ["./", "hull/", "sail/", "more/rope/"]


def test_nav_may_lead_out_of_the_site(site):
    site.configure(nav=["index.md", "hull.md", "sail.md", {"船 | Boats": "https://boats.example/"}])
    page = site.build().page("zh/index.html")
    (link,) = page.select(".md-nav--primary a[href='https://boats.example/']")
    assert link.text.strip() == "船"


def test_a_text_that_lacks_a_language_is_refused(site, caplog):
    site.configure(site_name="a | b | c")
    with pytest.raises(Abort):
        site.build()
    assert "mkdocs.yml: “a | b | c” has 3 parts for 2 languages" in caplog.text


def test_instant_navigation_is_refused(site, caplog):
    site.configure(theme={"name": "material", "font": False, "features": ["navigation.instant"]})
    with pytest.raises(Abort):
        site.build()
    assert "navigation.instant keeps the first page's words and search index: turn it off" in caplog.text


def test_another_course_may_have_other_languages(site):
    for code, words in {"fr": "le vent", "ja": "風と帆", "zh-Hant": "風與帆"}.items():
        site.write(f"docs/{code}/index.md", f"# {code}\n\n{words}\n")
    for code in ("zh", "en"):
        for path in (site.root / "docs" / code).glob("*.md"):
            path.unlink()
    site.configure(
        site_name="vent | 風 | 風",
        site_description="",
        copyright=None,
        nav=["index.md"],
        theme={"name": "material", "font": False},
        plugins=["search", {"bilingual": {"languages": ["fr", "ja", "zh-Hant"]}}],
    )
    page = site.build().page("ja/index.html")
    assert page.html["lang"] == "ja"
    assert [link.text for link in page.select(".bilingual-switch")] == ["français", "中文 (繁體)"]
    # None of them is the fallback of the option, so it is the first.
    assert site.page("index.html").html["lang"] == "fr"


def test_pages_may_be_files_instead_of_folders(site):
    site.configure(use_directory_urls=False)
    path = "zh/hull.html"
    page = site.build().page(path)
    assert site.target(path, page.select_one(".bilingual-switch")["href"]) == "en/hull.html"
    assert (site.out / site.target("index.html", site.page("index.html").select_one("main a")["href"])).is_file()


def test_two_builds_are_alike(site):
    site.configure(site_url="https://host.example/course/")
    site.build().out.rename(site.root / "first")
    site.build()
    first = sorted(path.relative_to(site.root / "first") for path in (site.root / "first").rglob("*.*"))
    assert first == sorted(path.relative_to(site.out) for path in site.out.rglob("*.*"))
    names = [str(PurePosixPath(path)) for path in first]
    _, different, failed = filecmp.cmpfiles(site.root / "first", site.out, names, shallow=False)
    assert (different, failed) == ([], [])


def test_templates_and_styles_come_with_the_plugin(built):
    assert not (built.root / "overrides").exists()
    assert (built.out / "assets/bilingual.css").is_file()
    assert (built.out / "assets/bilingual.js").is_file()
