"""What every score function starts from: words as rows, single words among them, and how far they are apart."""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, batches, fits, floats
from attn._precision import wide


def rows(queries: Floats, keys: Floats) -> tuple[Floats, Floats, tuple[int, ...]]:
    """Return both as tables of rows, and the axes to drop from the scores: those of single words."""
    queries, keys = floats("queries", queries), floats("keys", keys)
    single = (-2,) * (queries.ndim == 1) + (-1,) * (keys.ndim == 1)
    queries, keys = np.atleast_2d(queries), np.atleast_2d(keys)
    batches(queries=queries, keys=keys)
    return queries, keys, single


def alike(queries: Floats, keys: Floats) -> tuple[Floats, Floats, tuple[int, ...]]:
    """Return rows as `rows` does, of words that have equally many components."""
    queries, keys, single = rows(queries, keys)
    fits("keys", keys, "queries", queries, axes=(-1, -1))
    return queries, keys, single


def distances(queries: Floats, keys: Floats) -> Floats:
    """Return Euclidean distances in the wide type, scaled by the largest component so that no square overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        apart = wide(queries)[..., :, None, :] - wide(keys)[..., None, :, :]  # (..., n, m, d)
        largest = np.abs(apart).max(axis=-1, keepdims=True)
        unit = np.divide(apart, largest, out=np.zeros_like(apart), where=largest > 0)
        distances: Floats = largest[..., 0] * np.sqrt(np.square(unit).sum(axis=-1))
    return distances
