r"""Projections: one word plays three parts, asking, answering and handing out, each through a matrix of its own."""

from __future__ import annotations

from attn._checks import Floats, Mask, floats
from attn._projection import project
from attn.attention import scaled_dot_product_attention


def self_attention(X: Floats, W_Q: Floats, W_K: Floats, W_V: Floats, mask: Mask | None = None) -> Floats:
    r"""Let the words of one text look at each other: $Q = XW^Q$, $K = XW^K$, $V = XW^V$.

    Parameters
    ----------
    X : array (..., n, d)
        One word a row.
    W_Q, W_K : array (d, d_k)
        What a word asks, and what it answers to.
    W_V : array (d, d_v)
        What a word hands out.
    mask : array broadcasting to (..., n, n), optional
        As in `scaled_dot_product_attention`.

    Returns
    -------
    array (..., n, d_v)
        The new words.

    Raises
    ------
    ValueError, OverflowError
        As `scaled_dot_product_attention`.

    Examples
    --------
    >>> import numpy as np
    >>> X, I = np.array([[1.0, 0.0], [0.0, 1.0]]), np.eye(2)
    >>> print(self_attention(X, I, I, 10 * I).round(2))
    [[6.7 3.3]
     [3.3 6.7]]
    """
    return cross_attention(X, X, W_Q, W_K, W_V, mask)


def cross_attention(
    X: Floats, memory: Floats, W_Q: Floats, W_K: Floats, W_V: Floats, mask: Mask | None = None
) -> Floats:
    r"""Let the words of one text look at another's: $Q = XW^Q$, but $K = MW^K$ and $V = MW^V$.

    Parameters
    ----------
    X : array (..., n, d)
        The words that ask, one a row.
    memory : array (..., m, e)
        The words $M$ that are asked, one a row.
    W_Q : array (d, d_k)
        What a word asks.
    W_K : array (e, d_k)
        What a word of the memory answers to.
    W_V : array (e, d_v)
        What it hands out.
    mask : array broadcasting to (..., n, m), optional
        As in `scaled_dot_product_attention`.

    Returns
    -------
    array (..., n, d_v)
        For each asking word, an average over the memory.

    Raises
    ------
    ValueError, OverflowError
        As `scaled_dot_product_attention`.

    Examples
    --------
    >>> import numpy as np
    >>> asks, I = np.array([[9.0, 0.0]]), np.eye(2)
    >>> memory = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> print(cross_attention(asks, memory, I, I, I).round(2))
    [[1. 0.]]
    """
    asked = "X" if memory is X else "memory"
    X, memory = floats("X", X, axes=2), floats(asked, memory, axes=2)
    return scaled_dot_product_attention(
        project("W_Q", X, W_Q, of="X"),
        project("W_K", memory, W_K, of=asked),
        project("W_V", memory, W_V, of=asked),
        mask,
    )
