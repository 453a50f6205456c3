"""What is mended of prose: where code breaks, and spaces behind Chinese punctuation."""

import re

import pytest

from knit.weave.prose import LONG, mended

TAG = re.compile("<[^<>]*>")


def code(text):
    return f"<p>x <code>{text}</code> y</p>"


def kept(text):
    return f'<span class="knit-keep">{text}</span>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("-inf", kept("-inf")),
        ("mkdocs build --strict", f"mkdocs build {kept('--strict')}"),
        ("a &lt; 1e-12", f"a &lt; {kept('1e-12')}"),
        ("softmax(scores) - 1", "softmax(scores) - 1"),
        ("半径-r", f"半径{kept('-r')}"),
        ("docs/en/l2-matrix-multiplication.md", f"docs/<wbr>en/<wbr>{kept('l2-matrix-multiplication.')}<wbr>md"),
        (
            "(_multi_headed_self_attention(X))",
            "(_<wbr>multi_<wbr>headed_<wbr>self_<wbr>attention(<wbr>X))",
        ),
        (f"a{'-b' * LONG}", f"a{'-b' * LONG}"),  # wider than a phone
    ],
)
def test_code_breaks_where_one_would_break_it(text, html):
    assert mended(code(text)) == code(html)
    assert TAG.sub("", mended(code(text))) == TAG.sub("", code(text))


@pytest.mark.parametrize(
    "block", ["<pre><span></span><code>a --b\n</code></pre>", "<pre><code>-1\n</code></pre>", "--b"]
)
def test_blocks_of_code_and_words_stay(block):
    assert mended(block) == block


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<strong>一句话。</strong> 下一句", "<strong>一句话。</strong>下一句"),
        ("<strong>“行吗？”</strong> 行", "<strong>“行吗？”</strong>行"),
        ("<em>对：</em> <code>x</code>", "<em>对：</em><code>x</code>"),
        ("<strong>“Well.”</strong> Then", "<strong>“Well.”</strong> Then"),
        ("<strong>So.</strong> Then", "<strong>So.</strong> Then"),
        ("<strong>ALiBi</strong> 的", "<strong>ALiBi</strong> 的"),
        ("<strong>查询</strong> <knit>", "<strong>查询</strong> <knit>"),
        ("state (  <code>int</code>,\n <code>0</code>\n) –", "state (<code>int</code>,\n <code>0</code>) –"),
        ("f ( x ) and <code>a</code> b", "f ( x ) and <code>a</code> b"),
    ],
)
def test_no_space_stays_behind_chinese_punctuation_or_in_brackets(html, expected):
    assert mended(html) == expected
