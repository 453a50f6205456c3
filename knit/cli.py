"""The command ``knit``: what can be done with a course without building its site."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

from knit import settings
from knit.check.course import problems
from knit.project import Project


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        layout, limits = settings.read(settings.find_root(Path.cwd()))
    except FileNotFoundError as error:
        print(f"knit: {error}", file=sys.stderr)
        return 2
    with closing(Project(layout, limits)) as project:
        code: int = options.run(project)
    return code


def check(project: Project) -> int:
    """Print every problem of the course, a line each; exit 1 when there is one."""
    found = problems(project.course())
    for problem in found:
        print(problem)
    ran = len(project.executions)
    print(
        f"knit: {len(found) or 'no'} problem{'' if len(found) == 1 else 's'}, {ran} scripts run",
        file=sys.stderr,
    )
    return 1 if found else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="knit", description="Checks a course whose numbers are computed by its scripts."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "check", help="find everything that is wrong, without building", description=check.__doc__
    )
    command.set_defaults(run=check)
    return parser
