"""Accepting: an author records that what readers now see is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from knit.check.pictures import forget
from knit.check.published import (
    Accepted,
    Entries,
    Entry,
    file_of,
    module_of,
    read,
    same,
    short,
    shown,
    with_noise,
    written,
)
from knit.problem import Refused, several
from knit.project import Course
from knit.read.text import Unreadable
from knit.shelf import write
from knit.weave.weaver import Woven


def accept(course: Course, woven: Mapping[str, Woven], names: Iterable[str]) -> Iterator[str]:
    """Record what readers see of what is named, and say what changed.

    ``names`` are scripts (``l1_inner_product``) or what one of them publishes (``l1_inner_product.distance``, or
    ``distance``, ``P2``, ``ranking_flips`` alone); without names it is all.

    Raises
    ------
    Refused
        When a name is neither.

    """
    everything = shown(course, woven)
    wanted = _wanted(set(names), everything, course.layout.root)
    forget(course.layout.root, course.layout.cache)
    for script, keys in wanted.items():
        result = course.results.outcomes[script].result
        if result is None or result.faults:
            yield f"{script}: not accepted, it fails"
            continue
        entries, path = everything[script], file_of(course.layout.root, script)
        if path.is_dir():
            raise Refused(f"{path.name} is a folder where a file should be: give it another name")
        before = _read(path, whole=keys is None)
        if keys is not None:
            others = {key: Entry(texts) for key, texts in before.items() if key not in keys}
            entries = others | {key: entry for key, entry in entries.items() if key in keys}
        entries = {key: _as_accepted(key, entry, before) for key, entry in entries.items()}
        for value, entry in edges(entries):
            texts = short("values", entry.texts)
            yield f"{script}: {value} is at the edge of rounding ({entry.exact!r} shown as {texts}): show fewer digits"
        text = written(entries) if entries else ""
        if text and (not path.exists() or path.read_bytes() != text.encode()):
            write(path, text)
            told = path.relative_to(course.layout.root).as_posix()
            yield f"{told}: {several(len(entries), 'published thing')} recorded"
        elif not text and path.exists():
            path.unlink()
            yield f"{path.relative_to(course.layout.root).as_posix()}: removed, no page shows anything of it"


def edges(entries: Entries) -> Iterator[tuple[str, Entry]]:
    """Yield the values so near to a rounding edge that another machine may show another digit."""
    for (kind, name), entry in entries.items():
        if kind == "values" and isinstance(entry.exact, float) and not name.endswith(":bound"):
            spec = name.rpartition(":")[2] if ":" in name else ""
            for language in entry.texts:
                if spec and len(with_noise(entry.exact, spec, language)) > 1:
                    yield name, entry
                    break


def _wanted(names: set[str], everything: Mapping[str, Entries], root: Path) -> dict[str, set[tuple[str, str]] | None]:
    """Find what is meant by names: by script the keys of what it publishes or published; None for all of it."""
    scripts = {module_of(script): script for script in everything}
    wanted: dict[str, set[tuple[str, str]] | None] = dict.fromkeys(everything) if not names else {}
    wanted |= {script: None for name, script in scripts.items() if name in names}
    for name in sorted(names - scripts.keys()):
        head, _, rest = name.partition(".")
        found = False
        for module, script in scripts.items():
            own = rest if module == head else name
            keys = {key for key in (*everything[script], *_read(file_of(root, script))) if _means(own, *key)}
            found = found or bool(keys)
            if keys and wanted.get(script, set()) is not None:
                wanted[script] = (wanted.get(script) or set()) | keys
        if not found:
            raise Refused(f"no script is called {name}, and none publishes it; there are {', '.join(scripts)}")
    return wanted


def _as_accepted(key: tuple[str, str], entry: Entry, before: Accepted) -> Entry:
    """Leave an entry as it was where only the machine differs."""
    return replace(entry, texts=before[key]) if key in before and same(entry, before[key], *key) else entry


def _read(path: Path, *, whole: bool = False) -> Accepted:
    """Read what was accepted; nothing, if it cannot be read and is to be written whole."""
    try:
        return read(path)
    except Unreadable as error:
        if whole:
            return {}
        raise Refused(f"{path.name}:{error.line}: {error}; run `knit accept` without names") from None


def _means(name: str, kind: str, key: str) -> bool:
    """Whether a name stands for a published thing: itself, its value in any format, or a part of its value."""
    value = key.rpartition(":")[0] or key
    return name in {key, value} or (kind == "values" and value.startswith((f"{name}[", f"{name}.")))
