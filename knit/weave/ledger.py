"""The ledger of claims: every claim of the course, what was measured, its bound, who cites it, how to re-run it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from knit.problem import Refused
from knit.project import Citation, Course
from knit.weave import sentences
from knit.weave.badge import measured
from knit.weave.maths import MathsError

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


def ledger(course: Course, language: str, token: Callable[[str, str], str], refuse: Callable[[Refused], str]) -> str:
    """Write the ledger as Markdown: a heading for each script, below it an entry for each of its claims.

    ``token`` puts HTML aside, as ``Woven.token`` does; ``refuse`` notes what is wrong, and gives what takes its place.
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
        line = source.claims.get(name, 1)
        stated = verdict.stated(language)
        try:
            lines += [token(sentences.woven(stated, course.glossary.symbols), sentences.plain(stated)), ""]
        except MathsError as error:
            lines += [refuse(Refused(f"the claim {name} states a bad formula: {error}", script, line)), ""]
        value = token(measured(verdict, language).html.strip(), "") if verdict.holds else words["failed"]
        lines += [f"- {words['measured']}{words['colon']}{value}"]
        lines += [f"- {words['bound']}{words['colon']}`{verdict.bound}`"] if verdict.bound else []
        lines += [f"- {words['script']}{words['colon']}`{script}:{line}`"]
        lines += [f"- {words['rerun']}{words['colon']}`python {script} --claim {name}`"]
        cited = list(_links(course.citations.get((name, language), []), course, language))
        lines += [f"- {words['cited']}{words['colon']}{words['none']}"] if not cited else []
        lines += [f"- {words['cited']}{words['colon']}", *(f"    - {each}" for each in cited)] if cited else []
    return "\n".join([*lines, ""])


def _links(citations: list[Citation], course: Course, language: str) -> Iterator[str]:
    """Yield where a claim is cited, as readers know it: the page's title and the section's, and lines of the source."""
    folder = (course.layout.docs / language).as_posix()
    lines: dict[str, list[int]] = {}
    for citation in citations:
        target = posixpath.relpath(citation.page, folder)
        title = " · ".join(filter(None, [course.titles[citation.page], citation.heading]))
        link = (
            f'[{title}]({target}{f"#{citation.section}" if citation.section else ""}) <small class="knit-keep">{target}'
        )
        lines.setdefault(link, []).append(citation.line)
    for link, numbers in lines.items():
        yield f"{link}:{', '.join(map(str, numbers))}</small>"
