"""Says of a value where it is made, what it depends on, and where it is shown."""

from __future__ import annotations

from collections.abc import Iterator

from knit.problem import Refused
from knit.project import Course
from knit.read.depends import Depends
from knit.read.page import Page
from knit.weave.format import full_precision
from knit.weave.names import Names
from knit.weave.weaver import weave


def explain(course: Course, reference: str) -> Iterator[str]:
    """Yield what there is to say of a value, a line each.

    Parameters
    ----------
    course : Course
        The course.
    reference : str
        ``script.name``, or a name alone, which is looked for in every script.

    Raises
    ------
    Refused
        When no script has the name.

    """
    for script in _scripts_with(course, reference):
        module = script.rpartition("/")[2].removesuffix(".py")
        name = reference.removeprefix(f"{module}.")
        page = Page("", course.layout.languages[0], "", {"script": f"{module}.py"})
        found = Names(page, course.layout, course.results).value(name)
        source = course.results.sources[script]
        yield f"{module}.{name} = {full_precision(found.value)}"
        yield f"  made at {script}:{found.line}"
        depends = sorted(Depends(source.text).direct(name.partition(".")[0].partition("[")[0]))
        for other in depends:
            line = source.places.get(other)
            yield f"  depends on {other} ({script}:{line})" if line else f"  depends on {other}"
        uses = course.results.outcomes[script].uses
        for used in uses.modules if uses else ():
            yield f"  its script uses {used}"
        yield from _shown(course, script, name)


def _scripts_with(course: Course, reference: str) -> list[str]:
    head, _, rest = reference.partition(".")
    name = (rest or head).partition(".")[0].partition("[")[0]
    found = []
    for script, outcome in course.results.outcomes.items():
        module = script.rpartition("/")[2].removesuffix(".py")
        values = outcome.result.values if outcome.result else {}
        if (module == head and rest and name in values) or reference.partition(".")[0].partition("[")[0] in values:
            found.append(script)
    if not found:
        raise Refused(f"no script has a value called {reference}")
    return found


def _shown(course: Course, script: str, name: str) -> Iterator[str]:
    for page in course.pages:
        for each in weave(page, course).shown:
            own = each.name.rpartition(":")[0] or each.name
            if (
                each.script == script
                and each.kind == "values"
                and (own == name or own.startswith((f"{name}[", f"{name}.")))
            ):
                yield f"  shown at {page.path}:{each.line} as {each.text}"
