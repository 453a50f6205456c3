"""What of a script's names can be shown, in the plain form (JSON) that is stored."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

LARGEST = 4096
"""Elements of the largest array that is kept; a page shows none that is larger."""


BITS = 1024
"""Of the largest whole number that is kept: as large as a fraction can be."""


NUMBERS = frozenset(np.dtype(name) for name in ("float64", "float32", "int64", "int32", "bool"))
"""What arrays may hold that becomes Python's own numbers."""


class NotShown(Exception):  # noqa: N818 - it says what a name is, and is no error by itself
    """Says why a name of a script is not a value that a page can show."""


def plain(value: Any) -> Any:  # noqa: ANN401 - one return a kind
    """Turn a value into plain data: numbers, texts, lists (also for arrays) and dicts (also for records).

    Raises
    ------
    NotShown
        When the value is none of these, or too large to be shown.

    """
    match value:
        case None | bool() | int() | float() | str():
            return _single(value)
        case complex():
            return {"real": value.real, "imag": value.imag}
        case np.generic():
            return plain(value.item())
        case np.ndarray():
            if value.size > LARGEST:
                shape = " × ".join(map(str, value.shape))
                raise NotShown(f"an array of {shape} numbers, more than a page can show: index it in the script")
            # What a list of plain numbers holds is plain already: looking at each takes longer than writing them.
            return value.tolist() if value.dtype in NUMBERS else plain(value.tolist())
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            if hasattr(value, "_asdict"):
                return plain(value._asdict())
            if len(value) > LARGEST:
                raise NotShown(f"a list of {len(value)} items, more than a page can show")
            return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise NotShown(kind(value))


def _single(value: int | float | str | None) -> int | float | str | None:  # noqa: PYI041 - an int is asked its bits
    if isinstance(value, int) and value.bit_length() > BITS:
        raise NotShown(f"a whole number of {value.bit_length()} bits, more than a page can show")
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise NotShown("a text with half a character in it (a lone surrogate)")
    return float(value) if isinstance(value, float) else value


def kind(value: object) -> str:
    """Name what a value is, for a message: ``a function``, ``a module``, ``a Generator``."""
    if inspect.ismodule(value):
        return "a module"
    if inspect.isclass(value):
        return "a class"
    if callable(value):
        return "a function"
    return f"a {type(value).__name__}"


def _numbers(value: object) -> memoryview[Any] | None:
    """Give a copy of an array's numbers, which is written as it is; None of anything else."""
    if not isinstance(value, np.ndarray) or value.dtype not in NUMBERS or not value.ndim or not value.size:
        return None
    return memoryview(value.tobytes()).cast(value.dtype.char, value.shape) if value.size <= LARGEST else None


def namespace(names: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Split a script's names into values, plain or arrays of numbers, and, for the others, what they are."""
    values: dict[str, Any] = {}
    others: dict[str, str] = {}
    for name, value in names.items():
        if name.startswith("__"):
            continue
        try:
            values[name] = _numbers(value) or plain(value)
        except NotShown as reason:
            others[name] = str(reason)
        except RecursionError:
            others[name] = f"{kind(value)} that holds itself"
    return values, others
