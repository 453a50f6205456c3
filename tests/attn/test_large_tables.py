"""Blockwise, windowed and linear attention against the plain table, and blockwise attention's memory."""

import os
import subprocess
import sys

import numpy as np
import pytest
import torch

import attn

N = 37


@pytest.fixture
def words(rng):
    return [rng.standard_normal((2, N, 5)) for _ in range(3)]


@pytest.mark.parametrize("block_size", [1, 8, 37, 64])
@pytest.mark.parametrize("kind", ["none", "rule", "window", "boolean", "row", "bias", "everything"])
def test_blockwise_is_plain(rng, words, kind, block_size, agree):
    table = rng.random((2, N, N)) < 0.3
    table[0, 3] = False
    masks = {
        "none": None,
        "rule": attn.causal_rule,
        "window": attn.window_rule(4, sinks=2),
        "boolean": table,
        "row": table[0, :1],
        "bias": np.where(table, rng.standard_normal(table.shape), -np.inf),
        "everything": np.zeros((N, N), bool),
    }
    mask = masks[kind]
    plain = attn.mask_table(mask, N) if callable(mask) else mask
    ours = attn.blockwise_attention(*words, mask, scale=0.4, block_size=block_size)
    agree(ours, attn.scaled_dot_product_attention(*words, plain, scale=0.4))


def test_blockwise_with_fewer_queries_than_keys(words, agree):
    Q, K, V = words
    rule = attn.blockwise_attention(Q[:, -5:], K, V, attn.causal_rule, block_size=4)
    agree(rule, attn.scaled_dot_product_attention(Q, K, V, attn.causal_mask(N))[:, -5:])


def test_blockwise_takes_an_additive_rule(words, agree):
    def nearer(asking, asked):
        return -0.5 * np.abs(asking - asked)

    agree(
        attn.blockwise_attention(*words, nearer, block_size=8),
        attn.scaled_dot_product_attention(*words, attn.alibi(N, 0.5)),
    )


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_blockwise_keeps_the_type(words, dtype, agree):
    narrow = [array.astype(dtype) for array in words]
    ours = attn.blockwise_attention(*narrow, block_size=8)
    assert ours.dtype == dtype
    agree(ours, torch.nn.functional.scaled_dot_product_attention(*map(torch.from_numpy, narrow)).numpy())


def test_blockwise_with_leading_axes_that_broadcast(rng, agree):
    Q, K, V = rng.standard_normal((3, 1, 6, 2)), rng.standard_normal((4, 9, 2)), rng.standard_normal((9, 1))
    agree(attn.blockwise_attention(Q, K, V, block_size=4), attn.scaled_dot_product_attention(Q, K, V))


MEMORY = """
import resource, numpy as np, attn
rng = np.random.default_rng(0)
Q, K, V = (rng.standard_normal((16384, 64)) for _ in range(3))
attn.blockwise_attention(Q[:512], K[:512], V[:512])  # the libraries' own buffers are not n's doing
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
Z = attn.blockwise_attention(Q, K, V)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
row = attn.scaled_dot_product_attention(Q[-1:], K, V)
print((peak - before) / 1024, np.abs(Z[-1:] - row).max())
"""


def test_sixteen_thousand_words_fit_in_64_megabytes():
    """Result included; the table alone would take two gigabytes. Measured from outside numpy, as resident memory."""
    pytest.importorskip("resource")
    one_thread = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # on a busy machine two are slower
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True, env=one_thread, timeout=300
    )
    mebibytes, deviation = map(float, done.stdout.split())
    assert mebibytes < 64
    assert deviation < 1e-14


@pytest.mark.parametrize("width", [1, 3, 10, 100])
@pytest.mark.parametrize("sinks", [0, 2, 50])
@pytest.mark.parametrize("block_size", [1, 8, 64])
def test_sliding_window_is_plain_under_its_rule(words, width, sinks, block_size, agree):
    ours = attn.sliding_window_attention(*words, width, sinks=sinks, block_size=block_size)
    table = attn.mask_table(attn.window_rule(width, sinks), N)
    agree(ours, attn.scaled_dot_product_attention(*words, table))


def test_sliding_window_for_the_last_queries_only(words, agree):
    Q, K, V = words
    full = attn.sliding_window_attention(Q, K, V, 5, sinks=1, scale=2.0)
    agree(attn.sliding_window_attention(Q[:, -3:], K, V, 5, sinks=1, scale=2.0), full[:, -3:])


def quadratic(Q, K, V, feature_map, mask=1.0):
    scores = (feature_map(Q) @ np.swapaxes(feature_map(K), -1, -2)) * mask
    return scores @ V / scores.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("feature_map", [attn.elu_plus_one, np.exp], ids=["elu", "exp"])
def test_linear_attention_is_the_quadratic_form_regrouped(words, feature_map, agree):
    agree(attn.linear_attention(*words, feature_map), quadratic(*words, feature_map))
    causal = quadratic(*words, feature_map, attn.causal_mask(N))
    agree(attn.causal_linear_attention(*words, feature_map), causal)


def test_the_recurrence_goes_on_from_its_state(words, agree):
    Q, K, V = words
    whole, last = attn.causal_linear_attention(Q, K, V, return_state=True)
    first, state = attn.causal_linear_attention(Q[:, :20], K[:, :20], V[:, :20], return_state=True)
    rest, end = attn.causal_linear_attention(Q[:, 20:], K[:, 20:], V[:, 20:], state=state, return_state=True)
    agree(np.concatenate([first, rest], axis=1), whole)
    agree(end.memory, last.memory)
    agree(end.total, last.total)
    assert last.memory.shape == (2, 5, 5)
    one_of_two = attn.causal_linear_attention(Q[1, 20:], K[1, 20:], V[1, 20:], state=state)  # the batch is the state's
    agree(one_of_two[1], rest[1])


def test_elu_plus_one_is_torchs(rng, agree):
    x = 5 * rng.standard_normal((4, 6))
    agree(attn.elu_plus_one(x), torch.nn.functional.elu(torch.from_numpy(x)) + 1)
    assert attn.elu_plus_one(np.array([-800.0, 800.0])).tolist() == [0, 801]


def test_random_features_are_unbiased(rng):
    q, k = rng.standard_normal(4) / 2, rng.standard_normal(4) / 2
    estimates = [
        attn.positive_random_features(q, W) @ attn.positive_random_features(k, W)
        for W in (attn.sample_rows(64, 4, 1.0, rng) for _ in range(2000))
    ]
    assert abs(np.mean(estimates) - np.exp(q @ k)) < 6 * np.std(estimates) / np.sqrt(2000)


def test_random_features_bring_linear_attention_near_softmax(words, rng):
    Q, K, V = (array / 2 for array in words)
    W = attn.sample_rows(20_000, 5, 1.0, rng)
    near = attn.linear_attention(Q / 5**0.25, K / 5**0.25, V, lambda x: attn.positive_random_features(x, W))
    assert np.abs(near - attn.scaled_dot_product_attention(Q, K, V)).max() < 0.02


def test_where_every_score_is_zero_linear_attention_gives_zeros():
    Q, K, V = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]), np.array([[5.0]])
    assert attn.linear_attention(Q, K, V, np.copy) == 0
    assert attn.causal_linear_attention(Q, K, V, np.copy) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: attn.blockwise_attention(x, x, x, block_size=0), "block_size: .* of at least 1, got 0"),
        (lambda x: attn.blockwise_attention(x, x[:2], x[:2], attn.causal_rule), "m: .* of at least 3, got 2"),
        (
            lambda x: attn.blockwise_attention(x, x, x, np.ones((2, 3), bool)),
            r"mask: shape \(2, 3\) does not broadcast to \(3, 3\)",
        ),
        (lambda x: attn.sliding_window_attention(x, x[:2], x[:2], 1), "m: .* of at least 3, got 2"),
        (lambda x: attn.sliding_window_attention(x, x, x, 0), "width: .* of at least 1, got 0"),
        (lambda x: attn.linear_attention(x, x, x, np.negative), r"feature_map\(Q\): .* below 0, got -1.0 .*"),
        (lambda x: attn.causal_linear_attention(x, x[:2], x[:2]), r"K: shape \(2, 4\) does not fit Q .*"),
        (lambda x: attn.positive_random_features(x, x[:, :3]), r"W: shape \(3, 3\) does not fit x .*"),
        (
            lambda x: attn.merge(attn.running(x), attn.running(x[:2])),
            r"other.maximum: expected shape \(3, 1\), got \(2, 1\)",
        ),
        (
            lambda x: attn.merge(attn.running(x), attn.running(x, np.eye(4))),
            r"other.output: expected shape \(3, 0\), got \(3, 4\)",
        ),
        (
            lambda x: attn.causal_linear_attention(x, x, x, state=attn.LinearState(x, x)),
            r"state.memory: expected shape \(4, 4\), got \(3, 4\)",
        ),
        (
            lambda x: attn.causal_linear_attention(x, x, x, state=attn.LinearState(np.eye(4), np.eye(4))),
            r"state.total: expected shape \(4, 1\), got \(4, 4\)",
        ),
        (
            lambda x: attn.running(x, x[:2]),
            r"values: shape \(2, 4\) does not fit scores of shape \(3, 4\): axis -2 has length 2, not 4",
        ),
    ],
)
def test_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call(np.ones((3, 4)))
