"""Sites built from fixtures/bilingual, as it is or changed."""

import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup
from mkdocs.commands.build import build
from mkdocs.config import load_config

FIXTURE = Path(__file__).parents[1] / "fixtures/bilingual"
os.environ["NO_MKDOCS_2_WARNING"] = "1"


class Site:
    """A folder with a course, and what MkDocs makes of it."""

    def __init__(self, root: Path):
        self.root = root
        self.out = root / "site"

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def configure(self, **changes: object) -> None:
        file = self.root / "mkdocs.yml"
        settings = yaml.safe_load(file.read_text("utf-8"))
        settings.update(changes)
        file.write_text(yaml.safe_dump(settings, allow_unicode=True, sort_keys=False), "utf-8")

    def build(self, *, command: str = "build", strict: bool = True) -> "Site":
        config = load_config(str(self.root / "mkdocs.yml"), strict=strict)
        config.plugins.on_startup(command=command, dirty=False)
        build(config, serve_url="http://localhost/" if command == "serve" else None)
        return self

    def page(self, path: str) -> BeautifulSoup:
        return BeautifulSoup((self.out / path).read_text("utf-8"), "html.parser")

    def pages(self) -> list[str]:
        return sorted(path.relative_to(self.out).as_posix() for path in self.out.rglob("*.html"))

    def links(self, path: str) -> Iterator[str]:
        """Every address that a page refers to, as written."""
        for element in self.page(path).select("[href], [src]"):
            yield element.get("href") or element.get("src")

    def target(self, path: str, link: str) -> str:
        """The file that a relative link on a page leads to, from the site's folder."""
        where = unquote(urlsplit(urljoin(f"http://x/{path}", link)).path).lstrip("/")
        return f"{where}index.html" if where == "" or where.endswith("/") else where


def copied(folder: Path) -> Site:
    shutil.copytree(FIXTURE, folder / "course")
    return Site(folder / "course")


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The fixture as it is: it does not know its own address."""
    return copied(tmp_path_factory.mktemp("plain")).build()


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """The fixture for a known address, under a path."""
    site = copied(tmp_path_factory.mktemp("published"))
    site.configure(site_url="https://host.example/course/")
    return site.build()


@pytest.fixture
def site(tmp_path):
    """A copy of the fixture's pages without the notebooks, to change and build; no test sees another's."""
    site = copied(tmp_path)
    for notebook in site.root.rglob("*.ipynb"):
        notebook.unlink()
    site.configure(nav=["index.md", {"课程 | Lessons": ["hull.md", "sail.md"]}], plugins=["search", "bilingual"])
    return site


@pytest.fixture
def unused_tcp_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
