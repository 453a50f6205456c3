"""What a site whose address is known gives to others: pictures of its pages, and feeds."""

from __future__ import annotations

import posixpath
from pathlib import Path
from urllib.parse import urljoin

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from knit.project import Course
from knit.site.feed import feed
from knit.site.languages import languages_of
from knit.site.share import HEIGHT, WIDTH, picture, shared

Picture = dict[str, str | int]


class Sharing:
    """Pictures and feeds of one build; none where the site's address is not known, because others need it whole."""

    def __init__(self) -> None:
        self._pictures: dict[str, str] = {}
        self._feeds: dict[str, str] = {}

    def add(self, course: Course, files: Files, config: MkDocsConfig, cache: Path) -> None:
        """Add the pictures and the feeds to a site's files."""
        layout, site = course.layout, config.site_url or ""
        self._pictures, self._feeds = {}, {}
        if not site:
            return

        def address(source: str) -> str:
            file = files.get_file_from_path(source)
            return urljoin(site, file.url if file else source)

        for language in languages_of(layout.languages):
            names = language.words(config.site_name), language.words(config.site_description or "")
            for page in shared(course):
                if page.language == language.code:
                    uri = posixpath.relpath(page.path, layout.docs.as_posix())
                    path = f"assets/share/{uri.removesuffix('.md')}.png"
                    content = picture(page, course, language, names, cache)
                    files.append(File.generated(config, path, content=content))
                    self._pictures[uri] = urljoin(site, path)
            path = f"{language.code}/feed.xml"
            files.append(File.generated(config, path, content=feed(course, language, names, address)))
            self._feeds[language.code] = path

    def of(self, uri: str) -> dict[str, Picture | str]:
        """Give what the templates of a page show: its picture, its language's if it has none, and the feed."""
        language = uri.partition("/")[0]
        address = self._pictures.get(uri) or self._pictures.get(f"{language}/index.md")
        found: dict[str, Picture | str] = {}
        if address:
            found["picture"] = {"address": address, "width": WIDTH, "height": HEIGHT}
        if language in self._feeds:
            found["feed"] = self._feeds[language]
        return found
