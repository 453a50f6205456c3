r"""Softmax: turns scores into weights that are positive, sum to one and depend on differences of scores only.

A score of -inf means "may not be looked at" and gets the weight 0. Where every score of a row is -inf there is
nothing to look at, and the weights are zeros (they sum to 0, not to 1).
"""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, floats, positive
from attn._precision import divided, narrow, wide


def _below_maximum(scores: Floats, axis: int, temperature: float) -> Floats:
    """Return (scores - maximum) / temperature: at most 0, so that its exp cannot overflow."""
    scores = floats("scores", scores, masked=True)
    if not -scores.ndim <= axis < scores.ndim:
        raise ValueError(f"axis: {axis} is not an axis of scores of shape {scores.shape}")
    temperature = positive("temperature", temperature)
    scores = wide(scores)
    maximum = scores.max(axis=axis, keepdims=True)
    maximum = np.where(np.isneginf(maximum), 0, maximum)  # a row of -inf: any finite number does
    with np.errstate(over="ignore"):  # to -inf, whose exp is the 0 it should be
        below = scores - maximum
    return divided(below, temperature)


def softmax(scores: Floats, axis: int = -1, temperature: float = 1.0) -> Floats:
    r"""Turn scores into weights: $p_i = \dfrac{e^{s_i / T}}{\sum_j e^{s_j / T}}$.

    The maximum is taken away first, which changes nothing on paper and keeps the exponentials from overflowing.

    Parameters
    ----------
    scores : array (..., m)
        Any scores; -inf for a word that may not be looked at.
    axis : int
        The axis whose weights sum to one: the keys'.
    temperature : float
        $T > 0$: above 1 evens the weights out, below 1 sharpens them towards the largest score.

    Returns
    -------
    array (..., m)
        Weights from 0 to 1 that sum to 1 over the axis; zeros where every score is -inf.

    Raises
    ------
    ValueError
        Integers, an empty array, NaN or +inf, an axis the array has not, a temperature not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([2.0, 1.0, 0.0])
    >>> print(softmax(scores).round(3), softmax(scores, temperature=0.1).round(3))
    [0.665 0.245 0.09 ] [1. 0. 0.]
    >>> print(softmax(np.array([[1e300, 1e300], [0.0, -np.inf], [-np.inf, -np.inf]])))
    [[0.5 0.5]
     [1.  0. ]
     [0.  0. ]]
    """
    raised = np.exp(_below_maximum(scores, axis, temperature))
    total = raised.sum(axis=axis, keepdims=True)
    weights: Floats = narrow("softmax", raised / np.where(total > 0, total, 1), np.asarray(scores))
    return weights


def log_softmax(scores: Floats, axis: int = -1, temperature: float = 1.0) -> Floats:
    r"""Give the logarithm of softmax: $\ln p_i = s_i / T - \ln \sum_j e^{s_j / T}$, exact where $p_i$ rounds to 0.

    Parameters
    ----------
    scores : array (..., m)
        Any scores; -inf for a word that may not be looked at.
    axis : int
        The axis whose weights sum to one.
    temperature : float
        $T > 0$, as in `softmax`.

    Returns
    -------
    array (..., m)
        Logarithms of weights, at most 0; -inf where the score is.

    Raises
    ------
    ValueError
        As `softmax`.
    OverflowError
        A logarithm is too large for the type of the scores.

    Examples
    --------
    >>> import numpy as np
    >>> print(log_softmax(np.array([1000.0, 0.0])))
    [    0. -1000.]
    """
    below = _below_maximum(scores, axis, temperature)
    total = np.exp(below).sum(axis=axis, keepdims=True)
    logarithms: Floats = below - np.log(np.where(total > 0, total, 1))
    # -inf is the answer where the score is -inf, and an overflow anywhere else.
    return narrow("log_softmax", logarithms, np.asarray(scores), masked=np.isneginf(scores))


def log_sum_exp(scores: Floats, axis: int = -1, temperature: float = 1.0) -> Floats:
    r"""Give a smooth maximum: $\ln \sum_j e^{s_j / T}$, between $\max_j s_j / T$ and that plus $\ln m$.

    Parameters
    ----------
    scores : array (..., m)
        Any scores; -inf for a word that may not be looked at.
    axis : int
        The axis to sum over.
    temperature : float
        $T > 0$, as in `softmax`.

    Returns
    -------
    array (...)
        What `log_softmax` takes away from every score; -inf where every score is.

    Raises
    ------
    ValueError
        As `softmax`.
    OverflowError
        A sum's logarithm is too large for the type of the scores.

    Examples
    --------
    >>> import numpy as np
    >>> print(f"{log_sum_exp(np.array([1000.0, 1000.0])):.4f}")
    1000.6931
    """
    below = _below_maximum(scores, axis, temperature)
    scores = np.asarray(scores)
    with np.errstate(divide="ignore"):
        sums = divided(wide(scores).max(axis=axis), temperature) + np.log(np.exp(below).sum(axis=axis))
    return narrow("log_sum_exp", sums, scores, masked=np.isneginf(scores).all(axis=axis))


def entropy(weights: Floats, axis: int = -1) -> Floats:
    r"""Measure how undecided weights are: $H(p) = -\sum_i p_i \ln p_i$, in nats, with $0 \ln 0 = 0$ (Shannon, 1948).

    Parameters
    ----------
    weights : array (..., m)
        Weights that sum to one over the axis, as `softmax` gives them.
    axis : int
        The axis to sum over.

    Returns
    -------
    array (...)
        From 0 (all weight on one word) to $\ln m$ (equal weights).

    Raises
    ------
    ValueError
        Integers, an empty array, non-finite or negative weights.

    Examples
    --------
    >>> import numpy as np
    >>> print(entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).round(4))
    [0.6931 0.    ]
    """
    weights = floats("weights", weights)
    if (weights < 0).any():
        raise ValueError(f"weights: expected none below 0, got {weights.min()} in shape {weights.shape}")
    p = wide(weights)
    logarithms = np.log(p, out=np.zeros_like(p), where=p > 0)
    return narrow("entropy", 0 - (p * logarithms).sum(axis=axis), weights)
