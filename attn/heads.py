r"""Heads: the width is cut into strips, each attends by itself, and a matrix mixes what they bring back.

$\text{head}_h = \operatorname{attention}(XW^Q_h, XW^K_h, XW^V_h)$, and $Z = [\text{head}_1 \dots \text{head}_H]\, W^O$
(Vaswani et al., 2017, section 3.2.2).
"""

from __future__ import annotations

from attn._checks import Floats, Mask
from attn._projection import project, projected
from attn.attention import attention_weights, scaled_dot_product_attention
from attn.decoding import KVCache
from attn.strips import merge_heads, repeat_heads


def multi_head_attention(
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
    cache: KVCache | None = None,
) -> Floats:
    r"""Attend with several heads at once: $Z = [\text{head}_1 \dots \text{head}_H]\, W^O = \sum_h \text{head}_h W^O_h$.

    Parameters
    ----------
    X : array (..., n, d)
        The words that ask.
    W_Q : array (d, heads * d_k)
        Strip h of the columns is head h's own $W^Q_h$.
    W_K : array (e, kv_heads * d_k)
        Likewise for keys; e is d unless a memory of another width is asked.
    W_V : array (e, kv_heads * d_v)
        Likewise for values.
    W_O : array (heads * d_v, d_out)
        Strip h of the rows takes in what head h brings.
    heads : int
        $H$, how many heads ask.
    kv_heads : int, optional
        How many heads answer, a divisor of the heads: as many unless said. Fewer is grouped-query attention, 1 is
        multi-query attention.
    mask : array broadcasting to (..., heads, n, m), optional
        As in `scaled_dot_product_attention`; a mask of (n, m) serves every head.
    memory : array (..., m, e), optional
        The words that are asked; X itself unless given.
    cache : KVCache, optional
        Keys and values of earlier words. Those of the words asked now are added to it, and X asks them all.

    Returns
    -------
    array (..., n, d_out)
        The new words; zeros where a word may look at nothing.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, shapes that do not fit each other, heads that do not divide.
    OverflowError
        The scores are too large for float64, or a result for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import causal_mask
    >>> X, I = np.eye(4), np.eye(4)
    >>> print(multi_head_attention(X, I, I, I, I, heads=2, mask=causal_mask(4)).round(2))
    [[1.   0.   0.   0.  ]
     [0.33 0.67 0.   0.  ]
     [0.33 0.33 0.5  0.  ]
     [0.25 0.25 0.2  0.4 ]]
    """
    Q, K, V, times = projected(X, X if memory is None else memory, W_Q, W_K, W_V, heads, kv_heads)
    if cache is not None:
        K, V = cache.append(K, V)
    Z = merge_heads(scaled_dot_product_attention(Q, repeat_heads(K, times), repeat_heads(V, times), mask))
    return project("W_O", Z, W_O, of="heads")


def multi_head_weights(
    X: Floats,
    W_Q: Floats,
    W_K: Floats,
    heads: int,
    *,
    kv_heads: int | None = None,
    mask: Mask | None = None,
    memory: Floats | None = None,
) -> Floats:
    r"""Give the table of weights of every head: $A_h = \operatorname{softmax}(XW^Q_h (XW^K_h)^\top / \sqrt{d_k})$.

    Parameters
    ----------
    X, W_Q, W_K : arrays
        As in `multi_head_attention`.
    heads : int
        As in `multi_head_attention`.
    kv_heads : int, optional
        As in `multi_head_attention`.
    mask, memory : arrays, optional
        As in `multi_head_attention`.

    Returns
    -------
    array (..., heads, n, m)
        Row i of table h holds the weights with which head h of word i looks at each word.

    Raises
    ------
    ValueError, OverflowError
        As `multi_head_attention`.

    Examples
    --------
    >>> import numpy as np
    >>> print(multi_head_weights(np.eye(2), np.eye(2), np.eye(2), heads=2).round(2))
    [[[0.73 0.27]
      [0.5  0.5 ]]
    <BLANKLINE>
     [[0.5  0.5 ]
      [0.27 0.73]]]
    """
    Q, K, _, times = projected(X, X if memory is None else memory, W_Q, W_K, W_K, heads, kv_heads)
    return attention_weights(Q, repeat_heads(K, times), mask)
