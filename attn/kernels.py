r"""Kernels: attention by nearness alone, sixty years before the word.

Shapes are those of `attn.scores`: queries (..., n, d) and keys (..., m, d) give scores (..., n, m), and a
one-dimensional array is a single word.
"""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, batches, fits, floats, positive
from attn._precision import divided, narrow, product
from attn._words import alike, distances
from attn.softmax import softmax


def gaussian_kernel(queries: Floats, keys: Floats, bandwidth: float = 1.0) -> Floats:
    r"""Score words by a bell around each: $s(q, k) = \exp\!\left(-\dfrac{\lVert q - k \rVert^2}{2 h^2}\right)$.

    Parameters
    ----------
    queries : array (..., n, d) or (d,)
        The words that ask.
    keys : array (..., m, d) or (d,)
        The words that are asked.
    bandwidth : float
        The width $h$ of the bell, in the words' own unit.

    Returns
    -------
    array (..., n, m)
        The kernel of each query with each key, from 0 (far away) to 1 (the same word).

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, words of different length, leading axes that do not broadcast,
        a bandwidth that is not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> print(gaussian_kernel(np.zeros(1), np.array([[0.0], [1.0], [99.0]])).round(4))
    [1.     0.6065 0.    ]
    """
    queries, keys, single = alike(queries, keys)
    with np.errstate(over="ignore"):
        exponents = -np.square(divided(distances(queries, keys), positive("bandwidth", bandwidth))) / 2
    return narrow("gaussian_kernel", np.squeeze(np.exp(exponents), single), queries, keys)


def nadaraya_watson(queries: Floats, keys: Floats, values: Floats, bandwidth: float = 1.0) -> Floats:
    r"""Average values by nearness: $z(q) = \dfrac{\sum_j s(q, k_j) \, v_j}{\sum_j s(q, k_j)}$ with the Gaussian kernel.

    Nadaraya (1964) and Watson (1964). The quotient is a softmax over
    $-\lVert q - k_j \rVert^2 / 2h^2$, which is how it is computed: far from every key, where each kernel is 0 in
    floating point, the nearest key still decides.

    Parameters
    ----------
    queries : array (..., n, d) or (d,)
        Where the average is wanted.
    keys : array (..., m, d)
        Where values are known.
    values : array (..., m, e)
        The value at each key.
    bandwidth : float
        The width $h$ of the bell, in the words' own unit.

    Returns
    -------
    array (..., n, e)
        A weighted average of the values for each query.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, shapes that do not fit each other, a bandwidth not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> keys, values = np.array([[0.0], [1.0]]), np.array([[10.0], [20.0]])
    >>> print(nadaraya_watson(np.array([[0.5], [900.0]]), keys, values))
    [[15.]
     [20.]]
    """
    keys, values = floats("keys", keys, axes=2), floats("values", values, axes=2)
    fits("values", values, "keys", keys, axes=(-2, -2))
    queries, keys, single = alike(queries, keys)
    batches(queries=queries, keys=keys, values=values)
    h = positive("bandwidth", bandwidth)
    apart = distances(queries, keys)
    narrow("distance", apart, apart)
    nearest = apart.min(axis=-1, keepdims=True)
    # -(a² - b²) / 2h² with b the smallest distance, factored: the nearest key keeps exponent 0 whatever overflows.
    with np.errstate(over="ignore", invalid="ignore"):
        exponents = -divided(apart - nearest, h) * divided(apart + nearest, h) / 2
    averages = product(softmax(np.where(apart > nearest, exponents, 0)), values)
    return narrow("nadaraya_watson", np.squeeze(averages, single), queries, keys, values)
