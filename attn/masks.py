r"""Masks: who may look at whom, as a table, or as a rule that makes any part of the table when it is needed.

A rule takes positions of words that ask and of words that are asked, two integer arrays that broadcast against each
other, and gives True where the one may look at the other. A table takes n·m numbers, a rule none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from attn._checks import Integers, count, words_asked

Rule: TypeAlias = Callable[[Integers, Integers], NDArray[np.bool_]]


def causal_rule(asking: Integers, asked: Integers) -> NDArray[np.bool_]:
    r"""Let every word look at itself and at the words before it: the rule $j \le i$.

    Parameters
    ----------
    asking, asked : integer arrays
        Positions $i$ and $j$ that broadcast against each other.

    Returns
    -------
    boolean array
        True where the word at $i$ may look at the word at $j$.

    Examples
    --------
    >>> import numpy as np
    >>> print(causal_rule(np.array([[5]]), np.array([4, 5, 6])))
    [[ True  True False]]
    """
    return asked <= asking


def window_rule(width: int, sinks: int = 0) -> Rule:
    r"""Let every word look at the last few words, itself among them: the rule $i - w < j \le i$.

    Through $L$ layers a word sees what lies within $L(w - 1)$ words before it. With ``sinks``, the first words of all
    stay visible too: Xiao et al. (2024) found that trained models park spare weight there, and fail once a window
    has slid past them.

    Parameters
    ----------
    width : int
        $w$, how many words are in the window.
    sinks : int
        How many words at the beginning stay visible.

    Returns
    -------
    rule
        What makes any part of the mask, as `causal_rule` does.

    Raises
    ------
    ValueError
        A width below 1, sinks below 0.

    Examples
    --------
    >>> print(mask_table(window_rule(2, sinks=1), 5).astype(int))
    [[1 0 0 0 0]
     [1 1 0 0 0]
     [1 1 1 0 0]
     [1 0 1 1 0]
     [1 0 0 1 1]]
    """
    width, sinks = count("width", width), count("sinks", sinks, least=0)

    def rule(asking: Integers, asked: Integers) -> NDArray[np.bool_]:
        return (asked <= asking) & ((asking - asked < width) | (asked < sinks))

    return rule


def mask_table(rule: Rule, n: int, m: int | None = None) -> NDArray[np.bool_]:
    r"""Write a rule out as a table.

    Parameters
    ----------
    rule : rule
        As `causal_rule`, or as `window_rule` gives it.
    n : int
        How many words ask.
    m : int, optional
        How many are asked, n unless said; the askers are the last n of them.

    Returns
    -------
    boolean array (n, m)
        True where a word may look.

    Raises
    ------
    ValueError
        n below 1, or m below n.

    Examples
    --------
    >>> print(mask_table(lambda asking, asked: asking == asked, 2))
    [[ True False]
     [False  True]]
    """
    asked = np.arange(words_asked(n, m))
    return np.broadcast_to(rule(asked[-n:, None], asked), (n, len(asked))).copy()


def causal_mask(n: int, m: int | None = None) -> NDArray[np.bool_]:
    r"""Let every word look at itself and at the words before it: True where $j \le i$.

    Parameters
    ----------
    n : int
        How many words ask.
    m : int, optional
        How many are asked, n unless said. With more than n, the askers are the *last* n of the m words, as when a
        cache holds the earlier ones: row i then looks at the first $m - n + i + 1$.

    Returns
    -------
    boolean array (n, m)
        True where a word may look.

    Raises
    ------
    ValueError
        n below 1, or m below n.

    Examples
    --------
    >>> print(causal_mask(3).astype(int))
    [[1 0 0]
     [1 1 0]
     [1 1 1]]
    >>> print(causal_mask(1, 3))
    [[ True  True  True]]
    """
    return mask_table(causal_rule, n, m)
