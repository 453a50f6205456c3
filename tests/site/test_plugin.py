"""What the MkDocs plugin does about problems: a build names them all and writes nothing, a served site lives."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest

from knit.check.accept import accept
from knit.check.course import woven_pages
from knit.run.store import AT_HAND

BROKEN = [
    # the file, what is edited, and what the build must say of it: its place, a message, the place in a script
    ("docs/en/balls.md", "{{ noise:bound }}", "{{ noize:bound }}", "no name noize; is it noise?", None),
    ("docs/zh/boxes.md", "{{ side:.1f }}", "{{ side:.1q }}", "side: bad format '.1q'", ("boxes", "side = 2.0")),
    ("docs/zh/balls.md", "![曲线经过 {{ volumes[2]:.1f }}]", "![]", "fig:growth has no alternative text", None),
    ("docs/en/balls.md", "balls.py:volume", "balls.py:volune", "has no section volune; is it volume?", None),
    ("docs/zh/balls.md", "\\frac{4}{3}\\pi", "\\frak{4}{\\pi", "bad formula", None),
    ("docs/en/balls.md", "[B1](claim:B1)", "[B7](claim:B7)", "no script makes the claim B7", None),
]


def build(root, *options):
    """Run mkdocs build --strict: its exit code, and what it said without colours."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", *options],
        cwd=root, capture_output=True, text=True, timeout=120, env=os.environ | {"NO_COLOR": "1"}, check=False,
    )  # fmt: skip
    return done.returncode, re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


@pytest.mark.parametrize("options", [(), ("-v",), ("-q",)])
def test_a_build_names_every_problem_in_one_run_and_keeps_the_old_site(workshop, options):
    assert build(workshop.root)[0] == 0
    before = {path: path.read_bytes() for path in (workshop.root / "site").rglob("*.html")}
    for path, old, new, *_ in BROKEN:
        workshop.edit(path, old, new)
    workshop.edit("snippets/boxes.py", "volume == side", "volume > side")
    code, said = build(workshop.root, *options)
    assert code != 0
    for path, _, new, message, script in BROKEN:
        source = f" · {workshop.place(f'snippets/{script[0]}.py', script[1])}" if script else ""
        # a fence is named by its first line, a piece of prose by its own
        place = workshop.place(path, "```python" if ".py:" in new else new)
        assert re.search(f"{place}: .*{re.escape(message)}.*{source}", said), f"{place} {message}\n{said}"
    failed = f"{workshop.place('docs/en/boxes.md', 'claim:B2')}: claim B2 fails: not volume > .*; volume = 8\\.0"
    assert re.search(f"{failed}.* · {workshop.place('snippets/boxes.py', 'assert volume')}", said), said
    assert "Traceback" not in said
    assert {path: path.read_bytes() for path in (workshop.root / "site").rglob("*.html")} == before


def test_a_raising_script_names_the_lesson_and_the_script(workshop):
    workshop.edit("snippets/boxes.py", "side = 2.0", "side = 2.0 / 0")
    code, said = build(workshop.root)
    assert code != 0
    line = workshop.place("snippets/boxes.py", "side = ")
    for page, what in (("en/boxes", "volume:"), ("zh/boxes", "volume:"), ("en/balls", "boxes.volume")):
        place = workshop.place(f"docs/{page}.md", what)
        assert re.search(f"{place}: the script did not run: ZeroDivisionError.* · {line}", said), said


def test_an_error_inside_a_module_names_the_scripts_line_and_the_modules(workshop):
    workshop.edit("solid/flat.py", "return side**3", "return side / 0")
    _, said = build(workshop.root)
    inner, outer = workshop.place("solid/flat.py", "/ 0"), workshop.place("snippets/boxes.py", "volume = ")
    assert re.search(rf"ZeroDivisionError.*raised at {inner}\).* · {outer}", said)


@pytest.mark.parametrize("options", [(), ("-v",)])
def test_a_site_that_cannot_be_written_is_a_clear_line(workshop, options):
    (workshop.root / "site").write_text("")  # permissions do not stop the superuser
    code, said = build(workshop.root, *options)
    assert code != 0
    assert re.search("knit: the build was broken off: .*/site.*; mend that and build again", said), said
    assert "Traceback" not in said
    (workshop.root / "site").unlink()
    assert build(workshop.root)[0] == 0


def test_results_that_are_taken_away_during_the_build_are_a_clear_line(empty_workshop):
    for number in range(AT_HAND + 2):
        empty_workshop.write(f"snippets/s{number}.py", f"x = {number}\n")
        for language in ("zh", "en"):
            page = f"---\nscript: s{number}.py\n---\n# T {{#t}}\n\n{{{{ x }}}}\n"
            empty_workshop.write(f"docs/{language}/page{number or ''}.md", page)
    empty_workshop.write("hooks.py", "import shutil\n\ndef on_files(files, config):\n    shutil.rmtree('.cache')\n")
    course, _ = empty_workshop.look()
    list(accept(course, woven_pages(course), []))
    empty_workshop.write("mkdocs.yml", "site_name: T\nhooks: [hooks.py]\nplugins: [bilingual, knit]\n")
    code, said = build(empty_workshop.root)
    assert code != 0
    assert re.search("knit: the build was broken off: .*/results/.*; mend that and build again", said), said
    assert "Traceback" not in said


def test_what_was_made_before_a_build_was_broken_off_is_kept(workshop):
    (workshop.root / "docs/en/lost.png").symlink_to("nowhere")  # is copied when pages are converted
    code, said = build(workshop.root)
    assert code != 0
    assert re.search("knit: the build was broken off: .*docs/en/lost.png.*; mend that and build again", said), said
    kept = [path.read_text("utf-8") for path in (workshop.root / ".cache/knit/pages").glob("*.json")]
    assert len(kept) == len(list(workshop.root.glob("docs/*/*.md")))
    assert all('"conversions"' in record for record in kept)


def test_two_builds_are_byte_identical(workshop):
    sites = []
    for name in ("one", "two"):
        assert build(workshop.root, "--site-dir", name)[0] == 0
        folder = workshop.root / name
        files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".gz"]
        sites.append({path.relative_to(folder): path.read_bytes() for path in files})
        (workshop.root / ".cache").rename(workshop.root / f".cache-{name}")
    assert sites[0] == sites[1]


@contextmanager
def served(root):
    """Serve a course on a free port; give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (root / "serve.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{port}"], cwd=root, stdout=log, stderr=log
        )
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def shows(address, wanted, seconds=40):
    """Wait until a page holds a text."""
    end, page = time.monotonic() + seconds, ""
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:  # noqa: S310 - our own server
                page = answer.read().decode()
        except OSError:
            page = ""
        if wanted in page:
            return page
        time.sleep(0.1)
    raise AssertionError(f"{address} never showed {wanted!r}; last:\n{page[-3000:]}")


def test_a_served_site_shows_a_problem_in_its_place_and_heals(workshop):
    with served(workshop.root) as address:
        shows(f"{address}/en/boxes/", '<data value="8.0" data-of="boxes.volume">8.0</data>')
        # a script
        workshop.edit("snippets/boxes.py", "side = 2.0", "side = 2.0 / 0")
        page = shows(f"{address}/en/boxes/", "knit-error")
        assert re.search(workshop.place("snippets/boxes.py", "side = "), page)
        assert "knit-error" in shows(f"{address}/zh/boxes/", "knit-error")
        workshop.edit("snippets/boxes.py", "side = 2.0 / 0", "side = 3.0")
        workshop.edit("snippets/boxes.py", "takes eight", "takes its cube")
        page = shows(f"{address}/zh/boxes/", '<data value="27.0" data-of="boxes.volume">27.0</data>')
        assert "knit-error" not in page
        # a module that the script imports
        workshop.edit("solid/flat.py", "side**3", "side**2")
        page = shows(f"{address}/en/boxes/", "knit-error")
        assert "claim B2 fails" in page
        workshop.edit("solid/flat.py", "side**2", "side * side * side")
        assert "knit-error" not in shows(
            f"{address}/en/boxes/", '<data value="27.0" data-of="boxes.volume">27.0</data>'
        )
        # a page
        workshop.edit("docs/en/boxes.md", "{{ side:.1f }}", "{{ sid:.1f }}")
        assert "is it side?" in shows(f"{address}/en/boxes/", "knit-error")
        workshop.edit("docs/en/boxes.md", "{{ sid:.1f }}", "{{ side:.3f }}")
        assert "knit-error" not in shows(f"{address}/en/boxes/", ">3.000</data>")


def test_terms_are_linked_on_the_built_page(workshop):
    said = "says: {zh: 圆的。, en: Round.}"
    workshop.write("docs/glossary.yml", f"- id: ball\n  zh: 球\n  en: ball\n  first: balls\n  {said}\n")
    for language, word in (("zh", "球"), ("en", "ball")):
        workshop.write(f"docs/{language}/glossary.md", "# G {#g}\n\n```glossary\n```\n")
        page = workshop.root / f"docs/{language}/balls.md"
        page.write_text(page.read_text("utf-8") + f"\n{word}\n", "utf-8")
    assert build(workshop.root)[0] == 0
    for language in ("zh", "en"):
        html = (workshop.root / "site" / language / "balls" / "index.html").read_text("utf-8")
        assert re.search(r'<a class="knit-term" href="../glossary/#term-ball" title="[^"]+">', html)
