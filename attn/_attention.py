"""What every form of attention starts from: words that fit each other, their scaled scores, and what a mask does."""

from __future__ import annotations

import math

import numpy as np

from attn._checks import Floats, Mask, batches, broadcasts, fits, floats, positive
from attn._precision import narrow, product, wide
from attn.softmax import softmax


def checked(Q: Floats, K: Floats, V: Floats, scale: float | None) -> tuple[Floats, Floats, Floats, float]:
    """Return queries, keys and values that fit each other, and the scale, 1/√d_k unless given."""
    Q, K, V = floats("Q", Q, axes=2), floats("K", K, axes=2), floats("V", V, axes=2)
    fits("K", K, "Q", Q, axes=(-1, -1))
    fits("V", V, "K", K, axes=(-2, -2))
    batches(Q=Q, K=K, V=V)
    return Q, K, V, 1 / math.sqrt(Q.shape[-1]) if scale is None else positive("scale", scale)


def masked(scores: Floats, mask: Mask | None) -> Floats:
    """Return the scores with -inf wherever a boolean mask is False, or with an additive mask added."""
    if mask is None:
        return scores
    mask = np.asarray(mask)
    if mask.dtype == np.bool_:
        broadcasts("mask", mask, scores.shape)
        return np.where(mask, scores, scores.dtype.type(-np.inf))
    bias = floats("mask", mask, axes=0, masked=True)
    broadcasts("mask", bias, scores.shape)
    with np.errstate(over="ignore"):
        total = scores + wide(bias)
    return narrow("Q, K and mask", total, total, masked=np.isneginf(bias))


def wide_weights(Q: Floats, K: Floats, mask: Mask | None, scale: float) -> Floats:
    """Return the weights of checked queries and keys, in the wide type."""
    return softmax(masked(scaled_scores(Q, K, scale), mask))


def scaled_scores(Q: Floats, K: Floats, scale: float) -> Floats:
    """Return the scores of checked queries and keys, in the wide type, or refuse scores too large for it."""
    with np.errstate(over="ignore"):
        Q = wide(Q) * scale
    return narrow("Q and K", product(Q, K.mT), Q, wide(K))
