r"""Blockwise attention: the n×n table is made, used and forgotten a block at a time, so that memory grows with n only.

FlashAttention's recurrence (Dao et al., 2022; Rabe and Staats, 2021): for each block of queries, run over the blocks
of keys and `merge` the state of each row, as `online_softmax` does for a single row of scores.
"""

from __future__ import annotations

import numpy as np

from attn._attention import checked, masked, scaled_scores
from attn._checks import Floats, Mask, batches, broadcasts, count
from attn._precision import narrow
from attn.masks import Rule
from attn.online import Running, finish, merge, running


def blockwise_attention(
    Q: Floats,
    K: Floats,
    V: Floats,
    mask: Mask | Rule | None = None,
    scale: float | None = None,
    *,
    block_size: int = 256,
) -> Floats:
    r"""Give what `scaled_dot_product_attention` gives, up to rounding, without ever holding the table of scores.

    Beyond inputs and result it needs one block of scores: block_size² numbers a batch, whatever n is. The work is
    the same, n·m·d multiply-adds, but blocks in which nothing may be looked at are skipped: half of them under a
    causal rule.

    Parameters
    ----------
    Q : array (..., n, d_k)
        One query a row.
    K : array (..., m, d_k)
        One key a row.
    V : array (..., m, d_v)
        One value a row.
    mask : array broadcasting to (..., n, m), or rule, optional
        A table as in `scaled_dot_product_attention`, or a rule such as `causal_rule` that makes each block when it is
        needed: a table has n·m entries itself. For a rule the askers are the last n of the m words.
    scale : float, optional
        As in `scaled_dot_product_attention`.
    block_size : int
        How many queries and how many keys a block has.

    Returns
    -------
    array (..., n, d_v)
        One average of the values a query; zeros for a query that may look at nothing.

    Raises
    ------
    ValueError, OverflowError
        As `scaled_dot_product_attention`; a rule for more queries than keys, a block size below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import causal_mask, causal_rule, scaled_dot_product_attention
    >>> X = np.random.default_rng(0).standard_normal((100, 8))
    >>> Z = blockwise_attention(X, X, X, causal_rule, block_size=32)
    >>> print(np.abs(Z - scaled_dot_product_attention(X, X, X, causal_mask(100))).max() < 1e-14)
    True
    """
    Q, K, V, scale = checked(Q, K, V, scale)
    block_size = count("block_size", block_size)
    batch, n, m = batches(Q=Q, K=K, V=V), Q.shape[-2], K.shape[-2]
    if callable(mask):
        count("m", m, least=n)
    elif mask is not None:
        broadcasts("mask", np.asarray(mask), (*batch, n, m))
    Z = np.zeros((*batch, n, V.shape[-1]), np.result_type(Q, K, V))
    for first in range(0, n, block_size):
        rows = slice(first, min(first + block_size, n))
        state: Running | None = None
        for start in range(0, m, block_size):
            columns = slice(start, min(start + block_size, m))
            part = _block(mask, rows, columns, (*batch, n, m))
            if part is not None and part.dtype == np.bool_ and not part.any():
                continue
            scores = masked(scaled_scores(Q[..., rows, :], K[..., columns, :], scale), part)
            seen = running(scores, V[..., columns, :])
            state = seen if state is None else merge(state, seen)
        if state is not None:
            Z[..., rows, :] = narrow("blockwise_attention", finish(state), Z)
    return Z


def _block(mask: Mask | Rule | None, rows: slice, columns: slice, shape: tuple[int, ...]) -> Mask | None:
    """Return the part of the mask between these queries and these keys."""
    if mask is None:
        return None
    if callable(mask):
        earlier = shape[-1] - shape[-2]  # words that are asked but do not ask
        asking = np.arange(rows.start + earlier, rows.stop + earlier)
        return mask(asking[:, None], np.arange(columns.start, columns.stop))
    part: Mask = np.broadcast_to(mask, shape)[..., rows, columns]
    return part
