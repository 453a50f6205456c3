r"""Features: what stands in for the softmax in linear attention, numbers of each word that are never negative."""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, fits, floats
from attn._precision import narrow, product, wide


def elu_plus_one(x: Floats) -> Floats:
    r"""Make every component positive: $\phi(x) = x + 1$ above 0, $e^x$ below (Katharopoulos et al., 2020, equation 7).

    Parameters
    ----------
    x : array (..., d)
        Queries or keys.

    Returns
    -------
    array (..., d)
        Features, never negative.

    Raises
    ------
    ValueError
        Integers, an empty or non-finite array.

    Examples
    --------
    >>> import numpy as np
    >>> print(elu_plus_one(np.array([-1.0, 0.0, 2.0])).round(3))
    [0.368 1.    3.   ]
    """
    x = floats("x", x)
    return narrow("elu_plus_one", np.maximum(wide(x), 0) + np.exp(np.minimum(wide(x), 0)), x)


def positive_random_features(x: Floats, W: Floats) -> Floats:
    r"""Stand in for the exponential of a dot product: $\phi(x)_i = e^{w_i \cdot x - \lVert x \rVert^2 / 2} / \sqrt r$.

    With rows $w_i \sim \mathcal N(0, I)$ the mean of $\phi(q) \cdot \phi(k)$ over draws of $W$ is exactly
    $e^{q \cdot k}$ (Choromanski et al., 2021, lemma 1). Divide queries and keys by $d^{1/4}$ each for
    $e^{q \cdot k / \sqrt d}$.

    Parameters
    ----------
    x : array (..., d)
        Queries or keys.
    W : array (r, d)
        Random directions, the same for both: ``sample_rows(r, d, 1.0, rng)``.

    Returns
    -------
    array (..., r)
        Features, never negative.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, directions that do not fit.
    OverflowError
        A feature is too large for the type of x.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import sample_rows
    >>> W = sample_rows(100_000, 2, 1.0, np.random.default_rng(0))
    >>> q, k = np.array([0.6, 0.2]), np.array([0.5, -0.5])
    >>> estimate = positive_random_features(q, W) @ positive_random_features(k, W)
    >>> print(f"{estimate:.1f} {np.exp(q @ k):.1f}")
    1.2 1.2
    """
    x, W = floats("x", x), floats("W", W, axes=2)
    fits("W", W, "x", x, axes=(-1, -1))
    with np.errstate(over="ignore", invalid="ignore"):
        exponents = product(x, W.mT) - np.square(wide(x)).sum(axis=-1, keepdims=True) / 2
        features = np.exp(exponents) / np.sqrt(len(W))
    return narrow("positive_random_features", features, x, W)
