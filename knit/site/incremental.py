"""Puts pages back instead of converting and templating them, where nothing that they depend on changed.

Three things are made of a page, each with a key that holds all that it depends on: its *conversion* from Markdown
(the source, what is woven into it, files that it shows, addresses that it links to; `knit.site.conversions`), its
*entries* in the search index, and its *rendering* in the theme's templates (the conversion, the navigation, its
neighbours and twins; `knit.site.renderings`). What all pages share, see `knit.site.surroundings`. Where something
takes part of which nothing is known, nothing is kept. What is not kept is made by several processes at once
(`knit.abreast`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from knit.abreast import Abreast, MakeAll
from knit.shelf import Shelf, Slot
from knit.site import surroundings
from knit.site.conversions import Conversions
from knit.site.opened import Opened
from knit.site.renderings import Renderings, complete
from knit.site.state import State
from knit.site.surroundings import Unknown

Make = Callable[[Page], None]
MakePages = Callable[[Sequence[Page]], None]
ASCII = 127
log = get_plugin_logger("knit")


class Incremental:
    """One build's keeping of pages.

    Parameters
    ----------
    config : MkDocsConfig
        After all plugins have had their say.
    root, folder : Path
        The project's folder, and the one to keep things in.
    opened : Opened
        The process's.

    """

    def __init__(self, config: MkDocsConfig, root: Path, folder: Path, opened: Opened) -> None:
        self.templates = folder / "templates"
        self._shelf = Shelf(folder / "pages")
        self._states: dict[str, State] = {}
        self._abreast = Abreast()
        self.apart = False
        """Whether this is a process that only makes pages for another."""
        self._site = ""
        self._conversions: Conversions | None = None
        self._renderings: Renderings | None = None
        try:
            self._site = surroundings.of_site(config)
            self._conversions = Conversions(config, root, opened, self._site)
        except Unknown as unknown:
            log.info("every page is made anew: nothing is known of %s", unknown)

    # --- conversion

    def convert(self, pages: Iterable[Page], files: Files, woven: Callable[[Page], str], make: Make) -> None:
        """Before pages are converted: have several processes convert those of which nothing is kept."""
        if self._conversions is None:
            return
        due = []
        for page in pages:
            state = self._conversions.state(page, files, woven(page), self._slot(page))
            if state.kept is None:
                due.append(page)
            else:
                self._states[page.file.src_uri] = state
        self._abreast.begin({page.file.src_uri: len(page.file.content_bytes) for page in due}, self._keeping(due, make))

    def before(self, page: Page, files: Files, woven: str) -> bool:
        """Before a page's source is read: put its conversion back, or have the real one noted.

        ``woven`` is the digest of what is woven into it. Give whether it was put back.
        """
        if self._conversions is None:
            return False
        uri = page.file.src_uri
        self._abreast.made(uri)
        state = self._states.get(uri) or self._conversions.state(page, files, woven, self._slot(page))
        self._states[uri] = state
        if state.kept is None:
            self._conversions.note(page, state, files)
            return False
        self._conversions.put_back(page, state)
        return True

    def is_kept(self, page: Page) -> bool:
        """Whether a page's conversion was put back."""
        state = self._states.get(page.file.src_uri)
        return state is not None and state.kept is not None

    def files(self, files: Files) -> Files:
        """Give the site's files as they note what a conversion asks for."""
        return files if self._conversions is None else self._conversions.files(files)

    def after(self, page: Page, content: str) -> str:
        """When a page is converted and finished: keep what was made of it, unless it was put back.

        Give what is to stay at hand, which is nothing where it can be read again: courses are larger than memory.
        """
        state = self._states.get(page.file.src_uri)
        if self._conversions is None or state is None:
            return content
        if state.kept is None:
            self._conversions.keep(page, state, content)
        return content if state.kept is None or state.kept["late"] else ""

    # --- templates and search

    def render(self, pages: Sequence[Page], make: Make, index: Callable[[], list[dict[str, Any]]]) -> None:
        """When all pages are converted: have those rendered by several processes of which nothing is kept.

        ``make`` renders one page, ``index`` gives the search's entries of the pages that were rendered.
        """
        if self._conversions is None:
            return
        self._renderings = Renderings(self._site, pages)
        known = [(page, state) for page in pages if (state := self._states.get(page.file.src_uri)) is not None]
        for page, state in known:
            self._renderings.take_template(page, state)

        def indexed(share: Sequence[Page]) -> None:
            complete(self._states, share, index())

        due = [page for page, state in known if not self._renderings.expected(state)]
        self._abreast.begin({page.file.src_uri: _effort(page) for page in due}, self._keeping(due, make, indexed))

    def before_search(self, context: TemplateContext, page: Page) -> TemplateContext:
        """When a page's context is complete: find its rendering and its entries, and keep the search from it."""
        state = self._templated(page)
        if self._renderings is None or state is None:
            return context
        if self._abreast.made(page.file.src_uri):
            state.slot = self._slot(page)
        return self._renderings.before_search(context, page, state)

    def after_search(self, page: Page) -> None:
        """When the search has seen a page: give it its own front matter back."""
        if self._renderings is not None and (state := self._templated(page)) is not None:
            self._renderings.after_search(page, state)

    def after_template(self, page: Page, output: str) -> None:
        """When a page's template is filled: keep the HTML."""
        if self._renderings is not None and (state := self._templated(page)) is not None:
            self._renderings.after_template(state, output)
            if state.kept is not None and not state.kept["late"]:
                page.content = ""

    def entries(self, pages: Sequence[Page], found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Complete the search's entries."""
        return complete(self._states, pages, found)

    def finish(self) -> None:
        """When a build ends, however it does: write what is new."""
        self._abreast.end()
        for state in self._states.values():
            with suppress(OSError):
                state.slot.save()
        if self._conversions is not None:
            self._conversions.stop()
            self._shelf.sweep(set(self._states))

    def _templated(self, page: Page) -> State | None:
        state = self._states.get(page.file.src_uri)
        return None if state is None or state.template is None else state

    def _slot(self, page: Page) -> Slot:
        return self._shelf.slot(page.file.src_uri)

    def _keeping(self, due: Sequence[Page], make: Make, then: MakePages | None = None) -> MakeAll:
        """Give what another process does: make its pages one by one, and keep as many as it can."""
        by_name = {page.file.src_uri: page for page in due}

        def share(names: Sequence[str]) -> None:
            self._abreast, self.apart = Abreast(), True
            pages = [by_name[name] for name in names]
            try:
                for page in pages:
                    make(page)
            finally:
                if then is not None:
                    then(pages)
                for page in pages:
                    if (state := self._states.get(page.file.src_uri)) is not None:
                        state.slot.save()

        return share


def _effort(page: Page) -> int:
    """Say how much there is to do for a page's rendering: its Chinese is parted into words, which doubles it."""
    source = page.file.content_bytes
    return len(source) + sum(byte > ASCII for byte in source)
