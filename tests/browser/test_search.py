"""What a reader types into the search, and the page that she must find among the first."""

import pytest

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)

FIRST = {
    "en": {
        "matrix multiplication": "l2-matrix-multiplication/",
        "temperature": "l3-variance/",
        "scaled dot product": "research/t2-scaled-dotprod/",
        "scaled dot-product attention": "research/t2-scaled-dotprod/",
        "dot product": "research/t2-scaled-dotprod/",
        "sqrt dk": "research/t3-variance/",
        "variance": "research/t3-variance/",
        "causal mask": "glossary/",
        "positional encoding": "glossary/",
        "KV cache": "attn/decoding/",
    },
    "zh": {
        "内积": "l1-inner-product/",
        "矩阵乘法": "l2-matrix-multiplication/",
        "温度": "l3-variance/",
        "点积": "research/t2-scaled-dotprod/",
        "缩放点积": "research/t2-scaled-dotprod/",
        "缩放点积注意力": "research/t2-scaled-dotprod/",
        "sqrt dk": "research/t3-variance/",
        "方差": "research/t3-variance/",
        "因果掩码": "glossary/",
        "旋转位置编码": "glossary/",
    },
}
AMONG_THREE = {
    "en": {
        "softmax": "research/t5-softmax/",
        "RoPE": "glossary/",
        "rotary": "glossary/",
        "√d_k": "l2-matrix-multiplication/",
    },
    "zh": {
        "softmax": "research/t5-softmax/",
        "RoPE": "glossary/",
        "余弦": "glossary/",
        "√d_k": "l2-matrix-multiplication/",
    },
}


@pytest.mark.parametrize("code", ["zh", "en"])
def test_what_readers_type_finds_its_page(reader, code):
    window, astray = reader(), {}
    window.open(f"{code}/")
    for words, wanted in {**FIRST[code], **AMONG_THREE[code]}.items():
        found = window.search(words)
        assert all(link.startswith(f"{code}/") for link in found), words
        pages = list(dict.fromkeys(link.split("#")[0].split("?")[0] for link in found))
        if f"{code}/{wanted}" not in pages[: 1 if words in FIRST[code] else 3]:
            astray[words] = pages[:4]
    assert astray == {}
