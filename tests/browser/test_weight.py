"""What a first visit weighs over the wire, compressed as any host does; what is asked for later; what moves."""

import gzip
import io
import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from .conftest import FOLDER, Handler, Served
from .test_offline import kept

pytestmark = pytest.mark.parametrize("site", ["course"], indirect=True)
BOTH = pytest.mark.parametrize("code", ["zh", "en"])
FIRST, LATER = 350_000, 100_000  # bytes
TEXTS = {".html", ".css", ".js", ".json", ".xml", ".svg", ".py", ".ipynb"}

SHIFT = """() => new Promise(resolve => {
  let sum = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value
  }).observe({type: 'layout-shift', buffered: true})
  const step = () => {
    scrollBy(0, innerHeight)
    if (scrollY + innerHeight < document.documentElement.scrollHeight - 1) setTimeout(step, 60)
    else setTimeout(() => resolve(sum), 300)
  }
  setTimeout(step, 300)
})"""


class Compressing(Handler):
    """Compresses texts as hosts of static sites do, and notes how large each answer is."""

    sent: dict[str, int] = {}  # noqa: RUF012 - of one test at a time

    def send_head(self) -> io.BufferedIOBase | None:
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.split("?")[0].endswith("/"):
            path /= "index.html"
        if path.suffix not in TEXTS or not path.is_file():
            self.sent[self.path] = path.stat().st_size if path.is_file() else 0
            return super().send_head()
        body = gzip.compress(path.read_bytes(), 6)
        self.sent[self.path] = len(body)
        self.send_response(200)
        for name, value in {
            "Content-Type": self.guess_type(path),
            "Content-Encoding": "gzip",
            "Content-Length": str(len(body)),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        return io.BytesIO(body)


@pytest.fixture
def compressed(site) -> Iterator[Served]:
    """The same site from a server that compresses; what ``reader`` opens comes from there."""
    Compressing.sent = {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Compressing, directory=str(site.folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    plain, site.address = site.address, f"http://127.0.0.1:{server.server_port}{FOLDER}"
    yield site
    site.address = plain
    server.shutdown()
    thread.join()
    server.server_close()


class Wire:
    """The bytes of each request of a page, headers and all."""

    def __init__(self, page):
        self.asked, self.bytes = {}, {}
        devtools = page.context.new_cdp_session(page)
        devtools.on("Network.requestWillBeSent", self.ask)
        devtools.on("Network.loadingFinished", self.finish)
        devtools.send("Network.enable")

    def ask(self, event):
        self.asked[event["requestId"]] = event["request"]["url"]

    def finish(self, event):
        address = self.asked[event["requestId"]]
        self.bytes[address] = self.bytes.get(address, 0) + event["encodedDataLength"]


@pytest.mark.usefixtures("compressed")
@BOTH
@pytest.mark.parametrize("lesson", ["l1-inner-product", "l2-matrix-multiplication", "l3-variance", "l4-position"])
def test_a_first_visit_is_light(reader, code, lesson):
    # keeping the site for reading offline is another matter: it begins when the page is done
    window = reader(viewport={"width": 390, "height": 844}, service_workers="block")
    wire = Wire(window.page)
    page = window.open(f"{code}/{lesson}/")
    page.wait_for_load_state("networkidle")
    assert 100_000 < sum(wire.bytes.values()) <= FIRST, wire.bytes
    first = set(wire.bytes)
    page.evaluate(SHIFT)  # down the page, where the pieces wake
    page.wait_for_load_state("networkidle")
    later = {address: size for address, size in wire.bytes.items() if address not in first}
    assert any("/pieces/" in address for address in later)
    assert max(later.values()) <= LATER, later
    assert page.context.cookies() == []


@pytest.mark.parametrize("lesson", ["l1-inner-product", "l3-variance"])
def test_a_page_opens_without_detours(reader, lesson):
    """One file of styles, no request in vain, and the whole page styled a few times, not once for each number."""
    window = reader(viewport={"width": 390, "height": 844})
    wire = Wire(window.page)
    devtools = window.page.context.new_cdp_session(window.page)
    devtools.send("Performance.enable")
    page = window.open(f"en/{lesson}/")
    page.wait_for_load_state("networkidle")
    assert len([address for address in wire.bytes if address.endswith(".css")]) == 1
    assert not [address for address in wire.asked.values() if "sitemap" in address]
    counts = {metric["name"]: metric["value"] for metric in devtools.send("Performance.getMetrics")["metrics"]}
    assert counts["RecalcStyleCount"] < 100
    assert page.locator("meta[name=color-scheme]").get_attribute("content")  # late, but there


@pytest.mark.usefixtures("compressed")
@BOTH
def test_the_search_comes_when_it_is_asked_for(reader, code):
    window = reader(service_workers="block")
    page = window.open(f"{code}/l1-inner-product/")
    page.wait_for_load_state("networkidle")
    assert not [path for path in Compressing.sent if "/search/" in path]
    assert window.search("softmax")
    index = {path: size for path, size in Compressing.sent.items() if "/search/" in path}
    assert f"{FOLDER}{code}/search/search_index.json" in index
    assert len(index) > 1
    assert max(index.values()) <= LATER


@BOTH
def test_a_language_is_kept_without_one_large_request(reader, compressed, code):
    """Both promises at once: after the first visit all of it reads without network, and no answer was large."""
    window = reader(service_workers="allow")
    window.open(f"{code}/l1-inner-product/")
    kept(window, code)
    listed = json.loads((compressed.folder / f"offline/{code}.json").read_text("utf-8"))["files"]
    assert {f"{FOLDER}{name}" for name in listed} <= set(Compressing.sent)
    large = {path: size for path, size in Compressing.sent.items() if size > LATER}
    assert large == {}


@pytest.mark.parametrize("connection", ["{saveData: true}", "{effectiveType: 'slow-2g'}", "{effectiveType: '2g'}"])
def test_where_every_byte_counts_nothing_is_kept(reader, connection):
    window = reader(service_workers="allow")
    window.context.add_init_script(
        f"Object.defineProperty(Navigator.prototype, 'connection', {{get: () => ({connection})}})"
    )
    page = window.open("en/l1-inner-product/")
    page.evaluate("() => new Promise(resolve => requestIdleCallback(() => setTimeout(resolve, 500)))")
    assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
    assert page.evaluate("() => caches.keys()") == []


@BOTH
@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_moves(reader, site, code, width):
    window, moved = reader(viewport={"width": width, "height": 900}, service_workers="block"), {}
    for path in site.pages(code):
        shift = window.open(path).evaluate(SHIFT)
        if shift >= 0.01:
            moved[path] = shift
    assert moved == {}
