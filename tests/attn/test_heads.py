"""Heads against PyTorch's MultiheadAttention and its grouped-query attention."""

import numpy as np
import pytest
import torch

import attn

HEADS, WIDTH = 4, 12


@pytest.fixture
def weights(rng):
    return [rng.standard_normal((WIDTH, WIDTH)) / np.sqrt(WIDTH) for _ in range(4)]


def torch_heads(weights, **sizes):
    module = torch.nn.MultiheadAttention(WIDTH, HEADS, bias=False, batch_first=True, dtype=torch.float64, **sizes)
    W_Q, W_K, W_V, W_O = (torch.from_numpy(W.T.copy()) for W in weights)
    if sizes:
        module.q_proj_weight.data, module.k_proj_weight.data, module.v_proj_weight.data = W_Q, W_K, W_V
    else:
        module.in_proj_weight.data = torch.cat([W_Q, W_K, W_V])
    module.out_proj.weight.data = W_O
    return module


@pytest.mark.parametrize("masked", [False, True])
def test_is_torchs(rng, weights, masked, agree):
    X = rng.standard_normal((2, 5, WIDTH))
    x, mask = torch.from_numpy(X), attn.causal_mask(5) if masked else None
    forbidden = torch.from_numpy(~mask) if masked else None  # torch's module says True where one may NOT look
    theirs, looks = torch_heads(weights)(x, x, x, attn_mask=forbidden, average_attn_weights=False)
    agree(attn.multi_head_attention(X, *weights, HEADS, mask=mask), theirs)
    agree(attn.multi_head_weights(X, *weights[:2], HEADS, mask=mask), looks)


def test_cross_attention_is_torchs(rng, weights, agree):
    X, memory = rng.standard_normal((2, 5, WIDTH)), rng.standard_normal((2, 3, 7))
    weights[1:3] = rng.standard_normal((2, 7, WIDTH))
    m = torch.from_numpy(memory)
    theirs, looks = torch_heads(weights, kdim=7, vdim=7)(torch.from_numpy(X), m, m, average_attn_weights=False)
    agree(attn.multi_head_attention(X, *weights, HEADS, memory=memory), theirs)
    agree(attn.multi_head_weights(X, *weights[:2], HEADS, memory=memory), looks)


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_grouped_queries_are_torchs(rng, weights, kv_heads, agree):
    X, width = rng.standard_normal((2, 5, WIDTH)), 3 * kv_heads
    W_Q, _, _, W_O = weights
    W_K, W_V = rng.standard_normal((2, WIDTH, width))

    def strips(W, heads):
        return (torch.from_numpy(X) @ torch.from_numpy(W)).reshape(2, 5, heads, 3).transpose(1, 2)

    theirs = torch.nn.functional.scaled_dot_product_attention(
        strips(W_Q, HEADS), strips(W_K, kv_heads), strips(W_V, kv_heads), enable_gqa=True
    )
    theirs = theirs.transpose(1, 2).reshape(2, 5, WIDTH) @ torch.from_numpy(W_O)
    agree(attn.multi_head_attention(X, W_Q, W_K, W_V, W_O, HEADS, kv_heads=kv_heads), theirs)
    assert attn.multi_head_weights(X, W_Q, W_K, HEADS, kv_heads=kv_heads).shape == (2, 4, 5, 5)


def test_mixing_is_a_sum_over_heads(rng, weights, agree):
    X, W_O = rng.standard_normal((5, WIDTH)), weights[3]
    Q, K, V = (attn.split_heads(X @ W, HEADS) for W in weights[:3])
    heads = attn.scaled_dot_product_attention(Q, K, V)  # (heads, n, d)
    strips = W_O.reshape(HEADS, WIDTH // HEADS, WIDTH)
    agree(attn.multi_head_attention(X, *weights, HEADS), (heads @ strips).sum(axis=0))


def test_split_and_merge_undo_each_other(rng):
    x = rng.standard_normal((2, 5, WIDTH))
    split = attn.split_heads(x, HEADS)
    assert split.shape == (2, HEADS, 5, 3)
    assert (split[:, 1, :, :] == x[:, :, 3:6]).all()
    assert (attn.merge_heads(split) == x).all()


def test_one_head_is_plain_attention(rng, weights, agree):
    X = rng.standard_normal((5, WIDTH))
    agree(attn.multi_head_attention(X, *weights, heads=1), attn.self_attention(X, *weights[:3]) @ weights[3])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heads": 5}, r"W_Q: 5 heads do not divide the columns of shape \(12, 12\)"),
        ({"kv_heads": 3}, "kv_heads: 3 does not divide the 4 heads"),
        ({"heads": 0}, "heads: expected a whole number of at least 1, got 0"),
        ({"kv_heads": 2}, r"W_K: expected shape \(12, 6\), got \(12, 12\)"),
        ({"W_V": np.ones((12, 10))}, r"W_V: 4 heads do not divide the columns of shape \(12, 10\)"),
        ({"W_O": np.ones((11, 12))}, r"W_O: shape \(11, 12\) does not fit heads of shape \(5, 12\): .*"),
        ({"mask": np.ones((4, 5), bool)}, r"mask: shape \(4, 5\) does not broadcast to \(4, 5, 5\)"),
    ],
)
def test_refused(weights, changes, message):
    arguments = dict(zip(("W_Q", "W_K", "W_V", "W_O"), weights, strict=True)) | {"heads": HEADS} | changes
    with pytest.raises(ValueError, match=f"^{message}$"):
        attn.multi_head_attention(np.ones((5, WIDTH)), **arguments)


def test_a_width_that_heads_do_not_divide():
    with pytest.raises(ValueError, match=r"^heads: 5 heads do not divide the width of x of shape \(3, 12\)$"):
        attn.split_heads(np.ones((3, 12)), 5)
