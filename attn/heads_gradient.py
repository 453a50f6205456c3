r"""Gradients of several heads by hand: back through the mixing matrix, each head by itself, and the projections."""

from __future__ import annotations

from typing import NamedTuple

from attn._checks import Floats, Mask, fits, floats, shaped
from attn._precision import narrow, wide
from attn._projection import projected
from attn.attention import scaled_dot_product_attention
from attn.gradients import attention_backward, project_backward
from attn.strips import merge_heads, repeat_heads, split_heads


class HeadGradients(NamedTuple):
    """The gradient of each array input of `multi_head_attention`, in its shape and type.

    Attributes
    ----------
    X, W_Q, W_K, W_V, W_O : arrays
        Of the words that ask, and of the matrices.
    memory : array or None
        Of the words that are asked; None where the words asked themselves, whose gradient X then holds in full.

    Examples
    --------
    >>> HeadGradients._fields
    ('X', 'W_Q', 'W_K', 'W_V', 'W_O', 'memory')
    """

    X: Floats
    W_Q: Floats
    W_K: Floats
    W_V: Floats
    W_O: Floats
    memory: Floats | None


def multi_head_attention_backward(
    dZ: Floats,
    X: Floats,
    W_Q: Floats,
    W_K: Floats,
    W_V: Floats,
    W_O: Floats,
    heads: int,
    *,
    kv_heads: int | None = None,
    mask: Mask | None = None,
    memory: Floats | None = None,
) -> HeadGradients:
    r"""Lead a gradient back through `multi_head_attention`.

    Keys and values that several query heads share receive the sum of what comes back from each. A word that asks
    itself plays three parts, and receives the sum of three gradients:
    $dX = dQ\, W^{Q\top} + dK\, W^{K\top} + dV\, W^{V\top}$.

    Parameters
    ----------
    dZ : array (..., n, d_out)
        $\partial L / \partial Z$.
    X, W_Q, W_K, W_V, W_O : arrays
        As in `multi_head_attention`.
    heads : int
        As in `multi_head_attention`.
    kv_heads : int, optional
        As in `multi_head_attention`.
    mask, memory : arrays, optional
        As in `multi_head_attention`.

    Returns
    -------
    HeadGradients
        The gradient of each array.

    Raises
    ------
    ValueError, OverflowError
        As `multi_head_attention`; a gradient whose shape is not Z's.

    Examples
    --------
    >>> import numpy as np
    >>> X, I = np.eye(2), np.eye(2)
    >>> print(multi_head_attention_backward(np.ones((2, 2)), X, I, I, I, I, heads=2).W_V.round(2))
    [[1.23 0.77]
     [0.77 1.23]]
    """
    asked = X if memory is None else memory
    Q, K, V, times = projected(X, asked, W_Q, W_K, W_V, heads, kv_heads)
    K, V = repeat_heads(K, times), repeat_heads(V, times)
    brought = merge_heads(scaled_dot_product_attention(Q, K, V, mask))  # (..., n, heads * d_v)
    W_O, dZ = floats("W_O", W_O, axes=2), floats("dZ", dZ, axes=2)
    fits("W_O", W_O, "heads", brought, axes=(-2, -1))
    shaped("dZ", dZ, (*brought.shape[:-1], W_O.shape[-1]))

    d_brought, dW_O = project_backward(dZ, brought, W_O)
    dQ, dK, dV = attention_backward(split_heads(d_brought, heads), Q, K, V, mask)
    d_asking, dW_Q = project_backward(merge_heads(dQ), X, W_Q)
    d_keys, dW_K = project_backward(merge_heads(_summed(dK, times)), asked, W_K)
    d_values, dW_V = project_backward(merge_heads(_summed(dV, times)), asked, W_V)
    d_asked = narrow("d_asked", wide(d_keys) + wide(d_values), asked)
    if memory is not None:
        return HeadGradients(d_asking, dW_Q, dW_K, dW_V, dW_O, d_asked)
    return HeadGradients(narrow("dX", wide(d_asking) + wide(d_asked), X), dW_Q, dW_K, dW_V, dW_O, None)


def _summed(gradient: Floats, times: int) -> Floats:
    """Return (..., g·times, n, d) summed over the heads that share: (..., g, n, d), the reverse of `repeat_heads`."""
    *batch, heads, n, d = gradient.shape
    return narrow("gradient", wide(gradient).reshape(*batch, heads // times, times, n, d).sum(axis=-3), gradient)
