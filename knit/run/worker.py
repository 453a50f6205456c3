"""Runs one script in the process it is called in, and writes what it left to a folder."""

from __future__ import annotations

import builtins
import gc
import json
import linecache
import re
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import matplotlib as mpl

from knit.claims import ClaimMark, FigureMark, Verdict, evaluate, marked
from knit.read.script import sections
from knit.read.text import read_text
from knit.run.drawing import draw_once
from knit.run.drawn import Drawer
from knit.run.figure_fault import NotDrawn
from knit.run.figure_shelf import FigureShelf
from knit.run.fresh import fresh_finder
from knit.run.output import Printed, PrintedTooMuch
from knit.run.outside import Outside
from knit.run.result import RESULT, Dependencies, Fault, Result
from knit.run.values import NotShown, namespace, plain
from knit.run.watch import Watch, local, real, within

PRELOADED = {"numpy", "matplotlib"}
"""Imported before a script is run, so that each may use them."""


GARBAGE = 20_000
"""Objects after which garbage is looked for: at Python's own 700, that is a tenth of drawing."""

LONGEST = 500
"""Letters of a script's own message that are told."""


class StyleChanged(Exception):  # noqa: N818 - reads as what happened
    """A script changed matplotlib's settings, at which figures do not look."""

    def __init__(self, source: str) -> None:
        super().__init__("the script changes rcParams: figures have the course's style; set it on what is drawn")
        changes = (n for n, text in enumerate(source.splitlines(), 1) if re.search(r"rcParams|\.rc\(|style\.use", text))
        self.line = next(changes, 1)


def warm_up() -> None:
    """Do before a fork what every worker would do after it."""
    import_module("numpy.random")  # which numpy leaves to whoever asks for it first, as nearly every script does
    draw_once()
    for module in list(sys.modules.values()):
        if file := getattr(module, "__file__", None):
            real(file)
    outside()


@cache
def outside() -> Outside:
    """Give what the packages hold, as it was before any script ran."""
    return Outside()


def work(
    root: Path, script: str, languages: list[str], output_limit: int, folder: Path, shelf: FigureShelf | None = None
) -> None:
    """Run ``script`` (path from ``root``) and write ``result`` and ``uses.json``, or ``fault.json``.

    Everything is written to ``folder``; the file that says how it ended is written last. Figures that are on the
    shelf are not drawn again.
    """
    path = root / script
    sys.path[:0] = [str(path.parent), str(root)]
    sys.argv = [str(path)]
    before = set(sys.modules)
    source = read_text(path)
    # What reads the source from now on (a claim's asserts, a traceback) reads this, not what an author saves meanwhile.
    linecache.cache[str(path)] = (len(source), None, source.splitlines(keepends=True), str(path))
    printed = Printed(str(path), sections(source), output_limit)
    watch = Watch(root, folder)
    sys.path_hooks.insert(0, fresh_finder(root, watch))
    sys.path_importer_cache.clear()
    drawer = Drawer(languages, folder, shelf, outside(), watch, printed)
    gc.set_threshold(GARBAGE)
    watch.start()
    sys.stdout = printed
    started = time.perf_counter()
    try:
        code = compile(source, str(path), "exec", dont_inherit=True)
        module = _run(code, path, source)
        result = _collect(root, module, drawer)
        _leaves_nothing_running()
        if (folder / "spill").stat().st_size > output_limit:
            raise PrintedTooMuch(f"wrote more than {output_limit} characters past print, the script's limit")  # noqa: TRY301
        seconds = time.perf_counter() - started
        packed = replace(result, outputs=printed.texts(), seconds=seconds, drawn=tuple(drawer.drawn)).packed()
    except BaseException as failure:  # noqa: BLE001 - whatever it raises, the page is told
        fault = fault_of(root, script, failure)
        (folder / "fault.json").write_text(json.dumps([fault.path, fault.line, fault.message]), "utf-8")
        return
    finally:
        sys.stdout = sys.__stdout__
        watch.stop()
    uses = _uses(root, script, before, watch)
    (folder / "uses.json").write_text(json.dumps(vars(uses)), "utf-8")
    (folder / RESULT).write_bytes(packed)


def fault_of(root: Path, script: str, failure: BaseException) -> Fault:
    """Say what a script raised, and at which of its lines (or of a local module's, when it is not its own)."""
    if isinstance(failure, SyntaxError) and failure.filename:
        return Fault(local(root, failure.filename) or script, failure.lineno or 1, f"SyntaxError: {failure.msg}")
    own = str(root / script)
    frames = traceback.extract_tb(failure.__traceback__)
    lines = [frame.lineno or 1 for frame in frames if frame.filename == own]
    match failure:
        case StyleChanged():
            return Fault(script, failure.line, str(failure))
        case SystemExit():
            message = f"the script called sys.exit({failure.code!r}); it must run to its end"
        case PrintedTooMuch() | MemoryError():
            message = str(failure) or "out of memory: the script's limit is reached"
        case _:
            message = _in_one_line(failure)
    inner = [(rel, f.lineno) for f in frames if f.filename != own and (rel := local(root, f.filename))]
    if inner:
        message += f" (raised at {inner[-1][0]}:{inner[-1][1]})"
    return Fault(script, lines[-1] if lines else 1, message)


def _in_one_line(failure: BaseException) -> str:
    """Give kind and message of what was raised, whatever the message holds, and however long it is."""
    kind = type(failure).__name__
    try:
        said = str(failure)
    except Exception:  # noqa: BLE001 - it is the script's own
        return f"{kind}, whose message cannot be written"
    said = " ".join("".join(letter if letter.isprintable() else " " for letter in said[: 2 * LONGEST]).split())
    return f"{kind}: {said if len(said) <= LONGEST else said[:LONGEST] + '…'}" if said else kind


def _run(code: CodeType, path: Path, source: str) -> ModuleType:
    module = ModuleType("__main__")
    # The script is not run alone, so `if __name__ == "__main__"` must not start its report.
    module.__name__ = path.stem
    module.__file__ = str(path)
    module.__dict__["__builtins__"] = builtins
    sys.modules[path.stem] = module
    looks = _looks()
    exec(code, module.__dict__)  # noqa: S102 - this is what the worker is for
    if _looks() != looks:
        raise StyleChanged(source)
    return module


def _looks() -> dict[str, Any]:
    """Give matplotlib's settings, but for the backend, which importing pyplot sets."""
    return {key: value for key, value in dict.items(mpl.rcParams) if not key.startswith("backend")}


def _collect(root: Path, module: ModuleType, drawer: Drawer) -> Result:
    """Gather values, check the claims and draw the figures."""
    script = local(root, str(module.__file__)) or ""
    values, others = namespace(vars(module))
    claims: dict[str, Verdict] = {}
    figures: dict[str, Mapping[str, str]] = {}
    faults: dict[str, Fault] = {}
    for function in marked(vars(module), ClaimMark):
        verdict = _storable(evaluate(function))
        name = f"claim:{verdict.name}"
        if verdict.name in claims:
            faults[name] = Fault(script, verdict.line, f"the claim {verdict.name} is made twice")
        elif verdict.error:
            faults[name] = Fault(script, verdict.line, f"claim {verdict.name} fails: {verdict.error}")
        claims[verdict.name] = verdict
    for function in marked(vars(module), FigureMark):
        try:
            figures[function.__name__] = drawer.figure(function)
        except Exception as failure:  # noqa: BLE001 - a figure that fails is told where it is shown
            fault = fault_of(root, script, failure)
            line = fault.line if fault.line > 1 else function.__code__.co_firstlineno
            # NotDrawn names the figure and the language itself.
            what = str(failure) if isinstance(failure, NotDrawn) else f"{function.__name__}: {fault.message}"
            told = f"figure {what}"
            faults[f"figure:{function.__name__}"] = Fault(script, line, told)
    return Result(values, others, claims=claims, figures=figures, faults=faults)


def _storable(verdict: Verdict) -> Verdict:
    """Give the verdict with its measured value made plain."""
    try:
        return replace(verdict, measured=plain(verdict.measured))
    except NotShown as reason:
        error = verdict.error or f"a claim returns a number or a small array, not {reason}"
        return replace(verdict, measured=None, error=error)


def _leaves_nothing_running() -> None:
    left = [t.name for t in threading.enumerate() if t is not threading.main_thread()]
    if left:
        raise RuntimeError(f"the script left a thread running: {', '.join(left)}")


def _uses(root: Path, script: str, before: set[str], watch: Watch) -> Dependencies:
    """Find what the run really imported: local files, and the names of everything else."""
    modules, outside = watch.modules - {script}, set()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        own = (within(str(root), file) or within(str(root), real(file))) if file else None
        if own and own != script:
            modules.add(own)
        elif not own and name not in before:
            outside.add(name.partition(".")[0])
    outside |= PRELOADED
    return Dependencies(
        tuple(sorted(modules)), tuple(sorted(watch.read)), (), tuple(sorted(outside)), tuple(sorted(watch.asked))
    )
