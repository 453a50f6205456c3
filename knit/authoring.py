"""What a lesson's script uses: claims, figures, texts in two languages, a seed, and its report when run alone."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar, overload

from knit.claims import MARK, ClaimMark, FigureMark, evaluate, marked
from knit.problem import several
from knit.verdicts import table

P = ParamSpec("P")
R = TypeVar("R")


def claim(name: str, *, show: str | None = None) -> Callable[[Callable[[], R]], Callable[[], R]]:
    """Mark a function as a claim: its docstring states it, its asserts check it, it returns what it measured.

    The statement may hold formulas between dollars, as a lesson does.

    Parameters
    ----------
    name : str
        The number the lessons cite it by, such as ``"P2"`` or ``"P1.a"``. Unique in the course.
    show : str, optional
        The format of the measured value in the badge: a format spec, ``"bound"`` or ``"words"``.

    Notes
    -----
    The docstring states the claim, in each language on lines that begin with ``zh:`` and ``en:``;
    without these marks one text serves all languages.

    """

    def mark(function: Callable[[], R]) -> Callable[[], R]:
        setattr(function, MARK, ClaimMark(name, show))
        return function

    return mark


@overload
def figure(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def figure(
    *, width: float = ..., height: float = ..., rows: int = ..., columns: int = ...
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def figure(
    function: Callable[P, R] | None = None,
    /,
    *,
    width: float = 6.0,
    height: float = 3.6,
    rows: int = 1,
    columns: int = 1,
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a function ``name(ax, t)`` as a figure, drawn once a language.

    Parameters
    ----------
    function : callable
        Draws on ``ax`` (an array of axes when there are several; the ``Figure`` when the first parameter
        is called ``fig``). ``t(zh=..., en=...)`` picks the words of the page's language.
    width, height : float
        Size in inches; the page scales it to its column.
    rows, columns : int
        Grid of axes.

    """

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        setattr(function, MARK, FigureMark(width, height, rows, columns))
        return function

    return mark if function is None else mark(function)


@contextmanager
def fails(kind: type[Exception], message: str) -> Iterator[None]:
    """Show code that fails: ``with fails(ValueError, "shapes do not match"): …`` prints the error as Python does.

    Parameters
    ----------
    kind : type
        The exception's type.
    message : str
        The whole of its message.

    Raises
    ------
    AssertionError
        When the code does not fail any longer, or otherwise than it says here.

    """
    pinned = f"{kind.__name__}: {message}"
    try:
        yield
    except Exception as error:
        happened = f"{type(error).__name__}: {error}"
        if not isinstance(error, kind) or str(error) != message:
            raise AssertionError(f"this code was to fail with {pinned!r}; it fails with {happened!r}") from error
        print(happened)
    else:
        raise AssertionError(f"this code was to fail with {pinned!r}; it does not fail any longer")


def text(**words: str) -> Mapping[str, str]:
    """Words in each language, ``text(zh="河岸", en="bank")``: a value shown in the page's language."""
    return dict(words)


def seed(default: int) -> int:
    """Give the seed for the script's generator: ``default``, unless the script was run with ``--seed N``."""
    # A notebook's own process has other arguments, which are no business of ours.
    given: int | None = _parser().parse_known_args()[0].seed
    return default if given is None else given


def main(module: ModuleType | None = None) -> int:
    """Check the claims of a script run alone, print what was measured, and return the exit code.

    A lesson's script makes none itself: its claims are those of the scripts that it imports.

    A script ends with ``if __name__ == "__main__": raise SystemExit(main())``. ``--claim P2`` checks one
    claim only; ``--seed N`` re-runs with another seed; ``--language zh`` states the claims in Chinese.
    """
    options = _parser().parse_args()
    namespace = vars(module or sys.modules["__main__"])
    made = list(marked(namespace, ClaimMark)) or [
        function for script in _imported(namespace) for function in marked(vars(script), ClaimMark)
    ]
    verdicts = [evaluate(function) for function in made if options.claim in (None, getattr(function, MARK).name)]
    if not verdicts:
        print(f"no claim named {options.claim}" if options.claim else "this script ran to its end; it makes no claim")
        return 1 if options.claim else 0
    print(table(verdicts, options.language, shutil.get_terminal_size((100, 24)).columns))
    failed = sum(not verdict.holds for verdict in verdicts)
    print(f"{len(verdicts) - failed} of {several(len(verdicts), 'claim')} {'holds' if len(verdicts) == 1 else 'hold'}")
    return 1 if failed else 0


def _imported(namespace: Mapping[str, object]) -> Iterator[ModuleType]:
    """Yield the scripts that a script brought in: modules from its own folder, or that stand within it."""
    folders = {Path(str(namespace.get("__file__", ""))).parent, Path()}
    for name, each in list(sys.modules.items()):
        file = getattr(each, "__file__", None)
        if name != "__main__" and file and Path(file).parent in folders:
            yield each


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Check the claims of this script.")
    parser.add_argument("--claim", metavar="NAME", help="check this claim only")
    parser.add_argument("--seed", type=int, metavar="N", help="run with this seed instead of the script's own")
    parser.add_argument("--language", default="en", help="state the claims in this language (default: en)")
    return parser
