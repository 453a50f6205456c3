"""What singles softmax out, against Kullback–Leibler divergences from SciPy and rivals that lack it."""

import numpy as np
import pytest
import scipy.optimize
import scipy.special

import attn


def shares(g):
    return lambda scores: g(scores) / g(scores).sum(axis=-1, keepdims=True)


RIVALS = {
    "softplus": shares(lambda s: np.log1p(np.exp(s))),
    "sigmoid": shares(scipy.special.expit),
    "square": shares(np.square),
}


def test_softmax_does_not_feel_a_shift(rng):
    scores = 10 * rng.standard_normal((50, 7))
    assert attn.shift_sensitivity(attn.softmax, scores, 123.0).max() < 1e-13


@pytest.mark.parametrize("rival", RIVALS)
def test_rivals_do(rival):
    assert attn.shift_sensitivity(RIVALS[rival], np.array([2.0, 1.0, -1.0]), 5.0) > 0.1


def test_shift_sensitivity_is_the_total_variation():
    weights = {2.0: np.array([0.5, 0.25, 0.25]), 5.0: np.array([0.25, 0.25, 0.5])}
    assert attn.shift_sensitivity(lambda s: weights[float(s[0])], np.array([2.0, 0.0, 0.0]), 3.0) == 0.25


def test_softmax_has_the_largest_free_energy(rng):
    scores, temperature = rng.standard_normal(5), 0.7
    best = attn.softmax(scores, temperature=temperature)
    assert attn.free_energy(best, scores, temperature) == pytest.approx(
        temperature * scipy.special.logsumexp(scores / temperature), rel=1e-14
    )
    others = rng.dirichlet(np.ones(5), size=1000)
    assert (attn.maximum_entropy_gap(others, np.broadcast_to(scores, others.shape), temperature) > 0).all()
    assert abs(attn.maximum_entropy_gap(best, scores, temperature)) < 1e-14


def test_an_optimiser_finds_softmax(rng):
    scores = rng.standard_normal(4)
    found = scipy.optimize.minimize(
        lambda p: -attn.free_energy(np.abs(p), scores),
        np.full(4, 0.25),
        bounds=[(1e-9, 1)] * 4,
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
    )
    assert np.abs(found.x - attn.softmax(scores)).max() < 1e-3


def test_the_gap_is_the_divergence(rng, agree):
    scores, p = rng.standard_normal((20, 6)), rng.dirichlet(np.ones(6), size=20)
    divergence = scipy.special.rel_entr(p, scipy.special.softmax(scores / 2, axis=-1)).sum(axis=-1)
    agree(attn.maximum_entropy_gap(p, scores, 2.0), 2 * divergence)


def test_of_weights_with_the_same_mean_score_softmax_has_the_largest_entropy(rng):
    scores = rng.standard_normal(6)
    p = attn.softmax(scores)
    directions = scipy.linalg.null_space(np.stack([np.ones(6), scores])).T  # change neither the sum nor the mean score
    for direction in directions:
        for step in (-0.01, 0.01):
            other = p + step * direction
            assert other @ scores == pytest.approx(p @ scores)
            assert attn.entropy(other) < attn.entropy(p)
