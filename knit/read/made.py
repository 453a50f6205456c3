"""The lines of a script that make each of its names, read from its syntax tree without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Lines = tuple[int, int]
"""First and last line, both included."""

SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda
BODIES = ("body", "handlers", "orelse", "finalbody")
"""Parts of a compound statement that hold statements."""


@dataclass
class Made:
    """What makes a script's names: stretches of lines for each, and for imported names where they come from."""

    lines: dict[str, list[Lines]] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)

    def bind(self, name: str, *lines: Lines, anew: bool) -> None:
        """Note that lines give a name its value: ``anew``, or from the one it had."""
        before = [] if anew else self.lines.get(name, [])
        self.lines[name] = [*before, *(each for each in lines if each not in before)]
        self.imported.pop(name, None)


def made(tree: ast.Module) -> Made:
    """Find what makes each module-level name.

    These are the last statement that gives the name a value and what changes that value afterwards: ``x += 1``,
    ``x[0] = 1``, ``x.append(1)``. In loops and branches the lines that begin them count as well. A function or class
    is made by its whole definition, decorators included.
    """
    found = Made()
    _read(tree.body, (), found)
    return found


def _read(body: list[ast.stmt], around: tuple[Lines, ...], found: Made) -> None:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                found.bind(node.name, *around, (first, node.end_lineno or first), anew=not around)
            case ast.Import() | ast.ImportFrom():
                _imports(node, found)
            case ast.For() | ast.AsyncFor() | ast.While() | ast.If() | ast.With() | ast.AsyncWith() | ast.Try():
                bodies = [each for each in _bodies(node) if each]
                head = (node.lineno, max(node.lineno, bodies[0][0].lineno - 1))
                for name in _stored(node, inside=False):
                    found.bind(name, *around, head, anew=not around)
                for each in bodies:
                    _read(each, (*around, head), found)
            case _:
                lines = (node.lineno, node.end_lineno or node.lineno)
                anew = not around and not isinstance(node, ast.AugAssign)
                for name in _stored(node, inside=True):
                    found.bind(name, *around, lines, anew=anew)
                for name in _changed(node):
                    if name in found.lines:
                        found.bind(name, *around, lines, anew=False)


def _imports(node: ast.Import | ast.ImportFrom, found: Made) -> None:
    for alias in node.names:
        name = (alias.asname or alias.name).partition(".")[0]
        found.bind(name, (node.lineno, node.end_lineno or node.lineno), anew=True)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.imported[name] = f"{node.module}.{alias.name}"


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for part in BODIES:
        for each in getattr(node, part, []):
            if isinstance(each, ast.ExceptHandler):
                yield each.body
        if part != "handlers":
            yield getattr(node, part, [])


def _stored(node: ast.AST, *, inside: bool) -> Iterator[str]:
    """Find the names that a statement binds; of a compound statement (not ``inside``) only those of its head."""
    below = set() if inside else {id(each) for part in BODIES for each in getattr(node, part, [])}
    waiting = [each for each in ast.iter_child_nodes(node) if id(each) not in below][::-1]
    while waiting:
        child = waiting.pop()
        if isinstance(child, SCOPES | COMPREHENSIONS):
            continue
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
        waiting += reversed([*ast.iter_child_nodes(child)])


def _changed(node: ast.stmt) -> Iterator[str]:
    """Find the names whose value a statement changes in place."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                yield from _owner(target)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            yield from _owner(target)


def _owner(target: ast.expr) -> Iterator[str]:
    inner = target
    while isinstance(inner, ast.Subscript | ast.Attribute):
        inner = inner.value
    if inner is not target and isinstance(inner, ast.Name):
        yield inner.id
