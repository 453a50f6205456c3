"""The course's training comes out the same however a processor adds: its sums are exact."""

import importlib
import math
import sys
from pathlib import Path

import numpy as np
import pytest

SNIPPETS = Path(__file__).parents[1] / "snippets"


@pytest.fixture(scope="module")
def training():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SNIPPETS)
        patch.setattr(sys, "argv", ["repro_t3_training.py"])
        yield importlib.import_module("repro_t3_training")


def shuffled(slopes, rng):
    """Give the same slopes, with queries, components of words and components of Q and K added in other orders."""

    def otherwise(WQ, WK, words, *rest):
        x, y, values, wanted = words
        d = x.shape[-1]
        queries, components, inner = rng.permutation(len(x)), rng.permutation(d), rng.permutation(d)
        WQ, WK = (W[..., components, :][..., inner] for W in (WQ, WK))
        error, *found = slopes(WQ, WK, (x[queries][:, components], y[:, components], values, wanted[queries]), *rest)
        back, inner_back = np.argsort(components), np.argsort(inner)
        return error, *(slope[..., back, :][..., inner_back] for slope in found)

    return otherwise


@pytest.mark.parametrize("divided", [False, True])
@pytest.mark.parametrize("d", [16, 32, 64])
def test_no_order_of_adding_changes_what_is_learned(d, divided, training, monkeypatch):
    scale = 1 / math.sqrt(d) if divided else 1.0
    monkeypatch.setattr(training, "steps", 100)
    rates = training.rates[::3]
    straight = training.descend(d, scale, rates, 0)
    monkeypatch.setattr(training, "slopes", shuffled(training.slopes, np.random.default_rng(0)))
    assert training.descend(d, scale, rates, 0) == pytest.approx(straight, abs=1e-12)


def test_without_rounding_large_strides_magnify_the_last_digit(training, monkeypatch):
    def unrounded(array, _, out=None):
        return np.multiply(array, 1.0, out=out)

    monkeypatch.setattr(training, "rounded", unrounded)
    rates = training.rates[-4:-1]
    straight = training.descend(64, 1.0, rates, 0)
    monkeypatch.setattr(training, "slopes", shuffled(training.slopes, np.random.default_rng(0)))
    assert np.abs(training.descend(64, 1.0, rates, 0) - straight).max() > 1e-3
