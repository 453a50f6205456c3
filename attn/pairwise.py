r"""Attention by loops, one pair of words at a time: the slow reference that the matrix form must agree with.

Nothing here is shared with the fast functions but the check of the arguments, so that agreement means something.
"""

from __future__ import annotations

import math

import numpy as np

from attn._checks import Floats, fits, floats
from attn._precision import narrow


def pairwise_scores(Q: Floats, K: Floats) -> Floats:
    r"""Score every pair of words by itself: $s_{ij} = \sum_{c=1}^{d} Q_{ic} K_{jc}$, multiplied and added one by one.

    Parameters
    ----------
    Q : array (n, d)
        One query a row.
    K : array (m, d)
        One key a row.

    Returns
    -------
    array (n, m)
        The inner product of query i with key j, not scaled.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, other than two axes, words of different length.
    OverflowError
        A score is too large for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> Q = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> print(pairwise_scores(Q, Q))
    [[ 5. 11.]
     [11. 25.]]
    """
    Q, K = _table("Q", Q), _table("K", K)
    fits("K", K, "Q", Q, axes=(1, 1))
    scores = np.array([[_dot(q, k) for k in K.tolist()] for q in Q.tolist()])
    return narrow("pairwise_scores", scores, Q, K)


def pairwise_attention(Q: Floats, K: Floats, V: Floats) -> Floats:
    r"""Attend one query at a time, one score at a time.

    $z_i = \sum_j \dfrac{e^{s_{ij}}}{\sum_l e^{s_{il}}} v_j$ with $s_{ij} = \dfrac{q_i \cdot k_j}{\sqrt{d}}$

    Parameters
    ----------
    Q : array (n, d)
        One query a row.
    K : array (m, d)
        One key a row.
    V : array (m, d_v)
        One value a row.

    Returns
    -------
    array (n, d_v)
        For each query the weighted average of the values.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, other than two axes, shapes that do not fit each other.
    OverflowError
        A score is too large for float64, or a result for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> print(pairwise_attention(X, X, 10 * X).round(2))
    [[6.7 3.3]
     [3.3 6.7]]
    """
    Q, K, V = _table("Q", Q), _table("K", K), _table("V", V)
    fits("K", K, "Q", Q, axes=(1, 1))
    fits("V", V, "K", K, axes=(0, 0))
    keys, columns = K.tolist(), V.T.tolist()
    averages = []
    for q in Q.tolist():
        scores = [_dot(q, k) / math.sqrt(len(q)) for k in keys]
        if not all(map(math.isfinite, scores)):
            raise OverflowError(f"Q and K: a score of shapes {Q.shape} and {K.shape} overflows float64")
        largest = max(scores)
        raised = [math.exp(score - largest) for score in scores]
        weights = [e / math.fsum(raised) for e in raised]
        averages.append([_dot(weights, column) for column in columns])
    return narrow("pairwise_attention", np.array(averages), Q, K, V)


def _table(name: str, array: Floats) -> Floats:
    table = floats(name, array, axes=2)
    if table.ndim > 2:  # noqa: PLR2004 - a table has two axes
        raise ValueError(f"{name}: expected exactly 2 axes, got shape {table.shape}")
    return table


def _dot(a: list[float], b: list[float]) -> float:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
    return total
