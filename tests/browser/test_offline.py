"""The site without network: kept whole, a language at a time, and never two versions on one page."""

import contextlib
import json
import re
import shutil
import socket
import threading
from functools import partial
from http.server import ThreadingHTTPServer

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Error

from knit.site.keep_offline import keep_offline

from .conftest import FOLDER, Handler, Reader, Served

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
LANGUAGES = ("zh", "en")
BOTH = pytest.mark.parametrize("code", LANGUAGES)

# The version that is kept of a language, once it is whole.
KEPT = """async ([root, code]) => {
  const state = (await caches.keys()).find(name => name.startsWith('offline ') && name.endsWith('state'))
  const found = state && await (await caches.open(state)).match(`${root}current/${code}`)
  return found ? (await found.text()).split(' ').at(-1) : null
}"""


CACHES = "() => caches.keys()"


class Published:
    """A copy of a site, which can be published anew, and whose server can be out of reach."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}{FOLDER}"
        self._server = None

    def up(self):
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), partial(Handler, directory=str(self.folder)))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def down(self):
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def publish(self, version):
        """Mark every page and script with a version, and publish them."""
        for path in self.folder.rglob("*.html"):
            html = path.read_text("utf-8")
            path.write_text(
                re.sub(r'<html(?: data-version="\w+")?', f'<html data-version="{version}"', html, count=1), "utf-8"
            )
        for path in (self.folder / "assets").rglob("*.js"):
            script = path.read_text("utf-8").partition("\n;/* version */")[0]
            mark = f'\n;/* version */(globalThis.versions ??= []).push("{version}")\n'
            path.write_text(script + mark, "utf-8")
        self.list()

    def list(self):
        keep_offline(self.folder, LANGUAGES, serving=False)


@pytest.fixture
def published(site, tmp_path):
    shutil.copytree(site.folder, tmp_path / "site")
    own = Published(tmp_path / "site").up()
    yield own
    own.down()


@pytest.fixture
def visitor(chromium, published):
    """A reader of the copy; a failed request is an error only where the test says so."""
    windows = []

    def visit():
        windows.append(Reader(chromium, Served("copy", published.folder, published.address), service_workers="allow"))
        return windows[-1]

    yield visit
    for each in windows:
        each.context.close()


def until(page, question, answer, given=None):
    """Ask until the answer is right: the browser waits for no promise in a condition."""
    found = None
    for _ in range(200):
        with contextlib.suppress(Error):  # the page may just be loaded anew
            found = page.evaluate(question, given)
            if answer(found):
                return found
        page.wait_for_timeout(100)
    pytest.fail(f"still {found!r}")


def kept(window, code, *, other_than=None):
    """Wait until a language is kept, and give its version."""
    return until(window.page, KEPT, lambda found: found not in {None, other_than}, [window.site.address, code])


def versions(page):
    """Of a page: its version and those of all scripts that ran on it."""
    return page.evaluate("() => [...new Set([document.documentElement.dataset.version, ...globalThis.versions])]")


@BOTH
def test_after_one_visit_the_whole_language_reads_without_network(visitor, published, code):
    window = visitor()
    page = window.open(f"{code}/")
    kept(window, code)
    published.down()
    for path in window.site.pages(code):
        window.open(path)
        expected = BeautifulSoup((published.folder / path / "index.html").read_text("utf-8"), "html.parser")
        assert page.title() == expected.title.get_text()
        assert page.evaluate("() => getComputedStyle(document.querySelector('.md-header')).position") == "sticky"
        page.wait_for_function("() => [...document.images].every(image => image.complete)")
    found = window.search({"zh": "点积", "en": "dot product"}[code])
    assert any(path.startswith(f"{code}/l1-inner-product/") for path in found)
    window.open(f"{code}/l1-inner-product/?drag=1_2#ranking")
    page.locator("knit-piece").first.scroll_into_view_if_needed()
    page.locator("knit-piece .knit-live").first.wait_for(state="attached")
    page.locator("data[data-of]").first.click()
    page.locator(".knit-trace-lines pre").wait_for()
    page.goto(published.address + "snippets/l1_inner_product.html")
    assert page.locator("#L1").count() == 1
    page.goto(published.address + f"{code}/l2-matrix-multiplication")  # as one types it
    assert page.url == f"{published.address}{code}/l2-matrix-multiplication/"
    page.goto(published.address)  # leads to the reader's language, where that is kept
    assert window.wrong == []


def test_one_language_at_a_time(visitor, published):
    window = visitor()
    window.open("zh/")
    kept(window, "zh")
    names = window.page.evaluate("async () => (await caches.keys()).map(name => name.split(' ')[2])")
    assert sorted(names) == ["state", "zh"]
    kept_of = """async () => {
      const name = (await caches.keys()).find(each => each.includes(' zh '))
      return (await (await caches.open(name)).keys()).map(request => request.url)
    }"""
    assert not any(f"{FOLDER}en/" in address for address in window.page.evaluate(kept_of))
    window.open("en/l1-inner-product/")
    kept(window, "en")
    published.down()
    for path in ("zh/l3-variance/", "en/l3-variance/"):
        window.open(path)
    assert window.wrong == []


def test_an_update_comes_as_a_whole_and_no_page_mixes_versions(visitor, published):
    published.publish("one")
    window = visitor()
    page = window.open("zh/")
    first = kept(window, "zh")
    window.open("zh/l1-inner-product/")
    assert versions(page) == ["one"]

    published.publish("two")
    other = window.context.new_page()
    other.goto(f"{published.address}zh/l2-matrix-multiplication/")
    assert versions(other) == ["one"]  # what is kept is whole: the new version is not there yet
    second = kept(window, "zh", other_than=first)
    assert second != first

    # The page that was open stays what it was, whatever it asks for now.
    page.locator("knit-piece").first.scroll_into_view_if_needed()
    page.locator("knit-piece .knit-live").first.wait_for(state="attached")
    page.evaluate("path => import(path)", f"{FOLDER}assets/js/pieces/order.js")
    assert page.evaluate("() => globalThis.versions.length") > 4
    assert versions(page) == ["one"]
    # New pages are new, and offline too.
    published.down()
    for path in ("zh/l2-matrix-multiplication/", "zh/l1-inner-product/"):
        other.goto(published.address + path)
        assert versions(other) == ["two"]
    # The old version is dropped when no page needs it.
    page.goto(f"{published.address}zh/")
    assert versions(page) == ["two"]
    assert window.wrong == []


def test_a_version_that_is_only_half_published_is_not_taken(visitor, published):
    published.publish("one")
    window = visitor()
    page = window.open("en/")
    first = kept(window, "en")
    published.publish("two")
    page_of_two = published.folder / "en/l3-variance/index.html"
    whole = page_of_two.read_text("utf-8")
    page_of_two.write_text(whole.replace('data-version="two"', 'data-version="one"'), "utf-8")
    window.open("en/l1-inner-product/")
    until(page, CACHES, lambda names: sum(" en " in name for name in names) == 2)
    page.wait_for_timeout(1500)
    assert kept(window, "en") == first
    window.open("en/l3-variance/")
    assert versions(page) == ["one"]
    page_of_two.write_text(whole, "utf-8")
    window.open("en/l1-inner-product/")
    kept(window, "en", other_than=first)
    window.open("en/l3-variance/")
    assert versions(page) == ["two"]


def test_a_preview_takes_away_what_a_visit_left(visitor, published):
    window = visitor()
    page = window.open("zh/")
    kept(window, "zh")
    keep_offline(published.folder, LANGUAGES, serving=True)
    for script in published.folder.glob("assets/knit/offline.js"):  # a preview's pages have no such script
        script.write_text("", "utf-8")
    page.goto(f"{published.address}zh/l1-inner-product/")
    until(page, CACHES, lambda names: not names)
    registrations = "async () => (await navigator.serviceWorker.getRegistrations()).length"
    until(page, registrations, lambda count: count == 0)


def test_what_is_kept_is_all_that_pages_of_a_language_ask_for(site):
    """And every file in the lists is there: a missing one would keep the whole from being kept."""
    for code in LANGUAGES:
        files = json.loads((site.folder / f"offline/{code}.json").read_text("utf-8"))["files"]
        for address in files:
            assert (
                site.folder / (address + "index.html" if address == "" or address.endswith("/") else address)
            ).is_file()
        for path in site.pages(code):
            page = BeautifulSoup((site.folder / path / "index.html").read_text("utf-8"), "html.parser")
            for element in page.select("link[rel=stylesheet], link[rel=icon], script[src], img[src]"):
                link = element.get("href") or element["src"]
                if not link.startswith("data:"):
                    where = (site.folder / path / link).resolve().relative_to(site.folder.resolve()).as_posix()
                    assert where in files, where
