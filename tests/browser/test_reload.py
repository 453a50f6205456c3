"""A preview that loads a page again leaves the reader where she was."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
import yaml

FIXTURE = Path(__file__).parents[1] / "fixtures/bilingual"
SECTION = "\n## Part {number} {{#part-{number}}}\n\n" + "A keel needs many words before it is laid. " * 40 + "\n"


@pytest.fixture
def preview(tmp_path):
    """A course with a long page under ``mkdocs serve``: its folder and address."""
    root = shutil.copytree(FIXTURE, tmp_path / "course")
    for notebook in root.rglob("*.ipynb"):
        notebook.unlink()
    settings = yaml.safe_load((root / "mkdocs.yml").read_text("utf-8"))
    # As in the course, the address follows the section in view.
    settings["theme"].setdefault("features", []).append("navigation.tracking")
    settings |= {"nav": ["index.md", "hull.md", "sail.md"], "plugins": ["search", "bilingual"]}
    (root / "mkdocs.yml").write_text(yaml.safe_dump(settings, allow_unicode=True), "utf-8")
    for language in ("zh", "en"):
        page = root / f"docs/{language}/hull.md"
        page.write_text(page.read_text("utf-8") + "".join(SECTION.format(number=n) for n in range(1, 11)), "utf-8")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{listener.getsockname()[1]}"
    command = [sys.executable, "-m", "mkdocs", "serve", "-a", place]
    with (tmp_path / "log.txt").open("w") as log:
        server = subprocess.Popen(command, cwd=root, stdout=log, stderr=log)
    address = f"http://{place}/en/hull/"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(address, timeout=10).close()
                break
            except OSError:
                time.sleep(0.2)
        else:
            pytest.fail((tmp_path / "log.txt").read_text())
        yield root / "docs/en/hull.md", address
    finally:
        server.terminate()
        server.wait(20)


def test_an_edit_leaves_the_reader_where_she_was(chromium, preview):
    source, address = preview
    context = chromium.new_context(viewport={"width": 1000, "height": 700}, service_workers="block")
    try:
        page = context.new_page()
        page.goto(address, wait_until="load")
        page.evaluate(
            "document.getElementById('part-5').scrollIntoView(); window.scrollBy(0, 120); window.first = true"
        )
        page.mouse.wheel(0, 40)
        page.wait_for_timeout(1500)  # the theme follows what scrolls, a moment later
        before = page.evaluate("scrollY")
        assert before > 700
        source.write_text(source.read_text("utf-8") + "\nThe last plank.\n", "utf-8")
        page.get_by_text("The last plank.").wait_for(state="attached", timeout=60_000)
        page.wait_for_load_state("load")
        assert page.evaluate("window.first") is None  # it was loaded again
        page.wait_for_function("before => Math.abs(scrollY - before) < 2", arg=before, timeout=10_000)
        page.wait_for_timeout(300)
        assert page.evaluate("scrollY") == pytest.approx(before, abs=2)
    finally:
        context.close()
