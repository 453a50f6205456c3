"""Every claim says what it claims, in every language: the ledger shows it, and a badge's readers look there."""

from __future__ import annotations

from collections.abc import Iterator

from knit.problem import Problem
from knit.project import Course


def statements(course: Course) -> Iterator[Problem]:
    """Yield the claims that state nothing, or not in all languages; one text without a language serves all."""
    scripts = sorted(set(course.results.makers.values()))
    digests = [[name, course.results.sources[name].digest, course.results.outcomes[name].digest] for name in scripts]
    look = _statements(course)
    known = all(digest for *_, digest in digests)
    parts = ("statements", digests, course.layout.languages)
    yield from course.kept.unless_clean(parts, look) if known else look


def _statements(course: Course) -> Iterator[Problem]:
    for name, (script, verdict) in course.results.claims.items():
        stated = {language for language, text in verdict.statement.items() if text}
        missing = [language for language in course.layout.languages if language not in stated]
        if missing and "" not in stated:
            where = " or ".join(missing) if stated else "any language"
            write = "; ".join(f"{language}: …" for language in missing)
            what = f"the claim {name} is not stated in {where}: write {write} in its docstring"
            yield Problem(script, course.results.sources[script].claims.get(name, 1), 1, what)
