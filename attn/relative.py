r"""Relative positions: numbers added to the scores that depend on how far apart two words stand."""

from __future__ import annotations

import math

import numpy as np

from attn._checks import Floats, Integers, count, floats, words_asked


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
    given = np.asarray(slopes)
    slopes = floats("slopes", given if given.ndim else given.astype(np.float64), axes=0)
    if (slopes < 0).any():
        raise ValueError(f"slopes: expected none below 0, got {slopes.min()} in shape {slopes.shape}")
    return slopes[..., None, None] * -np.abs(_offsets(n, m))


def relative_bias(table: Floats, n: int, m: int | None = None) -> Floats:
    r"""Add a trained number for each distance: $B_{hij} = b_{h,\,\operatorname{clip}(j - i,\, -r,\, r) + r}$.

    The scalar form (Raffel et al., 2020) of relative positions clipped at a reach $r$ (Shaw, Uszkoreit and Vaswani,
    2018).

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
    asked = np.arange(words_asked(n, m))
    return asked - asked[-n:, None]
