r"""Online softmax: softmax in one pass, from a running maximum and a running sum that can be corrected later.

A row's state after some of its scores is $(\mu, \ell, o)$: the largest score seen, the sum
$\ell = \sum_j e^{s_j - \mu}$, and the weighted sum of values $o = \sum_j e^{s_j - \mu} v_j$. When a larger score turns
up, what was summed so far is multiplied by $e^{\mu_\text{old} - \mu_\text{new}}$ (Milakov and Gimelshein, 2018). Two
states merge in any order, which is what lets blocks of a long table be handled apart.
"""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple

import numpy as np

from attn._checks import Floats, count, fits, floats, shaped
from attn._precision import narrow, product, wide


class Running(NamedTuple):
    """What a row must remember of the scores it has seen.

    Attributes
    ----------
    maximum : array (..., 1)
        The largest score, -inf before the first that is not -inf.
    total : array (..., 1)
        The sum of exp(score - maximum).
    output : array (..., d)
        The sum of exp(score - maximum) times value.

    Examples
    --------
    >>> import numpy as np
    >>> state = running(np.array([[1.0, 3.0]]), np.array([[10.0], [20.0]]))
    >>> print(state.maximum, state.total.round(4))
    [[3.]] [[1.1353]]
    """

    maximum: Floats
    total: Floats
    output: Floats


def running(scores: Floats, values: Floats | None = None) -> Running:
    r"""Summarise a block of scores and its values.

    $\mu = \max_j s_j, \quad \ell = \sum_j e^{s_j - \mu}, \quad o = \sum_j e^{s_j - \mu} v_j$

    Parameters
    ----------
    scores : array (..., n, m)
        A block of scores, -inf for what may not be looked at.
    values : array (..., m, d), optional
        The values of the same m keys; without them the output has no columns.

    Returns
    -------
    Running
        The state of each of the n rows, in the wider type that sums are taken in.

    Raises
    ------
    ValueError
        Integers, an empty array, NaN or +inf, values that are not as many as the scores of a row.

    Examples
    --------
    >>> import numpy as np
    >>> print(running(np.zeros((1, 2)), np.array([[1.0], [2.0]])).output)
    [[3.]]
    """
    scores = wide(floats("scores", scores, axes=2, masked=True))
    values = np.empty((scores.shape[-1], 0)) if values is None else floats("values", values, axes=2)
    fits("values", values, "scores", scores, axes=(-2, -1))
    maximum = scores.max(axis=-1, keepdims=True)
    with np.errstate(over="ignore"):
        raised = np.exp(scores - _finite(maximum))
    return Running(maximum, raised.sum(axis=-1, keepdims=True), product(raised, values))


def merge(one: Running, other: Running) -> Running:
    r"""Join the states of two parts of a row.

    $\mu = \max(\mu_1, \mu_2), \quad \ell = e^{\mu_1 - \mu} \ell_1 + e^{\mu_2 - \mu} \ell_2, \quad
    o = e^{\mu_1 - \mu} o_1 + e^{\mu_2 - \mu} o_2$

    Associative and commutative on paper, so blocks may come in any order and grouping.

    Parameters
    ----------
    one, other : Running
        States of the same rows over different keys.

    Returns
    -------
    Running
        The state over all the keys of both.

    Raises
    ------
    ValueError
        States of other rows, or of values of another width.

    Examples
    --------
    >>> import numpy as np
    >>> scores, values = np.array([[1.0, 3.0, 2.0]]), np.array([[1.0], [2.0], [3.0]])
    >>> whole = running(scores, values)
    >>> parts = merge(running(scores[:, :1], values[:1]), running(scores[:, 1:], values[1:]))
    >>> print(all(np.allclose(a, b) for a, b in zip(whole, parts)))
    True
    """
    shaped("other.maximum", other.maximum, one.maximum.shape)
    shaped("other.output", other.output, one.output.shape)
    maximum = np.maximum(one.maximum, other.maximum)
    with np.errstate(over="ignore"):
        keep, add = (np.exp(state.maximum - _finite(maximum)) for state in (one, other))
    return Running(
        maximum,
        keep * one.total + add * other.total,
        keep * one.output + add * other.output,
    )


def finish(state: Running) -> Floats:
    r"""Divide once at the end: $z = o / \ell$; zeros for a row that saw nothing but -inf.

    Parameters
    ----------
    state : Running
        The state over all keys.

    Returns
    -------
    array (..., d)
        The softmax-weighted average of the values.

    Raises
    ------
    OverflowError
        A sum of values is too large for the state's type.

    Examples
    --------
    >>> import numpy as np
    >>> print(finish(running(np.zeros((1, 2)), np.array([[1.0], [2.0]]))))
    [[1.5]]
    """
    average = state.output / np.where(state.total > 0, state.total, 1)
    return narrow("finish", average, state.output)


def online_softmax(scores: Floats, block_size: int = 1) -> Floats:
    r"""Find softmax's maximum and sum in one pass over the scores, a block at a time: $p_j = e^{s_j - \mu} / \ell$.

    The plain form passes three times: for the maximum, for the sum, for the quotient.

    Parameters
    ----------
    scores : array (..., m)
        Any scores; -inf for a word that may not be looked at.
    block_size : int
        How many scores to take at a time.

    Returns
    -------
    array (..., m)
        The same as ``softmax(scores)``, up to rounding.

    Raises
    ------
    ValueError
        Integers, an empty array, NaN or +inf, a block size below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import softmax
    >>> scores = np.array([1.0, 1000.0, 999.0, -np.inf])
    >>> print(np.abs(online_softmax(scores) - softmax(scores)).max() < 1e-15)
    True
    """
    scores = floats("scores", scores, masked=True)
    block_size = count("block_size", block_size)
    rows = np.atleast_2d(wide(scores))
    starts = range(0, rows.shape[-1], block_size)
    state = reduce(merge, (running(rows[..., start : start + block_size]) for start in starts))
    with np.errstate(over="ignore"):
        raised = np.exp(rows - _finite(state.maximum))
    weights = raised / np.where(state.total > 0, state.total, 1)
    return narrow("online_softmax", weights.reshape(scores.shape), scores)


def _finite(maximum: Floats) -> Floats:
    """Return a number to take away from scores: 0 where every score is -inf, since -inf - (-inf) is NaN."""
    return np.where(np.isneginf(maximum), 0, maximum)
