"""Masks against numpy's triangles and counts that are known beforehand."""

import numpy as np
import pytest

import attn


@pytest.mark.parametrize(("n", "m"), [(1, 1), (4, 4), (1, 5), (3, 7)])
def test_causal_mask_is_a_triangle_at_the_bottom_right(n, m):
    assert (attn.causal_mask(n, m) == np.tril(np.ones((n, m)), m - n)).all()
    assert (attn.causal_mask(m) == np.tril(np.ones((m, m)))).all()
    assert attn.causal_mask(n, m).dtype == bool


def test_a_mask_may_be_written_to():
    mask = attn.causal_mask(3)
    mask[0, 2] = True
    assert mask[0].tolist() == [True, False, True]


@pytest.mark.parametrize("width", [1, 2, 5, 100])
def test_a_window_is_a_band(width):
    n = 12
    band = np.tril(np.ones((n, n))) - np.tril(np.ones((n, n)), -width)
    assert (attn.mask_table(attn.window_rule(width), n) == band).all()


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_through_layers_a_window_reaches_as_far_as_said(layers):
    """The last of 40 words sees L(w - 1) words before it and itself: paths counted by powers of the mask."""
    width = 4
    paths = np.linalg.matrix_power(attn.mask_table(attn.window_rule(width), 40).astype(int), layers)
    assert (paths[-1] > 0).sum() == layers * (width - 1) + 1


def test_sinks_stay_visible_but_never_show_the_future():
    mask = attn.mask_table(attn.window_rule(2, sinks=3), 8)
    assert mask[-1].tolist() == [True, True, True, False, False, False, True, True]
    assert not (mask & ~attn.causal_mask(8)).any()


def test_a_constant_rule_fills_the_table():
    assert attn.mask_table(lambda _asking, _asked: np.bool_(1), 2, 3).tolist() == [[True] * 3] * 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: attn.causal_mask(0), "n: expected a whole number of at least 1, got 0"),
        (lambda: attn.causal_mask(3, 2), "m: expected a whole number of at least 3, got 2"),
        (lambda: attn.causal_mask(2.0), "n: expected a whole number, got 2.0"),
        (lambda: attn.window_rule(0), "width: expected a whole number of at least 1, got 0"),
        (lambda: attn.window_rule(1, -1), "sinks: expected a whole number of at least 0, got -1"),
    ],
)
def test_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()
