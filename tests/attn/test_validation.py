"""What is refused, and that the refusal is one line which names the argument and its shape.

Each function is called with arguments that fit; then each array is spoilt in turn.
"""

import inspect
import re

import numpy as np
import pytest

import attn

X, EYE = np.ones((3, 4)), np.eye(4)
TOKENS = np.array([0, 1, 2])
BLOCK = dict.fromkeys(("W_Q", "W_K", "W_V", "W_O", "W_1", "W_2"), EYE) | {
    name: np.ones(4) for name in ("gain_1", "bias_1", "gain_2", "bias_2", "b_1", "b_2")
}
QKV = {"Q": X, "K": X, "V": X}
HEADS = {"X": X, "W_Q": EYE, "W_K": EYE, "W_V": EYE, "W_O": EYE, "heads": 2, "memory": X}
MLP = {"x": X, "W_1": EYE, "b_1": EYE[0], "W_2": EYE, "b_2": EYE[0]}

CALLS = {
    "additive": {"queries": X, "keys": X, "W_Q": EYE, "W_K": EYE, "v": EYE[0]},
    "attention_backward": {"dZ": X} | QKV,
    "attention_weights": {"Q": X, "K": X},
    "average_over_rotations": {"M": EYE[:2, :2]},
    "bilinear": {"queries": X, "keys": X, "M": EYE},
    "blockwise_attention": QKV,
    "causal_linear_attention": QKV,
    "cosine": {"queries": X, "keys": X},
    "cross_attention": {"X": X, "memory": X, "W_Q": EYE, "W_K": EYE, "W_V": EYE},
    "cross_entropy": {"logits": X, "targets": TOKENS},
    "cross_entropy_backward": {"logits": X, "targets": TOKENS},
    "dot": {"queries": X, "keys": X},
    "elu_plus_one": {"x": X},
    "embedding": {"table": X, "tokens": TOKENS},
    "embedding_backward": {"d_words": X, "table": X, "tokens": TOKENS},
    "entropy": {"weights": X},
    "free_energy": {"weights": X, "scores": X},
    "gaussian_kernel": {"queries": X, "keys": X},
    "gelu": {"x": X},
    "gelu_backward": {"dY": X, "x": X},
    "layer_norm": {"x": X, "gain": EYE[0], "bias": EYE[0]},
    "layer_norm_backward": {"dY": X, "x": X, "gain": EYE[0], "bias": EYE[0]},
    "learned_positions": {"table": X, "positions": TOKENS},
    "linear_attention": QKV,
    "log_softmax": {"scores": X},
    "log_sum_exp": {"scores": X},
    "maximum_entropy_gap": {"weights": X, "scores": X},
    "merge_heads": {"x": X[None]},
    "mlp": MLP,
    "mlp_backward": {"dY": X} | MLP,
    "multi_head_attention": HEADS,
    "multi_head_attention_backward": {"dZ": X} | HEADS,
    "multi_head_weights": {name: HEADS[name] for name in ("X", "W_Q", "W_K", "heads", "memory")},
    "nadaraya_watson": {"queries": X, "keys": X, "values": X},
    "negative_distance": {"queries": X, "keys": X},
    "next_words": {"logits": X},
    "online_softmax": {"scores": X},
    "pairwise_attention": QKV,
    "pairwise_scores": {"Q": X, "K": X},
    "positive_random_features": {"x": X, "W": X},
    "project_backward": {"dY": X, "X": X, "W": EYE},
    "relative_bias": {"table": X[:, :3], "n": 2},
    "repeat_heads": {"x": X[None], "times": 2},
    "rope": {"x": X, "positions": TOKENS.astype(float)},
    "rotate_pairs": {"x": X, "cos": X[:, :2], "sin": X[:, :2]},
    "running": {"scores": X, "values": EYE},
    "scaled_dot_product_attention": QKV,
    "self_attention": {"X": X, "W_Q": EYE, "W_K": EYE, "W_V": EYE},
    "shift_sensitivity": {"normalise": attn.softmax, "scores": X, "shift": 1.0},
    "sliding_window_attention": QKV | {"width": 2},
    "softmax": {"scores": X},
    "softmax_backward": {"d_weights": X, "weights": X},
    "split_heads": {"x": X, "heads": 2},
    "transformer_block": {"x": X, "p": BLOCK, "heads": 2},
    "transformer_block_backward": {"d_out": X, "x": X, "p": BLOCK, "heads": 2},
}
MASKED = {"softmax", "log_softmax", "log_sum_exp", "online_softmax", "running"}  # whose scores may be -inf
# Not called here: they take sizes, rules, states or dictionaries, and have tests of their own.
ELSEWHERE = {
    *("alibi", "alibi_slopes", "frequencies", "rope_permutation", "rotation", "sinusoidal"),
    *("causal_mask", "causal_rule", "mask_table", "window_rule", "decode", "finish", "merge"),
    *("invariant_dimension", "random_rotation", "dot_product_variance", "largest_weight", "largest_weight_curve"),
    *("sample_dot_products", "sample_rows", "clip_norm", "decoder", "encoder", "generate", "initial_parameters"),
    *("loss_and_gradients", "of_block", "embed_text"),
}

ARRAYS = [
    (name, argument)
    for name, arguments in CALLS.items()
    for argument, value in arguments.items()
    if isinstance(value, np.ndarray) and value.dtype == np.float64
]


def refusal(name, **changes):
    with pytest.raises(ValueError, match=r"^\w") as caught:
        getattr(attn, name)(**CALLS[name] | changes)
    message = str(caught.value)
    assert "\n" not in message
    return message


def spoilt(array, value):
    array = array.copy()
    array.flat[-1] = value
    return array


def test_every_function_is_covered():
    functions = {name for name in attn.__all__ if inspect.isfunction(getattr(attn, name))}
    assert set(CALLS) | ELSEWHERE == functions
    assert not set(CALLS) & ELSEWHERE


@pytest.mark.parametrize("name", CALLS)
def test_arguments_that_fit_are_taken(name):
    getattr(attn, name)(**CALLS[name])


@pytest.mark.parametrize(("name", "argument"), ARRAYS)
class TestArray:
    def test_integers(self, name, argument):
        if argument == "positions":
            return  # the one place where whole numbers are meant
        array = CALLS[name][argument].astype(np.int64)
        message = refusal(name, **{argument: array})
        assert message == f"{argument}: expected float16, float32 or float64, got int64 of shape {array.shape}"

    def test_other_types(self, name, argument):
        for dtype in (np.complex128, np.longdouble, object, bool):
            message = refusal(name, **{argument: CALLS[name][argument].astype(dtype)})
            assert message.startswith(f"{argument}: expected float16, float32 or float64, got ")

    def test_empty(self, name, argument):
        array = CALLS[name][argument][:0]
        message = refusal(name, **{argument: array})
        assert message == f"{argument}: expected at least one element, got the empty shape {array.shape}"

    def test_not_finite(self, name, argument):
        masked = argument == "scores" and name in MASKED
        allowed = "numbers or -inf" if masked else "finite numbers"
        for value in (np.nan, np.inf) if masked else (np.nan, np.inf, -np.inf):
            array = spoilt(CALLS[name][argument], value)
            expected = f"{argument}: expected {allowed}, got NaN or infinity in shape {array.shape}"
            assert refusal(name, **{argument: array}) == expected
        if masked:
            getattr(attn, name)(**CALLS[name] | {argument: spoilt(CALLS[name][argument], -np.inf)})

    def test_a_bare_number(self, name, argument):
        if argument == "positions":
            return  # one position for all
        message = refusal(name, **{argument: np.array(1.0)})
        assert re.fullmatch(rf"{argument}: expected at least [123] axes, got shape \(\)", message)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        (
            "dot",
            {"keys": X[:, :3]},
            "keys: shape (3, 3) does not fit queries of shape (3, 4): axis -1 has length 3, not 4",
        ),
        (
            "cosine",
            {"queries": EYE[0, :3]},
            "keys: shape (3, 4) does not fit queries of shape (1, 3): axis -1 has length 4, not 3",
        ),
        ("bilinear", {"M": EYE[:3]}, "M: expected shape (4, 4), got (3, 4)"),
        ("additive", {"W_K": EYE[:, :2]}, "W_K: expected shape (4, 4), got (4, 2)"),
        ("additive", {"W_Q": EYE[:2]}, "W_Q: expected shape (4, 4), got (2, 4)"),
        ("additive", {"v": EYE}, "v: expected shape (4,), got (4, 4)"),
        (
            "nadaraya_watson",
            {"values": EYE},
            "values: shape (4, 4) does not fit keys of shape (3, 4): axis -2 has length 4, not 3",
        ),
        ("free_energy", {"scores": EYE}, "weights: expected shape (4, 4), got (3, 4)"),
        ("entropy", {"weights": -X}, "weights: expected none below 0, got -1.0 in shape (3, 4)"),
        (
            "scaled_dot_product_attention",
            {"K": X[:, :2]},
            "K: shape (3, 2) does not fit Q of shape (3, 4): axis -1 has length 2, not 4",
        ),
        (
            "scaled_dot_product_attention",
            {"V": X[:2]},
            "V: shape (2, 4) does not fit K of shape (3, 4): axis -2 has length 2, not 3",
        ),
        (
            "scaled_dot_product_attention",
            {"Q": np.ones((2, 3, 4)), "K": np.ones((5, 3, 4))},
            "Q, K, V: leading axes of Q of shape (2, 3, 4), K of shape (5, 3, 4), V of shape (3, 4) do not broadcast",
        ),
        (
            "scaled_dot_product_attention",
            {"mask": np.ones((2, 3), bool)},
            "mask: shape (2, 3) does not broadcast to (3, 3)",
        ),
        (
            "scaled_dot_product_attention",
            {"mask": np.ones((2, 3, 3))},
            "mask: shape (2, 3, 3) does not broadcast to (3, 3)",
        ),
        (
            "scaled_dot_product_attention",
            {"mask": np.ones((3, 3), int)},
            "mask: expected float16, float32 or float64, got int64 of shape (3, 3)",
        ),
        (
            "scaled_dot_product_attention",
            {"mask": np.full((3, 3), np.inf)},
            "mask: expected numbers or -inf, got NaN or infinity in shape (3, 3)",
        ),
        ("scaled_dot_product_attention", {"scale": 0.0}, "scale: expected a finite number above 0, got 0.0"),
        ("attention_weights", {"scale": np.nan}, "scale: expected a finite number above 0, got nan"),
        (
            "self_attention",
            {"W_K": EYE[:3]},
            "W_K: shape (3, 4) does not fit X of shape (3, 4): axis -2 has length 3, not 4",
        ),
        ("pairwise_attention", {"Q": X[None]}, "Q: expected exactly 2 axes, got shape (1, 3, 4)"),
        (
            "pairwise_attention",
            {"V": EYE},
            "V: shape (4, 4) does not fit K of shape (3, 4): axis 0 has length 4, not 3",
        ),
        ("softmax", {"temperature": -1.0}, "temperature: expected a finite number above 0, got -1.0"),
        ("gaussian_kernel", {"bandwidth": np.inf}, "bandwidth: expected a finite number above 0, got inf"),
        ("online_softmax", {"block_size": 0}, "block_size: expected a whole number of at least 1, got 0"),
        ("shift_sensitivity", {"normalise": np.sum}, "normalise(scores): expected at least 1 axes, got shape ()"),
        (
            "shift_sensitivity",
            {"normalise": lambda s: s[:1]},
            "normalise(scores): expected shape (3, 4), got (1, 4)",
        ),
    ],
)
def test_what_does_not_fit(name, changes, message):
    assert refusal(name, **changes) == message


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("dot", {"queries": 1e200 * X, "keys": 1e200 * X}),
        ("bilinear", {"queries": 1e200 * X, "M": 1e200 * EYE}),
        ("negative_distance", {"queries": 1e308 * X, "keys": -1e308 * X}),
        ("scaled_dot_product_attention", {"Q": 1e200 * X, "K": 1e200 * X}),
        ("scaled_dot_product_attention", {"Q": -1e200 * X, "K": 1e200 * X}),
        ("scaled_dot_product_attention", {"Q": 1e300 * X, "scale": 1e300}),
        ("scaled_dot_product_attention", {"Q": 1e300 * X, "mask": np.full((3, 3), 1.7e308), "scale": 1e8}),
        ("blockwise_attention", {"Q": 1e200 * X, "K": 1e200 * X}),
        ("pairwise_attention", {"Q": 1e200 * X, "K": 1e200 * X}),
        ("pairwise_scores", {"Q": 1e200 * X, "K": 1e200 * X}),
        ("layer_norm", {"x": 1e200 * EYE}),
        ("layer_norm", {"x": EYE, "gain": np.full(4, 1.7e308)}),
        ("mlp", {"W_1": 1e300 * EYE, "W_2": 1e300 * EYE}),
        ("positive_random_features", {"x": 40 * X, "W": 40 * X}),
        ("rotate_pairs", {"x": 1e308 * X, "cos": 1e308 * X[:, :2]}),
        ("linear_attention", {"Q": 1e200 * X, "K": 1e200 * X}),
        ("dot", {"queries": X.astype("e"), "keys": np.full((3, 4), 60000, "e")}),
    ],
)
def test_a_result_too_large_for_its_type_is_refused(name, changes):
    with pytest.raises(OverflowError, match=r"overflows float(16|64)") as caught:
        getattr(attn, name)(**CALLS[name] | changes)
    assert "\n" not in str(caught.value)
