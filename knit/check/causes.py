"""What in a script's source can make it compute something else the next time."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

UNSEEDED = {"default_rng", "RandomState", "SeedSequence", "Random", "PCG64", "Philox", "MT19937", "SFC64"}
"""What makes a generator from the seed that it is given, or from chance."""

CALLS = (
    (r"numpy\.random\.(?!seed|Generator)\w+", "numpy's global generator"),
    (r"random\.(?!seed$)\w+|secrets\.\w+|uuid\.uuid[14]|os\.urandom", "chance"),
    (r"set|frozenset", "the order of a set"),
    (r"hash|id", "a number that differs between runs"),
    (r"(?:.*\.)?(?:listdir|scandir|iterdir|glob|rglob|walk)", "the order of files in a folder"),
    (r"time\.\w+|(?:.*\.)?(?:now|today|utcnow|strftime)", "the clock or the time zone"),
    (r"os\.getcwd|(?:.*\.)?(?:cwd|absolute|resolve|abspath|realpath|expanduser|home)", "the working folder"),
    (r"tempfile\.\w+", "a temporary folder's name"),
    (r"os\.(?:getpid|getenv|cpu_count)|(?:platform|socket|locale|getpass)\.\w+", "the machine"),
)
NAMES = ((r"__file__", "the script's path"), (r"os\.environ", "the environment"))


def first_cause(tree: ast.Module, nodes: Iterable[ast.AST]) -> tuple[int, str] | None:
    """Give line and name of the first of a source's ``nodes`` that need not be the same in two runs."""
    full = _imported(tree)
    placed = [node for node in nodes if isinstance(node, ast.expr | ast.stmt)]
    for node in sorted(placed, key=lambda node: (node.lineno, node.col_offset)):
        if what := _cause(node, full):
            return node.lineno, what
    return None


def _imported(tree: ast.Module) -> dict[str, str]:
    """Give the whole names of what a source imports, by its names for them."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found |= {alias.asname: alias.name for alias in names if alias.asname}
            case ast.ImportFrom(module=str(module), names=names, level=0):
                found |= {alias.asname or alias.name: f"{module}.{alias.name}" for alias in names}
    return found


def _cause(node: ast.AST, full: Mapping[str, str]) -> str | None:
    match node:
        case ast.Call(func=function, args=args, keywords=keywords):
            name = ast.unparse(function)
            if _full(name, full).rpartition(".")[2] in UNSEEDED:
                seed = [*args, *(keyword.value for keyword in keywords)]
                unseeded = not seed or (isinstance(seed[0], ast.Constant) and seed[0].value is None)
                return f"a generator without a seed, {name}()" if unseeded else None
            return _named(name, full, CALLS)
        case ast.Set() | ast.SetComp():
            return "the order of a set"
        case ast.Name() | ast.Attribute():
            return _named(ast.unparse(node), full, NAMES)
    return None


def _full(name: str, full: Mapping[str, str]) -> str:
    head, dot, rest = name.partition(".")
    return f"{full.get(head, head)}{dot}{rest}"


def _named(name: str, full: Mapping[str, str], causes: Iterable[tuple[str, str]]) -> str | None:
    return next((f"{what}, {name}" for pattern, what in causes if re.fullmatch(pattern, _full(name, full))), None)
