r"""Saturation: how much of softmax's weight one of n random keys takes, drawn rather than believed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from attn._checks import Floats, count, positive
from attn.softmax import softmax
from attn.statistics import sample_rows


def largest_weight(
    n: int, d: int, rng: np.random.Generator, *, scale: float = 1.0, variance: float = 1.0, trials: int = 1000
) -> Floats:
    r"""Draw queries, each with n keys of its own, and give the largest softmax weight of each.

    $\max_j \operatorname{softmax}_j(\text{scale} \cdot q \cdot k_j)$

    Parameters
    ----------
    n : int
        How many keys the query looks at.
    d : int
        The number of components.
    rng : numpy.random.Generator
        Where the randomness comes from.
    scale : float
        What multiplies the dot products: 1 leaves them, $1/\sqrt d$ tames them.
    variance : float
        $\sigma^2$ of each component of queries and keys, normal with mean 0.
    trials : int
        How many independent queries, each with its own keys.

    Returns
    -------
    array (trials,)
        For each query the weight of the key it prefers, from 1/n to 1.

    Raises
    ------
    ValueError
        n, d or trials below 1, a variance or scale not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> unscaled, scaled = largest_weight(64, 64, rng), largest_weight(64, 64, rng, scale=1 / 8)
    >>> print(f"{unscaled.mean():.1f} {scaled.mean():.1f}")
    0.8 0.1
    """
    scale = positive("scale", scale)
    largest = np.empty(count("trials", trials))
    for trial in range(trials):  # one at a time: n·d numbers in memory, not trials·n·d
        query, keys = sample_rows(1, d, variance, rng), sample_rows(n, d, variance, rng)
        largest[trial] = softmax(scale * (keys @ query[0])).max()
    return largest


def largest_weight_curve(
    counts: Sequence[int],
    d: int,
    rng: np.random.Generator,
    *,
    scale: float = 1.0,
    variance: float = 1.0,
    trials: int = 1000,
) -> tuple[Floats, Floats]:
    r"""Follow the mean of the largest weight as the number of keys grows, with the standard error of each mean.

    Parameters
    ----------
    counts : sequence of int
        The numbers of keys.
    d : int
        As in `largest_weight`.
    trials, scale, variance : numbers, optional
        As in `largest_weight`.
    rng : numpy.random.Generator
        Where the randomness comes from.

    Returns
    -------
    tuple of two arrays (len(counts),)
        The mean for each number of keys, and its standard error: the standard deviation over $\sqrt{\text{trials}}$.

    Raises
    ------
    ValueError
        As `largest_weight`; fewer than two trials, from which no error can be told.

    Examples
    --------
    >>> import numpy as np
    >>> means, errors = largest_weight_curve([4, 64], 64, np.random.default_rng(0), trials=500)
    >>> print(means.round(1), errors.max() < 0.02)
    [0.9 0.8] True
    """
    count("trials", trials, least=2)
    draws = np.array([largest_weight(n, d, rng, scale=scale, variance=variance, trials=trials) for n in counts])
    return draws.mean(axis=-1), draws.std(axis=-1, ddof=1) / math.sqrt(trials)
