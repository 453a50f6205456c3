"""What pages may load: nothing from another host, no script but the site's own; nothing of theirs is refused."""

import os
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from tests.browser.conftest import UNFOLD

BOTH = pytest.mark.parametrize("code", ["zh", "en"])
LISTEN = """
globalThis.refused = []
addEventListener('securitypolicyviolation', event => refused.push(`${event.violatedDirective} ${event.blockedURI}`))
"""


@pytest.fixture
def listening(reader):
    window = reader()
    window.page.add_init_script(LISTEN)
    return window


@pytest.mark.parametrize("site", ["course"], indirect=True)
@BOTH
def test_no_page_breaks_its_policy(listening, site, code):
    page = listening.page
    for path in site.pages(code):
        listening.open(path)
        page.evaluate(UNFOLD)
        for piece in page.locator("knit-piece").all():
            piece.scroll_into_view_if_needed()
        assert page.locator("meta[http-equiv='Content-Security-Policy']").count() == 1
        assert page.evaluate("() => refused") == [], path
    assert listening.search({"zh": "点积", "en": "dot product"}[code])
    assert page.evaluate("() => refused") == []


@pytest.mark.parametrize("site", ["course"], indirect=True)
def test_nor_do_the_pages_of_no_language(listening, site):
    page = listening.page
    scripts = sorted(path.name for path in (site.folder / "snippets").glob("*.html"))
    for path in ["?", *(f"snippets/{name}" for name in scripts)]:
        listening.open(path)
        assert page.locator("meta[http-equiv='Content-Security-Policy']").count() == 1
        assert page.evaluate("() => refused") == [], path
    html = (site.folder / "404.html").read_text("utf-8")
    assert html.count('http-equiv="Content-Security-Policy"') == 1


@pytest.mark.parametrize("site", ["course"], indirect=True)
def test_other_hosts_and_foreign_scripts_are_refused(chromium, site):
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    page.add_init_script(LISTEN)
    page.goto(f"{site.address}en/")
    page.evaluate("""async () => {
      const add = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties))
      add('script', {textContent: 'globalThis.foreign = true'})
      add('script', {src: 'https://other.example/a.js'})
      add('img', {src: 'https://other.example/a.png'})
      add('iframe', {src: 'https://other.example/'})
      add('div', {innerHTML: '<button id=handler onclick="globalThis.foreign = true">'})
      document.querySelector('#handler').click()
      await fetch('https://other.example/').catch(() => {})
    }""")
    page.wait_for_function("() => refused.length >= 6")
    refused = page.evaluate("() => refused.map(each => each.split(' ')[0]).sort()")
    assert refused == ["connect-src", "frame-src", "img-src", "script-src-attr", "script-src-elem", "script-src-elem"]
    assert page.evaluate("() => globalThis.foreign") is None
    context.close()


def test_under_serve_an_edit_still_comes_to_the_open_page(chromium, workshop):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/en/boxes/"
    command = [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{port}"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    server = subprocess.Popen(command, cwd=workshop.root, env=environment, stderr=subprocess.DEVNULL)
    context = chromium.new_context()
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(address, timeout=10).close()
                break
            except OSError:  # not up yet
                time.sleep(0.2)
        page = context.new_page()
        page.add_init_script(LISTEN)
        page.goto(address)
        assert page.locator("meta[http-equiv='Content-Security-Policy']").count() == 1
        assert page.evaluate("() => navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0
        workshop.edit("docs/en/boxes.md", "# Boxes", "# Boxes, edited")
        page.locator("h1", has_text="Boxes, edited").wait_for(timeout=60_000)
        assert page.evaluate("() => refused") == []
    finally:
        context.close()
        server.terminate()
        server.wait(20)
