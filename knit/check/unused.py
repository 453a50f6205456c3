"""What a script makes is used, and means one thing: what nothing shows, or hides another name, is a problem.

A value is used when a page shows it or its code, when the script itself reads it, or when another script imports
it. Names that begin with ``_`` are the script's own business.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from knit.check.published import module_of
from knit.problem import Problem
from knit.programs import digest_of_data
from knit.project import Course, Source
from knit.read.made import BODIES
from knit.read.script import Binding
from knit.weave.names import Names

if TYPE_CHECKING:
    from knit.weave.weaver import Woven


@dataclass
class Uses:
    """What the course uses of one script: the names of its values, figures, claims and sections."""

    values: set[str] = field(default_factory=set)
    figures: set[str] = field(default_factory=set)
    claims: set[str] = field(default_factory=set)
    outputs: set[str] = field(default_factory=set)
    code: set[str | None] = field(default_factory=set)
    imported: set[str] = field(default_factory=set)

    @property
    def any(self) -> bool:
        """Whether anything of it is used."""
        return bool(self.values | self.figures | self.claims | self.outputs | self.code | self.imported)


def unused(course: Course, woven: Mapping[str, Woven]) -> Iterator[Problem]:
    """Yield what scripts make and nothing shows, and names that hide one another.

    Scripts with other problems are left out: a misspelled reference would be told twice.
    """
    sources, names = course.results.sources, course.results.modules.keys()
    uses = _uses(course, woven)
    troubled = _troubled(course, woven)
    for path, source in sources.items():
        if path in troubled:
            continue
        digest = course.results.outcomes[path].digest
        used = {kind: sorted(shown, key=str) for kind, shown in vars(uses[path]).items()}
        parts = ("unused", path, source.digest, digest, used, sorted(source.words & names))
        look = _look(course, source, uses[path])
        yield from course.kept.unless_clean(parts, look) if digest else look


def _look(course: Course, source: Source, uses: Uses) -> Iterator[Problem]:
    for line, message in (*_hiding(course, source, uses), *_unused(course, source, uses)):
        yield Problem(source.path, line, 1, message)


def _uses(course: Course, woven: Mapping[str, Woven]) -> dict[str, Uses]:
    """Find what is used of each script."""
    found = {path: Uses() for path in course.results.sources}
    for each in woven.values():
        for shown in each.shown:
            if shown.script in found:
                used: set[str] = getattr(found[shown.script], shown.kind)
                used.add(
                    _root(shown.name)
                    if shown.kind == "values"
                    else shown.name.removeprefix(f"{module_of(shown.script)}.")
                )
        for path, section in each.code:
            found[path].code.add(section)
    for source in course.results.sources.values():
        for module, name in _imported(course, source):
            found[course.results.modules[module].path].imported.add(name)
    return found


def _imported(course: Course, source: Source) -> Sequence[tuple[str, str]]:
    """Give what a script takes from others. Its syntax is read only if it may name one, and once."""
    meant = sorted((source.words & course.results.modules.keys()) - {module_of(source.path)})
    if not meant:
        return []
    slot, key = course.kept.slot(source.path), digest_of_data(source.digest, meant)
    if slot and (found := slot.find("imports", key)) is not None:
        imported: Sequence[tuple[str, str]] = found["imported"]
        return imported
    imported = sorted(set(_imports(source.tree, meant)))
    if slot:
        slot.add("imports", {"key": key, "imported": imported})
    return imported


def _imports(tree: ast.Module, scripts: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield script and name of everything that a script takes from others, wherever in it."""
    modules: dict[str, str] = {}
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module in scripts:
                yield from ((module, alias.name) for alias in names)
            case ast.Import(names=names):
                modules |= {alias.asname or alias.name: alias.name for alias in names if alias.name in scripts}
        for part in BODIES:
            waiting += getattr(node, part, [])
    for inner in ast.walk(tree) if modules else ():
        match inner:
            case ast.Attribute(value=ast.Name(id=alias), attr=name) if alias in modules:
                yield modules[alias], name


def _troubled(course: Course, woven: Mapping[str, Woven]) -> set[str]:
    """Find the scripts that fail, or that a page with problems may mean."""
    outcomes = course.results.outcomes.items()
    found = {path for path, outcome in outcomes if outcome.faults}
    for page in course.pages:
        if problems := woven[page.path].problems:
            found.add(Names(page, course.layout, course.results).script or "")
            found |= {problem.script for problem in problems if problem.script}
    return found


def _hiding(course: Course, source: Source, uses: Uses) -> Iterator[tuple[int, str]]:
    for name, statements in source.bindings.items():
        first, last = statements[0], statements[-1]
        if first.digest == last.digest:
            continue  # once, or once more in the same way, for the reader
        is_definition = issubclass(first.kind, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom)
        if is_definition or name in uses.values | uses.imported:
            shown = "" if is_definition else ", and pages show the last"
            yield last.line, f"{name} is given a value in line {first.line} and again here{shown}: use two names"
    for name in sorted((course.results.modules.keys() & source.bindings.keys()) - {module_of(source.path)}):
        statement = source.bindings[name][0]
        if statement.kind is not ast.Import:
            yield statement.line, f"{name} is also a script, which {{{{ {name}.… }}}} means: use another name"


def _unused(course: Course, source: Source, uses: Uses) -> Iterator[tuple[int, str]]:
    if not uses.any:
        yield 1, "no page and no script uses it: refer to it, or remove it"
        return
    result = course.results.outcomes[source.path].result
    assert result is not None  # noqa: S101 - those without are troubled
    places = source.places
    for name in result.figures.keys() - uses.figures:
        yield places[name], f"no page shows the figure {name}: write ![what is to be seen](fig:{name}), or remove it"
    for name in result.claims.keys() - uses.claims:
        yield source.claims.get(name, 1), f"no page cites the claim {name}: write [{name}](claim:{name})"
    sections = source.sections
    for name in sections.keys() - uses.code - uses.outputs:
        if None not in uses.code:
            where = f'--8<-- "{module_of(source.path)}.py:{name}"'
            yield sections[name].start - 1, f"no page shows the section {name}: write {where}, or remove its marks"
    seen = [sections[name] for name in uses.code if name in sections]
    used = source.read | uses.values | uses.imported | result.figures.keys()
    together: dict[Binding, list[str]] = {}
    for name, statements in source.bindings.items():
        together.setdefault(statements[-1]._replace(digest=""), []).append(name)
    for statement, names in together.items():
        marked = statement.kind is ast.FunctionDef and statement.decorated
        embedded = None in uses.code or any(statement.line in lines for lines in seen)
        # Of what is unpacked together, one name in use is enough.
        if not (marked or embedded or any(name in used or name.startswith("_") for name in names)):
            what = " and ".join(names)
            yield statement.line, f"nothing uses {what}: refer to it, remove it, or begin its name with _"


def _root(name: str) -> str:
    """Give the script's name in a published one, such as ``weights[0][2]:.2f``."""
    return name.partition(":")[0].partition(".")[0].partition("[")[0]
