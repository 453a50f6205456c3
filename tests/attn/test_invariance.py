"""Rotations and what they leave alone, against algebra done another way."""

import numpy as np
import pytest
from scipy.stats import special_ortho_group

import attn


@pytest.mark.parametrize("angle", [0.0, 0.3, -2.0, 100.0])
def test_a_rotation_multiplies_by_a_complex_unit(angle, agree):
    x = np.array([[1.0, 2.0], [-3.0, 0.5]])
    turned = (x[:, 0] + 1j * x[:, 1]) * np.exp(1j * angle)
    agree(x @ attn.rotation(angle).T, np.stack([turned.real, turned.imag], axis=-1))


@pytest.mark.parametrize("d", [1, 2, 3, 8])
def test_random_rotations_are_rotations(d, rng, agree):
    for _ in range(20):
        R = attn.random_rotation(d, rng)
        agree(R @ R.T, np.eye(d))
        assert np.linalg.det(R) == pytest.approx(1)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_random_rotations_are_uniform(d, rng):
    """Every entry has mean 0 and variance 1/d; so have SciPy's. Within six standard errors."""
    draws = 4000
    ours = np.array([attn.random_rotation(d, rng) for _ in range(draws)])
    theirs = special_ortho_group.rvs(d, size=draws, random_state=1)
    for R in (ours, theirs):
        assert np.abs(R.mean(axis=0)).max() < 6 * np.sqrt(1 / d / draws)
        assert np.abs((R**2).mean(axis=0) - 1 / d).max() < 6 * (R**2).std() / np.sqrt(draws)


def test_the_average_over_the_plane_is_exact(rng, agree):
    M = rng.standard_normal((2, 2))
    even, odd = np.trace(M) / 2, (M[0, 1] - M[1, 0]) / 2
    agree(attn.average_over_rotations(M), np.array([[even, odd], [-odd, even]]), roundings=4)
    angles = 2 * np.pi * np.arange(360) / 360
    finely = np.mean([attn.rotation(a) @ M @ attn.rotation(a).T for a in angles], axis=0)
    agree(attn.average_over_rotations(M), finely)


def test_the_average_over_space_tends_to_a_multiple_of_one(rng):
    M = rng.standard_normal((4, 4))
    samples = 4000
    deviation = attn.average_over_rotations(M, rng, samples) - np.trace(M) / 4 * np.eye(4)
    assert np.abs(deviation).max() < 6 * np.linalg.norm(M) / np.sqrt(samples)  # no entry of RMRᵀ exceeds ‖M‖


def test_a_line_has_nothing_to_average():
    assert attn.average_over_rotations(np.array([[3.0]])) == 3
    assert attn.average_over_rotations(np.eye(2, dtype=np.float32)).dtype == np.float32


@pytest.mark.parametrize("d", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("symmetric", [False, True])
def test_invariant_dimension_by_random_rotations(d, symmetric, rng):
    """The null space of M ↦ RMRᵀ - M over a few random rotations: they and their products come near every rotation."""
    equations = [np.kron(R, R) - np.eye(d * d) for R in (attn.random_rotation(d, rng) for _ in range(4))]
    if symmetric:
        transpose = np.eye(d * d).reshape(d, d, d, d).transpose(1, 0, 2, 3).reshape(d * d, d * d)
        equations.append(transpose - np.eye(d * d))
    free = d * d - np.linalg.matrix_rank(np.concatenate(equations), tol=1e-9)
    assert attn.invariant_dimension(d, symmetric=symmetric) == free


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: attn.rotation(np.inf), "angle: expected a finite number, got inf"),
        (lambda: attn.random_rotation(0, np.random.default_rng()), "d: expected a whole number of at least 1, got 0"),
        (lambda: attn.average_over_rotations(np.ones((2, 3))), r"M: expected shape \(3, 3\), got \(2, 3\)"),
        (lambda: attn.average_over_rotations(np.eye(3)), r"rng: expected a generator for M of shape \(3, 3\); .*"),
        (lambda: attn.invariant_dimension(0), "d: expected a whole number of at least 1, got 0"),
    ],
)
def test_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()
