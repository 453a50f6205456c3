"""The ledger of claims: every claim of the course, what was measured, its bound, who cites it, how to re-run it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from html import escape

from knit.claims import Verdict
from knit.project import Citation, Course
from knit.weave.badge import measured

WORDS = {
    "zh": {
        "measured": "测得",
        "bound": "断言",
        "script": "脚本",
        "cited": "引用于",
        "rerun": "重跑",
        "none": "（尚无）",
        "failed": "不成立",
        "stop": "。",
        "colon": "：",
    },
    "en": {
        "measured": "Measured",
        "bound": "Asserted",
        "script": "Script",
        "cited": "Cited in",
        "rerun": "Re-run",
        "none": "(nowhere yet)",
        "failed": "fails",
        "stop": ".",
        "colon": ": ",
    },
}


def anchor(claim: str) -> str:
    """Give the id of a claim's entry in the ledger."""
    return f"claim-{claim.lower()}"


def ledger(course: Course, language: str, token: Callable[[str, str], str]) -> str:
    """Write the ledger as Markdown: a heading for each script, below it an entry for each of its claims.

    ``token`` puts HTML aside, as ``Woven.token`` does.
    """
    words = WORDS.get(language, WORDS["en"])
    lines: list[str] = []
    script_before = None
    for name, (script, verdict) in course.results.claims.items():
        if script != script_before:
            lines += ["", f"## `{script}` {{#{script.rpartition('/')[2].removesuffix('.py')}}}"]
            script_before = script
        source = course.results.sources[script]
        lines += ["", f"### {name} {{#{anchor(name)}}}", ""]
        lines += [token(escape(_statement(verdict, language)), ""), ""]
        value = token(measured(verdict, language).html.strip(), "") if verdict.holds else words["failed"]
        lines += [f"- {words['measured']}{words['colon']}{value}"]
        lines += [f"- {words['bound']}{words['colon']}`{verdict.bound}`"] if verdict.bound else []
        lines += [f"- {words['script']}{words['colon']}`{script}:{source.claims.get(name, 1)}`"]
        lines += [f"- {words['rerun']}{words['colon']}`python {script} --claim {name}`"]
        cited = list(_links(course.citations.get((name, language), []), course, language))
        lines += [f"- {words['cited']}{words['colon']}{words['none']}"] if not cited else []
        lines += [f"- {words['cited']}{words['colon']}", *(f"    - {each}" for each in cited)] if cited else []
    return "\n".join([*lines, ""])


def _statement(verdict: Verdict, language: str) -> str:
    return verdict.statement.get(language) or next(iter(verdict.statement.values()), "")


def _links(citations: list[Citation], course: Course, language: str) -> Iterator[str]:
    """Yield where a claim is cited, as readers know it: the page's title and the section's, and lines of the source."""
    folder = (course.layout.docs / language).as_posix()
    lines: dict[str, list[int]] = {}
    for citation in citations:
        target = posixpath.relpath(citation.page, folder)
        title = " · ".join(filter(None, [course.titles[citation.page], citation.heading]))
        link = f"[{title}]({target}{f'#{citation.section}' if citation.section else ''}) <small>{target}"
        lines.setdefault(link, []).append(citation.line)
    for link, numbers in lines.items():
        yield f"{link}:{', '.join(map(str, numbers))}</small>"
