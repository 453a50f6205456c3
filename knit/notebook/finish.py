"""Finishes what mkdocs-jupyter makes of a notebook: light, in the site's looks, with the pieces that knit put aside.

mkdocs-jupyter brings half a megabyte of JupyterLab's styles with each page, scripts, a hidden copy of the code, and
ids that leave out Chinese. What it does well stays: the cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bs4 import BeautifulSoup, Tag

from knit.notebook.book import TOKEN
from knit.weave.prose import mended
from knit.weave.stops import kept, with_stops
from knit.weave.weaver import CLOSE, OPEN, Woven

HEAVY = re.compile(r"<(style|script)\b.*?</\1>|<!--.*?-->", re.DOTALL)
BOUND = with_stops(rf"{OPEN}(?P<n>\d+){CLOSE}")
NEEDLESS = (
    ".anchor-link, .jp-Collapser, .zeroclipboard-container, .clipboard-copy-txt, .jp-OutputPrompt,"
    ".jp-MarkdownCell .jp-InputPrompt"
)


def finished(
    html: str, woven: Woven, ids: Sequence[str | None], link: Callable[[str], str | None]
) -> tuple[str, list[str]]:
    """Give the page's HTML and the plain text of its headings.

    Parameters
    ----------
    html : str
        The notebook as mkdocs-jupyter renders it.
    woven : Woven
        What the tokens in it stand for.
    ids : sequence of str or None
        The headings' ids, in order.
    link : callable
        Gives the address of what a link to another source file leads to, None for links that stay as they are.

    Raises
    ------
    ValueError
        When the notebook has more headings, or fewer.

    """
    soup = BeautifulSoup(HEAVY.sub("", html), "html.parser")
    for element in soup.select(NEEDLESS):
        element.decompose()
    for element in soup.select("[tabindex]"):
        del element["tabindex"]
    # Words of a search are those of the prose.
    for element in soup.select(".jp-Cell-outputWrapper, .jp-InputPrompt"):
        element["data-search-exclude"] = ""
    for pre in soup.select(".highlight-ipynb pre"):
        _as_code(soup, pre)
    for anchor in soup.select("a[href]"):
        _linked(anchor, link)
    headings = soup.select(".jp-MarkdownOutput :is(h1, h2, h3, h4, h5, h6)")
    titles = [_titled(soup, heading, name, woven) for heading, name in zip(headings, ids, strict=True)]
    text = kept(BOUND, mended(str(soup)), woven.html)
    return TOKEN.sub(lambda match: woven.html[int(match[1])], text), titles


def _as_code(soup: BeautifulSoup, pre: Tag) -> None:
    """Make code look, and copy, as it does in lessons."""
    box = pre.find_parent(class_="highlight-ipynb")
    if box is not None:
        box["class"] = "highlight"
    inner = soup.new_tag("code")
    inner.extend(list(pre.contents))
    pre.append(inner)


def _linked(anchor: Tag, link: Callable[[str], str | None]) -> None:
    target = str(anchor["href"])
    if "#term-" in target:
        anchor["class"] = "knit-term"
    if address := link(target):
        anchor["href"] = address


def _titled(soup: BeautifulSoup, heading: Tag, name: str | None, woven: Woven) -> str:
    """Give a heading its id and a link to itself; give its words."""
    title = TOKEN.sub(lambda match: woven.plain[int(match[1])], heading.get_text()).strip()
    if name:
        heading["id"] = name
        link = soup.new_tag("a", attrs={"class": "headerlink", "href": f"#{name}", "title": "Permanent link"})
        link.string = "¶"
        heading.append(link)
    return title
