r"""Windows: every word looks at the last few words only, and perhaps at the very first, so that cost grows with n."""

from __future__ import annotations

import numpy as np

from attn._attention import checked
from attn._checks import Floats, batches, count
from attn.attention import scaled_dot_product_attention
from attn.masks import window_rule


def sliding_window_attention(
    Q: Floats, K: Floats, V: Floats, width: int, *, sinks: int = 0, scale: float | None = None, block_size: int = 256
) -> Floats:
    r"""Attend under `window_rule`: word i looks at words $i - w < j \le i$, and at the sinks $j < g$.

    Only keys that some query of a block may see are scored: $n (w + g + \text{block})$ scores instead of $n^2$
    (Beltagy, Peters and Cohan, 2020; Xiao et al., 2024, for the sinks).

    Parameters
    ----------
    Q : array (..., n, d_k)
        One query a row.
    K : array (..., m, d_k)
        One key a row, m at least n; the askers are the last n of the m words.
    V : array (..., m, d_v)
        One value a row.
    width : int
        $w$, how many words the window holds, the asking word among them.
    sinks : int
        $g$, how many words at the beginning stay visible.
    scale : float, optional
        As in `scaled_dot_product_attention`.
    block_size : int
        How many queries to handle at a time.

    Returns
    -------
    array (..., n, d_v)
        One average of the values a query.

    Raises
    ------
    ValueError, OverflowError
        As `scaled_dot_product_attention`; fewer keys than queries, a width or block size below 1, sinks below 0.

    Examples
    --------
    >>> import numpy as np
    >>> X, V = np.zeros((6, 2)), np.arange(6.0)[:, None]
    >>> print(sliding_window_attention(X, X, V, width=3)[:, 0])
    [0.  0.5 1.  2.  3.  4. ]
    """
    Q, K, V, scale = checked(Q, K, V, scale)
    rule, block_size = window_rule(width, sinks), count("block_size", block_size)
    n, m = Q.shape[-2], K.shape[-2]
    earlier = count("m", m, least=n) - n
    Z = np.empty((*batches(Q=Q, K=K, V=V), n, V.shape[-1]), np.result_type(Q, K, V))
    for start in range(0, n, block_size):
        asking = np.arange(start, min(start + block_size, n)) + earlier
        window = np.arange(max(asking[0] - width + 1, 0), asking[-1] + 1)
        asked = np.concatenate([np.arange(min(sinks, window[0])), window])
        rows = slice(start, start + len(asking))
        Z[..., rows, :] = scaled_dot_product_attention(
            Q[..., rows, :], K[..., asked, :], V[..., asked, :], rule(asking[:, None], asked), scale
        )
    return Z
