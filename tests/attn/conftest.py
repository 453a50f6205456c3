"""What the tests of attn share: random numbers from a fixed seed, and a comparison measured in rounding errors."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

torch.set_num_threads(1)  # the tests' arrays are small: a second thread only waits for the first

Agree = Callable[..., None]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(2017)


@pytest.fixture
def agree() -> Agree:
    """Give a function that demands the same shape and, within so many rounding errors of the type, the same numbers.

    The unit is the machine epsilon of the first argument's type times the largest number of the second. A sum of d
    products differs by at most d of them (Higham, 2002, section 3.1), whatever the order of summation.
    """

    def compare(ours: Any, theirs: Any, roundings: float = 64) -> None:
        ours = np.asarray(ours)
        theirs = np.asarray(theirs.detach() if hasattr(theirs, "detach") else theirs)
        assert ours.shape == theirs.shape
        unit = np.finfo(ours.dtype).eps * max(1.0, float(np.abs(theirs.astype(np.float64)).max()))
        difference = np.abs(ours.astype(np.float64) - theirs.astype(np.float64)).max()
        assert difference <= roundings * unit, f"{difference / unit:.0f} rounding errors apart"

    return compare
