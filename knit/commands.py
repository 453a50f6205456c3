"""The commands of ``knit``: what each does with a course, what it prints, and its exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sized
from pathlib import Path

from knit.check.accept import accept
from knit.check.changes import as_markdown, as_text, changes
from knit.check.course import problems, woven_pages
from knit.check.coverage import fix
from knit.check.twice import twice
from knit.check.twins import confirm, stale
from knit.explain import explain
from knit.new import new_lesson
from knit.problem import Refused
from knit.project import Project
from knit.report import FORMATS, folded, in_order
from knit.weave.badge import measured
from knit.weave.sentences import plain

Command = Callable[[Project, argparse.Namespace], int]


def check(project: Project, options: argparse.Namespace) -> int:
    """Find everything that is wrong with the course, without building it; exit 1 when something is."""
    course = project.course(ahead=True)
    if options.fix and (fixed := fix(course)):
        for path, count in fixed.items():
            print(f"{path}: {_count(range(count), 'typed number')} woven", file=sys.stderr)
        course = project.course(ahead=True)
    found = problems(course)
    if options.twice:
        found = list(dict.fromkeys([*found, *sorted(twice(project, course))]))
    warnings = list(stale(course))
    project.done()
    told = in_order([*found, *warnings])
    sys.stdout.write(FORMATS[options.format](told if options.all or options.format != "text" else folded(told)))
    counted = [_count(found, "problem"), *([_count(warnings, "warning")] if warnings else [])]
    print(f"knit: {', '.join(counted)}, {_count(project.executions, 'script')} run", file=sys.stderr)
    return 1 if found or not all(problem.warning for problem in warnings) else 0


def accept_published(project: Project, options: argparse.Namespace) -> int:
    """Record what readers now see, and that both languages say the same: the next change is told until accepted."""
    course = project.course()
    project.done()
    for line in (*accept(course, woven_pages(course), options.names), *confirm(course, options.names)):
        print(line)
    return 0


def changed(project: Project, options: argparse.Namespace) -> int:
    """List the published numbers that differ from those of an earlier revision, old and new."""
    found = list(changes(project.layout, project.scripts(), options.revision))
    sys.stdout.write(as_markdown(found) if options.markdown else as_text(found))
    return 0


def run(project: Project, options: argparse.Namespace) -> int:
    """Run the scripts whose results are not known, and say of each how it ended."""
    scripts = {Path(script).stem: script for script in project.scripts()}
    names = [name.removesuffix(".py").rpartition("/")[2] for name in options.scripts] or list(scripts)
    if unknown := [name for name in names if name not in scripts]:
        raise Refused(f"there is no script {', '.join(unknown)}; there are {', '.join(scripts)}")
    outcomes = dict(project.runner.outcomes([scripts[name] for name in names]))
    project.done()
    failed = False
    for script, outcome in outcomes.items():
        faults = outcome.faults
        failed |= bool(faults)
        how = "ran" if script in project.executions else "known"
        seconds = f"{outcome.result.seconds:.2f} s" if outcome.result else ""
        print(f"{script}: {how} {seconds}".rstrip())
        for fault in faults:
            print(f"{fault.path}:{fault.line}: {fault.message}")
    return 1 if failed else 0


def claims(project: Project, options: argparse.Namespace) -> int:
    """List every claim: its verdict, what was measured, and its statement; exit 1 when one does not hold."""
    course = project.course()
    project.done()
    languages = course.layout.languages
    language = options.language or ("en" if "en" in languages else languages[0])
    if language not in languages:
        raise Refused(f"the course has no language {language}; it has {', '.join(languages)}")
    for name, (script, verdict) in course.results.claims.items():
        shown = measured(verdict, language).plain.strip() if verdict.holds else f"FAILS: {verdict.error}"
        print(f"{name:<6} {shown:<18} {plain(verdict.stated(language))}  ({script})")
    return 0 if all(verdict.holds for _, verdict in course.results.claims.values()) else 1


def stats(project: Project, options: argparse.Namespace) -> int:
    """Count pages, numbers, claims, figures and scripts; say how long scripts took and how many ran now."""
    del options
    course = project.course()
    project.done()
    for name, number in course.counted.items():
        print(f"{name:<12} {f'{number:.1%}' if name == 'coverage' else number}")
    seconds = {script: each.result.seconds for script, each in course.results.outcomes.items() if each.result}
    print(f"{'run now':<12} {len(project.executions)}")
    print(f"{'seconds':<12} {sum(seconds.values()):.1f}")
    for script, each in sorted(seconds.items(), key=lambda item: -item[1]):
        print(f"  {each:8.2f} {script}")
    return 0


def explain_value(project: Project, options: argparse.Namespace) -> int:
    """Say where a value is made, what it depends on, and where it is shown."""
    course = project.course()
    project.done()
    for line in explain(course, options.name):
        print(line)
    return 0


def new(project: Project, options: argparse.Namespace) -> int:
    """Write a new lesson in every language, its script and its published numbers; it passes every check."""
    for path in new_lesson(project.layout, options.lesson):
        print(path.as_posix())
    course = project.course()
    project.done()
    script = options.lesson.replace("-", "_")
    for line in (*accept(course, woven_pages(course), [script]), *confirm(course, [script])):
        print(line)
    return 0


def _count(things: Sized, name: str) -> str:
    return f"{len(things) or 'no'} {name}{'' if len(things) == 1 else 's'}"
