"""One word at a time against one full pass."""

import numpy as np
import pytest

import attn


@pytest.fixture
def words(rng):
    return [rng.standard_normal((2, 3, 11, 4)) for _ in range(3)]


@pytest.mark.parametrize("chunks", [[1] * 11, [11], [4, 1, 1, 5], [1, 10]])
def test_steps_equal_the_full_pass(words, chunks, agree):
    full = attn.scaled_dot_product_attention(*words, attn.causal_mask(11), scale=0.3)
    cache, start, steps = attn.KVCache(), 0, []
    for size in chunks:
        Q, K, V = (array[..., start : start + size, :] for array in words)
        steps.append(attn.decode(Q, K, V, cache, scale=0.3))
        start += size
    assert len(cache) == 11
    agree(np.concatenate(steps, axis=-2), full)


def test_heads_with_a_cache_equal_heads_without(rng, agree):
    X, weights = rng.standard_normal((2, 7, 8)), [rng.standard_normal((8, size)) for size in (8, 4, 4)]
    W_O, cache = rng.standard_normal((8, 8)), attn.KVCache()
    full = attn.multi_head_attention(X, *weights, W_O, heads=4, kv_heads=2, mask=attn.causal_mask(7))
    steps = [
        attn.multi_head_attention(X[:, t : t + 1], *weights, W_O, heads=4, kv_heads=2, cache=cache) for t in range(7)
    ]
    agree(np.concatenate(steps, axis=1), full)
    assert cache.nbytes == 2 * 2 * 2 * 7 * 2 * 8  # keys and values, batch, kv_heads, words, components, bytes


def test_the_cache_keeps_what_it_was_given_and_its_type(rng):
    K, V, cache = rng.standard_normal((9, 3)).astype(np.float32), rng.standard_normal((9, 2)), attn.KVCache()
    assert (len(cache), cache.nbytes) == (0, 0)
    for t in range(9):
        keys, values = cache.append(K[t : t + 1], V[t : t + 1])
    assert (keys == K).all()
    assert (values == V).all()
    assert (keys.dtype, values.dtype) == (np.float32, np.float64)
    assert cache.nbytes == 9 * (3 * 4 + 2 * 8)


def test_the_cache_does_not_move_with_what_it_was_given():
    cache, K = attn.KVCache(), np.ones((1, 2))
    cache.append(K, K)
    K[:] = 7
    keys, _ = cache.append(np.ones((1, 2)), np.ones((1, 2)))
    assert (keys == 1).all()
    with pytest.raises(ValueError, match="read-only"):
        keys[0] = 7


@pytest.mark.parametrize(
    ("K", "V", "message"),
    [
        (np.ones((1, 3)), np.ones((1, 2)), r"K: float64 of shape \(1, 3\) does not continue float64 of shape \(2, 4\)"),
        (np.ones((1, 4)), np.ones((1, 3)), r"V: float64 of shape \(1, 3\) does not continue float64 of shape \(2, 2\)"),
        (np.ones((1, 4), "f"), np.ones((1, 2)), r"K: float32 of shape \(1, 4\) does not continue float64 .*"),
        (np.ones((1, 4)), np.ones((2, 2)), r"V: shape \(2, 2\) does not fit K of shape \(1, 4\): .*"),
    ],
)
def test_what_does_not_continue_is_refused_and_changes_nothing(K, V, message):
    cache = attn.KVCache()
    cache.append(np.ones((2, 4)), np.ones((2, 2)))
    with pytest.raises(ValueError, match=f"^{message}$"):
        cache.append(K, V)
    assert len(cache) == 2


def test_as_many_keys_as_queries():
    with pytest.raises(ValueError, match=r"^K: shape \(2, 4\) does not fit Q of shape \(1, 4\): .*$"):
        attn.decode(np.ones((1, 4)), np.ones((2, 4)), np.ones((2, 4)), attn.KVCache())
