"""The command ``knit``: what can be done with a course without building its site."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

from knit import settings
from knit.check.course import problems, woven_pages
from knit.check.published import accept
from knit.problem import Refused
from knit.project import Project


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code: 0 well, 1 problems found, 2 called wrongly."""
    options = _parser().parse_args(arguments)
    try:
        layout, limits = settings.read(settings.find_root(Path.cwd()))
        with closing(Project(layout, limits)) as project:
            code: int = options.run(project, options)
    except (FileNotFoundError, Refused) as error:
        print(f"knit: {error}", file=sys.stderr)
        return 2
    return code


def check(project: Project, options: argparse.Namespace) -> int:
    """Print every problem of the course, a line each; exit 1 when there is one."""
    del options
    found = problems(project.course())
    for problem in found:
        print(problem)
    ran = len(project.executions)
    print(f"knit: {len(found) or 'no'} problem{'' if len(found) == 1 else 's'}, {ran} scripts run", file=sys.stderr)
    return 1 if found else 0


def accept_published(project: Project, options: argparse.Namespace) -> int:
    """Record what readers now see of the scripts, so that the next change of it is a problem until accepted."""
    course = project.course()
    for line in accept(course, woven_pages(course), options.scripts):
        print(line)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="knit", description="Checks a course whose numbers are computed by its scripts."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "check", help="find everything that is wrong, without building", description=check.__doc__
    )
    command.set_defaults(run=check)
    command = commands.add_parser(
        "accept", help="record the published numbers", description=accept_published.__doc__,
        epilog="example: knit accept l1_inner_product",
    )  # fmt: skip
    command.add_argument("scripts", nargs="*", metavar="SCRIPT", help="scripts by name; all, when none is named")
    command.set_defaults(run=accept_published)
    return parser
