r"""Rotary positions: queries and keys are turned by where they stand, so that their score sees only the distance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn._checks import Floats, broadcasts, even, floats
from attn._precision import narrow, wide
from attn.position import frequencies


def rope(x: Floats, positions: NDArray[Any], base: float = 10000.0, *, interleaved: bool = True) -> Floats:
    r"""Turn each pair of a word's components by an angle in proportion to its position.

    $(a, b) \mapsto (a \cos\omega t - b \sin\omega t,\; a \sin\omega t + b \cos\omega t)$

    Su et al. (2021). Applied to queries and keys, so that $q_t \cdot k_u$ depends on $t - u$ only. Lengths stay.

    Parameters
    ----------
    x : array (..., n, d) or (d,)
        Queries or keys, one a row, d even.
    positions : array broadcasting to (..., n)
        Where each row stands; whole or not, negative or not.
    base : float
        As in `frequencies`.
    interleaved : bool
        Whether neighbours $(2i, 2i + 1)$ make a pair, as in the paper, or components $(i, i + d/2)$ of the two halves,
        as in GPT-NeoX and Llama checkpoints. `rope_permutation` leads from one to the other.

    Returns
    -------
    array (..., n, d)
        The rows, turned.

    Raises
    ------
    ValueError
        Integers, empty or non-finite words, d odd, positions that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> quarter_turn = np.array([np.pi / 2])
    >>> print(rope(np.array([[1.0, 0.0]]), quarter_turn).round(12))
    [[0. 1.]]
    """
    x = floats("x", x)
    positions = np.asarray(positions)
    if not np.issubdtype(positions.dtype, np.integer):
        positions = floats("positions", positions, axes=0)
    broadcasts("positions", positions, x.shape[:-1])
    angles = positions[..., None] * frequencies(x.shape[-1], base)  # (..., n, d/2)
    return rotate_pairs(x, np.cos(angles), np.sin(angles), interleaved=interleaved)


def rotate_pairs(x: Floats, cos: Floats, sin: Floats, *, interleaved: bool = True) -> Floats:
    r"""Turn each pair of a word's components by an angle whose cosine and sine are given.

    What `rope` does once the angles are known, for angles of another kind or from a table.

    Parameters
    ----------
    x : array (..., n, d) or (d,)
        Queries or keys, one a row, d even.
    cos, sin : array broadcasting to (..., n, d/2)
        Cosine and sine for each row and pair.
    interleaved : bool
        As in `rope`.

    Returns
    -------
    array (..., n, d)
        The rows, turned, in the type of x.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, d odd, cosines or sines that do not fit.
    OverflowError
        A result is too large for the type of x.

    Examples
    --------
    >>> import numpy as np
    >>> print(rotate_pairs(np.array([1.0, 2.0, 3.0, 4.0]), np.zeros(2), np.ones(2), interleaved=False))
    [-3. -4.  1.  2.]
    """
    x, cos, sin = floats("x", x), floats("cos", cos), floats("sin", sin)
    half = even("d", x.shape[-1]) // 2
    broadcasts("cos", cos, (*x.shape[:-1], half))
    broadcasts("sin", sin, (*x.shape[:-1], half))
    a, b = (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])
    a, b, cos, sin = wide(a), wide(b), wide(cos), wide(sin)
    with np.errstate(over="ignore", invalid="ignore"):
        turned = np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1 if interleaved else -2)
    return narrow("rotate_pairs", turned.reshape(x.shape), x)


def rope_permutation(d: int) -> NDArray[np.intp]:
    r"""Give the order of components that turns interleaved pairs into half-split ones.

    $0, 2, 4, \dots, 1, 3, 5, \dots$

    With p the permutation, ``rope(x, t)[..., p] == rope(x[..., p], t, interleaved=False)``: the two layouts differ by
    a renaming of components, which $W^Q$ and $W^K$ can absorb. ``numpy.argsort(p)`` leads back.

    Parameters
    ----------
    d : int
        The number of components, even.

    Returns
    -------
    integer array (d,)
        Component i of the half-split word is component ``p[i]`` of the interleaved one.

    Raises
    ------
    ValueError
        d odd or below 2.

    Examples
    --------
    >>> print(rope_permutation(6))
    [0 2 4 1 3 5]
    """
    return np.arange(even("d", d)).reshape(d // 2, 2).T.reshape(d)
