"""The command ``knit``: what can be done with a course without building its site."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sized
from contextlib import closing
from pathlib import Path

from knit import settings
from knit.check.accept import accept
from knit.check.course import problems, woven_pages
from knit.check.coverage import counts, fix
from knit.check.twice import twice
from knit.check.twins import confirm, stale
from knit.explain import explain
from knit.new import new_lesson
from knit.problem import Refused
from knit.project import Project
from knit.report import FORMATS
from knit.weave.badge import measured

Command = Callable[[Project, argparse.Namespace], int]


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code: 0 well, 1 problems found, 2 called wrongly."""
    options = _parser().parse_args(arguments)
    try:
        layout, limits = settings.read(settings.find_root(Path.cwd()))
        with closing(Project(layout, limits)) as project:
            command: Command = options.run
            return command(project, options)
    except (FileNotFoundError, Refused) as error:
        print(f"knit: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def check(project: Project, options: argparse.Namespace) -> int:
    """Find everything that is wrong with the course, without building it; exit 1 when something is."""
    course = project.course()
    if options.fix and (fixed := fix(course)):
        for path, count in fixed.items():
            print(f"{path}: {count} typed number{'s' * (count > 1)} woven", file=sys.stderr)
        course = project.course()
    found = problems(course)
    if options.twice:
        found = sorted({*found, *twice(project, course)})
    warnings = list(stale(course))
    sys.stdout.write(FORMATS[options.format](sorted([*found, *warnings])))
    counted = [_count(found, "problem"), *([_count(warnings, "warning")] if warnings else [])]
    print(f"knit: {', '.join(counted)}, {_count(project.executions, 'script')} run", file=sys.stderr)
    return 1 if found or not all(problem.warning for problem in warnings) else 0


def accept_published(project: Project, options: argparse.Namespace) -> int:
    """Record what readers now see of the scripts: the next change of it is a problem until it is accepted."""
    course = project.course()
    for line in (*accept(course, woven_pages(course), options.scripts), *confirm(course, options.scripts)):
        print(line)
    return 0


def run(project: Project, options: argparse.Namespace) -> int:
    """Run the scripts whose results are not known, and say of each how it ended."""
    course = project.course()
    failed = False
    for script, outcome in course.results.outcomes.items():
        if options.scripts and Path(script).stem not in options.scripts:
            continue
        faults = [outcome.fault] if outcome.fault else list(outcome.result.faults.values() if outcome.result else [])
        failed |= bool(faults)
        how = "ran" if script in project.executions else "known"
        seconds = f"{outcome.result.seconds:.2f} s" if outcome.result else ""
        print(f"{script}: {how} {seconds}".rstrip())
        for fault in faults:
            print(f"{fault.path}:{fault.line}: {fault.message}")
    return 1 if failed else 0


def claims(project: Project, options: argparse.Namespace) -> int:
    """List every claim: its verdict, what was measured, and its statement."""
    course = project.course()
    for name, (script, verdict) in course.results.claims.items():
        shown = measured(verdict, options.language).plain.strip() if verdict.holds else f"FAILS: {verdict.error}"
        statement = verdict.statement.get(options.language) or next(iter(verdict.statement.values()), "")
        print(f"{name:<6} {shown:<18} {statement}  ({script})")
    return 0 if all(verdict.holds for _, verdict in course.results.claims.values()) else 1


def stats(project: Project, options: argparse.Namespace) -> int:
    """Count pages, woven and typed numbers, claims, scripts run and their times."""
    del options
    course = project.course()
    woven, typed = counts(course)
    results = [outcome.result for outcome in course.results.outcomes.values() if outcome.result]
    print(f"pages              {len(course.pages)}")
    print(f"woven numbers      {woven}")
    print(f"typed numbers      {typed}")
    print(f"coverage           {woven / ((woven + typed) or 1):.1%}")
    print(f"claims             {len(course.results.claims)}")
    print(f"scripts            {len(course.results.outcomes)}, {len(project.executions)} run now")
    print(f"seconds of scripts {sum(result.seconds for result in results):.1f}")
    return 0


def explain_value(project: Project, options: argparse.Namespace) -> int:
    """Say where a value is made, what it depends on, and where it is shown."""
    for line in explain(project.course(), options.name):
        print(line)
    return 0


def new(project: Project, options: argparse.Namespace) -> int:
    """Write a new lesson in every language, its script and its published numbers; it passes every check."""
    for path in new_lesson(project.layout, options.lesson):
        print(path.as_posix())
    course = project.course()
    for line in accept(course, woven_pages(course), [options.lesson.replace("-", "_")]):
        print(line)
    return 0


def _count(things: Sized, name: str) -> str:
    return f"{len(things) or 'no'} {name}{'' if len(things) == 1 else 's'}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="knit", description="Checks a course whose numbers are computed by its scripts."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Command, example: str) -> argparse.ArgumentParser:
        added = commands.add_parser(
            name, help=command.__doc__, description=command.__doc__, epilog=f"example: knit {example}"
        )
        added.set_defaults(run=command)
        return added

    added = add("check", check, "check --format github")
    added.add_argument("--format", choices=FORMATS, default="text", help="how problems are written (default: text)")
    added.add_argument(
        "--fix", action="store_true", help="first put values in the place of typed numbers, where only one fits"
    )
    added.add_argument(
        "--twice", action="store_true", help="also run every script twice, and name what differs between the runs"
    )
    for name, command in (("accept", accept_published), ("run", run)):
        added = add(name, command, f"{name} l1_inner_product")
        added.add_argument("scripts", nargs="*", metavar="SCRIPT", help="scripts by name (default: all)")
    added = add("claims", claims, "claims --language zh")
    added.add_argument("--language", default="en", help="of the statements (default: en)")
    add("stats", stats, "stats")
    add("explain", explain_value, "explain l1_inner_product.distance").add_argument("name", metavar="NAME")
    add("new", new, "new l5-heads").add_argument("lesson", metavar="LESSON")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
