"""Whatever is edited, a build that puts pages back gives what a clean build gives, byte for byte.

A clean build is one with ``incremental: false``, in a process that has not built the course before, of a copy whose
cache holds nothing but fonts; in three of four steps it keeps the results of scripts that former clean builds ran.
``KNIT_STEPS=1000 pytest tests/site/test_incremental.py`` goes on for longer; ``KNIT_SEED`` takes another way.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mkdocs.config import load_config

from knit.shelf import Shelf
from knit.site.surroundings import of_site

FIXTURE = Path(__file__).parents[1] / "fixtures" / "geometry"
STEPS = int(os.environ.get("KNIT_STEPS", "100"))
SEEDS = [int(seed) for seed in os.environ.get("KNIT_SEED", "1 2").split()]

API = "# {title} {{#top}}\n\nSee [cube][solid.flat.cube].\n\n::: solid.flat\n    options:\n      heading_level: 2\n"
NOTEBOOK = """---
script: cubes.py
notebook: true
---
# {title} {{#top}}

```python
--8<-- "cubes.py:cube"
```

```output cube
```

So much: {{{{ edge:.1f }}}}.
"""
CUBES = """from knit import main

# --8<-- [start:cube]
edge = 2.5
print(edge * 2)
# --8<-- [end:cube]
if __name__ == "__main__":
    raise SystemExit(main())
"""
GLOSSARY = """- id: cube
  zh: 立方体
  en: cube
  first: boxes
  says: {zh: 六个面相等的体。, en: A body with six equal faces.}
"""
ROUND = "import math\n\nfrom solid.flat import cube  # noqa: F401\n"
PLUGINS = """plugins:
  - search
  - bilingual
  - knit
  - autorefs:
      resolve_closest: true
  - mkdocstrings:
      handlers:
        python:
          paths: [.]
  - mkdocs-jupyter:
      include: ["*.ipynb"]
      ignore: ["*.md"]
      include_requirejs: false
"""


KEPT = ("fonts", "matplotlib")
"""What the cache holds that does not depend on a course."""


class Builder:
    """A process that builds when told to, while others build."""

    def __init__(self, templates, **job):
        self.job = job
        command = [sys.executable, str(Path(__file__).parent / "builder.py"), str(templates)]
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, text=True)

    def begin(self, root, out, **changed):
        shutil.rmtree(out, ignore_errors=True)
        job = {"root": str(root), "out": str(out), **self.job, **changed}
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()

    def end(self):
        return json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=60)


def made(root):
    """A course with everything that a page can depend on."""
    shutil.copytree(FIXTURE, root)
    settings = (root / "mkdocs.yml").read_text("utf-8")
    settings = re.sub(r"plugins:\n(  - .*\n)+", PLUGINS, settings).replace(
        "name: material\n", "name: material\n  custom_dir: looks\n"
    )
    files = {
        "mkdocs.yml": settings + "extra:\n  word: one\n",
        "docs/glossary.yml": GLOSSARY,
        "snippets/cubes.py": CUBES,
        "snippets/shared.md": "Shared words.\n",
        "solid/__init__.py": '"""Functions of solids."""\n\nfrom solid.flat import cube as cube\n',
        "looks/partials/copyright.html": "<p>{{ config.extra.word }}</p>\n",
    }
    for language, titles in {"zh": ("手册", "笔记本", "词汇"), "en": ("Manual", "Notebook", "Terms")}.items():
        files[f"docs/{language}/solids.md"] = API.format(title=titles[0])
        files[f"docs/{language}/api.md"] = API.format(title=titles[0]).replace("::: solid.flat", "::: solid.round")
        files[f"docs/{language}/cubes.md"] = NOTEBOOK.format(title=titles[1])
        files[f"docs/{language}/glossary.md"] = f"# {titles[2]} {{#top}}\n\n```glossary\n```\n"
        files[f"docs/{language}/deep/more.md"] = (
            f'# {titles[2]} {{#top}}\n\n[{titles[0]}](../boxes.md#top), [B1](claim:B1)\n\n--8<-- "shared.md"\n'
        )
    files["solid/round.py"] = (root / "solid/round.py").read_text("utf-8").replace("import math\n", ROUND)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


class Edits:
    """Random edits of a course, good and bad ones."""

    def __init__(self, root, seed):
        self.root = root
        self.chance = random.Random(seed)  # noqa: S311
        self.count = 0
        self.past = [self.tree()]

    def tree(self):
        """Give all that an author may edit."""
        folders = ("docs", "snippets", "solid", "looks")
        files = [self.root / "mkdocs.yml", *(f for folder in folders for f in (self.root / folder).rglob("*"))]
        return {f.relative_to(self.root): f.read_bytes() for f in files if f.is_file() and f.suffix != ".pyc"}

    def restore(self, tree):
        for path in self.tree().keys() - tree.keys():
            (self.root / path).unlink()
        for path, content in tree.items():
            file = self.root / path
            if not file.exists() or file.read_bytes() != content:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)

    def step(self):
        """Make one edit: give what it was."""
        self.count += 1
        edits = [getattr(self, name) for name in dir(self) if name.startswith("edit_")]
        edit = self.chance.choice(edits)
        what = edit()
        if self.chance.random() < 0.4:
            self.past.append(self.tree())
        return f"{self.count} {edit.__name__}: {what}"

    def pick(self, pattern):
        return self.chance.choice(sorted(self.root.glob(pattern)))

    def change(self, path, pattern, new):
        """Change one random place of a file, if it has one."""
        text = path.read_text("utf-8")
        places = list(re.finditer(pattern, text, re.MULTILINE))
        if places:
            place = self.chance.choice(places)
            path.write_text(text[: place.start()] + place.expand(new) + text[place.end() :], "utf-8")
        return f"{path.relative_to(self.root)}: {pattern} → {new}"

    def word(self):
        return f"word{self.chance.randrange(9)}x"

    def edit_prose(self):
        return self.change(self.pick("docs/*/**/*.md"), r"^\w[^:|\n]*[.。]", rf"\g<0> {self.word()}.")

    def edit_heading(self):
        return self.change(self.pick("docs/*/**/*.md"), r"^(#+ .*?)( \{#.*)$", rf"\1 {self.word()}\2")

    def edit_format(self):
        return self.change(self.pick("docs/*/*.md"), r"(\{\{ \w+):\.\df", rf"\1:.{self.chance.choice('0123q')}f")

    def edit_front_matter(self):
        line = self.chance.choice(
            [
                "title: Another",
                "description: Said",
                "search:\n  exclude: true",
                "hide: [toc]",
                "tags: [a, b]",
                "search:\n  boost: 2",
                "nowhere: 1",
                "template: main.html",
            ]
        )
        path = self.pick("docs/*/**/*.md")
        text = path.read_text("utf-8")
        path.write_text(
            text.replace("---\n", f"---\n{line}\n", 1) if text.startswith("---") else f"---\n{line}\n---\n{text}"
        )
        return f"{path.relative_to(self.root)}: {line}"

    def edit_link(self):
        target = self.chance.choice(["boxes.md", "boxes.md#top", "balls.md#nowhere", "nowhere.md", "new.md", "#top"])
        return self.change(self.pick("docs/*/*.md"), r"\Z", rf"\n[a link]({target})\n")

    def edit_reference(self):
        target = self.chance.choice(["solid.flat.cube", "solid.flat", "solid.round.sphere", "nothing.there"])
        return self.change(self.pick("docs/*/*.md"), r"\Z", rf"\n[a thing][{target}]\n")

    def edit_script(self):
        return self.change(self.pick("snippets/*.py"), r"\d\.\d", f"{self.chance.randrange(1, 9)}.5")

    def edit_comment(self):
        return self.change(self.pick("snippets/*.py"), r"^(# (?:zh|en): )?", rf"\1# {self.word()}\n\1")

    def edit_break(self):
        return self.change(
            self.pick("snippets/*.py"), r"^(\w+) = ", self.chance.choice([r"\1 = 1 / 0 * ", r"\1 = = ", r"_\1 = "])
        )

    def edit_claim(self):
        return self.change(self.pick("snippets/*.py"), r"assert ", self.chance.choice(["assert not ", "assert 0 * "]))

    def edit_figure(self):
        return self.change(self.pick("snippets/*.py"), r'en="\w+', rf'en="{self.word()}')

    def edit_module(self):
        return self.change(self.pick("solid/*.py"), r"return ", self.chance.choice(["return 1 * ", "return 2 * "]))

    def edit_docstring(self):
        return self.change(self.pick("solid/*.py"), r"\.\"\"\"", f' {self.word()}."""')

    def edit_argument(self):
        """Describe an argument that is not there, of which is warned."""
        return self.change(self.pick("solid/*.py"), r"\.\"\"\"$", '.\n\n    Args:\n        nothing: No.\n    """')

    def edit_shared(self):
        return (
            self.change(self.pick("snippets/shared*.md"), r"\Z", f"{self.word()}\n")
            if (self.root / "snippets/shared.md").exists()
            else ""
        )

    def edit_glossary(self):
        path = self.root / "docs/glossary.yml"
        return self.change(path, r"(says: .*en: )\w+", rf"\1{self.word()}") if path.exists() else ""

    def edit_configuration(self):
        new = self.chance.choice(["site_name: Other", "site_name: 一 | One", "site_name: Solids"])
        return self.change(self.root / "mkdocs.yml", r"^site_name: .*", new)

    def edit_extra(self):
        return self.change(self.root / "mkdocs.yml", r"word: \w+", f"word: {self.word()}")

    def edit_extension(self):
        return self.change(
            self.root / "mkdocs.yml",
            r"^  - (toc|admonition)(:\n      permalink: true)?$",
            self.chance.choice([r"  - \1", "  - toc:\n      permalink: true"]),
        )

    def edit_template(self):
        return self.change(self.root / "looks/partials/copyright.html", r"</p>", f" {self.word()}</p>")

    def edit_new_page(self):
        name = self.chance.choice(["new", "deep/new", "other"])
        for language in ("zh", "en")[self.chance.randrange(2) :]:
            path = self.root / f"docs/{language}/{name}.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"# {self.word()} {{#top}}\n\n{{{{ boxes.side:.1f }}}}\n", "utf-8")
        return name

    def edit_delete(self):
        path = self.pick("docs/*/**/[!gi]*.md")
        for language in ("zh", "en")[self.chance.randrange(2) :]:
            twin = (
                self.root
                / "docs"
                / language
                / path.relative_to(self.root / "docs").relative_to(path.relative_to(self.root / "docs").parts[0])
            )
            twin.unlink(missing_ok=True)
        return path.relative_to(self.root)

    def edit_rename(self):
        path = self.pick("docs/*/**/[!gi]*.md")
        path.rename(path.with_stem(self.chance.choice(["renamed", path.stem + "x"])))
        return path.relative_to(self.root)

    def edit_rename_script(self):
        path = self.pick("snippets/*.py")
        path.rename(path.with_stem(self.chance.choice(["boxes", "balls", "cubes", "extra"])))
        return path.relative_to(self.root)

    def edit_picture(self):
        path = self.root / "docs/assets/picture.svg"
        path.parent.mkdir(exist_ok=True)
        path.unlink() if path.exists() else path.write_text("<svg/>")
        return self.change(self.pick("docs/*/*.md"), r"\Z", "\n![a picture](../assets/picture.svg)\n")

    def edit_revert(self):
        self.restore(self.chance.choice(self.past))
        return "to an older state"

    edit_revert_again = edit_revert

    def edit_mend(self):
        """Put what scripts and modules were at first in place of what they are."""
        now, first = self.tree(), self.past[0]
        code = {path: text for path, text in first.items() if path.suffix == ".py"}
        self.restore({path: text for path, text in now.items() if path.suffix != ".py"} | code)
        return "the code"

    edit_mend_again = edit_mend_once_more = edit_mend

    def edit_theme(self):
        """Change what the theme shows on every page."""
        new = self.chance.choice([r"\1\n  features: [navigation.top]", r"\1\n  features: [toc.follow]", r"\1"])
        return self.change(self.root / "mkdocs.yml", r"^(  custom_dir: looks)(\n  features: .*)?$", new)

    def edit_navigation(self):
        """Change the order of the pages, or put one less there."""
        lines = self.chance.choice(
            ["[index.md, boxes.md]", "[boxes.md, index.md, balls.md]", "[index.md, 'Xs | 物': boxes.md]"]
        )
        text = (self.root / "mkdocs.yml").read_text("utf-8")
        (self.root / "mkdocs.yml").write_text(re.sub(r"(?m)^nav:.*\n(  .*\n)*", "", text) + f"nav: {lines}\n", "utf-8")
        return lines


def test_the_course_itself_is_known():
    """Something in mkdocs.yml of which nothing is known would make every page anew at every build."""
    config = load_config(str(Path(__file__).parents[2] / "mkdocs.yml"))
    assert len(of_site(config)) == 32


def test_what_is_left_out_matters(tmp_path):
    (tmp_path / "docs").mkdir()
    names = []
    for excluded in ("/a.yml", "/b.yml", "!/b.yml"):
        (tmp_path / "mkdocs.yml").write_text(f"site_name: x\nexclude_docs: |\n  {excluded}\n")
        config = load_config(str(tmp_path / "mkdocs.yml"), plugins=[])
        names.append(of_site(config))
    assert len(set(names)) == 3


def test_templates_in_a_folder_that_is_a_link_matter(tmp_path):
    """Courses may share them."""
    shared = tmp_path / "shared"
    for folder in (shared, tmp_path / "docs", tmp_path / "looks"):
        folder.mkdir()
    (tmp_path / "looks/partials").symlink_to(shared)
    (tmp_path / "mkdocs.yml").write_text("site_name: x\ntheme: {name: material, custom_dir: looks}\n")
    names = []
    for word in ("one", "two"):
        (shared / "copyright.html").write_text(word)
        names.append(of_site(load_config(str(tmp_path / "mkdocs.yml"), plugins=[])))
    assert len(set(names)) == 2


def contents(out):
    return {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def copy_clean(root, clean, kept):
    """Copy a course without what its builds left; of the copy's own cache only some folders stay."""
    cache = clean / ".cache/knit"
    aside = clean.with_name("aside")
    aside.mkdir()
    for name in kept:
        if (cache / name).exists():
            (cache / name).rename(aside / name)
    shutil.rmtree(clean, ignore_errors=True)
    shutil.copytree(root, clean, ignore=shutil.ignore_patterns(".cache", "__pycache__"))
    cache.parent.mkdir()
    aside.rename(cache)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_edits(tmp_path, seed):
    root, clean = made(tmp_path / "course"), tmp_path / "clean"
    out, expected_out, templates = tmp_path / "out", tmp_path / "expected", tmp_path / "templates"
    templates.mkdir()
    edits = Edits(root, seed)
    history = []
    with (
        Builder(templates, incremental=True, how="stay") as preview,
        Builder(templates, incremental=True, how="fork") as build,
        Builder(templates, incremental=False, how="fork") as fresh,
    ):
        # Modules are loaded once, not in every fork.
        for each in (build, fresh):
            copy_clean(root, clean, KEPT)
            each.begin(clean, expected_out, how="close")
            each.end()
        for step in range(STEPS):
            copy_clean(root, clean, KEPT if step % 4 == 0 else (*KEPT, "results", "uses"))
            # Builds in one process and builds of their own share what is kept.
            mine = edits.chance.choice([preview, preview, build])
            mine.begin(root, out)
            fresh.begin(clean, expected_out)
            got, expected = mine.end(), fresh.end()
            assert got == expected, history
            if expected["error"] is None:
                ours, theirs = contents(out), contents(expected_out)
                differing = [str(p) for p in ours.keys() | theirs.keys() if ours.get(p) != theirs.get(p)]
                assert not differing, history
            history.append(edits.step())


@pytest.mark.parametrize("linked", ["snippets/shared.md", "docs/en/deep/more.md"])
def test_what_a_link_leads_to_matters(tmp_path, linked):
    root, out, templates = made(tmp_path / "course"), tmp_path / "out", tmp_path / "templates"
    templates.mkdir()
    elsewhere = (root / linked).rename(tmp_path / "elsewhere.md")
    (root / linked).symlink_to(elsewhere)
    with Builder(templates, incremental=True, how="fork") as build:
        for word in ("One more.", "Another."):
            elsewhere.write_text(f"{elsewhere.read_text()}\n\n{word}\n")
            build.begin(root, out)
            assert build.end()["error"] is None
            assert word in (out / "en/deep/more/index.html").read_text()


@pytest.mark.parametrize("edited", ["docs/en/deep/more.md", "snippets/shared.md", "solid/flat.py"])
def test_what_was_edited_during_a_build_is_not_kept(tmp_path, edited):
    """It may have been read as another, and be itself again when it is kept: so it does here, for sure."""
    root, out, templates = made(tmp_path / "course"), tmp_path / "out", tmp_path / "templates"
    templates.mkdir()
    uri = "solids" if edited.startswith("solid") else "deep/more"
    now = time.time()
    with Builder(templates, incremental=True, how="fork") as build:
        for kept, moment in [(False, now + 60), (True, now - 60)]:
            os.utime(root / edited, (moment, moment))
            build.begin(root, out)
            assert build.end()["error"] is None
            record = Shelf(root / ".cache/knit/pages").slot(f"en/{uri}.md").record
            assert ("conversions" in record) == kept


def test_what_is_warned_of_is_warned_of_again(tmp_path):
    """Docstrings are read once for all pages that show them, and the first is told: another one was kept without."""
    root, out, templates = made(tmp_path / "course"), tmp_path / "out", tmp_path / "templates"
    templates.mkdir()
    flat, first = root / "solid/flat.py", root / "docs/en/a.md"
    flat.write_text(flat.read_text().replace('cube."""', 'cube.\n\n    Args:\n        no: No.\n    """'))
    with Builder(templates, incremental=True, how="fork") as build:
        for is_there in (True, False):
            first.write_text("# A {#top}\n\n::: solid.flat\n") if is_there else first.unlink()
            build.begin(root, out)
            told = build.end()["warnings"]
            assert any("Parameter 'no' does not appear" in each for each in told), told


def test_a_cache_that_is_cut_short_is_made_anew(tmp_path):
    root, out, templates = made(tmp_path / "course"), tmp_path / "out", tmp_path / "templates"
    templates.mkdir()
    sites = []
    with Builder(templates, incremental=True, how="fork") as build:
        for cut in (False, True):
            for file in sorted((root / ".cache/knit").glob("pages/*.[!j]*")) if cut else ():
                file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
            build.begin(root, out)
            assert build.end()["error"] is None
            sites.append(contents(out))
    assert sites[0] == sites[1]
