"""Chromium on built sites: the course itself, and the small one of fixtures/bilingual, each under a path.

Whatever a test does, the page may report no error and ask no other host for anything.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
SITES = {"course": ROOT / "mkdocs.yml", "boats": ROOT / "tests/fixtures/bilingual/mkdocs.yml"}
FOLDER = "/course/"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # No other host can be found: a page that asks one reports an error besides.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


class Handler(SimpleHTTPRequestHandler):
    """Serves a site under a path, as GitHub Pages does: its own page where there is none."""

    def translate_path(self, path: str) -> str:
        inside = path.removeprefix(FOLDER) if path.startswith(FOLDER) else "no such page"
        return super().translate_path("/" + inside)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if code != 404:
            super().send_error(code, message, explain)
            return
        body = Path(self.directory, "404.html").read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


class Served:
    """A built site and its address."""

    def __init__(self, name: str, folder: Path, address: str):
        self.name, self.folder, self.address = name, folder, address

    def pages(self, code: str) -> list[str]:
        """The addresses of the pages of a language, from the site's."""
        return sorted(
            path.parent.relative_to(self.folder).as_posix() + "/" for path in (self.folder / code).rglob("index.html")
        )


class Reader:
    """A reader's browser window on a site, which notes what goes wrong."""

    def __init__(self, browser: Browser, site: Served, **options: object):
        self.site = site
        # What is kept offline is looked at where it is tested: elsewhere each page comes from the server.
        self.context = browser.new_context(**{"locale": "en-GB", "service_workers": "block", **options})
        self.context.set_default_timeout(10_000)
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", lambda message: message.type in {"error", "warning"} and self.note(message.text))
        self.page.on("pageerror", lambda error: self.note(str(error)))
        self.context.on("request", lambda request: self.ask(request.url))

    def note(self, what: str) -> None:
        if what == "Service Worker registration blocked by Playwright":
            return
        self.wrong.append(f"{self.page.url}: {what}")

    def ask(self, address: str) -> None:
        if not address.startswith((self.site.address, "data:", "blob:")):
            self.note(f"asks for {address}")

    def open(self, path: str = "") -> Page:
        self.page.goto(self.site.address + path, wait_until="load")
        return self.page

    @property
    def path(self) -> str:
        """Where the reader is, from the site's address."""
        return self.page.url.removeprefix(self.site.address)

    def search(self, words: str) -> list[str]:
        """Search, and give the paths of what was found."""
        self.page.keyboard.press("/")  # the theme's shortcut
        box = self.page.locator("input[name=query]")
        box.fill("")  # what was found before goes first
        box.dispatch_event("keyup")
        self.page.wait_for_function("() => !document.querySelector('.md-search-result__link')")
        box.fill(words)
        box.dispatch_event("keyup")  # the theme listens to keys, not to the text
        self.page.wait_for_function(
            "() => document.querySelector('.md-search-result__link')"
            " || /没有|No /.test(document.querySelector('.md-search-result__meta').innerText)"
        )
        links = self.page.locator(".md-search-result__link").evaluate_all("links => links.map(link => link.href)")
        return [link.removeprefix(self.site.address) for link in links]


def build(name: str, folder: Path) -> None:
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    environment.pop("SITE_URL", None)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", SITES[name], "-d", folder]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.fail(f"{name} cannot be built:\n{done.stdout}{done.stderr}", pytrace=False)


UNFOLD = "() => document.querySelectorAll('details').forEach(details => { details.open = true })"
"""Shows what a page has folded."""


@pytest.fixture(scope="session", params=SITES)
def site(request, tmp_path_factory) -> Iterator[Served]:
    """Each site in turn, built once for all of pytest's processes."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / f"site-{request.param}"
    with (shared / f"{request.param}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            build(request.param, folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield Served(request.param, folder, f"http://127.0.0.1:{server.server_port}{FOLDER}")
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    names = ["chromium", "chromium-browser", "google-chrome"]
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail("these tests need Chromium: apt-get install chromium", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def reader(chromium, site) -> Iterator[Callable[..., Reader]]:
    """Open windows with ``reader(locale="zh-CN", java_script_enabled=False, …)``."""
    readers: list[Reader] = []

    def open_window(**options: object) -> Reader:
        readers.append(Reader(chromium, site, **options))
        return readers[-1]

    yield open_window
    for each in readers:
        each.context.close()
    assert [line for each in readers for line in each.wrong] == []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
