r"""Scores: how much one word has to say to another, by distance, by inner product or by direction.

Every function takes queries (..., n, d) and keys (..., m, d), rows being words, and gives a table of scores
(..., n, m). A one-dimensional array is a single word, and its axis is absent from the result, as in `numpy.matmul`.
"""

from __future__ import annotations

import numpy as np

from attn._checks import Floats
from attn._precision import narrow, product, wide
from attn._words import alike, distances


def _directions(words: Floats) -> Floats:
    """Return the words at length 1, in the wide type; a zero word stays zero."""
    words = wide(words)
    largest = np.abs(words).max(axis=-1, keepdims=True)  # dividing by it first keeps the squares in range
    words = words / np.where(largest > 0, largest, 1)
    lengths = np.linalg.norm(words, axis=-1, keepdims=True)
    directions: Floats = words / np.where(lengths > 0, lengths, 1)
    return directions


def negative_distance(queries: Floats, keys: Floats) -> Floats:
    r"""Score words by nearness: $s(q, k) = -\lVert q - k \rVert$, never above zero.

    Parameters
    ----------
    queries : array (..., n, d) or (d,)
        The words that ask.
    keys : array (..., m, d) or (d,)
        The words that are asked.

    Returns
    -------
    array (..., n, m)
        Minus the Euclidean distance of each query to each key, in the words' own unit.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, words of different length, leading axes that do not broadcast.
    OverflowError
        A distance is too large for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> bank, steep = np.array([2.0, 0.5]), np.array([0.5, 2.0])
    >>> print(f"{negative_distance(bank, steep):.4f}")
    -2.1213
    """
    queries, keys, single = alike(queries, keys)
    return narrow("negative_distance", np.squeeze(-distances(queries, keys), single), queries, keys)


def dot(queries: Floats, keys: Floats) -> Floats:
    r"""Score words by inner product: $s(q, k) = q \cdot k = \sum_i q_i k_i$, in matrix form $S = QK^\top$.

    Parameters
    ----------
    queries : array (..., n, d) or (d,)
        The words that ask.
    keys : array (..., m, d) or (d,)
        The words that are asked.

    Returns
    -------
    array (..., n, m)
        The inner product of each query with each key.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, words of different length, leading axes that do not broadcast.
    OverflowError
        A product is too large for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> bank, steep = np.array([2.0, 0.5]), np.array([0.5, 2.0])
    >>> print(dot(bank, steep), dot(bank, np.array([steep, -steep])))
    2.0 [ 2. -2.]
    """
    queries, keys, single = alike(queries, keys)
    return narrow("dot", np.squeeze(product(queries, keys.mT), single), queries, keys)


def cosine(queries: Floats, keys: Floats) -> Floats:
    r"""Score words by direction: $s(q, k) = \dfrac{q \cdot k}{\lVert q \rVert \, \lVert k \rVert}$, from -1 to 1.

    A word of zeros has no direction; its score with any word is 0.

    Parameters
    ----------
    queries : array (..., n, d) or (d,)
        The words that ask.
    keys : array (..., m, d) or (d,)
        The words that are asked.

    Returns
    -------
    array (..., n, m)
        The cosine of the angle between each query and each key.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, words of different length, leading axes that do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> print(cosine(np.array([3.0, 0.0]), np.array([[5.0, 0.0], [0.0, 2.0], [-1.0, 0.0]])))
    [ 1.  0. -1.]
    """
    queries, keys, single = alike(queries, keys)
    scores = product(_directions(queries), _directions(keys).mT).clip(-1, 1)
    return narrow("cosine", np.squeeze(scores, single), queries, keys)
