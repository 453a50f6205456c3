"""What a word asks, answers and hands out, for one head or several, once the matrices are checked to fit."""

from __future__ import annotations

from typing import NamedTuple

from attn._checks import Floats, count, fits, floats, shaped
from attn._precision import narrow, product
from attn.strips import split_heads


def project(name: str, words: Floats, W: Floats, *, of: str) -> Floats:
    """Return words times a matrix, checked to fit, in the type that both promote to."""
    W = floats(name, W, axes=2)
    fits(name, W, of, words, axes=(-2, -1))
    return narrow(f"{of} times {name}", product(words, W), words, W)


class Projected(NamedTuple):
    """Queries (..., heads, n, d_k), keys and values (..., kv_heads, m, d), and how many heads share one of these."""

    Q: Floats
    K: Floats
    V: Floats
    times: int


def projected(
    X: Floats, memory: Floats, W_Q: Floats, W_K: Floats, W_V: Floats, heads: int, kv_heads: int | None
) -> Projected:
    """Return what each head asks, answers and hands out, once everything is checked to fit."""
    asked = "X" if memory is X else "memory"
    X, memory = floats("X", X, axes=2), floats(asked, memory, axes=2)
    heads = count("heads", heads)
    kv_heads = heads if kv_heads is None else count("kv_heads", kv_heads)
    if heads % kv_heads:
        raise ValueError(f"kv_heads: {kv_heads} does not divide the {heads} heads")
    W_Q, W_K, W_V = floats("W_Q", W_Q, axes=2), floats("W_K", W_K, axes=2), floats("W_V", W_V, axes=2)
    for name, W, strips in (("W_Q", W_Q, heads), ("W_K", W_K, kv_heads), ("W_V", W_V, kv_heads)):
        if W.shape[-1] % strips:
            raise ValueError(f"{name}: {strips} heads do not divide the columns of shape {W.shape}")
    shaped("W_K", W_K, (memory.shape[-1], W_Q.shape[-1] // heads * kv_heads))
    return Projected(
        split_heads(project("W_Q", X, W_Q, of="X"), heads),
        split_heads(project("W_K", memory, W_K, of=asked), kv_heads),
        split_heads(project("W_V", memory, W_V, of=asked), kv_heads),
        heads // kv_heads,
    )
