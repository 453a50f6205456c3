"""Properties that hold whatever the numbers are, searched for counterexamples by Hypothesis."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import attn

# The same examples everywhere, and no limit on time: a busy machine is not a counterexample.
thorough = settings(max_examples=60, deadline=None, derandomize=True, database=None)
few = settings(thorough, max_examples=15)

SIZES = st.integers(1, 6)
MODERATE = st.floats(-8, 8, width=16)
DTYPES = st.sampled_from([np.float16, np.float32, np.float64])


def table(draw, *shape, dtype=np.float64, elements=MODERATE):
    return draw(arrays(dtype, shape, elements=elements))


@st.composite
def attentions(draw, dtypes=None, *, square=False, masked=True):
    """Draw queries, keys, values and, often, a mask that fit each other."""
    batch = draw(st.sampled_from([(), (2,), (1, 3)]))
    n, d, d_v, dtype = draw(SIZES), draw(SIZES), draw(SIZES), np.float64 if dtypes is None else draw(dtypes)
    m = n if square else draw(SIZES)
    shapes = {"Q": (*batch, n, d), "K": (*batch, m, d), "V": (*batch, m, d_v)}
    words = {name: table(draw, *shape, dtype=dtype) for name, shape in shapes.items()}
    mask = draw(st.none() | arrays(bool, (n, m))) if masked else None
    return SimpleNamespace(**words, mask=mask, n=n, m=m)


def close(a, b, roundings=200):
    unit = np.finfo(np.result_type(a)).eps * max(1.0, float(np.abs(b).max()))
    np.testing.assert_allclose(a, b, rtol=0, atol=roundings * unit)


@thorough
@given(attentions(), st.randoms(use_true_random=False))
def test_keys_in_another_order_give_the_same(x, random):
    order = random.sample(range(x.m), x.m)
    mask = None if x.mask is None else x.mask[:, order]
    Z = attn.scaled_dot_product_attention(x.Q, x.K[..., order, :], x.V[..., order, :], mask)
    close(Z, attn.scaled_dot_product_attention(x.Q, x.K, x.V, x.mask))


@thorough
@given(attentions(square=True, masked=False), st.randoms(use_true_random=False))
def test_permutation_equivariance(x, random):
    """Shuffled words give shuffled words: attention alone does not know their order."""
    order = random.sample(range(x.n), x.n)
    shuffled = attn.scaled_dot_product_attention(*(array[..., order, :] for array in (x.Q, x.K, x.V)))
    close(shuffled, attn.scaled_dot_product_attention(x.Q, x.K, x.V)[..., order, :])


@thorough
@given(attentions(), st.data())
def test_mask_locality(x, data):
    """What a query may not look at can be anything, and nothing changes, not a bit."""
    mask = np.ones((x.n, x.m), bool) if x.mask is None else x.mask
    hidden = data.draw(st.integers(0, x.m - 1))
    mask = mask & (np.arange(x.m) != hidden)
    before = attn.scaled_dot_product_attention(x.Q, x.K, x.V, mask)
    x.K[..., hidden, :], x.V[..., hidden, :] = 1e6, -1e300
    assert (attn.scaled_dot_product_attention(x.Q, x.K, x.V, mask) == before).all()


@thorough
@given(attentions(square=True, masked=False), st.data())
def test_the_future_does_not_touch_the_past(x, data):
    t = data.draw(st.integers(0, x.n - 1))
    mask = attn.causal_mask(x.n)
    before = attn.scaled_dot_product_attention(x.Q, x.K, x.V, mask)
    x.Q[..., t + 1 :, :], x.K[..., t + 1 :, :], x.V[..., t + 1 :, :] = 3.0, 1e6, -1e300
    after = attn.scaled_dot_product_attention(x.Q, x.K, x.V, mask)
    assert (after[..., : t + 1, :] == before[..., : t + 1, :]).all()


@thorough
@given(st.data(), st.floats(-1e3, 1e3))
def test_shift_invariance(data, shift):
    scores = table(data.draw, 3, data.draw(SIZES), elements=st.floats(-30, 30, width=16))
    close(attn.softmax(scores + shift), attn.softmax(scores), roundings=4000)  # s + 1000 keeps 3 digits fewer of s
    temperature = data.draw(st.sampled_from([0.5, 1.0, 3.0]))
    close(attn.log_softmax(scores + 64.0, temperature=temperature), attn.log_softmax(scores, temperature=temperature))


@thorough
@given(st.data())
def test_softmax_keeps_the_order_and_sums_to_one(data):
    scores = table(data.draw, data.draw(SIZES), data.draw(SIZES), elements=st.floats(-1e300, 1e300))
    weights = attn.softmax(scores)
    close(weights.sum(axis=-1), np.ones(len(scores)))
    order = np.argsort(scores, axis=-1)
    assert (np.diff(np.take_along_axis(weights, order, axis=-1), axis=-1) >= 0).all()


@thorough
@given(attentions(DTYPES))
def test_convexity(x):
    """Every output lies between the least and the largest of the values it may look at, column by column."""
    Z, A = attn.scaled_dot_product_attention(x.Q, x.K, x.V, x.mask, return_weights=True)
    slack = 2 * np.finfo(Z.dtype).eps * np.abs(x.V).max()
    sees = np.ones((x.n, x.m), bool) if x.mask is None else x.mask
    for i in range(x.n):
        if not sees[i].any():
            assert not Z[..., i, :].any()
            continue
        seen = x.V[..., sees[i], :]
        assert (Z[..., i, :] >= seen.min(axis=-2) - slack).all()
        assert (Z[..., i, :] <= seen.max(axis=-2) + slack).all()
    assert ((A >= 0) & (A <= 1)).all()


@thorough
@given(attentions(DTYPES), st.integers(1, 7))
def test_blockwise_is_plain(x, block_size):
    ours = attn.blockwise_attention(x.Q, x.K, x.V, x.mask, block_size=block_size)
    plain = attn.scaled_dot_product_attention(x.Q, x.K, x.V, x.mask)
    assert ours.dtype == plain.dtype
    close(ours, plain)


@thorough
@given(attentions(square=True, masked=False), st.integers(1, 4), st.integers(0, 3), st.integers(1, 7))
def test_windows_are_plain(x, width, sinks, block_size):
    ours = attn.sliding_window_attention(x.Q, x.K, x.V, width, sinks=sinks, block_size=block_size)
    table = attn.mask_table(attn.window_rule(width, sinks), x.n)
    close(ours, attn.scaled_dot_product_attention(x.Q, x.K, x.V, table))


@thorough
@given(attentions(square=True, masked=False), st.data())
def test_cached_is_full(x, data):
    cuts = sorted(data.draw(st.sets(st.integers(1, x.n))) | {x.n})
    cache, steps = attn.KVCache(), []
    for start, stop in zip([0, *cuts], cuts, strict=False):
        steps.append(attn.decode(*(array[..., start:stop, :] for array in (x.Q, x.K, x.V)), cache))
    full = attn.scaled_dot_product_attention(x.Q, x.K, x.V, attn.causal_mask(x.n))
    close(np.concatenate(steps, axis=-2), full)


@thorough
@given(attentions(square=True, masked=False))
def test_the_recurrence_is_the_quadratic_form(x):
    scores = np.tril(attn.elu_plus_one(x.Q) @ attn.elu_plus_one(x.K).mT)
    expected = scores @ x.V / scores.sum(axis=-1, keepdims=True)
    close(attn.causal_linear_attention(x.Q, x.K, x.V), expected, roundings=2000)


@thorough
@given(attentions(masked=False))
def test_online_is_softmax(x):
    scores = attn.dot(x.Q, x.K)
    for block_size in (1, 3):
        close(attn.online_softmax(scores, block_size), attn.softmax(scores))


@thorough
@given(st.data(), DTYPES)
def test_type_and_shape_are_preserved(data, dtype):
    n, d = data.draw(SIZES), 2 * data.draw(SIZES)
    x, W, b = (table(data.draw, *shape, dtype=dtype) for shape in ((2, n, d), (d, d), (d,)))
    bounded = np.clip(x, -1, 1)
    for result in (
        attn.softmax(x),
        attn.log_softmax(x),
        attn.online_softmax(x),
        attn.gelu(x),
        attn.elu_plus_one(x),
        attn.layer_norm(x, np.ones(d, dtype), b),
        attn.rope(x, np.arange(n)),
        attn.linear_attention(x, x, x),
        attn.causal_linear_attention(x, x, x),
        attn.sliding_window_attention(x, x, x, 2),
        attn.blockwise_attention(x, x, x),
        attn.merge_heads(attn.split_heads(x, 2)),
        attn.multi_head_attention(bounded, W / 8, W / 8, W / 8, W / 8, heads=2),
        attn.mlp(bounded, W, b, W, b),
    ):
        assert (result.shape, result.dtype) == (x.shape, dtype)
    for score in (attn.negative_distance, attn.dot, attn.cosine, attn.gaussian_kernel):
        assert (score(x, x).shape, score(x, x).dtype) == ((2, n, n), dtype)
    assert (attn.entropy(attn.softmax(x)).shape, attn.entropy(attn.softmax(x)).dtype) == ((2, n), dtype)


def differences(function, array, d_out, step=1e-6):
    """Return the gradient of sum(d_out * function()) by central differences, with an error of about step²."""
    gradient = np.empty_like(array)
    for index in np.ndindex(*array.shape):
        kept = array[index]
        array[index] = kept + step
        up = (d_out * function()).sum()
        array[index] = kept - step
        down = (d_out * function()).sum()
        array[index] = kept
        gradient[index] = (up - down) / (2 * step)
    return gradient


SMALL = st.floats(-2, 2, width=16)
LAYERS = {
    "softmax": (attn.softmax, lambda d, s: (attn.softmax_backward(d, attn.softmax(s)),), "nd"),
    "attention": (attn.scaled_dot_product_attention, attn.attention_backward, "nd md mv"),
    "layer_norm": (lambda *a: attn.layer_norm(*a, 0.1), lambda *a: attn.layer_norm_backward(*a, 0.1), "nd d d"),
    "gelu": (attn.gelu, lambda d, x: (attn.gelu_backward(d, x),), "nd"),
    "mlp": (attn.mlp, attn.mlp_backward, "nd dh h hv v"),
    "projection": (lambda X, W: X @ W, attn.project_backward, "nd dh"),
    "heads": (
        lambda *a: attn.multi_head_attention(*a, heads=2),
        lambda *a: attn.multi_head_attention_backward(*a, heads=2)[:-1],
        "nd de de de eh",
    ),
    "cross_entropy": (
        lambda x: attn.cross_entropy(x, np.arange(len(x)) % x.shape[-1]),
        lambda d, x: (d * attn.cross_entropy_backward(x, np.arange(len(x)) % x.shape[-1]),),
        "nd",
    ),
    "embedding": (
        lambda t: attn.embedding(t, np.arange(5) % len(t)),
        lambda d, t: (attn.embedding_backward(d, t, np.arange(5) % len(t)),),
        "nd",
    ),
}


@pytest.mark.parametrize("layer", LAYERS)
@few
@given(data=st.data())
def test_gradients_are_central_differences(layer, data):
    forward, backward, shapes = LAYERS[layer]
    sizes = {axis: data.draw(st.integers(1, 3)) for axis in "ndmvh"} | {"e": 2 * data.draw(st.integers(1, 2))}
    inputs = [table(data.draw, *(sizes[axis] for axis in shape), elements=SMALL) for shape in shapes.split()]
    out = forward(*inputs)
    d_out = table(data.draw, *np.shape(out), elements=SMALL)
    for ours, array in zip(backward(d_out, *inputs), inputs, strict=True):
        expected = differences(lambda: forward(*inputs), array, d_out)
        np.testing.assert_allclose(ours, expected, rtol=1e-6, atol=1e-6)
