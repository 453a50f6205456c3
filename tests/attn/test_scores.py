"""Scores against SciPy's distances, PyTorch's cosine and sums written out."""

import numpy as np
import pytest
import torch
from scipy.spatial.distance import cdist

import attn

SHAPES = [((), 1, 1, 1), ((), 3, 5, 4), ((2,), 4, 2, 3), ((2, 3), 2, 3, 8)]


@pytest.fixture(params=SHAPES, ids=str)
def words(request, rng):
    batch, n, m, d = request.param
    return rng.standard_normal((*batch, n, d)), rng.standard_normal((*batch, m, d))


def each(function, queries, keys):
    """Apply a function of two tables to each of a batch."""
    batch = queries.shape[:-2]
    tables = [function(queries[i], keys[i]) for i in np.ndindex(*batch)]
    return np.reshape(tables, (*batch, queries.shape[-2], keys.shape[-2]))


def test_negative_distance_is_scipys(words, agree):
    agree(attn.negative_distance(*words), -each(cdist, *words))


def test_dot_is_the_sum_of_products(words, agree):
    queries, keys = words
    agree(attn.dot(queries, keys), (queries[..., :, None, :] * keys[..., None, :, :]).sum(axis=-1))


def test_cosine_is_torchs(words, agree):
    queries, keys = (torch.from_numpy(array) for array in words)
    theirs = torch.cosine_similarity(queries[..., :, None, :], keys[..., None, :, :], dim=-1)
    agree(attn.cosine(*words), theirs)


def test_bilinear_is_the_double_sum(words, rng, agree):
    queries, keys = words
    keys = keys[..., :1] * np.ones(3)
    M = rng.standard_normal((queries.shape[-1], 3))
    agree(attn.bilinear(queries, keys, M), np.einsum("...ni,ij,...mj->...nm", queries, M, keys))


def test_bilinear_of_projections_is_dot_of_projected_words(rng, agree):
    x, y = rng.standard_normal((4, 6)), rng.standard_normal((3, 6))
    W_Q, W_K = rng.standard_normal((6, 2)), rng.standard_normal((6, 2))
    agree(attn.bilinear(x, y, W_Q @ W_K.T), attn.dot(x @ W_Q, y @ W_K))


def test_additive_is_a_torch_network(words, rng, agree):
    queries, keys = words
    d, hidden = queries.shape[-1], 7
    W_Q, W_K, v = rng.standard_normal((d, hidden)), rng.standard_normal((d, hidden)), rng.standard_normal(hidden)
    net = torch.nn.Sequential(
        torch.nn.Linear(2 * d, hidden, bias=False), torch.nn.Tanh(), torch.nn.Linear(hidden, 1, bias=False)
    ).double()
    net[0].weight.data = torch.from_numpy(np.concatenate([W_Q, W_K]).T)
    net[2].weight.data = torch.from_numpy(v[None])
    n, m = queries.shape[-2], keys.shape[-2]
    pairs = np.concatenate(
        [np.repeat(queries[..., :, None, :], m, axis=-2), np.repeat(keys[..., None, :, :], n, axis=-3)], axis=-1
    )
    agree(attn.additive(queries, keys, W_Q, W_K, v), net(torch.from_numpy(pairs))[..., 0])


def test_gaussian_kernel_is_exp_of_scipys_squared_distance(words, agree):
    squared = each(lambda q, k: cdist(q, k, "sqeuclidean"), *words)
    agree(attn.gaussian_kernel(*words, bandwidth=0.7), np.exp(-squared / (2 * 0.7**2)))


def test_nadaraya_watson_is_the_quotient_of_sums(words, rng, agree):
    queries, keys = words
    values = rng.standard_normal((*keys.shape[:-1], 2))
    kernel = attn.gaussian_kernel(queries, keys, 2.0)
    agree(attn.nadaraya_watson(queries, keys, values, 2.0), kernel @ values / kernel.sum(axis=-1, keepdims=True))


def test_nadaraya_watson_far_away_takes_the_nearest_value():
    keys, values = np.array([[0.0], [1.0]]), np.array([[10.0], [20.0]])
    assert attn.gaussian_kernel(np.array([1e200]), keys).max() == 0
    for far in (1e3, 1e200, 1e308):
        assert attn.nadaraya_watson(np.array([-far]), keys, values) == (10 if far < 1e16 else 15)  # then equally far
        assert attn.nadaraya_watson(np.array([far]), far * keys / 2, values) == 20
    near = attn.nadaraya_watson(np.array([0.2], "e"), keys.astype("e"), values.astype("e"), bandwidth=1e-300)
    assert near == 10
    with pytest.raises(OverflowError, match="distance"):
        attn.nadaraya_watson(np.array([1.7e308]), -1.7e308 * keys, values)


@pytest.mark.parametrize("score", [attn.negative_distance, attn.dot, attn.cosine, attn.gaussian_kernel])
def test_a_single_word_has_no_axis(score, rng):
    q, k, keys = rng.standard_normal(4), rng.standard_normal(4), rng.standard_normal((2, 3, 4))
    assert np.ndim(score(q, k)) == 0
    assert isinstance(score(q, k), np.float64)
    assert score(q, keys).shape == (2, 3)
    assert score(keys, k).shape == (2, 3)
    assert score(q, keys)[1, 2] == pytest.approx(score(q, keys[1, 2]), rel=1e-14)


def test_single_words_in_scores_with_matrices(rng):
    q, k = rng.standard_normal(2), rng.standard_normal(3)
    W_Q, W_K, v = rng.standard_normal((2, 4)), rng.standard_normal((3, 4)), rng.standard_normal(4)
    assert attn.bilinear(q, k, rng.standard_normal((2, 3))).shape == ()
    assert attn.additive(q, k, W_Q, W_K, v).shape == ()
    assert attn.additive(q, np.stack([k, k]), W_Q, W_K, v).shape == (2,)
    assert attn.nadaraya_watson(q, q[None], k[None]).shape == (3,)


def test_a_zero_word_has_cosine_zero_with_all():
    assert (attn.cosine(np.zeros(3), np.eye(3)) == 0).all()


def test_leading_axes_broadcast(rng, agree):
    queries, keys = rng.standard_normal((2, 1, 3, 4)), rng.standard_normal((5, 6, 4))
    assert attn.dot(queries, keys).shape == (2, 5, 3, 6)
    agree(attn.dot(queries, keys)[1, 4], attn.dot(queries[1, 0], keys[4]))


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_distance_and_cosine_do_not_overflow_or_underflow_on_the_way(size):
    q, k = size * np.array([3.0, 0.0]), size * np.array([0.0, 4.0])
    assert attn.negative_distance(q, k) == pytest.approx(-5 * size, rel=1e-15)
    assert attn.cosine(q, k) == 0
    assert attn.cosine(q, q + k) == pytest.approx(0.6, rel=1e-15)


def test_additive_saturates_where_its_input_overflows():
    q, W = np.array([1e300]), np.array([[1e300, -1e300]])
    assert attn.additive(q, np.zeros(1), W, W, np.array([1.0, 2.0])) == -1
