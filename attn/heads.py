r"""Heads: the width is cut into strips, each attends by itself, and a matrix mixes what they bring back.

$\text{head}_h = \operatorname{attention}(XW^Q_h, XW^K_h, XW^V_h)$, and $Z = [\text{head}_1 \dots \text{head}_H]\, W^O$
(Vaswani et al., 2017, section 3.2.2).
"""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, Mask, count, floats
from attn.attention import attention_weights, scaled_dot_product_attention
from attn.decoding import KVCache
from attn.projections import project


def split_heads(x: Floats, heads: int) -> Floats:
    r"""Cut every word into strips of equal width, one a head: (..., n, heads·d) becomes (..., heads, n, d).

    Parameters
    ----------
    x : array (..., n, heads * d)
        One word a row.
    heads : int
        How many strips.

    Returns
    -------
    array (..., heads, n, d)
        Strip h of every word, for each h: a view.

    Raises
    ------
    ValueError
        Integers, empty or non-finite words, a width that the heads do not divide.

    Examples
    --------
    >>> import numpy as np
    >>> print(split_heads(np.array([[1.0, 2.0, 3.0, 4.0]]), 2))
    [[[1. 2.]]
    <BLANKLINE>
     [[3. 4.]]]
    """
    x = floats("x", x, axes=2)
    if x.shape[-1] % count("heads", heads):
        raise ValueError(f"heads: {heads} heads do not divide the width of x of shape {x.shape}")
    return np.swapaxes(x.reshape(*x.shape[:-1], heads, -1), -2, -3)


def merge_heads(x: Floats) -> Floats:
    r"""Lay the strips of every word side by side again: (..., heads, n, d) becomes (..., n, heads·d).

    Parameters
    ----------
    x : array (..., heads, n, d)
        What each head brings for each word.

    Returns
    -------
    array (..., n, heads * d)
        One word a row; undoes `split_heads`.

    Raises
    ------
    ValueError
        Integers, an empty or non-finite array, fewer than three axes.

    Examples
    --------
    >>> import numpy as np
    >>> print(merge_heads(np.array([[[1.0, 2.0]], [[3.0, 4.0]]])))
    [[1. 2. 3. 4.]]
    """
    x = np.swapaxes(floats("x", x, axes=3), -2, -3)
    return x.reshape(*x.shape[:-2], -1)


def repeat_heads(x: Floats, times: int) -> Floats:
    r"""Let each key-value head serve several query heads in a row: (..., g, n, d) becomes (..., g·times, n, d).

    Grouped-query attention (Ainslie et al., 2023); with a single key-value head it is multi-query attention
    (Shazeer, 2019). The cache holds the g heads before this step, which is the saving.

    Parameters
    ----------
    x : array (..., g, n, d)
        Keys or values of g heads.
    times : int
        How many query heads share one.

    Returns
    -------
    array (..., g * times, n, d)
        Head h is head ``h // times`` of x.

    Raises
    ------
    ValueError
        Integers, an empty or non-finite array, fewer than three axes, times below 1.

    Examples
    --------
    >>> import numpy as np
    >>> print(repeat_heads(np.array([[[1.0]], [[2.0]]]), 2).ravel())
    [1. 1. 2. 2.]
    """
    return np.repeat(floats("x", x, axes=3), count("times", times), axis=-3)


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
    X = floats("X", X, axes=2)
    asked, of = (X, "X") if memory is None else (floats("memory", memory, axes=2), "memory")
    times = sharing(heads, kv_heads)
    Q = split_heads(project("W_Q", X, W_Q, of="X"), heads)
    K = split_heads(project("W_K", asked, W_K, of=of), heads // times)
    V = split_heads(project("W_V", asked, W_V, of=of), heads // times)
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
    X, W_Q, W_K, heads, kv_heads, mask, memory
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
    X = floats("X", X, axes=2)
    asked, of = (X, "X") if memory is None else (floats("memory", memory, axes=2), "memory")
    times = sharing(heads, kv_heads)
    Q = split_heads(project("W_Q", X, W_Q, of="X"), heads)
    K = split_heads(project("W_K", asked, W_K, of=of), heads // times)
    return attention_weights(Q, repeat_heads(K, times), mask)


def sharing(heads: int, kv_heads: int | None) -> int:
    """Return how many query heads share one key-value head."""
    kv_heads = count("heads", heads) if kv_heads is None else count("kv_heads", kv_heads)
    if heads % kv_heads:
        raise ValueError(f"kv_heads: {kv_heads} does not divide the {heads} heads")
    return heads // kv_heads
