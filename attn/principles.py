r"""Principles: two facts that single softmax out, as numbers that a lesson can measure.

Only differences of scores count, and of all weights that are as attentive to the scores, softmax's are the least
decided.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attn._checks import Floats, floats, positive, shaped
from attn._precision import narrow, wide
from attn.softmax import entropy, log_sum_exp


def shift_sensitivity(normalise: Callable[[Floats], Floats], scores: Floats, shift: float) -> Floats:
    r"""Measure how far the weights move when one number is added to every score of a row.

    The total variation $\tfrac12 \sum_j \lvert f(s + c)_j - f(s)_j \rvert$, the share of weight that changes hands. Of
    all $f(s)_j = g(s_j) / \sum_l g(s_l)$ with a continuous $g > 0$ only those with $g(s) = a\, e^{bs}$ have none for
    every $c$, since $g(s + c) / g(s)$ may not depend on $s$. Order is kept for $b > 0$: that is softmax.

    Parameters
    ----------
    normalise : callable
        $f$, from scores (..., m) to weights (..., m), such as `softmax`.
    scores : array (..., m)
        The scores.
    shift : float
        $c$, what is added to each of them.

    Returns
    -------
    array (...)
        From 0 (nothing moves) to 1 (all of the weight moves), one number a row.

    Raises
    ------
    ValueError
        Integers, an empty array, non-finite scores, weights of another shape than the scores.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import softmax
    >>> scores = np.array([2.0, 1.0, -1.0])
    >>> softplus_shares = lambda s: np.log1p(np.exp(s)) / np.log1p(np.exp(s)).sum()
    >>> print(f"{shift_sensitivity(softmax, scores, 5.0):.1f} {shift_sensitivity(softplus_shares, scores, 5.0):.3f}")
    0.0 0.155
    """
    scores = floats("scores", scores)
    before = floats("normalise(scores)", normalise(scores))
    after = floats("normalise(scores + shift)", normalise(scores + scores.dtype.type(shift)))
    shaped("normalise(scores)", before, scores.shape)
    shaped("normalise(scores + shift)", after, scores.shape)
    return narrow("shift_sensitivity", np.abs(wide(after) - wide(before)).sum(axis=-1) / 2, scores)


def free_energy(weights: Floats, scores: Floats, temperature: float = 1.0) -> Floats:
    r"""Value weights by the score they collect and by how undecided they stay: $F(p) = \sum_j p_j s_j + T \, H(p)$.

    Among all weights that sum to one, softmax at temperature $T$ has the largest $F$, which is
    $T \ln \sum_j e^{s_j/T}$ (Gibbs; Jaynes, 1957).

    Parameters
    ----------
    weights : array (..., m)
        Weights that are not negative and sum to one.
    scores : array (..., m)
        The scores.
    temperature : float
        $T > 0$, what a nat of entropy is worth.

    Returns
    -------
    array (...)
        The value, in the scores' unit.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, shapes that differ, negative weights, a temperature not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([2.0, 1.0])
    >>> print([round(float(free_energy(np.array([p, 1 - p]), scores)), 3) for p in (0.5, 0.7, 0.731, 0.8, 1.0)])
    [2.193, 2.311, 2.313, 2.3, 2.0]
    """
    weights, scores = floats("weights", weights), floats("scores", scores)
    shaped("weights", weights, scores.shape)
    with np.errstate(over="ignore"):
        collected = (wide(weights) * wide(scores)).sum(axis=-1)
        value = collected + positive("temperature", temperature) * entropy(wide(weights))
    return narrow("free_energy", value, weights, scores)


def maximum_entropy_gap(weights: Floats, scores: Floats, temperature: float = 1.0) -> Floats:
    r"""Measure how far weights fall short of softmax's value: $T \ln \sum_j e^{s_j / T} - F(p)$.

    Never below 0 but for rounding. It equals $T \sum_j p_j \ln (p_j / a_j)$ with $a$ the softmax of the scores, and is
    0 for $p = a$ alone: of all weights with the same mean score, softmax's have the largest entropy.

    Parameters
    ----------
    weights : array (..., m)
        Weights that are not negative and sum to one.
    scores : array (..., m)
        The scores.
    temperature : float
        $T > 0$, as in `free_energy`.

    Returns
    -------
    array (...)
        The gap, in the scores' unit.

    Raises
    ------
    ValueError
        As `free_energy`.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import softmax
    >>> scores = np.array([2.0, 1.0])
    >>> even = np.array([0.5, 0.5])
    >>> print(f"{maximum_entropy_gap(even, scores):.3f} {maximum_entropy_gap(softmax(scores), scores):.3f}")
    0.120 0.000
    """
    weights, scores = floats("weights", weights), floats("scores", scores)
    value = free_energy(wide(weights), wide(scores), temperature)
    best = temperature * log_sum_exp(wide(scores), temperature=temperature)
    return narrow("maximum_entropy_gap", best - value, weights, scores)
