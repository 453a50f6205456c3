r"""Strips: the width of every word cut into as many parts as there are heads, and joined again."""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, count, floats


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
