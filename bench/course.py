"""Writes a generated course for knit: pages, scripts, configuration; and reads what it published."""

from __future__ import annotations

import html
import re
from pathlib import Path

from bench.generate import ALT, CAPTION, HEADING, HOME, STOP, Lesson, Size, Snippet, title, told
from bench.states import State

THEME = """site_name: Course
theme:
  name: material
  font: false
  palette:
    - scheme: default
    - scheme: slate
"""
"""The theme of every way that renders with MkDocs."""

EXTENSIONS = """markdown_extensions:
  - attr_list
  - md_in_html
  - tables
  - footnotes
  - admonition
  - toc:
      permalink: true
  - pymdownx.details
  - pymdownx.superfences
  - pymdownx.highlight:
      anchor_linenums: false
  - pymdownx.blocks.caption
  - pymdownx.bracketspan
"""
"""What every way that renders with MkDocs has of Markdown; a way's own follow."""

CONFIG = f"""{THEME}plugins:
  - search
  - bilingual:
      languages: LANGUAGES
  - knit:
      languages: LANGUAGES
{EXTENSIONS}  - pymdownx.snippets:
      base_path: [snippets]
      check_paths: true
      dedent_subsections: true
extra:
  generator: false
nav:
  - index.md
"""


def files(state: State) -> dict[str, str]:
    """Give the files of a course, by path from its root."""
    settings = CONFIG.replace("LANGUAGES", f"[{', '.join(state.size.languages)}]")
    made = {"mkdocs.yml": settings + "".join(f"  - {lesson.name}.md\n" for lesson in state.lessons), **state.kit}
    for lesson in state.lessons:
        made |= of_lesson(lesson)
    return made | homes(state.size)


def homes(size: Size) -> dict[str, str]:
    """Give the first page of each language."""
    return {
        f"docs/{language}/index.md": f"# {HOME[language]} {{#home}}\n\n{STOP[language].strip()}\n"
        for language in size.languages
    }


def of_lesson(lesson: Lesson) -> dict[str, str]:
    """Give the files of one lesson."""
    pages = {f"docs/{language}/{lesson.name}.md": page(lesson, language) for language in lesson.sentences}
    return {**pages, f"snippets/{lesson.name}.py": script(lesson)}


def script(lesson: Lesson) -> str:
    """Write a lesson's script."""
    parts = [lesson.head]
    parts += [section(snippet) for snippet in lesson.snippets]
    parts += [f"\n\n@figure\n{figure.source}" for figure in lesson.figures]
    return "".join(parts)


def section(snippet: Snippet) -> str:
    """Write a section of a script."""
    return f"\n# --8<-- [start:{snippet.name}]\n{snippet.source}# --8<-- [end:{snippet.name}]\n"


def page(lesson: Lesson, language: str) -> str:
    """Write a lesson's page."""
    stop = STOP[language]
    parts = [f"---\nscript: {lesson.name}.py\n---\n\n# {title(lesson.number, language)} {{#{lesson.name}}}\n"]
    for index, snippet in enumerate(lesson.snippets):
        sentences = lesson.sentences[language][index]
        shown = {name: f"{{{{ {name}:.4f }}}}" for name in snippet.shows}
        mean, spread, *_ = snippet.shows
        parts += [
            f"\n## {HEADING[language]} {{#part-{index + 1}}}\n",
            f"\n{stop.join(sentences[:4])}{stop}{told(snippet, language, shown)}\n",
            f'\n```python\n--8<-- "{lesson.name}.py:{snippet.name}"\n```\n',
            f"\n```output {snippet.name}\n```\n",
            f"\n$$\n\\frac{{ {shown[mean]} }}{{ {shown[spread]} }} = \\sum_i \\alpha_i \\sqrt{{ x_i }}\n$$\n",
            f"\n{stop.join(sentences[4:])}{stop}**{HEADING[language]}** `{mean}`{stop.rstrip()}\n",
        ]
        if index < len(lesson.figures):
            figure = lesson.figures[index]
            alt = ALT[language].format(value=f"{{{{ {figure.value}:.4f }}}}")
            parts.append(f"\n![{alt}](fig:{figure.name})\n\n/// caption\n{CAPTION[language]}\n///\n")
    return "".join(parts)


def write(made: dict[str, str], root: Path) -> None:
    """Write files below a folder: only those that differ, as an editor or git does; those of former states go."""
    record = root / ".bench-files"
    before = record.read_text("utf-8").split("\n") if record.exists() else []
    for path in set(before) - made.keys():
        (root / path).unlink(missing_ok=True)
    for path, text in made.items():
        file = root / path
        if not file.exists() or file.read_text("utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    record.write_text("\n".join(made), "utf-8")


TAG = re.compile(r"<[^>]*>")


def words(page: Path) -> str:
    """Give the words of a built page, without tags and with single spaces."""
    return " ".join(html.unescape(TAG.sub("", page.read_text("utf-8"))).split())
