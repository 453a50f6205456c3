"""Draws against their moments and against integrals by SciPy, within six standard errors."""

import numpy as np
import pytest
import scipy.special
import scipy.stats

import attn


def test_sample_rows_have_the_variance_asked_for(rng):
    X = attn.sample_rows(2000, 50, 4.0, rng)
    assert X.shape == (2000, 50)
    assert abs(X.mean()) < 6 * 2 / np.sqrt(X.size)
    assert abs(X.var() - 4) < 6 * 4 * np.sqrt(2 / X.size)
    assert scipy.stats.kstest(X.ravel() / 2, "norm").pvalue > 1e-6


@pytest.mark.parametrize(("d", "variance"), [(1, 1.0), (64, 1.0), (64, 4.0), (512, 0.25)])
def test_the_variance_of_dot_products(d, variance, rng):
    pairs = 20_000
    drawn = attn.sample_dot_products(pairs, d, variance, rng)
    expected = attn.dot_product_variance(d, variance, variance)
    assert expected == d * variance**2
    kurtosis = 3 + 6 / d  # of a sum of d products of two normal numbers, each with kurtosis 9
    assert abs(drawn.var() - expected) < 6 * expected * np.sqrt((kurtosis - 1) / pairs)
    assert abs(drawn.mean()) < 6 * np.sqrt(expected / pairs)


@pytest.mark.parametrize("scale", [1.0, 1 / 8])
def test_the_largest_of_two_weights_by_an_integral(rng, scale):
    """Given the query, the two scores differ by √2·‖q‖·scale times a standard normal number."""
    d = 64
    half_squares, chances = scipy.special.roots_genlaguerre(60, d / 2 - 1)  # ‖q‖²/2 is Gamma(d/2)
    z, dz = scipy.special.roots_legendre(200)
    z, dz = 6 * (z + 1), 6 * dz  # the normal number's size, from 0 to 12
    sizes = scipy.special.expit(np.outer(scale * np.sqrt(2 * 2 * half_squares), z))
    expected = chances / scipy.special.gamma(d / 2) @ sizes @ (2 * scipy.stats.norm.pdf(z) * dz)
    drawn = attn.largest_weight(2, d, rng, scale=scale, trials=4000)
    assert abs(drawn.mean() - expected) < 6 * drawn.std() / np.sqrt(4000)


def test_the_curve_falls_with_the_number_of_keys(rng):
    means, errors = attn.largest_weight_curve([2, 16, 256], 64, rng, trials=400)
    assert (np.diff(means) < -6 * errors[1:]).all()
    scaled, _ = attn.largest_weight_curve([256], 64, rng, scale=1 / 8, trials=50)
    assert scaled < 0.1


def test_the_same_seed_draws_the_same():
    draws = [attn.largest_weight(4, 8, np.random.default_rng(5), trials=3) for _ in range(2)]
    assert (draws[0] == draws[1]).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rng: attn.sample_rows(0, 1, 1.0, rng), "n: expected a whole number of at least 1, got 0"),
        (lambda rng: attn.sample_rows(1, 0, 1.0, rng), "d: expected a whole number of at least 1, got 0"),
        (lambda rng: attn.sample_rows(1, 1, 0.0, rng), "variance: expected a finite number above 0, got 0.0"),
        (lambda rng: attn.largest_weight(1, 1, rng, trials=0), "trials: expected a whole number of at least 1, got 0"),
        (lambda rng: attn.largest_weight_curve([1], 1, rng, trials=1), "trials: .* at least 2, got 1"),
        (lambda _: attn.dot_product_variance(4, key_variance=-1), "key_variance: expected .* above 0, got -1"),
    ],
)
def test_refused(call, message, rng):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call(rng)
