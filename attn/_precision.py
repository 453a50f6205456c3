"""Precision shared by every function: sums in the next wider type, results in the type that came in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn._checks import Floats


def wide(array: Floats) -> Floats:
    """Return the array in the type to sum it in: float32 for float16, float64 for the others.

    A product of two float16 numbers reaches 4e9, of two float32 numbers 1e77: both fit the next wider type,
    where a sum over thousands of them keeps every digit that the narrow type can show.
    """
    return array.astype(np.float32 if array.dtype == np.float16 else np.float64, copy=False)


def product(a: Floats, b: Floats) -> Floats:
    """Return the matrix product, summed in the wider type; an overflow is left for `narrow` to report."""
    with np.errstate(over="ignore", invalid="ignore"):
        result: Floats = np.matmul(wide(a), wide(b))
    return result


def divided(array: Floats, number: float) -> Floats:
    """Return the array over a positive number, in float64; what is too large becomes ±inf."""
    with np.errstate(over="ignore"):
        quotient: Floats = np.divide(array, number, dtype=np.float64)
    return quotient


def narrow(
    name: str, array: Floats, *inputs: NDArray[Any], masked: bool | np.bool_ | NDArray[np.bool_] = False
) -> Floats:
    """Return a result in the type that its inputs promote to; refuse one too large for that type.

    A result without axes comes back as a scalar, as numpy's own functions do. Where ``masked``, -inf is let through.

    Raises
    ------
    OverflowError
        The result is finite on paper but not in that type.
    """
    target = np.result_type(*(given.dtype for given in inputs))
    with np.errstate(over="ignore"):
        result = array.astype(target, copy=False)
    finite = np.isfinite(result)
    if not finite.all() and not (finite | (masked & np.isneginf(result))).all():
        raise OverflowError(f"{name}: the result of shape {array.shape} overflows {target}")
    value: Floats = result[()]
    return value
