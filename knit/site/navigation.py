"""Navigation in several languages, from a ``nav`` that is written once, without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from knit.site.languages import Language


def mirrored(nav: Any, languages: Sequence[Language]) -> list[dict[str, Any]]:  # noqa: ANN401 - as in mkdocs.yml
    """Repeat a ``nav`` in every language: one section a language, paths from its folder.

    Parameters
    ----------
    nav : list
        As MkDocs wants it, but paths begin at the language's folder (``l1.md`` stands for ``zh/l1.md`` and
        ``en/l1.md``) and titles have the languages parted by bars (``课程 | Lessons``). Pages take their
        titles from themselves.
    languages : sequence of Language
        The site's.

    """
    return [{language.code: _in(language, nav)} for language in languages]


def _in(language: Language, nav: Any) -> Any:  # noqa: ANN401
    if isinstance(nav, str):
        return nav if "://" in nav else f"{language.code}/{nav}"
    if isinstance(nav, dict):
        return {language.words(title): _in(language, item) for title, item in nav.items()}
    return [_in(language, item) for item in nav]


def parted(nav: Navigation, languages: Sequence[Language]) -> dict[str, Navigation]:
    """Part the navigation that came of a mirrored ``nav``: each language's own, by its code.

    Previous and next pages no longer cross languages, and the section of a language is nobody's parent.
    """
    own: dict[str, Navigation] = {}
    for language, section in zip(languages, nav.items, strict=True):
        assert isinstance(section, Section)  # noqa: S101 - made by `mirrored`
        _drop_unwritten(section)
        for child in section.children:
            child.parent = None
        pages = _pages(section.children)
        if pages:
            pages[0].previous_page = None
            pages[-1].next_page = None
        own[language.code] = Navigation(section.children, pages)
        # MkDocs knows only the page at `/` as a home page.
        homes = [page for page in pages if page.file.src_uri.startswith(f"{language.code}/index.")]
        own[language.code].homepage = next(iter(homes or pages), None)
    return own


def _drop_unwritten(section: Section) -> None:
    """Drop pages that ``nav`` names and nobody has written yet: MkDocs warns of them, and makes nameless links."""
    section.children = [child for child in section.children if child.title is not None or isinstance(child, Page)]
    for child in section.children:
        if isinstance(child, Section):
            _drop_unwritten(child)


def _pages(items: Sequence[Any]) -> list[Page]:
    found: list[Page] = []
    for item in items:
        found += [item] if isinstance(item, Page) else _pages(item.children or [])
    return found
