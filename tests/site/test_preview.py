"""``mkdocs serve``: both languages from one server, also while a page has no twin yet."""

import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest


def ask(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 - our own server
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def wait_for(address: str, words: str) -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            page = ask(address)[1]
        except OSError:  # not up yet
            page = ""
        if words in page:
            return page
        time.sleep(0.2)
    pytest.fail(f"{address} never showed “{words}”")


def test_a_preview_serves_both_languages_and_follows_edits(site, unused_tcp_port):
    site.configure(site_url="https://host.example/course/")  # the preview is under the same path
    root = f"http://127.0.0.1:{unused_tcp_port}/course/"
    command = [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{unused_tcp_port}"]
    with (site.root / "log.txt").open("w") as log:
        server = subprocess.Popen(command, cwd=site.root, stdout=log, stderr=subprocess.STDOUT)
    try:
        assert 'hreflang="en"' in wait_for(root, "小船")
        assert '<html lang="zh-Hans"' in ask(root + "zh/hull/")[1]
        assert '<html lang="en"' in ask(root + "en/hull/")[1]
        assert "The keel" in ask(root + "en/search/search_index.json")[1]
        status, page = ask(root + "zh/nowhere/")
        assert (status, "没有这一页" in page) == (404, True)

        site.write("docs/zh/rope.md", "# 缆绳\n\n一根缆绳。\n")  # and no docs/en/rope.md
        wait_for(root + "zh/rope/", "一根缆绳。")
        assert "The sail" in ask(root + "en/sail/")[1]
        assert "zh/rope.md has no twin en/rope.md: write it" in (site.root / "log.txt").read_text("utf-8")
    finally:
        server.terminate()
        server.wait(20)
