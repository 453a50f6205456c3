r"""Embedding: every word of the vocabulary has a row of a table, which training moves."""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, Integers, floats, integers, shaped
from attn._precision import narrow, wide


def embedding(table: Floats, tokens: Integers) -> Floats:
    r"""Look words up: row t of the result is the table's row for the word at t.

    The same as a product of one-hot rows with the table, without the multiplications.

    Parameters
    ----------
    table : array (vocabulary, d)
        One row for each word there is.
    tokens : integer array (..., n)
        Numbers of words, from 0 on.

    Returns
    -------
    array (..., n, d)
        One word a row.

    Raises
    ------
    ValueError
        A table that is not floating-point, empty or finite; tokens that are not integers or not in the table.

    Examples
    --------
    >>> import numpy as np
    >>> print(embedding(np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([1, 0, 1])))
    [[2. 3.]
     [0. 1.]
     [2. 3.]]
    """
    table = floats("table", table, axes=2)
    rows: Floats = table[integers("tokens", tokens, below=len(table))]
    return rows


def embedding_backward(d_words: Floats, table: Floats, tokens: Integers) -> Floats:
    r"""Lead a gradient back to the table: each row gets the sum over the places where its word stands.

    Parameters
    ----------
    d_words : array (..., n, d)
        The gradient of what `embedding` gave.
    table : array (vocabulary, d)
        As in `embedding`.
    tokens : integer array (..., n)
        As in `embedding`.

    Returns
    -------
    array (vocabulary, d)
        The gradient of the table; zeros for words that do not occur.

    Raises
    ------
    ValueError
        As `embedding`; a gradient whose shape does not fit.

    Examples
    --------
    >>> import numpy as np
    >>> print(embedding_backward(np.ones((3, 2)), np.zeros((3, 2)), np.array([1, 0, 1])))
    [[1. 1.]
     [2. 2.]
     [0. 0.]]
    """
    table, d_words = floats("table", table, axes=2), floats("d_words", d_words, axes=2)
    tokens = integers("tokens", tokens, below=len(table))
    shaped("d_words", d_words, (*tokens.shape, table.shape[-1]))
    gradient = np.zeros_like(wide(table))
    np.add.at(gradient, tokens, wide(d_words))  # unlike gradient[tokens] += …, counts a word as often as it stands
    return narrow("embedding_backward", gradient, table)
