r"""Learned scores: how much one word has to say to another, by a trained matrix or a small trained network.

Shapes are those of `attn.scores`: queries (..., n, d) and keys (..., m, e) give scores (..., n, m), and a
one-dimensional array is a single word.
"""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, floats, shaped
from attn._precision import narrow, product
from attn._words import rows


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
    queries, keys, single = rows(queries, keys)
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
    W_Q : array (d, h)
        What brings queries into the space of h hidden units.
    W_K : array (e, h)
        What brings keys into the same space.
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
    queries, keys, single = rows(queries, keys)
    W_Q, W_K, v = floats("W_Q", W_Q, axes=2), floats("W_K", W_K, axes=2), floats("v", v)
    shaped("v", v, v.shape[-1:])
    shaped("W_Q", W_Q, (queries.shape[-1], v.size))
    shaped("W_K", W_K, (keys.shape[-1], v.size))
    # A pre-activation that overflows is ±inf, of which tanh is ±1 as it should be; only inf - inf has no answer.
    with np.errstate(invalid="ignore"):
        hidden = np.tanh(product(queries, W_Q)[..., :, None, :] + product(keys, W_K)[..., None, :, :])
    scores = product(hidden, v)
    return narrow("additive", np.squeeze(scores, single), queries, keys, W_Q, W_K, v)
