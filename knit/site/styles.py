"""Makes one file of the styles that a page asks for: each of a dozen would cost a round trip before anything shows."""

from __future__ import annotations

import hashlib
import posixpath
import re
from pathlib import Path

LINK = r'<link rel="stylesheet" href="(?P<{}>(?!//)[^":?#]+\.css)">'
RUN = re.compile(rf"{LINK.format('first')}(?:\s*{LINK.format('last')})+")
HREF = re.compile(LINK.format("href"))
ADDRESS = re.compile(r"""url\(\s*(?P<quote>["']?)(?!data:|[#/]|\w+:)(?P<path>[^"')]+)(?P=quote)\s*\)""")
HEAD = re.compile(r'@charset "[^"]*";|/\*# sourceMappingURL=.*?\*/')

SWITCHING = re.compile(r"\[data-md-color-switching\] \*,[^{}]*\{[^{}]*\}")
"""The theme's rule by which a change of scheme is not a slow one. It is about every element, and the theme sets its
attribute on each page that opens: all styles would be reckoned up twice more, half of the time that a phone spends on
them."""

WHERE = "assets/knit"


def join(site: Path) -> None:
    """Have each page of a built site ask for one file in place of the files of styles that follow each other in it."""
    made: dict[tuple[str, ...], str] = {}
    replaced: set[str] = set()
    left: set[str] = set()
    for path in sorted(site.rglob("*.html")):
        html = path.read_text("utf-8")
        folder = path.parent.relative_to(site).as_posix()

        def one(run: re.Match[str], folder: str = folder) -> str:
            names = tuple(posixpath.normpath(posixpath.join(folder, link["href"])) for link in HREF.finditer(run[0]))
            if names not in made:
                made[names] = _written(site, names)
            replaced.update(names)
            return f'<link rel="stylesheet" href="{posixpath.relpath(made[names], folder)}">'

        joined = RUN.sub(one, html)
        left.update(posixpath.normpath(posixpath.join(folder, link["href"])) for link in HREF.finditer(joined))
        if joined != html:
            path.write_text(joined, "utf-8")
    for name in replaced - left:
        (site / name).unlink()


def _written(site: Path, names: tuple[str, ...]) -> str:
    """Write the file of several, and give its name, which says what is in it."""
    text = "\n".join(_moved((site / name).read_text("utf-8"), posixpath.dirname(name)) for name in names)
    name = f"{WHERE}/styles.{hashlib.sha256(text.encode()).hexdigest()[:8]}.css"
    (site / name).write_text(text, "utf-8")
    return name


def _moved(css: str, folder: str) -> str:
    """Write styles as they stand in another folder."""

    def moved(address: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, address["path"]))
        return f'url("{posixpath.relpath(target, WHERE)}")'

    return ADDRESS.sub(moved, SWITCHING.sub("", HEAD.sub("", css))).strip()
