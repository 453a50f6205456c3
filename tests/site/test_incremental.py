"""Whatever is edited, a build that puts pages back gives what a clean build gives, byte for byte.

``KNIT_STEPS=300 pytest tests/site/test_incremental.py`` goes on for longer; ``KNIT_SEED`` takes another way.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from mkdocs.config import load_config

from knit.site.surroundings import of_site

FIXTURE = Path(__file__).parents[1] / "fixtures" / "geometry"
STEPS = int(os.environ.get("KNIT_STEPS", "14"))
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
      include_requirejs: false
"""


@contextmanager
def builder(mode):
    """Start a process that builds: give what tells it to."""
    command = [sys.executable, str(Path(__file__).parent / "builder.py"), mode]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def build(root, out):
        shutil.rmtree(out, ignore_errors=True)
        process.stdin.write(json.dumps({"root": str(root), "out": str(out)}) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    try:
        yield build
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=60)


def made(root):
    """A course with everything that a page can depend on."""
    shutil.copytree(FIXTURE, root)
    settings = (root / "mkdocs.yml").read_text("utf-8")
    settings = re.sub(r"plugins:\n(  - .*\n)+", PLUGINS, settings).replace("name: material\n", "name: material\n  custom_dir: looks\n")
    files = {
        "mkdocs.yml": settings + "extra:\n  word: one\n",
        "docs/glossary.yml": GLOSSARY,
        "snippets/cubes.py": CUBES,
        "snippets/shared.md": "Shared words.\n",
        "looks/partials/copyright.html": "<p>{{ config.extra.word }}</p>\n",
    }
    for language, titles in {"zh": ("手册", "笔记本", "词汇"), "en": ("Manual", "Notebook", "Terms")}.items():
        files[f"docs/{language}/api.md"] = API.format(title=titles[0])
        files[f"docs/{language}/cubes.md"] = NOTEBOOK.format(title=titles[1])
        files[f"docs/{language}/glossary.md"] = f"# {titles[2]} {{#top}}\n\n```glossary\n```\n"
        files[f"docs/{language}/deep/more.md"] = (
            f"# {titles[2]} {{#top}}\n\n[{titles[0]}](../boxes.md#top), [B1](claim:B1)\n\n--8<-- \"shared.md\"\n"
        )
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
            ["title: Another", "description: Said", "search:\n  exclude: true", "hide: [toc]", "tags: [a, b]",
             "search:\n  boost: 2", "nowhere: 1", "template: main.html"]
        )
        path = self.pick("docs/*/**/*.md")
        text = path.read_text("utf-8")
        path.write_text(text.replace("---\n", f"---\n{line}\n", 1) if text.startswith("---") else f"---\n{line}\n---\n{text}")
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
        return self.change(self.pick("snippets/*.py"), r"^(\w+) = ", self.chance.choice([r"\1 = 1 / 0 * ", r"\1 = = ", r"_\1 = "]))

    def edit_claim(self):
        return self.change(self.pick("snippets/*.py"), r"assert ", self.chance.choice(["assert not ", "assert 0 * "]))

    def edit_figure(self):
        return self.change(self.pick("snippets/balls.py"), r'en="\w+', rf'en="{self.word()}')

    def edit_module(self):
        return self.change(self.pick("solid/*.py"), r"return ", self.chance.choice(["return 1 * ", "return 2 * "]))

    def edit_docstring(self):
        return self.change(self.pick("solid/*.py"), r"\.\"\"\"", f' {self.word()}."""')

    def edit_shared(self):
        return self.change(self.pick("snippets/shared*.md"), r"\Z", f"{self.word()}\n") if (self.root / "snippets/shared.md").exists() else ""

    def edit_glossary(self):
        path = self.root / "docs/glossary.yml"
        return self.change(path, r"(says: .*en: )\w+", rf"\1{self.word()}") if path.exists() else ""

    def edit_configuration(self):
        new = self.chance.choice(["site_name: Other", "site_name: 一 | One", "site_name: Solids"])
        return self.change(self.root / "mkdocs.yml", r"^site_name: .*", new)

    def edit_extra(self):
        return self.change(self.root / "mkdocs.yml", r"word: \w+", f"word: {self.word()}")

    def edit_extension(self):
        return self.change(self.root / "mkdocs.yml", r"^  - (toc|admonition)(:\n      permalink: true)?$",
                           self.chance.choice([r"  - \1", "  - toc:\n      permalink: true"]))

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
            twin = self.root / "docs" / language / path.relative_to(self.root / "docs").relative_to(path.relative_to(self.root / "docs").parts[0])
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


def contents(out):
    return {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}


@pytest.mark.parametrize("seed", SEEDS)
def test_random_edits(tmp_path, seed):
    root, clean = made(tmp_path / "course"), tmp_path / "clean"
    edits = Edits(root, seed)
    history = []
    with builder("stay") as preview, builder("fork") as fresh:
        for _ in range(STEPS):
            # Builds in one process and builds of their own share what is kept.
            build = edits.chance.choice([preview, preview, fresh])
            got = build(root, tmp_path / "out")
            shutil.rmtree(clean, ignore_errors=True)
            shutil.copytree(root, clean, ignore=shutil.ignore_patterns(".cache"))
            expected = fresh(clean, tmp_path / "expected")
            assert got == expected, history
            if expected["error"] is None:
                mine, theirs = contents(tmp_path / "out"), contents(tmp_path / "expected")
                differing = [str(p) for p in mine.keys() | theirs.keys() if mine.get(p) != theirs.get(p)]
                assert not differing, history
            history.append(edits.step())
