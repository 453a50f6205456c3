"""Values chosen to break things: the ends of each type, subnormal numbers, single words, masks of every kind."""

import numpy as np
import pytest

import attn

DTYPES = [np.float16, np.float32, np.float64]


@pytest.mark.parametrize("dtype", DTYPES)
def test_scores_at_the_ends_of_the_type(dtype):
    top = np.finfo(dtype).max
    assert attn.softmax(np.array([top, top, -top], dtype)).tolist() == [0.5, 0.5, 0]
    assert attn.online_softmax(np.array([-top, top, -top], dtype)).tolist() == [0, 1, 0]
    tiny = np.finfo(dtype).smallest_subnormal
    assert attn.softmax(np.array([tiny, -tiny, 0], dtype)).tolist() == pytest.approx([1 / 3] * 3, rel=1e-3)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("temperature", [1e-300, 1e300])
def test_extreme_temperatures(dtype, temperature):
    scores = np.array([2, 1, 2], dtype)
    expected = np.array([0.5, 0, 0.5] if temperature < 1 else [1 / 3] * 3).astype(dtype)
    assert attn.softmax(scores, temperature=temperature).tolist() == pytest.approx(expected.tolist(), rel=1e-15)
    if temperature > 1:
        assert float(np.abs(attn.softmax_backward(scores, expected, temperature)).max()) < 1e-299
        assert attn.log_sum_exp(scores, temperature=temperature) == pytest.approx(np.log(3), rel=1e-3)
    else:
        assert attn.next_words(scores, np.random.default_rng(0), temperature) in {0, 2}
        with pytest.raises(OverflowError, match="softmax_backward"):
            attn.softmax_backward(np.array([1, 0, 0], dtype), expected, 1e-310)
    with pytest.raises(OverflowError, match="free_energy"):
        attn.free_energy(np.array([0.5, 0.5]), np.array([1.7e308, 1.7e308]), 1.7e308)


@pytest.mark.parametrize("dtype", DTYPES)
def test_extreme_bandwidths(dtype):
    keys = np.array([[0], [1]], dtype)
    assert attn.gaussian_kernel(keys[0], keys, 1e-300).tolist() == [1, 0]
    assert attn.gaussian_kernel(keys[0], keys, 1e300).tolist() == [1, 1]


@pytest.mark.parametrize("dtype", DTYPES)
def test_words_at_the_end_of_float16(dtype):
    """65,504² = 4e9 is far beyond float16; the scores are taken in the next wider type, and the values come through."""
    X = np.array([[65504, 0], [0, 65504]], dtype)
    assert (attn.scaled_dot_product_attention(X, X, X) == X).all()
    assert (attn.blockwise_attention(X, X, X, block_size=1) == X).all()
    assert attn.cosine(X, X).tolist() == [[1, 0], [0, 1]]
    assert attn.negative_distance(X[0], X[0] / 4) == -65504 * 0.75


def test_float32_words_whose_scores_need_float64():
    X = np.array([[1e30, 0], [0, 1e30]], np.float32)
    assert (attn.scaled_dot_product_attention(X, X, X) == X).all()
    with pytest.raises(OverflowError, match=r"dot: the result of shape .* overflows float32"):
        attn.dot(X, X)


def test_huge_values_average_without_overflow():
    V = np.array([[1.7e308], [1.7e308], [-1.7e308], [-1.7e308]])
    K = np.zeros((4, 1))
    assert attn.scaled_dot_product_attention(K, K, V[:2].repeat(2, axis=0)).tolist() == [[1.7e308]] * 4
    assert attn.scaled_dot_product_attention(K[:1], K, V) == 0


@pytest.mark.parametrize("value", [5e-324, 1e-310, 1e-160, 1e150])
def test_very_small_and_large_words(value):
    X = np.array([[value, 0.0], [0.0, value]])
    A = attn.attention_weights(X, X)
    assert np.isfinite(A).all()
    assert A.sum(axis=-1) == pytest.approx(1)
    assert attn.layer_norm(X[:, :1] * np.ones(4), np.ones(4), np.zeros(4)).tolist() == [[0] * 4] * 2


def test_a_penalty_is_not_a_mask():
    """-1e9 spreads evenly where everything is penalised; -inf gives zeros. Both are what was asked for."""
    X = np.eye(2)
    assert attn.attention_weights(X, 0 * X, np.full((2, 2), -1e9)).tolist() == [[0.5, 0.5]] * 2
    assert attn.attention_weights(X, 0 * X, np.full((2, 2), -np.inf)).tolist() == [[0, 0]] * 2


def test_an_additive_mask_at_the_end_of_float64():
    X = np.zeros((1, 1))
    K = np.zeros((3, 1))
    mask = np.array([[-1.7e308, 1.7e308, -np.inf]])
    assert attn.attention_weights(X, K, mask).tolist() == [[0, 1, 0]]
    with pytest.raises(OverflowError, match="Q, K and mask"):
        attn.attention_weights(np.full((1, 1), 1e154), np.full((3, 1), 1e154), mask)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mask", [None, np.array([[True]]), np.array([[False]]), np.array([[-np.inf]])])
def test_one_word_of_one_component(dtype, mask):
    x = np.full((1, 1), 3, dtype)
    expected = [[3]] if mask is None or mask == 1 else [[0]]
    assert attn.scaled_dot_product_attention(x, x, x, mask).tolist() == expected
    assert attn.blockwise_attention(x, x, x, mask).tolist() == expected
    dQ, dK, dV = attn.attention_backward(np.ones((1, 1), dtype), x, x, x, mask)
    assert (dQ, dK, dV) == (0, 0, 1 if expected == [[3]] else 0)


def test_single_words_everywhere():
    x = np.ones((1, 1))
    assert attn.pairwise_attention(x, x, x) == 1
    assert attn.sliding_window_attention(x, x, x, 1) == 1
    assert attn.linear_attention(x, x, x) == 1
    assert attn.causal_linear_attention(x, x, x) == 1
    assert attn.decode(x, x, x, attn.KVCache()) == 1
    assert attn.multi_head_attention(x, x, x, x, x, heads=1) == 1
    assert attn.layer_norm(x, x[0], x[0]) == 1
    assert attn.cross_entropy(x, np.array([0])) == 0
    assert attn.online_softmax(x) == 1
    assert attn.entropy(x) == 0
    assert attn.alibi(1, 1.0) == 0
    assert attn.causal_mask(1)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (0, 2, 3)])
def test_no_words_at_all(shape):
    empty = np.empty(shape)
    for call in (attn.softmax, attn.log_softmax, attn.entropy, attn.online_softmax, attn.gelu):
        with pytest.raises(ValueError, match=r"expected at least one element, got the empty shape \("):
            call(empty)
    with pytest.raises(ValueError, match=r"^(Q|K): expected at least (one element|2 axes)"):
        attn.scaled_dot_product_attention(np.ones((1, 3)), empty, empty)


def test_inputs_are_left_as_they_were(rng):
    arrays = [rng.standard_normal((4, 4)) for _ in range(5)]
    kept = [array.copy() for array in arrays]
    Q, K, V, W, _ = arrays
    for array in arrays:
        array.flags.writeable = False
    attn.scaled_dot_product_attention(Q, K, V, np.tri(4) > 0)
    attn.blockwise_attention(Q, K, V)
    attn.multi_head_attention(Q, W, W, W, W, heads=2)
    attn.attention_backward(V, Q, K, V)
    attn.multi_head_attention_backward(V, Q, W, W, W, W, heads=2)
    attn.layer_norm_backward(Q, Q, Q[0], Q[0])
    attn.mlp_backward(Q, Q, W, W[0], W, W[0])
    attn.rope(Q, np.arange(4))
    attn.softmax(Q)
    attn.negative_distance(Q, K)
    assert all((array == copy).all() for array, copy in zip(arrays, kept, strict=True))


def test_lists_of_numbers_are_taken():
    assert attn.dot([2.0, 0.5], [0.5, 2.0]) == 2
    assert attn.softmax([0.0, 0.0]).tolist() == [0.5, 0.5]
