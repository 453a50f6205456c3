"""What the search's index says of pages, and how it is parted."""

import json
from types import SimpleNamespace

import pytest
from markdown import markdown
from material.plugins.search.plugin import SearchIndex
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugins
from mkdocs.structure.toc import TableOfContents

from knit.site import search
from knit.site.languages import languages_of
from knit.site.search_entries import Entries, use
from knit.weave.maths import render

LANGUAGES = languages_of(["zh", "en"])


def entries(html, kind=Entries):
    index = kind(lang=["en"], separator=" ", pipeline=[], fields={})
    page = SimpleNamespace(content=html, meta={}, toc=TableOfContents([]), url="here/", title="Here")
    index.add_entry_from_context(page)
    assert page.content == html
    return index.entries


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\sqrt{d_k}", "√dₖ"),
        (r"QK^\top", "QKᵀ"),
        (r"W^Q", "W^Q"),
        (r"a<b", "a &lt; b"),
        (r"\frac{1}{m}\sum_i x_i", "(1/m)∑ᵢ xᵢ"),
    ],
)
def test_formulas_are_indexed_as_text(latex, text):
    (entry,) = entries(f'<h1 id="a">Roots</h1><p>So {render(latex, display=False)} stands here.</p>')
    assert entry["text"] == f"<p>So {text} stands here.</p>"


def test_a_formula_in_a_heading_and_one_that_is_not_ours():
    heading, other = entries(
        f'<h1 id="a">Of {render("x_i", display=False)}</h1><p>One.</p>'
        "<h2 id='b'>Two</h2><p><math><mi>y<br></math> ends.</p>"
    )
    assert heading["title"] == "Of xᵢ"
    assert "ends." in other["text"]


def test_a_term_s_names_come_from_its_heading():
    first, second = entries(
        '<h1 id="a">Words</h1><p>All.</p>'
        '<h2 id="term-ball" data-search-names="ball|球" data-search-first="balls">ball · 球</h2><p>Round.</p>'
    )
    assert "term" not in first
    assert second["term"] == {"names": ["ball", "球"], "first": "balls"}


CODE = """```python
def f(x):
    return  x < 1  # so {}


print("a & b", f"{{x}}")
```
"""


@pytest.mark.parametrize("options", [{}, {"linenums": True}, {"linenums": True, "anchor_linenums": True}])
def test_code_is_indexed_as_material_does_without_its_parser_seeing_each_colour(options):
    body = markdown(
        f"# Code {{#a}}\n\nBefore `x < 1`.\n\n{CODE}\nBetween.\n\n{CODE}",
        extensions=["pymdownx.superfences", "pymdownx.highlight", "attr_list"],
        extension_configs={"pymdownx.highlight": options},
    )
    assert "<span" in body
    (entry,), (theirs,) = entries(body), entries(body, SearchIndex)
    assert entry["text"].split() == theirs["text"].split()
    assert "return" in entry["text"]


def test_code_that_is_not_to_be_found_is_not():
    (entry,) = entries('<h1 id="a">Code</h1><pre><span data-search-exclude>hidden</span> shown</pre>')
    assert "shown" in entry["text"]
    assert "hidden" not in entry["text"]


def test_a_site_without_search_is_left_alone():
    config = MkDocsConfig()
    config.plugins = {}
    use(config)
    assert "material/search" in get_plugins()
    assert config.plugins == {}


def written(folder, docs):
    (folder / "search").mkdir(parents=True)
    whole = {"config": {"lang": ["en"], "separator": search.SEPARATOR}, "docs": docs}
    (folder / "search/search_index.json").write_text(json.dumps(whole), "utf-8")
    search.part(folder, LANGUAGES)
    assert not (folder / "search").exists()
    return {code: json.loads((folder / code / "search/search_index.json").read_text("utf-8")) for code in ("zh", "en")}


def entry(location, title="", text="", **more):
    return {"location": location, "title": title, "text": text, **more}


def test_a_large_index_is_written_in_files_of_moderate_size_and_whole(tmp_path):
    docs = [
        entry(f"{code}/page-{page}/{at}", "t", f"{page} " * 12_000)
        for code in ("zh", "en")
        for page in range(8)
        for at in ("", "#a", "#b")
    ]
    workers = tmp_path / search.WORKERS
    for code, index in written(tmp_path, docs).items():
        files = [index["docs"]]
        for part in index["config"]["parts"]:
            path = (workers / part).resolve()
            assert path.parent == (tmp_path / code / "search").resolve()
            assert path.stat().st_size <= search.LARGEST
            files.append(json.loads(path.read_text("utf-8")))
        assert len(files) == 4
        assert [each for file in files for each in file] == [
            {**each, "location": each["location"].removeprefix(f"{code}/")}
            for each in docs
            if each["location"].startswith(code)
        ]
        whose = [{each["location"].partition("#")[0] for each in file} for file in files]
        assert sum(map(len, whose)) == len(set.union(*whose)) == 8  # no page stands in two


def test_a_small_index_is_one_file(tmp_path):
    index = written(tmp_path, [entry("zh/", "一"), entry("en/", "one")])
    assert index["en"] == {
        "config": {"lang": ["en"], "separator": search.SEPARATOR, "parts": [], "terms": []},
        "docs": [entry("", "one")],
    }


def test_a_language_without_entries_has_an_index(tmp_path):
    assert written(tmp_path, [entry("en/", "one")])["zh"]["docs"] == []


def test_a_term_s_lesson_is_the_one_named_after_it_or_the_first_to_use_it(tmp_path):
    def term(name, first):
        return entry(f"en/words/#{name}", name, "Said.", term={"names": [name, f"{name}s"], "first": first})

    docs = [
        entry("en/code/balls/", "balls", "import ball"),
        entry("en/balls/", "Throwing"),
        entry("en/cones/", "A cone and its \u200bdiscs"),
        entry("en/words/", "Words"),
        *(term("cone", "balls"), term("disc", "balls"), term("ring", "cones"), term("lost", "nowhere")),
    ]
    index = written(tmp_path, docs)["en"]
    assert [(term["names"][0], term["places"]) for term in index["config"]["terms"]] == [
        ("cone", ["cones/", "words/#cone"]),
        ("disc", ["balls/", "words/#disc"]),
        ("ring", ["cones/", "words/#ring"]),
        ("lost", ["words/#lost"]),
    ]
    boosts = {each["location"]: each.get("boost") for each in index["docs"]}
    assert boosts["cones/"] == search.PREFERRED
    assert boosts["words/#cone"] is None
    assert all("term" not in each for each in index["docs"])
