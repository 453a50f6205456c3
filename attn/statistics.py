r"""Statistics: what random words do to dot products and to softmax, drawn rather than believed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from attn._checks import Floats, count, positive
from attn.softmax import softmax


def sample_rows(n: int, d: int, variance: float, rng: np.random.Generator) -> Floats:
    r"""Draw n words of d independent normal components with mean 0: $x_{ti} \sim \mathcal N(0, \sigma^2)$.

    Parameters
    ----------
    n, d : int
        How many words, of how many components.
    variance : float
        $\sigma^2$ of each component.
    rng : numpy.random.Generator
        Where the randomness comes from.

    Returns
    -------
    array (n, d)
        One word a row.

    Raises
    ------
    ValueError
        n or d below 1, a variance not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> print(sample_rows(100_000, 2, 4.0, np.random.default_rng(0)).var().round(1))
    4.0
    """
    shape = count("n", n), count("d", d)
    return math.sqrt(positive("variance", variance)) * rng.standard_normal(shape)


def sample_dot_products(n: int, d: int, variance: float, rng: np.random.Generator) -> Floats:
    r"""Draw n independent pairs of words and give the dot product of each: $q \cdot k = \sum_{i=1}^{d} q_i k_i$.

    Parameters
    ----------
    n : int
        How many pairs.
    d : int
        The number of components of each word.
    variance : float
        $\sigma^2$ of each component of both words, normal with mean 0.
    rng : numpy.random.Generator
        Where the randomness comes from.

    Returns
    -------
    array (n,)
        One dot product a pair.

    Raises
    ------
    ValueError
        n or d below 1, a variance not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> drawn = sample_dot_products(20_000, 64, 1.0, np.random.default_rng(0))
    >>> print(abs(drawn.var() - dot_product_variance(64)) < 3)
    True
    """
    products: Floats = np.vecdot(sample_rows(n, d, variance, rng), sample_rows(n, d, variance, rng))
    return products


def dot_product_variance(d: int, query_variance: float = 1.0, key_variance: float = 1.0) -> float:
    r"""Give the variance of a dot product of words with independent components of mean 0.

    $\operatorname{Var}(q \cdot k) = d \, \sigma_q^2 \sigma_k^2$: the d products are independent, each with mean 0 and
    variance $\sigma_q^2 \sigma_k^2$, and variances of independent terms add. The
    shape of the distribution does not matter. Dividing by $\sqrt d$ takes the factor d away.

    Parameters
    ----------
    d : int
        The number of components.
    query_variance, key_variance : float
        $\sigma_q^2$ and $\sigma_k^2$.

    Returns
    -------
    float
        The variance.

    Raises
    ------
    ValueError
        d below 1, a variance not above zero.

    Examples
    --------
    >>> print(dot_product_variance(64), dot_product_variance(64, 4.0, 4.0))
    64.0 1024.0
    """
    return count("d", d) * positive("query_variance", query_variance) * positive("key_variance", key_variance)


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
