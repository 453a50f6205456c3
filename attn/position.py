r"""Position: rows that are added to the words and tell where they stand, from waves or from a trained table."""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, Integers, count, even, floats, integers, positive


def frequencies(d: int, base: float = 10000.0) -> Floats:
    r"""Give the angles a word of d components turns by per position: $\omega_i = b^{-2i/d}$, $i = 0 \dots d/2 - 1$.

    Parameters
    ----------
    d : int
        The number of components, even: each frequency turns a pair of them.
    base : float
        $b$: the slowest pair takes nearly $2\pi b$ positions for a full turn.

    Returns
    -------
    array (d/2,)
        Radians per position, from 1 downwards.

    Raises
    ------
    ValueError
        d odd or below 2, a base not above zero.

    Examples
    --------
    >>> print(frequencies(4, base=100.0))
    [1.  0.1]
    """
    return positive("base", base) ** (-np.arange(0, even("d", d), 2) / d)


def sinusoidal(n: int, d: int, base: float = 10000.0) -> Floats:
    r"""Give every position a row of waves: $P_{t,2i} = \sin \omega_i t$, $P_{t,2i+1} = \cos \omega_i t$.

    Vaswani et al. (2017), section 3.5. The dot product of two rows, $\sum_i \cos \omega_i (t - u)$, depends on
    their distance only and is the same both ways.

    Parameters
    ----------
    n : int
        How many positions, from 0 on.
    d : int
        The number of components, even.
    base : float
        As in `frequencies`.

    Returns
    -------
    array (n, d)
        One position a row, to be added to the words.

    Raises
    ------
    ValueError
        n below 1, d odd or below 2, a base not above zero.

    Examples
    --------
    >>> print(sinusoidal(3, 4).round(2))
    [[ 0.    1.    0.    1.  ]
     [ 0.84  0.54  0.01  1.  ]
     [ 0.91 -0.42  0.02  1.  ]]
    """
    angles = np.arange(count("n", n))[:, None] * frequencies(d, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


def learned_positions(table: Floats, positions: Integers) -> Floats:
    r"""Look positions up in a trained table: row $t$ of the table is added to the word at $t$.

    Parameters
    ----------
    table : array (N, d)
        One trained row for each position that may occur.
    positions : integer array (..., n)
        Where the words stand, from 0 to N - 1.

    Returns
    -------
    array (..., n, d)
        One row of the table a word.

    Raises
    ------
    ValueError
        A position beyond the table: unlike waves, a table says nothing of places it was not trained on.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    >>> print(learned_positions(table, np.array([0, 2])))
    [[0.1 0.2]
     [0.5 0.6]]
    """
    table = floats("table", table, axes=2)
    rows: Floats = table[integers("positions", positions, below=len(table))]
    return rows
