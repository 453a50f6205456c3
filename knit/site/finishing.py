"""Finishes the HTML of a site before it is written: one file of styles, and what a page may load."""

from __future__ import annotations

from pathlib import Path

from knit.shelf import write
from knit.site.policy import protected
from knit.site.styles import Styles


class Finishing:
    """The finishing of one site, whose other files are written before its pages.

    Parameters
    ----------
    site : Path
        Its folder.
    serving : bool
        Whether it is a preview: its styles stay apart, so that one that is edited is seen.

    """

    def __init__(self, site: Path, *, serving: bool) -> None:
        self._site, self._serving = site, serving
        self._styles = Styles(site)
        self._pages: set[str] = set()

    def page(self, html: str, address: str) -> str:
        """Finish a page; its path from the site's folder is given."""
        self._pages.add(address)
        joined = html if self._serving else self._styles.joined(html, address)
        return protected(joined, serving=self._serving)

    def rest(self) -> None:
        """When all is written: finish what no page of the course is, and remove the styles that nothing asks for."""
        for path in sorted(self._site.rglob("*.html")):
            address = path.relative_to(self._site).as_posix()
            if address not in self._pages:
                html = path.read_text("utf-8")
                if (finished := self.page(html, address)) != html:
                    write(path, finished)
        self._styles.clear()
