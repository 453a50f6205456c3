r"""Position: what tells a word where it stands, added to the word, turned into it, or added to its scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn._checks import Floats, Integers, broadcasts, count, floats, integers, positive
from attn._precision import narrow, wide


def frequencies(d: int, base: float = 10000.0) -> Floats:
    r"""Give the angles a word of d components turns by per position: $\omega_i = b^{-2i/d}$, $i = 0 \dots d/2 - 1$.

    Parameters
    ----------
    d : int
        The number of components, even: each frequency turns a pair of them.
    base : float
        $b$: the slowest pair takes nearly $2\pi b$ positions for a full turn.

    Returns
    -------
    array (d/2,)
        Radians per position, from 1 downwards.

    Raises
    ------
    ValueError
        d odd or below 2, a base not above zero.

    Examples
    --------
    >>> print(frequencies(4, base=100.0))
    [1.  0.1]
    """
    if count("d", d, least=2) % 2:
        raise ValueError(f"d: expected an even number of components, got {d}")
    return positive("base", base) ** (-np.arange(0, d, 2) / d)


def sinusoidal(n: int, d: int, base: float = 10000.0) -> Floats:
    r"""Give every position a row of waves: $P_{t,2i} = \sin \omega_i t$, $P_{t,2i+1} = \cos \omega_i t$.

    Vaswani et al. (2017), section 3.5. The dot product of two rows, $\sum_i \cos \omega_i (t - u)$, depends on
    their distance only and is the same both ways.

    Parameters
    ----------
    n : int
        How many positions, from 0 on.
    d : int
        The number of components, even.
    base : float
        As in `frequencies`.

    Returns
    -------
    array (n, d)
        One position a row, to be added to the words.

    Raises
    ------
    ValueError
        n below 1, d odd or below 2, a base not above zero.

    Examples
    --------
    >>> print(sinusoidal(3, 4).round(2))
    [[ 0.    1.    0.    1.  ]
     [ 0.84  0.54  0.01  1.  ]
     [ 0.91 -0.42  0.02  1.  ]]
    """
    angles = np.arange(count("n", n))[:, None] * frequencies(d, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


def learned_positions(table: Floats, positions: Integers) -> Floats:
    r"""Look positions up in a trained table: row $t$ of the table is added to the word at $t$.

    Parameters
    ----------
    table : array (N, d)
        One trained row for each position that may occur.
    positions : integer array (..., n)
        Where the words stand, from 0 to N - 1.

    Returns
    -------
    array (..., n, d)
        One row of the table a word.

    Raises
    ------
    ValueError
        A position beyond the table: unlike waves, a table says nothing of places it was not trained on.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    >>> print(learned_positions(table, np.array([0, 2])))
    [[0.1 0.2]
     [0.5 0.6]]
    """
    table = floats("table", table, axes=2)
    rows: Floats = table[integers("positions", positions, below=len(table))]
    return rows


def rope(x: Floats, positions: NDArray[Any], base: float = 10000.0, *, interleaved: bool = True) -> Floats:
    r"""Turn each pair of a word's components by its position: $(a, b) \mapsto (a \cos\omega t - b \sin\omega t,\; a \sin\omega t + b \cos\omega t)$.

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
    d = x.shape[-1]
    angles = positions[..., None] * frequencies(d, base)  # (..., n, d/2)
    cos, sin = np.cos(angles), np.sin(angles)
    a, b = _pairs(wide(x), interleaved=interleaved)
    turned = np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1 if interleaved else -2)
    return narrow("rope", turned.reshape(x.shape), x)  # type: ignore[no-any-return]


def _pairs(x: Floats, *, interleaved: bool) -> tuple[Floats, Floats]:
    half = x.shape[-1] // 2
    return (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])


def rope_permutation(d: int) -> NDArray[np.intp]:
    r"""Give the order of components that turns interleaved pairs into half-split ones: $0, 2, 4, \dots, 1, 3, 5, \dots$

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
    if count("d", d, least=2) % 2:
        raise ValueError(f"d: expected an even number of components, got {d}")
    return np.arange(d).reshape(d // 2, 2).T.reshape(d)


def alibi_slopes(heads: int) -> Floats:
    r"""Give the slope of every head: $2^{-8h/H}$ for $h = 1 \dots H$ where the number of heads $H$ is a power of two.

    Otherwise the slopes of the next smaller power come first, then every second one of the next larger, as Press,
    Smith and Lewis (2022) do.

    Parameters
    ----------
    heads : int
        $H$.

    Returns
    -------
    array (H,)
        Score lost per position of distance.

    Raises
    ------
    ValueError
        heads below 1.

    Examples
    --------
    >>> print(alibi_slopes(4), alibi_slopes(3))
    [0.25       0.0625     0.015625   0.00390625] [0.0625     0.00390625 0.25      ]
    """
    power = 2 ** int(math.log2(count("heads", heads)))
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-8 * np.arange(1, 2 * power + 1, 2) / (2 * power))
    return np.concatenate([slopes, between[: heads - power]])


def alibi(n: int, slopes: float | Floats, m: int | None = None) -> Floats:
    r"""Take from each score in proportion to distance: $B_{hij} = -\text{slope}_h \, \lvert i - j \rvert$.

    Press, Smith and Lewis (2022). An additive mask; nothing is added to the words themselves.

    Parameters
    ----------
    n : int
        How many words ask.
    slopes : float or array (heads,)
        Score lost per position of distance, at least 0: one for all, or one a head as `alibi_slopes` gives them.
    m : int, optional
        How many are asked, n unless said; the askers are the last n of them, as in `causal_mask`.

    Returns
    -------
    array (n, m) or (heads, n, m)
        What to add to the scaled scores. It forbids nothing: combine it with `causal_mask` to hide the future.

    Raises
    ------
    ValueError
        n below 1, m below n, slopes that are negative or not finite.

    Examples
    --------
    >>> print(alibi(3, 0.5))
    [[ 0.  -0.5 -1. ]
     [-0.5  0.  -0.5]
     [-1.  -0.5  0. ]]
    """
    slopes = floats("slopes", np.asarray(slopes), axes=0)
    if (slopes < 0).any():
        raise ValueError(f"slopes: expected none below 0, got {slopes.min()} in shape {slopes.shape}")
    return slopes[..., None, None] * -np.abs(_offsets(n, m))


def relative_bias(table: Floats, n: int, m: int | None = None) -> Floats:
    r"""Add a trained number for each distance: $B_{hij} = b_{h,\,\operatorname{clip}(j - i,\, -r,\, r) + r}$.

    The scalar form (Raffel et al., 2020) of relative positions clipped at reach $r$ (Shaw, Uszkoreit and Vaswani, 2018).

    Parameters
    ----------
    table : array (heads, 2r + 1)
        For each head one number for every offset from -r (r words before the asker) to r (after it).
    n : int
        How many words ask.
    m : int, optional
        How many are asked, n unless said; the askers are the last n of them, as in `causal_mask`.

    Returns
    -------
    array (heads, n, m)
        What to add to the scaled scores.

    Raises
    ------
    ValueError
        An even number of offsets, n below 1, m below n.

    Examples
    --------
    >>> import numpy as np
    >>> print(relative_bias(np.array([[-1.0, 0.0, 7.0]]), 3))
    [[[ 0.  7.  7.]
      [-1.  0.  7.]
      [-1. -1.  0.]]]
    """
    table = floats("table", table, axes=2)
    reach, even = divmod(table.shape[-1] - 1, 2)
    if even:
        raise ValueError(f"table: expected an odd number of offsets, -r to r, got shape {table.shape}")
    bias: Floats = table[..., np.clip(_offsets(n, m), -reach, reach) + reach]
    return bias


def _offsets(n: int, m: int | None) -> Integers:
    """Return how far each of m words stands after each of the last n of them: (n, m)."""
    n = count("n", n)
    m = n if m is None else count("m", m, least=n)
    return np.arange(m) - np.arange(m - n, m)[:, None]
