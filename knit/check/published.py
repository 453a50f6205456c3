"""Published numbers: what readers see of each script, kept beside it in a file that is reviewed like code.

The file, ``l1_inner_product.published.toml`` beside ``l1_inner_product.py``, has a line for each thing shown. A
check that finds something else is a problem at every line that shows it, until the author accepts it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from knit.check.pictures import Pictures, digest
from knit.problem import Problem, Refused
from knit.project import Course
from knit.read.data import read_toml
from knit.read.text import Unreadable, read_if_there
from knit.run.result import Outcome
from knit.weave.format import show
from knit.weave.weaver import Woven

KINDS = ("values", "outputs", "claims", "figures")
NOISE = 1e-9
"""Relative differences below this are the machine's, not the author's."""

LONGEST = 60
"""Letters of a published text that a message shows."""

POWER = re.compile(r"10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@dataclass
class Entry:
    """One thing that readers see: its text in each language, and the places that show it."""

    texts: dict[str, str] = field(default_factory=dict)
    places: list[tuple[str, int]] = field(default_factory=list)
    exact: Any = None


Entries = dict[tuple[str, str], Entry]
"""By kind and name."""

Accepted = dict[tuple[str, str], dict[str, str]]
"""Texts by language, by kind and name."""


def shown(course: Course, woven: Mapping[str, Woven]) -> dict[str, Entries]:
    """Gather what readers see, by script. ``woven`` are the woven pages by path."""
    found: dict[str, Entries] = {script: {} for script in course.results.outcomes}
    for page in course.pages:
        for each in woven[page.path].shown:
            entry = found[each.script].setdefault((each.kind, each.name), Entry(exact=each.exact))
            entry.texts[page.language] = each.text
            entry.places.append((page.path, each.line))
    return found


def differences(course: Course, woven: Mapping[str, Woven], failing: AbstractSet[str]) -> Iterator[Problem]:
    """Yield a problem for every line that shows something else than what was accepted.

    In ``failing`` languages something is wrong with a page: what they show no longer may only be missing.
    """
    pictures = Pictures(course.layout.root, course.layout.cache)
    disputed = {("claims", name) for name in course.results.disputed}
    failing = set(course.layout.languages) if disputed else failing
    for script, every in shown(course, woven).items():
        entries = {key: entry for key, entry in every.items() if key not in disputed}
        outcome = course.results.outcomes[script]
        if outcome.faults:
            continue  # what fails is told; what it would have published is not known
        path = file_of(course.layout.root, script)
        try:
            source = read_if_there(path) or ""
        except Unreadable as error:
            yield _unreadable(script, error)
            continue
        parts = ("published", script, source, sorted(failing), [[*key, vars(each)] for key, each in entries.items()])
        look = partial(_look, pictures, outcome)
        yield from course.kept.unless_clean(parts, _differences(script, entries, source, failing, look))


def _differences(
    script: str, entries: Entries, source: str, failing: AbstractSet[str], look: Callable[[str, Mapping[str, str]], str]
) -> Iterator[Problem]:
    try:
        accepted = parsed(source)
    except Unreadable as error:
        yield _unreadable(script, error)
        return
    if entries and not accepted:
        file, name = file_of(Path(), script).as_posix(), module_of(script)
        yield Problem(script, 1, 1, f"nothing of it was ever accepted ({file}): knit accept {name}")
        return
    yield from _compared(script, entries, _known(accepted, entries, failing), look)


def _known(accepted: Accepted, entries: Entries, failing: AbstractSet[str]) -> Accepted:
    """Leave out of what was accepted what failing languages no longer show."""
    found = {}
    for key, texts in accepted.items():
        now = entries[key].texts if key in entries else {}
        if left := {language: text for language, text in texts.items() if language in now or language not in failing}:
            found[key] = left
    return found


def _unreadable(script: str, error: Unreadable) -> Problem:
    return Problem(file_of(Path(), script).as_posix(), error.line, 1, f"{error}; run `knit accept`")


def _look(pictures: Pictures, outcome: Outcome, name: str, before: Mapping[str, str]) -> str:
    """Draw a figure as it was accepted, as it is, and where the two differ; say where to look."""
    script, own = outcome.script, name.rpartition(".")[2]
    assert outcome.result is not None  # noqa: S101 - a page shows it
    figures = outcome.result.figures
    if {language: digest(drawing) for language, drawing in figures[own].items()} == before:
        return ""
    return pictures.compare(f"{module_of(script)}.{own}", figures[own], before)


def _compared(
    script: str, entries: Entries, accepted: Accepted, look: Callable[[str, Mapping[str, str]], str]
) -> Iterator[Problem]:
    name_of_script = module_of(script)
    for (kind, name), entry in entries.items():
        before = accepted.pop((kind, name), None)
        where = look(name, before or {}) if kind == "figures" else ""
        if before is not None and same(entry, before, kind, name):
            continue
        old, new = ("nothing yet", short(kind, entry.texts)) if before is None else apart(kind, before, entry.texts)
        what = f"{kind[:-1]} {name}: {old} → {new}{where}"
        for path, line in dict.fromkeys(entry.places):
            yield Problem(path, line, 1, f"publishes {what}; if meant: knit accept {name_of_script}", script, 1)
    if accepted:
        gone = ", ".join(f"{kind[:-1]} {name}" for kind, name in list(accepted)[:3])
        more = f" and {len(accepted) - 3} more" if len(accepted) > 3 else ""  # noqa: PLR2004
        path = file_of(Path(), script).as_posix()
        yield Problem(path, 1, 1, f"no page shows {gone}{more} any longer; if meant: knit accept {name_of_script}")


def same(entry: Entry, before: Mapping[str, str], kind: str, name: str) -> bool:
    """Whether readers see what was accepted, but for digits that differ from machine to machine."""
    if entry.texts == before:
        return True
    if kind == "values" and entry.texts.keys() == before.keys():
        spec = name.rpartition(":")[2] if ":" in name else ""
        if spec == "bound":
            return all(_near_powers(entry.texts[language], before[language]) for language in before)
        return all(before[language] in with_noise(entry.exact, spec, language) for language in before)
    if kind == "claims":
        return all(_near_powers(entry.texts.get(language, ""), text) for language, text in before.items())
    return False


def with_noise(exact: Any, spec: str, language: str) -> set[str]:  # noqa: ANN401 - plain data
    """Give what would be shown if the value were a little off."""
    if not isinstance(exact, float):
        return set()
    try:
        return {show(exact * factor, spec, language).plain for factor in (1 - NOISE, 1 + NOISE)}
    except Refused:
        return set()


def _near_powers(new: str, old: str) -> bool:
    """Whether two bounds on rounding noise are at most one power of ten apart: that much is the machine's."""
    powers = [POWER.search(text) for text in (new, old)]
    if None in powers or POWER.sub("", new) != POWER.sub("", old):
        return False
    first, second = (int(power[1].translate(DIGITS)) for power in powers if power)
    return abs(first - second) <= 1


def file_of(root: Path, script: str) -> Path:
    """Give the file of a script's published numbers."""
    return root / (script.removesuffix(".py") + ".published.toml")


def read(path: Path) -> Accepted:
    """Read a file of published numbers; one that is not there is empty.

    Raises
    ------
    Unreadable
        When it cannot be read.

    """
    return parsed(read_if_there(path) or "")


def parsed(source: str) -> Accepted:
    """Read the source of such a file."""
    data = read_toml(source)
    for kind, things in data.items():
        if kind not in KINDS or not isinstance(things, dict) or not all(isinstance(t, dict) for t in things.values()):
            raise Unreadable(f"{kind} is no table of what readers see in each language")
    return {(kind, name): dict(texts) for kind in KINDS for name, texts in data.get(kind, {}).items()}


def written(entries: Entries) -> str:
    """Write what readers see as TOML: a table a kind, a line a thing, sorted, so that a change is a line in a diff."""
    lines = ["# What readers see of this script. Written by `knit accept`; a change here is a change of the site."]
    for kind in KINDS:
        these = sorted((name, entry.texts) for (its_kind, name), entry in entries.items() if its_kind == kind)
        if these:
            lines += ["", f"[{kind}]", *(f"{_quoted(name)} = {_texts(texts)}" for name, texts in these)]
    return "\n".join([*lines, ""])


def _texts(texts: Mapping[str, str]) -> str:
    return "{ " + ", ".join(f"{language} = {_quoted(texts[language])}" for language in sorted(texts)) + " }"


def _quoted(text: str) -> str:
    # A JSON string is a TOML basic string, DEL excepted, which no page shows.
    return json.dumps(text, ensure_ascii=False)


def module_of(script: str) -> str:
    """Give the name by which pages and authors call a script."""
    return script.rpartition("/")[2].removesuffix(".py")


def short(kind: str, texts: Mapping[str, str]) -> str:
    """Write what is published of a thing, in all languages, for a message."""
    shortened = [text[:12] if kind == "figures" else _one_line(text) for text in texts.values()]
    return " / ".join(dict.fromkeys(text if len(text) <= LONGEST else text[:LONGEST] + "…" for text in shortened))


def _one_line(text: str) -> str:
    return text.strip("\n").replace("\n", " ⏎ ")


def apart(kind: str, before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, str]:
    """Write what was and what is published of a thing so that the difference is seen, however long it is."""
    old, new = short(kind, before), short(kind, after)
    if before.keys() != after.keys():
        return f"{old} in {' and '.join(sorted(before))}", f"{new} in {' and '.join(sorted(after))}"
    if old != new or before == after:
        return old, new
    texts = ((before[lang], text) for lang, text in after.items() if text != before.get(lang, text))
    one, two = map(_one_line, next(texts))
    others = (place for place, letters in enumerate(zip(one, two, strict=False)) if letters[0] != letters[1])
    start = next(others, min(len(one), len(two))) - LONGEST // 2
    return f"…{one[start : start + LONGEST]}…", f"…{two[start : start + LONGEST]}…"
