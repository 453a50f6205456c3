"""Scaled dot-product attention against PyTorch's, against loops, and at its edges."""

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention as torch_attention

import attn

DTYPES = [np.float16, np.float32, np.float64]
SHAPES = [((), 1, 1, 1, 1), ((), 5, 5, 8, 8), ((2,), 3, 7, 4, 6), ((2, 3), 6, 4, 16, 1), ((), 50, 64, 64, 64)]


def drawn(rng, shape, dtype=np.float64):
    batch, n, m, d, d_v = shape
    sizes = ((n, d), (m, d), (m, d_v))
    return [rng.standard_normal((*batch, *size)).astype(dtype) for size in sizes]


def masks(rng, batch, n, m):
    visible = rng.random((*batch, n, m)) < 0.6
    visible[..., 0] = True  # torch gives NaN, or not, for a row without anything; see below for ours
    bias = rng.standard_normal((n, m))
    bias[:, 1:][rng.random((n, m - 1)) < 0.3] = -np.inf
    return {"none": None, "boolean": visible, "one row": visible[..., :1, :], "bias": bias, "tri": np.tri(n, m) > 0}


@pytest.mark.parametrize("kind", ["none", "boolean", "one row", "bias", "tri"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_is_torchs(rng, shape, dtype, kind, agree):
    Q, K, V = drawn(rng, shape, dtype)
    mask = masks(rng, *shape[:3])[kind]
    theirs_mask = mask
    if kind == "bias":
        theirs_mask = mask.astype(dtype)
        mask = theirs_mask
    tensors = [torch.from_numpy(array) for array in (Q, K, V)]
    theirs = torch_attention(*tensors, None if mask is None else torch.from_numpy(np.array(theirs_mask)))
    ours = attn.scaled_dot_product_attention(Q, K, V, mask)
    assert ours.dtype == dtype
    agree(ours, theirs.numpy())


@pytest.mark.parametrize("scale", [0.01, 1.0, 3.0])
def test_scale_is_torchs(rng, scale, agree):
    Q, K, V = drawn(rng, SHAPES[1])
    theirs = torch_attention(*(torch.from_numpy(array)[None] for array in (Q, K, V)), scale=scale)
    agree(attn.scaled_dot_product_attention(Q, K, V, scale=scale), theirs[0])


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_are_torchs(rng, dtype, agree):
    Q, K, V = drawn(rng, SHAPES[2], dtype)
    scores = torch.from_numpy(Q.astype(np.float64)) @ torch.from_numpy(K.astype(np.float64)).mT / 2
    Z, A = attn.scaled_dot_product_attention(Q, K, V, return_weights=True)
    assert A.dtype == Z.dtype == dtype
    agree(A, torch.softmax(scores, dim=-1), roundings=2)
    assert (attn.attention_weights(Q, K) == A).all()


def test_loops_agree(rng, agree):
    Q, K, V = drawn(rng, ((), 7, 5, 6, 3))
    agree(attn.scaled_dot_product_attention(Q, K, V), attn.pairwise_attention(Q, K, V))
    agree(attn.dot(Q, K), attn.pairwise_scores(Q, K))


def test_leading_axes_broadcast(rng, agree):
    Q, K, V = rng.standard_normal((2, 1, 3, 4)), rng.standard_normal((5, 6, 4)), rng.standard_normal((6, 2))
    Z, A = attn.scaled_dot_product_attention(Q, K, V, return_weights=True)
    assert (Z.shape, A.shape) == ((2, 5, 3, 2), (2, 5, 3, 6))
    agree(Z[1, 4], attn.scaled_dot_product_attention(Q[1, 0], K[4], V))
    stacked = attn.scaled_dot_product_attention(Q[0, 0], K[0], rng.standard_normal((7, 6, 2)))
    assert stacked.shape == (7, 3, 2)


def test_self_and_cross_attention_project_first(rng, agree):
    X, memory = rng.standard_normal((2, 4, 6)), rng.standard_normal((2, 5, 3))
    W_Q, W_K, W_V = rng.standard_normal((6, 2)), rng.standard_normal((3, 2)), rng.standard_normal((3, 4))
    x, m = torch.from_numpy(X), torch.from_numpy(memory)
    theirs = torch_attention(x @ torch.from_numpy(W_Q), m @ torch.from_numpy(W_K), m @ torch.from_numpy(W_V))
    agree(attn.cross_attention(X, memory, W_Q, W_K, W_V), theirs)
    square = rng.standard_normal((3, 6, 6))
    theirs = torch_attention(*(x @ torch.from_numpy(W) for W in square), is_causal=True)
    agree(attn.self_attention(X, *square, mask=attn.causal_mask(4)), theirs)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mask", [np.array([[True, False], [False, False]]), np.array([[0, -np.inf], [-np.inf] * 2])])
def test_a_query_that_may_look_at_nothing_gets_zeros(dtype, mask):
    X = np.ones((2, 3), dtype)
    Z, A = attn.scaled_dot_product_attention(X, X, X, mask, return_weights=True)
    assert Z.tolist() == [[1, 1, 1], [0, 0, 0]]
    assert A.tolist() == [[1, 0], [0, 0]]


def test_types_promote(rng):
    Q, K, V = drawn(rng, SHAPES[1], np.float16)
    assert attn.scaled_dot_product_attention(Q, K, V.astype(np.float32)).dtype == np.float32
    assert attn.scaled_dot_product_attention(Q, K, V, mask=np.zeros((5, 5))).dtype == np.float16


def test_float16_is_the_rounded_truth(rng, agree):
    """Sums run in float32: the result is the exact one, rounded once, not a sum of four thousand roundings."""
    Q, K, V = drawn(rng, ((), 2, 4096, 64, 4), np.float16)
    exact = attn.scaled_dot_product_attention(*(array.astype(np.float64) for array in (Q, K, V)))
    agree(attn.scaled_dot_product_attention(Q, K, V), exact, roundings=1)


def test_float32_sums_in_float64(rng, agree):
    Q, K, V = drawn(rng, ((), 2, 4096, 64, 4), np.float32)
    exact = attn.scaled_dot_product_attention(*(array.astype(np.float64) for array in (Q, K, V)))
    agree(attn.scaled_dot_product_attention(Q, K, V), exact, roundings=1)
