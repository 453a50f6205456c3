"""Softmax and its relatives against scipy.special."""

import numpy as np
import pytest
import scipy.special

import attn

AXES = [0, 1, 2, -1, -2]


@pytest.fixture
def scores(rng):
    scores = 20 * rng.standard_normal((3, 4, 5))
    scores[1, 2, 3] = -np.inf
    return scores


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("temperature", [1.0, 0.01, 50.0])
def test_softmax_is_scipys(scores, axis, temperature, agree):
    agree(attn.softmax(scores, axis, temperature), scipy.special.softmax(scores / temperature, axis=axis))


@pytest.mark.parametrize("axis", AXES)
def test_log_softmax_is_scipys(scores, axis, agree):
    ours, theirs = attn.log_softmax(scores, axis), scipy.special.log_softmax(scores, axis=axis)
    assert (np.isneginf(ours) == np.isneginf(theirs)).all()
    agree(ours[np.isfinite(ours)], theirs[np.isfinite(theirs)])


@pytest.mark.parametrize("axis", AXES)
def test_log_sum_exp_is_scipys(scores, axis, agree):
    agree(attn.log_sum_exp(scores, axis), scipy.special.logsumexp(scores, axis=axis))
    agree(attn.log_sum_exp(scores, axis, temperature=3.0), scipy.special.logsumexp(scores / 3, axis=axis))


@pytest.mark.parametrize("axis", AXES)
def test_entropy_is_scipys(scores, axis, agree):
    weights = attn.softmax(scores, axis)
    agree(attn.entropy(weights, axis), scipy.special.entr(weights).sum(axis=axis))


def test_entropy_runs_from_nothing_to_log_m():
    assert attn.entropy(np.eye(3)).tolist() == [0, 0, 0]
    assert not np.signbit(attn.entropy(np.array([1.0])))
    assert attn.entropy(np.full(8, 0.125)) == pytest.approx(np.log(8), rel=1e-15)
    assert attn.entropy(np.zeros(4)) == 0


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_row_that_may_look_at_nothing(dtype):
    nothing = np.full((2, 3), -np.inf, dtype)
    assert (attn.softmax(nothing) == 0).all()
    assert (attn.online_softmax(nothing) == 0).all()
    assert np.isneginf(attn.log_softmax(nothing)).all()
    assert np.isneginf(attn.log_sum_exp(nothing)).all()


def test_the_edge_of_float16_does_not_matter():
    scores = np.array([65504, -65504, 65504], np.float16)
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(np.float16(11.1)))  # where a plain softmax in float16 ends
    assert attn.softmax(scores).tolist() == [0.5, 0, 0.5]
    assert attn.softmax(scores).dtype == np.float16


def test_float16_sums_do_not_stall():
    """Added one by one in float16, ones stop counting at 2048; these four thousand weights sum to one."""
    weights = attn.softmax(np.zeros(4096, np.float16))
    assert (weights == np.float16(1 / 4096)).all()


def test_log_softmax_that_does_not_fit_is_refused():
    with pytest.raises(OverflowError, match=r"log_softmax: the result of shape \(2,\) overflows float64"):
        attn.log_softmax(np.array([1.5e308, -1.5e308]))
    with pytest.raises(OverflowError, match="float16"):
        attn.log_softmax(np.array([65504, -65504], np.float16))
    assert attn.softmax(np.array([1.5e308, -1.5e308])).tolist() == [1, 0]


def test_log_sum_exp_that_does_not_fit_is_refused():
    with pytest.raises(OverflowError, match="log_sum_exp"):
        attn.log_sum_exp(np.array([1e308]), temperature=0.01)


@pytest.mark.parametrize("axis", [3, -4])
def test_an_axis_that_is_not_there(axis):
    with pytest.raises(ValueError, match=rf"^axis: {axis} is not an axis of scores of shape \(2, 3, 4\)$"):
        attn.softmax(np.zeros((2, 3, 4)), axis)


@pytest.mark.parametrize("block_size", [1, 2, 3, 5, 99])
def test_online_softmax_is_softmax(scores, block_size, agree):
    agree(attn.online_softmax(scores, block_size), scipy.special.softmax(scores, axis=-1))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_states_merge_in_any_order_and_grouping(rng, order, agree):
    scores, values = 30 * rng.standard_normal((4, 9)), rng.standard_normal((9, 2))
    scores[0, :3] = scores[1] = -np.inf
    parts = [attn.running(scores[:, 3 * i : 3 * i + 3], values[3 * i : 3 * i + 3]) for i in order]
    left = attn.finish(attn.merge(attn.merge(parts[0], parts[1]), parts[2]))
    right = attn.finish(attn.merge(parts[0], attn.merge(parts[1], parts[2])))
    agree(left, attn.softmax(scores) @ values)
    agree(right, attn.softmax(scores) @ values)
    assert (left[1] == 0).all()


def test_a_state_without_values_has_no_output():
    assert attn.running(np.zeros((2, 3))).output.shape == (2, 0)


def test_a_sum_of_values_that_does_not_fit_is_refused():
    with pytest.raises(OverflowError, match="finish"):
        attn.finish(attn.running(np.zeros((1, 2)), np.full((2, 1), 1.5e308)))
