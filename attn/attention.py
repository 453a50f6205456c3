r"""Attention: every query scores every key, a softmax turns scores into weights, the weights average the values.

Rows are words: $Q = XW^Q$, $S = QK^\top / \sqrt{d_k}$, $A = \operatorname{softmax}(S)$ over each row, $Z = AV$.
"""

from __future__ import annotations

from typing import Literal, overload

from attn._attention import checked, wide_weights
from attn._checks import Floats, Mask
from attn._precision import narrow, product


def attention_weights(Q: Floats, K: Floats, mask: Mask | None = None, scale: float | None = None) -> Floats:
    r"""Give the table of weights alone: $A = \operatorname{softmax}(QK^\top \cdot \text{scale} + \text{mask})$.

    Parameters
    ----------
    Q : array (..., n, d_k)
        One query a row.
    K : array (..., m, d_k)
        One key a row.
    mask : array broadcasting to (..., n, m), optional
        As in `scaled_dot_product_attention`.
    scale : float, optional
        As in `scaled_dot_product_attention`.

    Returns
    -------
    array (..., n, m)
        Row i holds the weights with which query i looks at each key: they sum to 1, or are all 0 where the mask
        leaves nothing to look at.

    Raises
    ------
    ValueError, OverflowError
        As `scaled_dot_product_attention`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> print(attention_weights(X, X, scale=1.0).round(3))
    [[0.731 0.269]
     [0.269 0.731]]
    """
    Q, K, _, scale = checked(Q, K, K, scale)
    return narrow("attention_weights", wide_weights(Q, K, mask, scale), Q, K)


@overload
def scaled_dot_product_attention(
    Q: Floats,
    K: Floats,
    V: Floats,
    mask: Mask | None = None,
    scale: float | None = None,
    return_weights: Literal[False] = False,  # noqa: FBT002 - as below
) -> Floats: ...


@overload
def scaled_dot_product_attention(
    Q: Floats,
    K: Floats,
    V: Floats,
    mask: Mask | None = None,
    scale: float | None = None,
    *,
    return_weights: Literal[True],
) -> tuple[Floats, Floats]: ...


def scaled_dot_product_attention(
    Q: Floats,
    K: Floats,
    V: Floats,
    mask: Mask | None = None,
    scale: float | None = None,
    return_weights: bool = False,  # noqa: FBT001, FBT002 - the field's signature
) -> Floats | tuple[Floats, Floats]:
    r"""Let every query fetch an average of the values, weighted by how well their keys answer it.

    $Z = \operatorname{softmax}\!\left(\dfrac{QK^\top}{\sqrt{d_k}}\right) V$

    Vaswani et al. (2017), equation 1. Queries may come from other words than keys and values (cross-attention), so
    n and m may differ. Leading axes broadcast.

    Parameters
    ----------
    Q : array (..., n, d_k)
        One query a row.
    K : array (..., m, d_k)
        One key a row.
    V : array (..., m, d_v)
        One value a row; row j is what key j hands out.
    mask : array broadcasting to (..., n, m), optional
        Boolean: True where query i may look at key j. Floating-point: added to the scaled scores; -inf forbids.
    scale : float, optional
        What multiplies $QK^\top$; $1/\sqrt{d_k}$ unless given.
    return_weights : bool
        Whether to give the weights as well.

    Returns
    -------
    Z : array (..., n, d_v)
        One average of the values a query. A query that may look at nothing gets zeros, not NaN.
    A : array (..., n, m)
        The weights, only with ``return_weights``; the row of a query that may look at nothing is zeros.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays (a mask may hold -inf), shapes that do not fit each other, a scale
        that is not above zero. The line names the argument and both shapes.
    OverflowError
        The scores are too large for float64.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import causal_mask
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> Z, A = scaled_dot_product_attention(X, X, X, causal_mask(2), return_weights=True)
    >>> print(A.round(3))
    [[1.   0.  ]
     [0.33 0.67]]
    >>> print(scaled_dot_product_attention(X, X, X, mask=np.array([[True, True], [False, False]])).round(3))
    [[0.67 0.33]
     [0.   0.  ]]
    """
    Q, K, V, scale = checked(Q, K, V, scale)
    A = wide_weights(Q, K, mask, scale)
    Z = narrow("scaled_dot_product_attention", product(A, V), Q, K, V)
    return (Z, narrow("weights", A, Q, K)) if return_weights else Z
