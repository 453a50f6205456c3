"""Many saves under ``mkdocs serve``: one build each, and nothing is left behind."""

import re
import socket
import subprocess
import sys
import time
import urllib.request

import psutil

SAVES = 8
GROWTH = 1.1
"""Of memory from the third save to the last: caches fill with the first."""


def test_each_save_is_built_once_and_leaves_nothing(workshop):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    said, page = workshop.root / "serve.log", workshop.root / "docs/en/index.md"

    def shown(words):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/en/", timeout=60) as answer:
                    if words in answer.read().decode():
                        return True
            except OSError:  # not up yet
                pass
            time.sleep(0.05)
        return False

    def left():
        process = psutil.Process(server.pid)
        return process.memory_info().rss, process.num_fds(), len(process.children(recursive=True))

    command = [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{port}"]
    with said.open("w") as log:
        server = subprocess.Popen(command, cwd=workshop.root, stdout=log, stderr=log)
        try:
            assert shown("No script here."), said.read_text("utf-8")
            early = None
            for number in range(SAVES):
                page.write_text(re.sub(r"No script.*", f"No script, save {number}.", page.read_text("utf-8")), "utf-8")
                assert shown(f"save {number}."), said.read_text("utf-8")
                early = left() if number == 2 else early
            time.sleep(1)  # for a build that should not come
            memory, files, processes = left()
        finally:
            server.terminate()
            server.wait(20)
    assert said.read_text("utf-8").count("Building documentation") == 1 + SAVES
    assert files <= early[1]  # then, an answer's connection may still have been open
    assert processes == early[2]
    assert memory < GROWTH * early[0]
