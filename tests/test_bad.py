"""Bad inputs, one folder of tests/bad each: none passes silently, crashes with a traceback, or hangs.

A folder holds the files that differ from a good course, tests/fixtures/geometry (or, by ``base = "day"``, that with
a notebook), and ``expected.toml``:

- ``says``: every line that ``knit check`` tells, ``…`` standing for anything; ``mkdocs build --strict`` tells the same,
  unless ``build`` has other lines.
- ``exit``: the exit code of ``knit check``, 1 unless said; 0 for what only looks bad.
- ``serve``: a page on which ``mkdocs serve`` shows its line in a box, until it is mended.
- ``remove``: files of the good course that are not there.
"""

import logging
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from contextlib import closing
from html import escape
from pathlib import Path

import click.testing
import mkdocs.__main__
import pytest

from knit.check.accept import accept
from knit.check.course import woven_pages
from knit.cli import main
from knit.project import Layout, Project
from knit.run.pool import Limits, Pool

BAD = Path(__file__).parent / "bad"
FIXTURES = Path(__file__).parent / "fixtures"
CASES = {folder.name: folder for folder in sorted(BAD.iterdir()) if folder.is_dir()}
NOTEBOOKS = '  - search\n  - mkdocs-jupyter: {include: ["*.ipynb"]}\n'
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def expected(folder):
    return {"says": [], "exit": 1, "remove": [], "base": "geometry"} | tomllib.loads(
        (folder / "expected.toml").read_text("utf-8")
    )


def matching(line):
    """Make a pattern of an expected line."""
    return ".*".join(re.escape(part) for part in line.split("…"))


def assert_told(lines, wanted):
    """Each line that is told is wanted, and the other way round."""
    told = "\n".join(lines)
    assert len(lines) == len(wanted), told
    for want in wanted:
        assert any(re.fullmatch(matching(want), line) for line in lines), f"{want}\nis not told by\n{told}"
    for line in lines:
        assert any(re.fullmatch(matching(want), line) for want in wanted), f"{line}\nis not wanted"


@pytest.fixture(scope="session")
def bases(tmp_path_factory):
    """The good courses, whose scripts have run."""
    found = {}
    for name, folders in {"geometry": ("geometry",), "day": ("geometry", "day")}.items():
        found[name] = tmp_path_factory.mktemp(name) / "course"
        for folder in folders:
            shutil.copytree(FIXTURES / folder, found[name], dirs_exist_ok=True)
        if name == "day":
            settings = found[name] / "mkdocs.yml"
            settings.write_text(settings.read_text("utf-8").replace("plugins:\n", f"plugins:\n{NOTEBOOKS}"), "utf-8")
        with closing(Project(Layout(found[name]))) as project:
            course = project.course()
        list(accept(course, woven_pages(course), []))
    return found


@pytest.fixture(scope="session")
def pool(tmp_path_factory):
    """One server for all scripts: a worker is forked for each as ever, but not a server for each course."""
    with Pool(tmp_path_factory.mktemp("pool"), ["zh", "en"], Limits(), tmp_path_factory.mktemp("cache")) as shared:
        yield shared


class Lent:
    """The shared server, lent to one course."""

    shared = None

    def __init__(self, root, languages, limits, cache, shelf=None):
        del languages, cache, shelf
        self.root, self.limits = root, limits

    def start(self):
        self.shared.start()

    def submit(self, script, folder):
        self.shared._root, self.shared._limits = self.root, self.limits
        return self.shared.submit(script, folder)

    def close(self):
        """Leave it running."""


def lay(base, folder, root):
    """Write a bad course."""
    shutil.copytree(base, root)
    for path in expected(folder)["remove"]:
        (root / path).unlink()
    for path in sorted(folder.rglob("*")):
        target = root / path.relative_to(folder)
        if path.is_symlink() or path.is_dir():
            target.unlink(missing_ok=True) if target.is_file() else None
        if path.is_symlink():
            target.symlink_to(path.readlink())
        elif path.is_dir():
            target.mkdir(exist_ok=True)
        else:
            shutil.copyfile(path, target)


@pytest.fixture
def bad(request, bases, pool, tmp_path, monkeypatch):
    """A bad course, in the folder that becomes the working folder; and what is expected."""
    folder = CASES[request.param]
    lay(bases[expected(folder)["base"]], folder, tmp_path / "course")
    monkeypatch.chdir(tmp_path / "course")
    monkeypatch.setattr(Lent, "shared", pool)
    monkeypatch.setattr("knit.run.runner.Pool", Lent)
    return expected(folder)


@pytest.mark.parametrize("bad", CASES, indirect=True)
def test_the_check_tells(bad, capsys):
    code = main(["check"])
    told = capsys.readouterr()
    lines = told.out.splitlines() + [line for line in told.err.splitlines() if not re.match(r"knit: (no|\d+) ", line)]
    assert_told(lines, bad["says"])
    assert code == bad["exit"]


@pytest.mark.parametrize("bad", CASES, indirect=True)
def test_the_build_tells(bad):
    result = click.testing.CliRunner().invoke(mkdocs.__main__.cli, ["build", "--strict"])
    said = COLOURS.sub("", result.output)
    logging.getLogger("mkdocs").handlers.clear()
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert "Traceback" not in said
    wanted = bad.get("build", bad["says"])
    for want in wanted:
        assert re.search(matching(want), said), f"{want}\nis not told by\n{said}"
    assert (result.exit_code != 0) == bool(wanted)
    assert Path("site").exists() != bool(wanted) or "build" in bad  # what MkDocs tells itself, it may tell late


def run(*command):
    """Run a command as its users do: its exit code, and what it said without colours."""
    done = subprocess.run(
        [sys.executable, "-m", *command], env=os.environ | {"NO_COLOR": "1"}, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, COLOURS.sub("", done.stdout + done.stderr)


@pytest.mark.parametrize("name", ["page-not-utf-8", "script-endless-loop", "script-kills-the-server"])
def test_the_commands_themselves_tell(bases, tmp_path, monkeypatch, name):
    lay(bases["geometry"], CASES[name], tmp_path / "course")
    monkeypatch.chdir(tmp_path / "course")
    for command, code in ((("knit.cli", "check"), 1), (("mkdocs", "build", "--strict"), 1)):
        found, said = run(*command)
        assert found == code
        assert "Traceback" not in said
        for want in expected(CASES[name])["says"]:
            assert re.search(matching(want), said), said


def ask(address):
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310 - our own server
            return answer.read().decode()
    except OSError:
        return ""


def wait_for(server, address, pattern, *, there=True):
    """Wait until a page shows a text, or shows it no longer."""
    end, page = time.monotonic() + 60, ""
    while time.monotonic() < end:
        assert server.poll() is None, "the server ended"
        page = ask(address)
        if page and bool(re.search(pattern, page)) == there:
            return
        time.sleep(0.1)
    pytest.fail(f"{address}: {pattern} is {'not ' * there}there\n{page[-2000:]}")


def test_a_served_site_shows_each_in_its_place_and_heals(bases, tmp_path):
    root = tmp_path / "course"
    shutil.copytree(bases["geometry"], root)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{port}"]
    with (root / "serve.log").open("w") as log, subprocess.Popen(command, cwd=root, stdout=log, stderr=log) as server:
        try:
            served = {name: expected(folder) for name, folder in CASES.items() if "serve" in expected(folder)}
            assert len(served) > 10
            for name, bad in served.items():
                address = f"http://127.0.0.1:{port}/{bad['serve']}"
                wait_for(server, address, "knit-error", there=False)
                shutil.copytree(CASES[name], root, dirs_exist_ok=True)
                page = f"docs/{bad['serve'].rstrip('/')}.md:"
                told = next(line for line in bad["says"] if line.startswith(page)).partition(" (and in ")[0]
                wait_for(server, address, f'class="knit-error"[^>]*>{matching(escape(told))}')
                for file in CASES[name].rglob("*.*"):
                    if file.is_file() and file.name != "expected.toml":
                        shutil.copyfile(
                            bases["geometry"] / file.relative_to(CASES[name]), root / file.relative_to(CASES[name])
                        )
                wait_for(server, address, "knit-error", there=False)
        finally:
            server.terminate()
    assert "Traceback" not in (root / "serve.log").read_text("utf-8")
