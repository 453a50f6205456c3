"""Optimisers against torch.optim, step by step."""

import copy

import numpy as np
import pytest
import torch

import attn

STEPS = 25


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (lambda: attn.SGD(0.1), lambda p: torch.optim.SGD(p, lr=0.1)),
        (lambda: attn.SGD(0.1, momentum=0.9), lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9)),
        (lambda: attn.Adam(0.05), lambda p: torch.optim.Adam(p, lr=0.05)),
        (
            lambda: attn.Adam(0.05, betas=(0.5, 0.9), epsilon=0.01),
            lambda p: torch.optim.Adam(p, lr=0.05, betas=(0.5, 0.9), eps=0.01),
        ),
        (
            lambda: attn.Adam(0.05, weight_decay=0.1),
            lambda p: torch.optim.AdamW(p, lr=0.05, weight_decay=0.1),
        ),
    ],
    ids=["SGD", "momentum", "Adam", "betas", "AdamW"],
)
def test_steps_are_torchs(rng, ours, theirs, agree):
    start = {"W": rng.standard_normal((3, 4)), "b": rng.standard_normal(4)}
    mine, optimiser = copy.deepcopy(start), ours()
    tensors = {name: torch.tensor(array, requires_grad=True) for name, array in start.items()}
    other = theirs(tensors.values())
    for _ in range(STEPS):
        gradients = {name: rng.standard_normal(array.shape) for name, array in start.items()}
        optimiser.step(mine, gradients)
        for name, tensor in tensors.items():
            tensor.grad = torch.from_numpy(gradients[name])
        other.step()
    for name, tensor in tensors.items():
        agree(mine[name], tensor)


@pytest.mark.parametrize("limit", [0.5, 1e6])
def test_clip_norm_is_torchs(rng, limit):
    gradients = {"W": rng.standard_normal((3, 4)), "b": rng.standard_normal(4)}
    parameters = [torch.nn.Parameter(torch.zeros(g.shape, dtype=torch.float64)) for g in gradients.values()]
    for parameter, gradient in zip(parameters, gradients.values(), strict=True):
        parameter.grad = torch.tensor(gradient)
    torch.nn.utils.clip_grad_norm_(parameters, limit)
    clipped = attn.clip_norm(gradients, limit)
    for ours, parameter in zip(clipped.values(), parameters, strict=True):
        np.testing.assert_allclose(ours, parameter.grad, rtol=2e-6)  # torch adds 1e-6 to the length


def test_clip_norm_at_its_edges():
    assert attn.clip_norm({"a": np.zeros(2)}, 1.0)["a"].tolist() == [0, 0]
    np.testing.assert_allclose(attn.clip_norm({"a": np.array([3e200, 4e200])}, 1.0)["a"], [0.6, 0.8], rtol=1e-15)


def test_a_step_is_taken_in_place_and_keeps_the_type():
    w = np.ones(2, np.float32)
    for optimiser in (attn.SGD(0.5, momentum=0.5), attn.Adam(0.5)):
        optimiser.step({"w": w}, {"w": np.ones(2, np.float32)})
    assert w.dtype == np.float32
    np.testing.assert_allclose(w, 0, atol=1e-7)


def test_parameters_without_a_gradient_stay():
    parameters = {"a": np.ones(1), "b": np.ones(1)}
    attn.Adam(0.5).step(parameters, {"a": np.ones(1)})
    assert parameters["b"] == 1


@pytest.mark.parametrize("optimiser", [attn.SGD(1.0), attn.Adam(1.0)])
@pytest.mark.parametrize(
    ("gradients", "message"),
    [
        ({"v": np.ones(2)}, r"gradients: 'v' of shape \(2,\) is no parameter"),
        ({"w": np.ones(3)}, r"gradients\['w'\]: expected shape \(2,\), got \(3,\)"),
        ({"w": np.array([1.0, np.nan])}, r"gradients\['w'\]: expected finite numbers, got NaN .*"),
        ({"w": np.array([1, 2])}, r"gradients\['w'\]: expected float16, float32 or float64, got int64 .*"),
    ],
)
def test_gradients_that_do_not_fit_move_nothing(optimiser, gradients, message):
    parameters = {"w": np.zeros(2), "x": np.zeros(1)}
    with pytest.raises(ValueError, match=f"^{message}$"):
        optimiser.step(parameters, {"x": np.ones(1)} | gradients)
    assert parameters["x"] == 0


def test_a_gradient_whose_square_overflows_is_refused():
    with pytest.raises(OverflowError, match="the square of gradients"):
        attn.Adam().step({"w": np.zeros(1)}, {"w": np.array([1e200])})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: attn.SGD(0.0), "rate: expected a finite number above 0, got 0.0"),
        (lambda: attn.SGD(1.0, momentum=1.0), "momentum: expected a number from 0 to below 1, got 1.0"),
        (lambda: attn.Adam(betas=(-0.1, 0.9)), r"betas\[0\]: .* got -0.1"),
        (lambda: attn.Adam(betas=(0.9, 1)), r"betas\[1\]: .* got 1"),
        (lambda: attn.Adam(epsilon=0), "epsilon: expected a finite number above 0, got 0"),
        (lambda: attn.Adam(weight_decay=-1), "weight_decay: expected a finite number above 0, got -1"),
        (lambda: attn.clip_norm({"a": np.ones(1)}, 0), "limit: expected a finite number above 0, got 0"),
    ],
)
def test_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()
