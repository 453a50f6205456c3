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
        cited = ", ".join(_links(course.citations.get((name, language), []), course, language))
        lines += [f"- {words['cited']}{words['colon']}{cited or words['none']}"]
    return "\n".join([*lines, ""])


def _statement(verdict: Verdict, language: str) -> str:
    return verdict.statement.get(language) or next(iter(verdict.statement.values()), "")


def _links(citations: list[Citation], course: Course, language: str) -> Iterator[str]:
    folder = (course.layout.docs / language).as_posix()
    for citation in citations:
        target = posixpath.relpath(citation.page.path, folder)
        section = f"#{citation.section}" if citation.section else ""
        yield f"[{target}:{citation.line}]({target}{section})"
