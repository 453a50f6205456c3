"""Writes a new lesson that passes every check: a script, a page in each language, a line in the navigation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from knit.problem import Refused
from knit.project import Layout

NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
NAV_LINE = re.compile(r"^(?P<indent>[ ]*)- (?P<page>[\w-]+\.md)[ ]*$", re.MULTILINE)

SCRIPT = '''"""What lesson {title} computes."""

import numpy as np

from knit import claim, main

# --8<-- [start:length]
# zh: 一个向量和它的长度
# en: a vector and its length
vector = np.array([3.0, 4.0])
length = np.sqrt(vector @ vector)
# --8<-- [end:length]


@claim("{claim}")
def the_square_of_the_length_is_the_vector_times_itself():
    """zh: 长度的平方等于向量与自己的内积。
    en: The square of the length is the dot product of the vector with itself.
    """
    deviation = abs(length**2 - vector @ vector)
    assert deviation <= 4 * np.finfo(float).eps * (vector @ vector)
    return deviation


if __name__ == "__main__":
    raise SystemExit(main())
'''

PAGES = {
    "zh": """---
script: {script}
---
# {title} {{#top}}

先提一个问题，再试最自然的做法。向量 ${{{{ vector:.0f }}}}$ 有多长？

```python
--8<-- "{script}:length"
```

长 {{{{ length:.1f }}}} [{claim}](claim:{claim})。
""",
    "en": """---
script: {script}
---
# {title} {{#top}}

A question first, then the most natural idea. How long is ${{{{ vector:.0f }}}}$?

```python
--8<-- "{script}:length"
```

It is {{{{ length:.1f }}}} long [{claim}](claim:{claim}).
""",
}


def new_lesson(layout: Layout, name: str) -> Iterator[Path]:
    """Write the files of a lesson called ``name`` (``l5-heads``), and yield each.

    Raises
    ------
    Refused
        When the name cannot be a page's, or one of the files is there already: then nothing is written.

    """
    if not NAME.fullmatch(name):
        raise Refused(f"{name!r} cannot name a lesson: use small letters, digits and hyphens, as in l5-heads")
    script = name.replace("-", "_") + ".py"
    words = {"title": name, "script": script, "claim": f"{name.partition('-')[0].upper()}.a"}
    files = {layout.snippets / script: SCRIPT.format(**words)}
    for language in layout.languages:
        files[layout.docs / language / f"{name}.md"] = PAGES.get(language, PAGES["en"]).format(**words)
    there = [path.as_posix() for path in files if (layout.root / path).exists()]
    if there:
        raise Refused(f"{', '.join(there)} exists already: choose another name")
    for path, text in files.items():
        (layout.root / path).parent.mkdir(parents=True, exist_ok=True)
        (layout.root / path).write_text(text, "utf-8")
        yield path
    if _add_to_navigation(layout.root / "mkdocs.yml", f"{name}.md"):
        yield Path("mkdocs.yml")


def _add_to_navigation(settings: Path, page: str) -> bool:
    """Add a page behind the last lesson (``l2-….md``) of ``nav``; False where there is none."""
    source = settings.read_text("utf-8")
    lessons = [match for match in NAV_LINE.finditer(source) if re.match(r"l\d+-", match["page"])]
    if not lessons:
        return False
    last = lessons[-1]
    settings.write_text(f"{source[: last.end()]}\n{last['indent']}- {page}{source[last.end() :]}", "utf-8")
    return True
