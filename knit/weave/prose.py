"""Mends what browsers do to prose: code that breaks after a hyphen, and a space behind Chinese punctuation in bold."""

from __future__ import annotations

import re

CODE = re.compile(r"<pre\b.*?</pre>|<code>(?P<text>[^<]*)</code>", re.DOTALL)
WORD = re.compile(r"[!-~]+")
PLACES = re.compile(r"(?<=[/.,_(=])(?![/.,_(=]|$)")
"""Where one would break a name, a path or an expression that is too long for a line."""

LONG = 32
"""Letters of code that a line on a phone has room for, beside a word or two."""

AFTER_STOP = re.compile(
    r"(?P<end>[。，、；：！？）」』》〉】]</(?:strong|em)>) +"
    r"|(?P<quoted>[”’]</(?:strong|em)>) +(?=[\u4e00-\u9fff])"
)
"""The space without which other viewers of Markdown do not see where bold ends."""

IN_BRACKETS = re.compile(r"(?<=\()\s+(?=<code>)|(?<=</code>)\s+(?=\))")
"""The space that mkdocstrings' templates leave beside a type in brackets."""


def mended(html: str) -> str:
    """Keep each word of inline code whole where it has a hyphen, let long ones break, and drop needless spaces."""
    html = AFTER_STOP.sub(lambda match: match["end"] or match["quoted"], html)
    html = IN_BRACKETS.sub("", html)
    return CODE.sub(_code, html)


def _code(match: re.Match[str]) -> str:
    text = match["text"]
    return f"<code>{WORD.sub(_word, text)}</code>" if text else match[0]


def _word(match: re.Match[str]) -> str:
    word = match[0]
    parts = [word] if len(word) <= LONG else PLACES.split(word)
    return "<wbr>".join(map(_whole, parts))


def _whole(part: str) -> str:
    return f'<span class="knit-keep">{part}</span>' if "-" in part[:-1] and len(part) <= LONG else part
