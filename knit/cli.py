"""The command ``knit``: what can be done with a course without building its site."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import closing
from pathlib import Path

from knit import commands, settings
from knit.commands import Command
from knit.problem import Refused
from knit.progress import watched
from knit.project import Project
from knit.report import FORMATS

SHELLS = ("bash", "zsh")


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code: 0 well, 1 problems found, 2 it could not be done."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "completion":
        return _completion(parser, options.shell)
    try:
        layout, limits = settings.read(settings.find_root(Path.cwd()))
        with closing(Project(layout, limits, watched())) as project:
            command: Command = options.run
            return command(project, options)
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, Refused) as error:
        print(f"knit: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _completion(parser: argparse.ArgumentParser, shell: str) -> int:
    """Print what makes a shell complete knit's commands and options."""
    import shtab  # noqa: PLC0415 - only this needs it

    print(shtab.complete(parser, shell))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="knit",
        description="Checks a course whose numbers are computed by its scripts. Run it anywhere inside the course.",
        epilog="knit COMMAND --help says more, with examples.",
    )
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")

    def add(name: str, text: str | None, *examples: str, command: Command | None = None) -> argparse.ArgumentParser:
        added = subparsers.add_parser(
            name,
            help=text,
            description=text,
            epilog="\n".join(["examples:", *(f"  {example}" for example in examples)]),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(run=command)
        return added

    def add_command(name: str, command: Command, *examples: str) -> argparse.ArgumentParser:
        return add(name, command.__doc__, *examples, command=command)

    check = add_command(
        "check",
        commands.check,
        "knit check                   a line a problem: page, line, what is wrong, and the script's line",
        "knit check --fix             weave the typed numbers that one value alone is written like",
        "knit check --twice           find what would be another number tomorrow, or on another machine",
        "knit check --format github   annotations on the lines of a pull request",
    )
    check.add_argument("--format", choices=FORMATS, default="text", help="how problems are written (default: text)")
    check.add_argument("--all", action="store_true", help="also list what follows from a change that is told")
    check.add_argument(
        "--fix", action="store_true", help="first put values in the place of typed numbers, where only one fits"
    )
    check.add_argument(
        "--twice",
        action="store_true",
        help="also run every script again, under other conditions, and name what differs",
    )
    accept = add_command(
        "accept",
        commands.accept_published,
        "knit accept                             everything",
        "knit accept l1_inner_product            what one script publishes, and its pages",
        "knit accept l1_inner_product.distance   one value",
        "knit accept P2                          one claim",
    )
    accept.add_argument("names", nargs="*", metavar="NAME", help="scripts, values, claims or figures (default: all)")
    changes = add_command(
        "changes",
        commands.changed,
        "knit changes                          since the last commit",
        "knit changes origin/main --markdown   a table, for the summary of a pull request",
    )
    changes.add_argument("revision", nargs="?", default="HEAD", help="of git (default: HEAD)")
    changes.add_argument("--markdown", action="store_true", help="write a table")
    run = add_command("run", commands.run, "knit run", "knit run l1_inner_product")
    run.add_argument("scripts", nargs="*", metavar="SCRIPT", help="scripts by name (default: all)")
    claims = add_command("claims", commands.claims, "knit claims", "knit claims --language zh")
    claims.add_argument("--language", help="of the statements (default: en, where the course has it)")
    add_command("stats", commands.stats, "knit stats")
    explain = add_command("explain", commands.explain_value, "knit explain l1_inner_product.distance", "knit explain n")
    explain.add_argument("name", metavar="NAME", help="of a value, with its script's or alone")
    new = add_command("new", commands.new, "knit new l5-heads")
    new.add_argument("lesson", metavar="LESSON", help="its pages' name: small letters, digits and hyphens")
    text = "Print the completion of knit's commands and options for a shell."
    shell = add("completion", text, 'eval "$(knit completion bash)"   for this session, or in ~/.bashrc')
    shell.add_argument("shell", choices=SHELLS)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
