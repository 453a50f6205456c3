"""Makes a page's table of contents from the plain data that was kept of it."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.toc import AnchorLink, TableOfContents


def contents(items: list[Any]) -> TableOfContents:
    """Make the table; an item is title, anchor, level and the items below it."""
    links = [_anchor(item) for item in items]
    if links:
        links[0].active = True  # type: ignore[attr-defined] # as MkDocs does
    return TableOfContents(links)


def _anchor(item: list[Any]) -> AnchorLink:
    title, name, level, children = item
    anchor = AnchorLink(title, name, level)
    anchor.children = [_anchor(child) for child in children]
    return anchor
