"""Every backward pass against PyTorch's autograd; central differences follow in the property tests."""

import numpy as np
import pytest
import torch

import attn


def autograd(function, arrays, d_out):
    """Return PyTorch's gradients of the sum of d_out times the function's result."""
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays]
    return torch.autograd.grad(function(*tensors), tensors, torch.from_numpy(np.asarray(d_out)))


@pytest.mark.parametrize("temperature", [1.0, 0.3])
def test_softmax(rng, temperature, agree):
    scores, dA = rng.standard_normal((3, 4, 5)), rng.standard_normal((3, 4, 5))
    (theirs,) = autograd(lambda s: torch.softmax(s / temperature, dim=-1), [scores], dA)
    ours = attn.softmax_backward(dA, attn.softmax(scores, temperature=temperature), temperature)
    agree(ours, theirs)
    assert np.abs(ours.sum(axis=-1)).max() < 1e-14


@pytest.mark.parametrize("kind", ["none", "boolean", "bias"])
@pytest.mark.parametrize("scale", [None, 0.2])
@pytest.mark.parametrize(
    "shapes",
    [
        ((4, 3), (5, 3), (5, 2)),
        ((2, 4, 3), (2, 5, 3), (2, 5, 2)),
        ((2, 1, 4, 3), (3, 5, 3), (5, 2)),
        ((1, 4, 3), (2, 5, 3), (6, 1, 5, 2)),
        ((1, 3), (1, 3), (1, 1)),
    ],
    ids=str,
)
def test_attention(rng, shapes, kind, scale, agree):
    Q, K, V = (rng.standard_normal(shape) for shape in shapes)
    visible = rng.random((Q.shape[-2], K.shape[-2])) < 0.7
    visible[:, 0] = True
    mask = {"none": None, "boolean": visible, "bias": np.where(visible, 1.5, -np.inf)}[kind]
    Z = attn.scaled_dot_product_attention(Q, K, V, mask, scale)
    dZ = rng.standard_normal(Z.shape)
    theirs_mask = None if mask is None else torch.from_numpy(mask)

    def forward(q, k, v):
        q, k, v = (x.expand(*Z.shape[:-2], *x.shape[-2:]) for x in (q, k, v))
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, theirs_mask, scale=scale)

    theirs = autograd(forward, [Q, K, V], dZ)
    for ours, autograds in zip(attn.attention_backward(dZ, Q, K, V, mask, scale), theirs, strict=True):
        agree(ours, autograds)


def test_nothing_flows_to_a_query_that_may_look_at_nothing(rng):
    Q, K, V, dZ = (rng.standard_normal((2, 3)) for _ in range(4))
    dQ, dK, dV = attn.attention_backward(dZ, Q, K, V, np.zeros((2, 2), bool))
    assert not any(gradient.any() for gradient in (dQ, dK, dV))


@pytest.mark.parametrize("kv_heads", [None, 1, 2])
@pytest.mark.parametrize("crossing", [False, True])
def test_heads(rng, kv_heads, crossing, agree):
    heads, d, n = 4, 8, 5
    e, m = (6, 3) if crossing else (d, n)
    width = 2 * (kv_heads or heads)
    X, memory = rng.standard_normal((2, n, d)), rng.standard_normal((2, m, e))
    weights = [rng.standard_normal(shape) for shape in ((d, 8), (e, width), (e, width), (8, 7))]
    dZ, mask = rng.standard_normal((2, n, 7)), rng.random((n, m)) < 0.8
    mask[:, 0] = True

    def split(x, count):
        return x.reshape(*x.shape[:-1], count, -1).transpose(-2, -3)

    def forward(x, W_Q, W_K, W_V, W_O, asked=None):
        asked = x if asked is None else asked
        counts = heads, kv_heads or heads, kv_heads or heads
        Q, K, V = (split(a @ W, c) for a, W, c in zip((x, asked, asked), (W_Q, W_K, W_V), counts, strict=True))
        Z = torch.nn.functional.scaled_dot_product_attention(Q, K, V, torch.from_numpy(mask), enable_gqa=True)
        return Z.transpose(-2, -3).flatten(-2) @ W_O

    theirs = autograd(forward, [X, *weights, *([memory] if crossing else [])], dZ)
    ours = attn.multi_head_attention_backward(
        dZ, X, *weights, heads, kv_heads=kv_heads, mask=mask, memory=memory if crossing else None
    )
    assert (ours.memory is None) is not crossing
    for name, mine, autograds in zip(ours._fields, ours, theirs, strict=False):
        assert mine is not None, name
        agree(mine, autograds)


def test_projection(rng, agree):
    X, W, dY = rng.standard_normal((2, 3, 4, 5)), rng.standard_normal((5, 6)), rng.standard_normal((2, 3, 4, 6))
    for ours, theirs in zip(attn.project_backward(dY, X, W), autograd(torch.matmul, [X, W], dY), strict=True):
        agree(ours, theirs)


@pytest.mark.parametrize("epsilon", [1e-5, 0.1])
def test_layer_norm(rng, epsilon, agree):
    x, gain, bias = 3 + 2 * rng.standard_normal((2, 4, 6)), rng.standard_normal(6), rng.standard_normal(6)
    dY = rng.standard_normal(x.shape)

    def forward(x, gain, bias):
        return torch.nn.functional.layer_norm(x, (6,), gain, bias, epsilon)

    agree(attn.layer_norm(x, gain, bias, epsilon), forward(*map(torch.from_numpy, (x, gain, bias))))
    theirs = autograd(forward, [x, gain, bias], dY)
    for ours, autograds in zip(attn.layer_norm_backward(dY, x, gain, bias, epsilon), theirs, strict=True):
        agree(ours, autograds)


def test_a_word_of_equal_components_becomes_the_bias():
    assert attn.layer_norm(np.full(4, 7.0), np.ones(4), np.arange(4.0)).tolist() == [0, 1, 2, 3]


def test_gelu(rng, agree):
    x = np.concatenate([5 * rng.standard_normal(200), [0.0, -40.0, 40.0, -1e120, 1e120]])
    dY = rng.standard_normal(x.shape)
    with np.errstate(over="ignore"):
        agree(attn.gelu(x[:-2]), torch.nn.functional.gelu(torch.from_numpy(x[:-2]), approximate="tanh"))
    assert attn.gelu(x)[-2:].tolist() == [0, 1e120]
    (theirs,) = autograd(lambda t: torch.nn.functional.gelu(t, approximate="tanh"), [x[:-2]], dY[:-2])
    ours = attn.gelu_backward(dY, x)
    agree(ours[:-2], theirs)
    assert ours[-2:].tolist() == [0, dY[-1]]


def test_gelu_is_near_the_exact_one():
    x = np.linspace(-8, 8, 4001)
    exact = torch.nn.functional.gelu(torch.from_numpy(x)).numpy()
    assert np.abs(attn.gelu(x) - exact).max() < 0.0005


def test_mlp(rng, agree):
    arrays = [rng.standard_normal(shape) for shape in ((2, 3, 4), (4, 9), (9,), (9, 5), (5,))]
    dY = rng.standard_normal((2, 3, 5))

    def forward(x, W_1, b_1, W_2, b_2):
        return torch.nn.functional.gelu(x @ W_1 + b_1, approximate="tanh") @ W_2 + b_2

    agree(attn.mlp(*arrays), forward(*map(torch.from_numpy, arrays)))
    for ours, theirs in zip(attn.mlp_backward(dY, *arrays), autograd(forward, arrays, dY), strict=True):
        agree(ours, theirs)


def test_embedding(rng, agree):
    table, tokens = rng.standard_normal((7, 3)), np.array([[1, 1, 6], [0, 1, 6]])
    dY = rng.standard_normal((2, 3, 3))
    assert (attn.embedding(table, tokens) == table[tokens]).all()
    (theirs,) = autograd(lambda t: torch.nn.functional.embedding(torch.from_numpy(tokens), t), [table], dY)
    agree(attn.embedding_backward(dY, table, tokens), theirs)


@pytest.mark.parametrize("counted", [False, True])
def test_cross_entropy(rng, counted, agree):
    logits, targets = 5 * rng.standard_normal((3, 4, 6)), rng.integers(0, 6, (3, 4))
    chosen = rng.random((3, 4)) < 0.5 if counted else None
    theirs_targets = torch.from_numpy(targets if chosen is None else np.where(chosen, targets, -100))

    def forward(x):
        return torch.nn.functional.cross_entropy(x.reshape(12, 6), theirs_targets.reshape(12))

    agree(attn.cross_entropy(logits, targets, chosen), forward(torch.from_numpy(logits)))
    (theirs,) = autograd(forward, [logits], 1.0)
    agree(attn.cross_entropy_backward(logits, targets, chosen), theirs)


def test_cross_entropy_of_one_word(agree):
    logits = np.array([1000.0, 0.0, -1000.0])
    assert attn.cross_entropy(logits, np.array(2)) == 2000
    agree(attn.cross_entropy_backward(logits, np.array(2)), np.array([1.0, 0.0, -1.0]))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_gradients_keep_the_type(rng, dtype):
    x, gain = rng.standard_normal((3, 4)).astype(dtype), np.ones(4, dtype)
    W, b = rng.standard_normal((4, 4)).astype(dtype), np.zeros(4, dtype)
    results = [
        attn.softmax_backward(x, attn.softmax(x)),
        *attn.attention_backward(x, x, x, x),
        *attn.multi_head_attention_backward(x, x, W, W, W, W, heads=2)[:5],
        *attn.layer_norm_backward(x, x, gain, b),
        *attn.mlp_backward(x, x, W, b, W, b),
        attn.embedding_backward(x, W, np.arange(3)),
        attn.cross_entropy_backward(x, np.arange(3)),
    ]
    assert {result.dtype for result in results} == {np.dtype(dtype)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: attn.softmax_backward(x[:1], x), r"d_weights: expected shape \(3, 4\), got \(1, 4\)"),
        (lambda x: attn.attention_backward(x[:1], x, x, x), r"dZ: expected shape \(3, 4\), got \(1, 4\)"),
        (lambda x: attn.project_backward(x, x, np.ones((3, 4))), r"W: expected shape \(4, 4\), got \(3, 4\)"),
        (lambda x: attn.project_backward(x[:2], x, np.ones((4, 4))), r"dY: expected shape \(3, 4\), got \(2, 4\)"),
        (
            lambda x: attn.multi_head_attention_backward(x[:1], x, *[np.eye(4)] * 4, heads=2),
            r"dZ: expected shape \(3, 4\), got \(1, 4\)",
        ),
        (lambda x: attn.layer_norm(x, x[0, :2], x[0]), r"gain: expected shape \(4,\), got \(2,\)"),
        (lambda x: attn.layer_norm(x, x[0], x[0, :2]), r"bias: expected shape \(4,\), got \(2,\)"),
        (lambda x: attn.layer_norm(x, x[0], x[0], 0.0), "epsilon: expected a finite number above 0, got 0.0"),
        (lambda x: attn.layer_norm_backward(x[0], x, x[0], x[0]), r"dY: expected shape \(3, 4\), got \(4,\)"),
        (lambda x: attn.gelu_backward(x[0], x), r"dY: expected shape \(3, 4\), got \(4,\)"),
        (lambda x: attn.mlp(x, x, x[0], x, x[0]), r"W_1: expected shape \(4, 4\), got \(3, 4\)"),
        (lambda x: attn.mlp(x, x.T, x[0], x, x[0]), r"b_1: expected shape \(3,\), got \(4,\)"),
        (lambda x: attn.mlp(x, x.T, x[:, 0], x.T, x[0]), r"W_2: expected shape \(3, 3\), got \(4, 3\)"),
        (lambda x: attn.mlp(x, x.T, x[:, 0], x, x[0, :2]), r"b_2: expected shape \(4,\), got \(2,\)"),
        (
            lambda x: attn.mlp_backward(x[:1], x, x.T, x[:, 0], x, x[0]),
            r"dY: expected shape \(3, 4\), got \(1, 4\)",
        ),
        (lambda x: attn.embedding(x, np.array([3])), r"tokens: expected integers from 0 to 2, got 3 to 3 .*"),
        (lambda x: attn.embedding(x, np.array([-1])), r"tokens: expected integers from 0 to 2, got -1 to -1 .*"),
        (lambda x: attn.embedding(x, np.array([1.0])), r"tokens: expected integers, got float64 of shape \(1,\)"),
        (lambda x: attn.embedding(x, np.array([], int)), r"tokens: .* one element, got shape \(0,\)"),
        (
            lambda x: attn.embedding_backward(x, x, np.array([1])),
            r"d_words: expected shape \(1, 4\), got \(3, 4\)",
        ),
        (
            lambda x: attn.cross_entropy(x, np.array([0, 4, 1])),
            r"targets: expected integers from 0 to 3, got 0 to 4 .*",
        ),
        (lambda x: attn.cross_entropy(x, np.array([0, 1])), r"targets: expected shape \(3,\), got \(2,\)"),
        (
            lambda x: attn.cross_entropy(x, np.arange(3), np.zeros(3, bool)),
            r"counted: expected booleans, some of them True, got bool of shape \(3,\)",
        ),
        (lambda x: attn.cross_entropy(x, np.arange(3), np.ones(3)), "counted: .* got float64 .*"),
        (
            lambda x: attn.cross_entropy(x, np.arange(3), np.ones(2, bool)),
            r"counted: expected shape \(3,\), got \(2,\)",
        ),
    ],
)
def test_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call(np.ones((3, 4)))
