r"""Statistics: what random words do to dot products, drawn rather than believed."""

from __future__ import annotations

import math

import numpy as np

from attn._checks import Floats, count, positive


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
