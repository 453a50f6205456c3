"""Positions against complex numbers, the ONNX reference evaluator and the slopes that were published."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

import attn


def test_frequencies_fall_from_one_to_nearly_one_over_the_base():
    assert attn.frequencies(8, base=16.0).tolist() == [1, 0.5, 0.25, 0.125]
    assert attn.frequencies(512)[-1] == pytest.approx(10000 ** (-510 / 512), rel=1e-14)


def test_sinusoidal_holds_the_waves_of_each_frequency(agree):
    n, d = 40, 16
    waves = np.exp(1j * np.outer(np.arange(n), 10000.0 ** (-np.arange(0, d, 2) / d)))
    rows = attn.sinusoidal(n, d)
    agree(rows[:, 0::2], waves.imag)
    agree(rows[:, 1::2], waves.real)


def test_dot_products_of_sinusoids_depend_on_the_offset_only(agree):
    rows = attn.sinusoidal(30, 16)
    products = rows @ rows.T
    agree(products, products[0][np.abs(np.subtract.outer(np.arange(30), np.arange(30)))])


def test_learned_positions_are_rows(rng):
    table, places = rng.standard_normal((6, 3)), np.array([[0, 5], [2, 2]])
    assert (attn.learned_positions(table, places) == table[places]).all()
    with pytest.raises(ValueError, match=r"^positions: expected integers from 0 to 5, got 0 to 6 in shape \(2,\)$"):
        attn.learned_positions(table, np.array([0, 6]))


@pytest.mark.parametrize(
    "positions", [np.arange(5), np.array([7]), np.array([-3, 0, 2, 10**6, 5]), np.linspace(0, 1, 5)]
)
def test_rope_multiplies_complex_numbers(rng, positions, agree):
    x = rng.standard_normal((2, 3, 5, 8))
    turned = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * positions[:, None] * attn.frequencies(8))
    ours = attn.rope(x, positions)
    agree(ours[..., 0::2], turned.real)
    agree(ours[..., 1::2], turned.imag)


def test_rope_of_a_single_word(rng, agree):
    x = rng.standard_normal(6)
    agree(attn.rope(x, np.int64(4)), attn.rope(np.tile(x, (5, 1)), np.arange(5))[4])


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_rope_is_onnxs(rng, interleaved, dtype, agree):
    x, places = rng.standard_normal((2, 4, 3, 8)).astype(dtype), np.array([[0, 1, 2], [9, 4, 30]])
    angles = np.arange(50)[:, None] * attn.frequencies(8)
    node = helper.make_node("RotaryEmbedding", ["x", "cos", "sin", "places"], ["y"], interleaved=int(interleaved))
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = helper.make_graph(
        [node],
        "rope",
        [helper.make_tensor_value_info(name, kind, None) for name in ("x", "cos", "sin")]
        + [helper.make_tensor_value_info("places", TensorProto.INT64, None)],
        [helper.make_tensor_value_info("y", kind, None)],
    )
    session = ReferenceEvaluator(helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 23)]))
    feed = {"x": x, "cos": np.cos(angles).astype(dtype), "sin": np.sin(angles).astype(dtype), "places": places}
    agree(attn.rope(x, places[:, None], interleaved=interleaved), session.run(None, feed)[0], roundings=4)


def test_rope_scores_see_only_the_distance(rng, agree):
    q, k, t = rng.standard_normal((5, 8)), rng.standard_normal((5, 8)), np.arange(5)
    here = attn.dot(attn.rope(q, t), attn.rope(k, t))
    agree(attn.dot(attn.rope(q, t + 77), attn.rope(k, t + 77)), here)


def test_the_permutation_leads_from_one_layout_to_the_other(rng):
    x, t, p = rng.standard_normal((5, 8)), np.arange(5), attn.rope_permutation(8)
    assert (attn.rope(x, t)[..., p] == attn.rope(x[..., p], t, interleaved=False)).all()
    assert (x[..., p][..., np.argsort(p)] == x).all()
    assert attn.rope_permutation(2).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: attn.frequencies(5), "d: expected an even number, got 5"),
        (lambda: attn.sinusoidal(3, 0), "d: expected a whole number of at least 2, got 0"),
        (lambda: attn.frequencies(4, base=-1.0), "base: expected a finite number above 0, got -1.0"),
        (lambda: attn.rope_permutation(3), "d: expected an even number, got 3"),
        (lambda: attn.rope(np.ones((2, 3)), np.arange(2)), "d: expected an even number, got 3"),
        (lambda: attn.rope(np.ones((2, 4)), np.arange(3)), r"positions: shape \(3,\) does not broadcast to \(2,\)"),
        (
            lambda: attn.rotate_pairs(np.ones((2, 4)), np.ones(3), np.ones(2)),
            r"cos: shape \(3,\) does not broadcast to \(2, 2\)",
        ),
        (
            lambda: attn.rotate_pairs(np.ones((2, 4)), np.ones(2), np.ones((3, 2))),
            r"sin: shape \(3, 2\) does not broadcast to \(2, 2\)",
        ),
        (lambda: attn.rope(np.ones((1, 2)), np.array([np.nan])), "positions: expected finite numbers, got NaN .*"),
        (lambda: attn.alibi(3, -0.5), r"slopes: expected none below 0, got -0.5 in shape \(\)"),
        (lambda: attn.alibi(3, 0.5, m=2), "m: expected a whole number of at least 3, got 2"),
        (
            lambda: attn.relative_bias(np.ones((2, 4)), 3),
            r"table: expected an odd number of offsets, -r to r, got shape \(2, 4\)",
        ),
    ],
)
def test_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()


def test_alibi_slopes_are_the_published_ones():
    """Press, Smith and Lewis (2022), section 3: 1/2 to 1/2⁸ for 8 heads, and for 16 the same with roots between."""
    assert attn.alibi_slopes(8).tolist() == [2.0**-h for h in range(1, 9)]
    np.testing.assert_allclose(attn.alibi_slopes(16), [2 ** (-h / 2) for h in range(1, 17)], rtol=1e-15)
    # Their code for 12 heads: the eight slopes of 8 heads, then four of the sixteen's that lie between.
    between = [2.0 ** (-h - 0.5) for h in range(4)]
    np.testing.assert_allclose(attn.alibi_slopes(12), [*attn.alibi_slopes(8), *between], rtol=1e-15)
    assert attn.alibi_slopes(1).tolist() == [2.0**-8]


@pytest.mark.parametrize("n", [1, 3])
def test_alibi_falls_with_distance(n):
    slopes = attn.alibi_slopes(4)
    bias = attn.alibi(n, slopes, m=5)
    assert bias.shape == (4, n, 5)
    for i in range(n):
        for j in range(5):
            assert (bias[:, i, j] == -slopes * abs(5 - n + i - j)).all()
    assert (attn.alibi(n, 2, m=5) == -2 * np.abs(np.subtract.outer(np.arange(5 - n, 5), np.arange(5)))).all()


def test_relative_bias_repeats_its_ends(rng):
    table = rng.standard_normal((3, 5))
    bias = attn.relative_bias(table, 4, m=6)
    for i in range(4):
        for j in range(6):
            offset = min(max(j - (i + 2), -2), 2)
            assert (bias[:, i, j] == table[:, offset + 2]).all()
