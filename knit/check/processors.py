"""Published numbers are the same on every processor: scripts run once more as an older processor would run them.

Numerical libraries have kernels for each kind of processor, whose last digits differ. What readers see may not hang
on those: not a number at its format, nor a figure, nor whether a claim holds.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from knit.check.published import Entries, Entry, apart, module_of, shown
from knit.problem import Problem
from knit.project import Course, Results
from knit.run.result import Outcome
from knit.weave.weaver import weave

OLDEST = MappingProxyType({"x86_64": "Nehalem", "amd64": "Nehalem", "aarch64": "ARMV8", "arm64": "ARMV8"})
"""The kernels of OpenBLAS that every processor of an architecture has; current ones choose others by themselves."""

LIBM = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"
"""Keeps the C library from the fused instructions in exp, sin, log; other C libraries pass it over."""

ADVICE = "it hangs on last digits, which differ between processors: show fewer, or measure it over more cases"


def older_processor() -> dict[str, str]:
    """Give the environment in which OpenBLAS, numpy and the C library compute as on an older processor."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    kernels = OLDEST.get(platform.machine().lower())
    environment = {"GLIBC_TUNABLES": LIBM}
    environment |= {"OPENBLAS_CORETYPE": kernels} if kernels else {}
    environment |= {"NPY_DISABLE_CPU_FEATURES": " ".join(found)} if found else {}
    return environment


def on_an_older_processor(
    course: Course, here: Mapping[str, Outcome], there: Mapping[str, Outcome]
) -> Iterator[Problem]:
    """Yield a problem for each published thing of which readers would see something else.

    ``here`` and ``there`` are the outcomes of scripts on this processor and on the older one.
    """
    seen = _seen(course, here)
    for script, entries in _seen(course, there).items():
        outcome = there[script]
        for fault in [outcome.fault] if outcome.fault else outcome.result.faults.values() if outcome.result else ():
            yield Problem(fault.path, fault.line, 1, f"on an older processor: {fault.message}; {ADVICE}")
        yield from _different(course, script, seen[script], entries)


def _seen(course: Course, outcomes: Mapping[str, Outcome]) -> dict[str, Entries]:
    """Give what readers would see of scripts, by script."""
    other = replace(course, results=Results({**course.results.outcomes, **outcomes}, course.results.sources))
    found = shown(other, {page.path: weave(page, other) for page in other.pages})
    return {script: found[script] for script in outcomes}


def _different(course: Course, script: str, here: Entries, there: Entries) -> Iterator[Problem]:
    told: set[tuple[str, str]] = set()
    for (kind, name), entry in here.items():
        root = name.partition(":")[0].partition(".")[0].partition("[")[0] if kind == "values" else name
        other = there.get((kind, name), Entry())
        if entry.texts != other.texts and other.texts and (kind, root) not in told:
            told.add((kind, root))
            source = course.results.sources[script]
            line = source.claims.get(name, 1) if kind == "claims" else source.places.get(root, 1)
            path, place = entry.places[0]
            what = f"the {kind[:-1]} {module_of(script)}.{name}, which {path}:{place} shows"
            one, two = apart(kind, entry.texts, other.texts)
            yield Problem(script, line, 1, f"{what}, is {one} here, {two} on an older processor; {ADVICE}")
