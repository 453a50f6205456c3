r"""Scores: how much one word has to say to another, by distance, direction, matrix, small network or kernel.

Every function takes queries (..., n, d) and keys (..., m, d), rows being words, and gives a table of scores
(..., n, m). A one-dimensional array is a single word, and its axis is absent from the result, as in `numpy.matmul`.
"""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, batches, fits, floats, positive, shaped
from attn._precision import narrow, product, wide
from attn.softmax import softmax


def _rows(queries: Floats, keys: Floats) -> tuple[Floats, Floats, tuple[int, ...]]:
    """Return both as tables of rows, and the axes to drop from the scores: those of single words."""
    queries, keys = floats("queries", queries), floats("keys", keys)
    single = (-2,) * (queries.ndim == 1) + (-1,) * (keys.ndim == 1)
    queries, keys = np.atleast_2d(queries), np.atleast_2d(keys)
    batches(queries=queries, keys=keys)
    return queries, keys, single


def _alike(queries: Floats, keys: Floats) -> tuple[Floats, Floats, tuple[int, ...]]:
    """Return rows as `_rows` does, of words that have equally many components."""
    queries, keys, single = _rows(queries, keys)
    fits("keys", keys, -1, "queries", queries, -1)
    return queries, keys, single


def _distances(queries: Floats, keys: Floats) -> Floats:
    """Return Euclidean distances in the wide type, scaled by the largest component so that no square overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        apart = wide(queries)[..., :, None, :] - wide(keys)[..., None, :, :]  # (..., n, m, d)
        largest = np.abs(apart).max(axis=-1, keepdims=True)
        unit = np.divide(apart, largest, out=np.zeros_like(apart), where=largest > 0)
        distances: Floats = largest[..., 0] * np.sqrt(np.square(unit).sum(axis=-1))
    return distances


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
    queries, keys, single = _alike(queries, keys)
    return narrow("negative_distance", np.squeeze(-_distances(queries, keys), single), queries, keys)


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
    queries, keys, single = _alike(queries, keys)
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
    queries, keys, single = _alike(queries, keys)
    scores = product(_directions(queries), _directions(keys).mT).clip(-1, 1)
    return narrow("cosine", np.squeeze(scores, single), queries, keys)


def bilinear(queries: Floats, keys: Floats, M: Floats) -> Floats:
    r"""Score words by a matrix: $s(q, k) = q M k^\top = \sum_{ij} M_{ij} q_i k_j$, linear in each word.

    The general form of Luong, Pham and Manning (2015); $M = W^Q W^{K\top}$ is what trained attention uses, and
    $M = I$ gives `dot`.

    Parameters
    ----------
    queries : array (..., n, d) or (d,)
        The words that ask.
    keys : array (..., m, e) or (e,)
        The words that are asked; they may have another number of components.
    M : array (d, e)
        What component $i$ of a query and component $j$ of a key have to do with each other.

    Returns
    -------
    array (..., n, m)
        The score of each query with each key.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, a matrix that does not fit, leading axes that do not broadcast.
    OverflowError
        A score is too large for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> first_asks_second = np.array([[0.0, 1.0], [0.0, 0.0]])
    >>> bank, steep = np.array([2.0, 0.5]), np.array([0.5, 2.0])
    >>> print(bilinear(bank, steep, first_asks_second), bilinear(steep, bank, first_asks_second))
    4.0 0.25
    """
    queries, keys, single = _rows(queries, keys)
    M = floats("M", M, axes=2)
    shaped("M", M, (queries.shape[-1], keys.shape[-1]))
    scores = product(product(queries, M), keys.mT)
    return narrow("bilinear", np.squeeze(scores, single), queries, keys, M)


def additive(queries: Floats, keys: Floats, W_Q: Floats, W_K: Floats, v: Floats) -> Floats:
    r"""Score words by a small network: $s(q, k) = v \cdot \tanh(q W^Q + k W^K)$.

    The first attention that was trained (Bahdanau, Cho and Bengio, 2015), before the inner product replaced it.

    Parameters
    ----------
    queries : array (..., n, d) or (d,)
        The words that ask.
    keys : array (..., m, e) or (e,)
        The words that are asked; they may have another number of components.
    W_Q, W_K : array (d, h), array (e, h)
        What brings queries and keys into one space of h hidden units.
    v : array (h,)
        The weight of each hidden unit.

    Returns
    -------
    array (..., n, m)
        The score of each query with each key, at most $\sum_i \lvert v_i \rvert$ in size.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, matrices that do not fit, leading axes that do not broadcast.
    OverflowError
        A score is too large for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> keys = np.array([[-9.0, 0.0], [0.0, 0.0], [9.0, 0.0]])
    >>> print(additive(np.zeros(2), keys, np.eye(2), np.eye(2), np.ones(2)).round(4))
    [-1.  0.  1.]
    """
    queries, keys, single = _rows(queries, keys)
    W_Q, W_K, v = floats("W_Q", W_Q, axes=2), floats("W_K", W_K, axes=2), floats("v", v)
    shaped("v", v, v.shape[-1:])
    shaped("W_Q", W_Q, (queries.shape[-1], v.size))
    shaped("W_K", W_K, (keys.shape[-1], v.size))
    # A pre-activation that overflows is ±inf, of which tanh is ±1 as it should be; only inf - inf has no answer.
    with np.errstate(invalid="ignore"):
        hidden = np.tanh(product(queries, W_Q)[..., :, None, :] + product(keys, W_K)[..., None, :, :])
    scores = product(hidden, v)
    return narrow("additive", np.squeeze(scores, single), queries, keys, W_Q, W_K, v)


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
    queries, keys, single = _alike(queries, keys)
    return narrow("gaussian_kernel", np.squeeze(np.exp(_bell(queries, keys, bandwidth)), single), queries, keys)


def nadaraya_watson(queries: Floats, keys: Floats, values: Floats, bandwidth: float = 1.0) -> Floats:
    r"""Average values by nearness: $z(q) = \dfrac{\sum_j s(q, k_j) \, v_j}{\sum_j s(q, k_j)}$ with the Gaussian kernel.

    Attention sixty years before the word (Nadaraya, 1964; Watson, 1964). The quotient is a softmax over
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
    fits("values", values, -2, "keys", keys, -2)
    queries, keys, single = _alike(queries, keys)
    batches(queries=queries, keys=keys, values=values)
    averages = product(softmax(_bell(queries, keys, bandwidth)), values)
    return narrow("nadaraya_watson", np.squeeze(averages, single), queries, keys, values)


def _bell(queries: Floats, keys: Floats, bandwidth: float) -> Floats:
    """Return the logarithm of the Gaussian kernel; -inf where the distance over the bandwidth is beyond all bounds."""
    with np.errstate(over="ignore"):
        exponents: Floats = -np.square(_distances(queries, keys) / positive("bandwidth", bandwidth)) / 2
    return exponents
