"""Makes one file of the styles that a page asks for: each of a dozen would cost a round trip before anything shows."""

from __future__ import annotations

import hashlib
import posixpath
import re
from pathlib import Path

OPENING = '<link rel="stylesheet" href="'
LINK = rf'{OPENING}(?P<{{}}>(?!//)[^":?#]+\.css)">'
RUN = re.compile(rf"{LINK.format('first')}(?:\s*{LINK.format('last')})+")
HREF = re.compile(LINK.format("href"))
ADDRESS = re.compile(r"""url\(\s*(?P<quote>["']?)(?!data:|[#/]|\w+:)(?P<path>[^"')]+)(?P=quote)\s*\)""")
HEAD = re.compile(r'@charset "[^"]*";|/\*# sourceMappingURL=.*?\*/')

SWITCHING = re.compile(r"\[data-md-color-switching\] \*,[^{}]*\{[^{}]*\}")
"""The theme's rule by which a change of scheme is not a slow one. It is about every element, and the theme sets its
attribute on each page that opens: all styles would be reckoned up twice more, half of the time that a phone spends on
them."""

WHERE = "assets/knit"


class Styles:
    """The files of styles of one site, whose other files are written already.

    Parameters
    ----------
    site : Path
        Its folder.

    """

    def __init__(self, site: Path) -> None:
        self._site = site
        self._made: dict[tuple[str, ...], str] = {}
        self._replaced: set[str] = set()
        self._left: set[str] = set()

    def joined(self, html: str, address: str) -> str:
        """Have a page, of which the path is given, ask for one file in place of those that follow each other in it."""
        folder = posixpath.dirname(address)

        def name(link: re.Match[str]) -> str:
            return posixpath.normpath(posixpath.join(folder, link["href"]))

        def one(run: re.Match[str]) -> str:
            names = tuple(name(link) for link in HREF.finditer(run[0]))
            if names not in self._made:
                self._made[names] = self._written(names)
            self._replaced.update(names)
            return f'<link rel="stylesheet" href="{posixpath.relpath(self._made[names], folder or ".")}">'

        # The links stand together at the head of a long page.
        begin, last = html.find(OPENING), html.rfind(OPENING)
        if begin < 0:
            return html
        end = html.index(">", last) + 1
        joined = RUN.sub(one, html[begin:end])
        self._left.update(name(link) for link in HREF.finditer(joined))
        return f"{html[:begin]}{joined}{html[end:]}"

    def clear(self) -> None:
        """When all pages are finished: remove the files that no page asks for any longer."""
        for name in self._replaced - self._left:
            (self._site / name).unlink()

    def _written(self, names: tuple[str, ...]) -> str:
        """Write the file of several, and give its name, which says what is in it."""
        text = "\n".join(_moved((self._site / name).read_text("utf-8"), posixpath.dirname(name)) for name in names)
        name = f"{WHERE}/styles.{hashlib.sha256(text.encode()).hexdigest()[:8]}.css"
        (self._site / name).write_text(text, "utf-8")
        return name


def _moved(css: str, folder: str) -> str:
    """Write styles as they stand in another folder."""

    def moved(address: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, address["path"]))
        return f'url("{posixpath.relpath(target, WHERE)}")'

    return ADDRESS.sub(moved, SWITCHING.sub("", HEAD.sub("", css))).strip()
