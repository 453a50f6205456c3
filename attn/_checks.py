"""Validation shared by every public function: one line that names the argument and both shapes."""

from __future__ import annotations

import math
import operator
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]
Integers: TypeAlias = NDArray[np.integer[Any]]
Mask: TypeAlias = NDArray[np.bool_ | np.floating[Any]]


def floats(name: str, array: NDArray[Any], *, axes: int = 1, masked: bool = False) -> Floats:
    """Return a non-empty, finite array of float16, float32 or float64 with at least so many axes.

    With ``masked``, -inf is let in as well: it is how a score says that its word may not be looked at.
    """
    given: Floats = np.asarray(array)
    if given.dtype.char not in "efd":
        raise ValueError(f"{name}: expected float16, float32 or float64, got {given.dtype} of shape {given.shape}")
    if given.ndim < axes:
        raise ValueError(f"{name}: expected at least {axes} axes, got shape {given.shape}")
    if given.size == 0:
        raise ValueError(f"{name}: expected at least one element, got the empty shape {given.shape}")
    finite = np.isfinite(given)
    if not finite.all() and not (masked and (finite | np.isneginf(given)).all()):
        allowed = "numbers or -inf" if masked else "finite numbers"
        raise ValueError(f"{name}: expected {allowed}, got NaN or infinity in shape {given.shape}")
    return given


def integers(name: str, array: Integers, *, axes: int = 1, below: int | None = None) -> Integers:
    """Return a non-empty array of integers with at least so many axes, in ``range(below)`` if that is given."""
    given = np.asarray(array)
    if not np.issubdtype(given.dtype, np.integer):
        raise ValueError(f"{name}: expected integers, got {given.dtype} of shape {given.shape}")
    if given.ndim < axes or given.size == 0:
        raise ValueError(f"{name}: expected at least {axes} axes and one element, got shape {given.shape}")
    if below is not None and not ((given >= 0) & (given < below)).all():
        worst = f"{given.min()} to {given.max()}"
        raise ValueError(f"{name}: expected integers from 0 to {below - 1}, got {worst} in shape {given.shape}")
    return given


def fits(name: str, array: NDArray[Any], other: str, against: NDArray[Any], *, axes: tuple[int, int]) -> None:
    """Refuse an array whose axis differs in length from the other argument's axis that it must match."""
    axis, along = axes
    ours, theirs = array.shape[axis], against.shape[along]
    if ours != theirs:
        raise ValueError(
            f"{name}: shape {array.shape} does not fit {other} of shape {against.shape}: "
            f"axis {axis} has length {ours}, not {theirs}"
        )


def even(name: str, number: SupportsIndex) -> int:
    """Return a whole number of pairs, at least one."""
    whole = count(name, number, least=2)
    if whole % 2:
        raise ValueError(f"{name}: expected an even number, got {whole}")
    return whole


def shaped(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Refuse an array whose shape is not exactly this one."""
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {array.shape}")


def broadcasts(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Refuse an array that does not broadcast to exactly this shape."""
    try:
        np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name}: shape {array.shape} does not broadcast to {shape}") from None


def batches(**arrays: NDArray[Any]) -> tuple[int, ...]:
    """Return the leading axes that the arrays share by broadcasting, all but the last two of each."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} of shape {array.shape}" for name, array in arrays.items())
        raise ValueError(f"{', '.join(arrays)}: leading axes of {shapes} do not broadcast") from None


def positive(name: str, number: float) -> float:
    """Return a finite number above zero."""
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name}: expected a finite number above 0, got {number}")
    return float(number)


def count(name: str, number: SupportsIndex, *, least: int = 1) -> int:
    """Return a whole number that is not below the least."""
    try:
        whole = operator.index(number)
    except TypeError:
        raise ValueError(f"{name}: expected a whole number, got {number!r}") from None
    if whole < least:
        raise ValueError(f"{name}: expected a whole number of at least {least}, got {whole}")
    return whole


def words_asked(n: int, m: int | None) -> int:
    """Return how many words are asked: m, or as many as ask; the askers must be among them."""
    n = count("n", n)
    return n if m is None else count("m", m, least=n)
