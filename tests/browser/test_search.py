"""What a reader types into the search, and where it must lead her: by the theme's own box, and by its worker alone."""

import re

import pytest

from knit.read.glossary import Glossary

from .conftest import ROOT

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
BOTH = pytest.mark.parametrize("code", ["zh", "en"])

FIRST = {
    "en": {
        "inner product": "l1-inner-product/",
        "matrix multiplication": "l2-matrix-multiplication/",
        "variance": "l3-variance/",
        "temperature": "l1-inner-product/",  # L3 has it in a heading, L1 teaches it
        "what is the temperature": "l1-inner-product/",
        "softmax": "l1-inner-product/",
        "temperat": "l1-inner-product/",  # as it is being typed
        "gradients": "l3-variance/",
        "position": "l4-position/",
        "relative position": "l4-position/",
        "相对位置": "l4-position/",
        "√d_k": "l3-variance/",
        "sqrt dk": "l3-variance/",
        "scaled dot product": "research/t2-scaled-dotprod/",
        "scaled dot-product attention": "research/t2-scaled-dotprod/",
        "KV cache": "attn/decoding/",
    },
    "zh": {
        "内积": "l1-inner-product/",
        "点积": "l1-inner-product/",
        "矩阵乘法": "l2-matrix-multiplication/",
        "方差": "l3-variance/",
        "温度": "l1-inner-product/",
        "temperature": "l1-inner-product/",
        "相对位置": "l4-position/",
        "旋转位置编码": "l4-position/",
        "√d_k": "l3-variance/",
        "√d_k的方差": "l3-variance/",
        "ｓｑｒｔ（ｄ＿ｋ）": "l3-variance/",  # as Chinese keyboards write
        "缩放点积": "research/t2-scaled-dotprod/",
        "缩放点积注意力": "research/t2-scaled-dotprod/",
        "KV cache": "attn/decoding/",
    },
}

# By the formula as lessons have it in LaTeX: what readers type.
FORMULAS = {
    r"\sqrt{d_k}": ["√d_k", "√dk", "√dₖ", "sqrt(d_k)", "sqrt dk", r"\sqrt{d_k}", r"$\sqrt{d_{k}}$", "Sqrt( d_k )"],
    r"QK^\top": ["QK^T", "QKᵀ", "QK⊤", r"QK^\top", "QK^{T}", "qkt", "softmax(QK^T)", "softmax(QK^T/√d_k)V", "Q K^T"],
    "W^Q": ["W_Q", "W^Q", "WQ", "W^{Q}", r"W_{Q}", "wq"],
    "d_k": ["d_k", "dk", "dₖ", "d_{k}"],
}

ASKED = """async ([code, queries]) => {
  const own = JSON.parse(document.querySelector('#__config').textContent)
  const worker = new Worker(new URL(own.search, location))
  const answer = message => new Promise(resolve => {
    worker.addEventListener('message', ({data}) => resolve(data.data), {once: true})
    worker.postMessage(message)
  })
  const index = await (await fetch(new URL(`${own.base}/search/search_index.json`, location))).json()
  await answer({type: 0, data: {...index, options: {suggest: false}}})
  const found = []
  for (const query of queries) {
    const {items} = await answer({type: 2, data: query})
    found.push(items.map(group => group[0].location))
  }
  worker.terminate()
  return found
}"""


def pages(links):
    return list(dict.fromkeys(re.split("[#?]", link)[0] for link in links))


@pytest.fixture
def ask(reader):
    """Give what the search finds for many queries: of each page found, its first place."""

    def asked(code, queries):
        window = reader()
        window.open(f"{code}/glossary/")
        return dict(zip(queries, window.page.evaluate(ASKED, [code, list(queries)]), strict=True))

    return asked


@BOTH
def test_what_readers_type_finds_its_page(reader, code):
    window, astray = reader(), {}
    window.open(f"{code}/")
    for words, wanted in FIRST[code].items():
        found = window.search(words)
        assert all(link.startswith(f"{code}/") for link in found), words
        if pages(found)[:1] != [f"{code}/{wanted}"]:
            astray[words] = pages(found)[:4]
    assert astray == {}


@BOTH
def test_every_name_of_a_term_finds_its_lesson_and_then_its_entry(ask, code):
    terms = Glossary.read(ROOT, "docs/glossary.yml", ("zh", "en")).entries
    named = [(name, term) for term in terms for name in term.sought(code)]
    assert len(named) > 4 * len(terms) > 150
    found = ask(code, [name for name, _ in named])
    alike = {}
    for name, term in named:
        alike.setdefault(name.lower(), set()).add(term.id)
    astray = {}
    for name, term in named:
        first = pages(found[name])[: 1 + len(alike[name.lower()])]
        entry = f"glossary/#term-{term.id}"
        lesson = any(page.startswith("l") for page in first[:1])
        if not lesson or entry not in found[name][: len(first)]:
            astray[name] = found[name][:4]
    assert astray == {}


def test_a_term_leads_to_the_same_lesson_in_both_languages(ask):
    terms = Glossary.read(ROOT, "docs/glossary.yml", ("zh", "en")).entries
    led = {}
    for code in ("zh", "en"):
        found = ask(code, [term.names[code] for term in terms])
        led[code] = {term.id: pages(found[term.names[code]])[0] for term in terms}
    assert led["zh"] == led["en"]
    assert led["en"]["variance"] == "l3-variance/"  # in its title, though L1 mentions it
    assert led["en"]["temperature"] == "l1-inner-product/"


@BOTH
@pytest.mark.parametrize("latex", FORMULAS)
def test_a_formula_is_found_where_it_stands_however_it_is_typed(ask, code, latex):
    standing = re.compile(r"(?<![A-Za-z\\])" + re.escape(latex).replace(r"\{", r"\s?\{"))
    lessons = sorted((ROOT / "docs" / code).glob("l?-*.md"))
    wanted = {f"{path.stem}/" for path in lessons if standing.search(path.read_text("utf-8"))}
    assert wanted
    found = ask(code, FORMULAS[latex])
    missing = {typed: wanted - set(pages(places)) for typed, places in found.items()}
    assert {typed: pages for typed, pages in missing.items() if pages} == {}
    for typed, places in found.items():
        assert pages(places)[0].startswith("l"), typed  # a lesson before the reference and the claims


@BOTH
def test_a_formula_is_shown_as_text(reader, code):
    window = reader()
    window.open(f"{code}/")
    window.search("QK^T")
    marked = window.page.locator(".md-search-result__article mark").all_inner_texts()
    assert any("QKᵀ" in text for text in marked), marked


@BOTH
def test_what_is_nowhere_is_not_found(ask, code):
    found = ask(code, ["xylophone", "^", "~", "$$", "", "   "])
    assert all(places == [] for places in found.values()), found


@BOTH
def test_the_signs_of_the_theme_s_search_mean_what_they_meant(ask, code):
    found = ask(code, ["temperature softmax", '"temperature softmax"', "temperature -softmax", "+temperature +softmax"])
    some, both, one, also = map(set, found.values())
    assert 0 < len(both) < len(some)
    assert both == also
    assert one
