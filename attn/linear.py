r"""Linear attention: the softmax makes way for features, and the products may be grouped the cheap way round.

$(\phi(Q)\phi(K)^\top) V = \phi(Q)(\phi(K)^\top V)$, so the n×n table is never made: cost grows with n. Under a causal
mask it is a recurrence with a memory of fixed size (Katharopoulos et al., 2020).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, overload

import numpy as np

from attn._attention import checked
from attn._checks import Floats, batches, fits, floats, shaped
from attn._precision import narrow, product, wide
from attn.features import elu_plus_one

FeatureMap: TypeAlias = Callable[[Floats], Floats]


class LinearState(NamedTuple):
    r"""All that causal linear attention remembers of the words so far, however many they are.

    Attributes
    ----------
    memory : array (..., r, d_v)
        $M = \sum_j \phi(k_j)^\top v_j$.
    total : array (..., r, 1)
        $u = \sum_j \phi(k_j)^\top$.

    Examples
    --------
    >>> import numpy as np
    >>> _, state = causal_linear_attention(*np.ones((3, 5, 2)), return_state=True)
    >>> print(state.memory.shape, state.total.ravel())
    (2, 2) [10. 10.]
    """

    memory: Floats
    total: Floats


def linear_attention(Q: Floats, K: Floats, V: Floats, feature_map: FeatureMap = elu_plus_one) -> Floats:
    r"""Let every query average all values, weighted by the dot products of features.

    $z_i = \dfrac{\phi(q_i) \sum_j \phi(k_j)^\top v_j}{\phi(q_i) \sum_j \phi(k_j)^\top}$

    Costs n·r·d multiply-adds for r features.

    Parameters
    ----------
    Q : array (..., n, d_k)
        One query a row.
    K : array (..., m, d_k)
        One key a row.
    V : array (..., m, d_v)
        One value a row.
    feature_map : callable
        $\phi$, from (..., d_k) to features (..., r) that are not negative. The scores are $\phi(q) \cdot \phi(k)$,
        not scaled.

    Returns
    -------
    array (..., n, d_v)
        One average of the values a query; zeros where every score is 0.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, shapes that do not fit each other, negative features.
    OverflowError
        A sum is too large for float64, or a result for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> Q, K, V = np.zeros((1, 2)), np.zeros((4, 2)), np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> print(linear_attention(Q, K, V))
    [[2.5]]
    """
    fQ, fK, V = _features(Q, K, V, feature_map)
    state = LinearState(product(fK.mT, V), wide(fK).sum(axis=-2)[..., None])
    return narrow("linear_attention", _read(fQ, state), fQ, fK, V)


@overload
def causal_linear_attention(
    Q: Floats,
    K: Floats,
    V: Floats,
    feature_map: FeatureMap = elu_plus_one,
    *,
    state: LinearState | None = None,
    return_state: Literal[False] = False,
) -> Floats: ...


@overload
def causal_linear_attention(
    Q: Floats,
    K: Floats,
    V: Floats,
    feature_map: FeatureMap = elu_plus_one,
    *,
    state: LinearState | None = None,
    return_state: Literal[True],
) -> tuple[Floats, LinearState]: ...


def causal_linear_attention(
    Q: Floats,
    K: Floats,
    V: Floats,
    feature_map: FeatureMap = elu_plus_one,
    *,
    state: LinearState | None = None,
    return_state: bool = False,
) -> Floats | tuple[Floats, LinearState]:
    r"""Let every word average the words up to itself, by a recurrence with a memory of fixed size.

    $M_t = M_{t-1} + \phi(k_t)^\top v_t$

    $u_t = u_{t-1} + \phi(k_t)^\top$

    $z_t = \dfrac{\phi(q_t) M_t}{\phi(q_t) u_t}$

    Parameters
    ----------
    Q, K : array (..., n, d_k)
        Queries and keys, one a row.
    V : array (..., n, d_v)
        One value a row.
    feature_map : callable
        As in `linear_attention`.
    state : LinearState, optional
        The memory of earlier words, to go on from: one word at a time costs r·d_v, however long the text.
    return_state : bool
        Whether to give the memory after the last word as well.

    Returns
    -------
    Z : array (..., n, d_v)
        One average of the values a word; zeros where every score is 0.
    state : LinearState
        Only with ``return_state``.

    Raises
    ------
    ValueError
        As `linear_attention`; as many keys as queries are needed.
    OverflowError
        As `linear_attention`.

    Examples
    --------
    >>> import numpy as np
    >>> Q = K = np.zeros((4, 2))
    >>> print(causal_linear_attention(Q, K, np.array([[1.0], [2.0], [3.0], [4.0]]))[:, 0])
    [1.  1.5 2.  2.5]
    """
    fQ, fK, V = _features(Q, K, V, feature_map)
    fits("K", fK, "Q", fQ, axes=(-2, -2))
    n, r, d_v = fQ.shape[-2], fK.shape[-1], V.shape[-1]
    if state is None:
        state = LinearState(np.zeros((r, d_v)), np.zeros((r, 1)))
    shaped("state.memory", state.memory, (*state.memory.shape[:-2], r, d_v))
    shaped("state.total", state.total, (*state.memory.shape[:-2], r, 1))
    Z = np.empty((*batches(Q=fQ, K=fK, V=V, state=state.memory), n, d_v))
    for t in range(n):
        word = slice(t, t + 1)
        memory = state.memory + product(fK[..., word, :].mT, V[..., word, :])
        state = LinearState(memory, state.total + wide(fK)[..., word, :].mT)
        Z[..., word, :] = _read(fQ[..., word, :], state)
    Z = narrow("causal_linear_attention", Z, fQ, fK, V)
    return (Z, state) if return_state else Z


def _features(Q: Floats, K: Floats, V: Floats, feature_map: FeatureMap) -> tuple[Floats, Floats, Floats]:
    """Return the features of queries and keys, and the values, all of which fit each other."""
    Q, K, V, _ = checked(Q, K, V, None)
    fQ, fK = floats("feature_map(Q)", feature_map(Q), axes=2), floats("feature_map(K)", feature_map(K), axes=2)
    for name, features in (("feature_map(Q)", fQ), ("feature_map(K)", fK)):
        if (features < 0).any():
            raise ValueError(f"{name}: expected none below 0, got {features.min()} in shape {features.shape}")
    fits("feature_map(K)", fK, "feature_map(Q)", fQ, axes=(-1, -1))
    return fQ, fK, V


def _read(features: Floats, state: LinearState) -> Floats:
    """Return what queries with these features find in the memory: an average, or zeros where all scores are 0."""
    total = product(features, state.total)
    narrow("the total of the scores", total, total)
    averages: Floats = product(features, state.memory) / np.where(total > 0, total, 1)
    return averages
