r"""Optimisers: small steps downhill, along the gradient or along a running average of it.

Parameters and gradients are dictionaries from names to arrays. A step changes the parameters' arrays in place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, MutableMapping
from typing import TypeAlias

import numpy as np

from attn._checks import Floats, floats, positive, shaped
from attn._precision import narrow, wide

Parameters: TypeAlias = MutableMapping[str, Floats]
Gradients: TypeAlias = Mapping[str, Floats]


class SGD:
    r"""Gradient descent with momentum: $v \leftarrow \mu v + g$, $\theta \leftarrow \theta - \eta v$.

    Parameters
    ----------
    rate : float
        $\eta$, the length of a step; may be changed between steps.
    momentum : float
        $\mu$ from 0 (none) to below 1, how much of the last step's direction is kept (Polyak, 1964).

    Raises
    ------
    ValueError
        A rate not above zero, a momentum outside [0, 1); by `step`, gradients that do not fit the parameters.

    Examples
    --------
    >>> import numpy as np
    >>> parameters = {"w": np.array([4.0])}
    >>> descent = SGD(rate=0.25)
    >>> for _ in range(3):
    ...     descent.step(parameters, {"w": 2 * parameters["w"]})  # the gradient of w²
    >>> print(parameters["w"])
    [0.5]
    """

    def __init__(self, rate: float, momentum: float = 0.0) -> None:
        self.rate = positive("rate", rate)
        self.momentum = _fraction("momentum", momentum)
        self._velocity: dict[str, Floats] = {}

    def step(self, parameters: Parameters, gradients: Gradients) -> None:
        """Move every parameter a step downhill, in place."""
        for name, theta, g in _paired(parameters, gradients):
            v = self.momentum * self._velocity.get(name, np.zeros_like(g)) + g
            self._velocity[name] = v
            theta[...] = narrow(name, wide(theta) - self.rate * v, theta)


class Adam:
    r"""Gradient descent with a step length of its own for every number (Kingma and Ba, 2015).

    $m \leftarrow \beta_1 m + (1 - \beta_1) g, \quad v \leftarrow \beta_2 v + (1 - \beta_2) g^2, \quad
    \theta \leftarrow \theta - \eta\, \dfrac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}$

    Both averages start at 0, and the divisions make up for it. Whatever the gradient's unit, the first step is $\eta$
    long.

    Parameters
    ----------
    rate : float
        $\eta$; may be changed between steps.
    betas : pair of floats
        $\beta_1$ and $\beta_2$ from 0 to below 1, how much of each average is kept.
    epsilon : float
        What keeps a number whose gradient is 0 from division by zero.
    weight_decay : float
        $\lambda \ge 0$: every step first shrinks the parameters by $\eta\lambda$ of themselves (AdamW, Loshchilov and
        Hutter, 2019).

    Raises
    ------
    ValueError
        A rate or epsilon not above zero, betas outside [0, 1), a negative decay; by `step`, gradients that do not fit
        the parameters.

    Examples
    --------
    >>> import numpy as np
    >>> parameters = {"w": np.array([4.0, 4.0])}
    >>> Adam(rate=0.1).step(parameters, {"w": np.array([1e-3, 1e3])})
    >>> print(parameters["w"].round(4))
    [3.9 3.9]
    """

    def __init__(
        self,
        rate: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        self.rate = positive("rate", rate)
        self.betas = _fraction("betas[0]", betas[0]), _fraction("betas[1]", betas[1])
        self.epsilon = positive("epsilon", epsilon)
        self.weight_decay = positive("weight_decay", weight_decay) if weight_decay else 0.0
        self._steps = 0
        self._mean: dict[str, Floats] = {}
        self._square: dict[str, Floats] = {}

    def step(self, parameters: Parameters, gradients: Gradients) -> None:
        """Move every parameter a step downhill, in place."""
        self._steps += 1
        keep_mean, keep_square = self.betas
        for name, theta, g in _paired(parameters, gradients):
            zeros = np.zeros_like(g)
            m = keep_mean * self._mean.get(name, zeros) + (1 - keep_mean) * g
            with np.errstate(over="ignore"):
                v = keep_square * self._square.get(name, zeros) + (1 - keep_square) * np.square(g)
            self._mean[name], self._square[name] = m, narrow(f"the square of gradients[{name!r}]", v, v)
            direction = m / (1 - keep_mean**self._steps) / (np.sqrt(v / (1 - keep_square**self._steps)) + self.epsilon)
            kept = (1 - self.rate * self.weight_decay) * wide(theta)
            theta[...] = narrow(name, kept - self.rate * direction, theta)


def clip_norm(gradients: Gradients, limit: float) -> dict[str, Floats]:
    r"""Shorten gradients that are longer than a limit, keeping their direction: $g \cdot \min(1, c / \lVert g \rVert)$.

    One length $\lVert g \rVert$ for all of them together (Pascanu, Mikolov and Bengio, 2013).

    Parameters
    ----------
    gradients : mapping from names to arrays
        The gradients.
    limit : float
        $c$, the largest length allowed.

    Returns
    -------
    dictionary from names to arrays
        Gradients whose length is at most the limit.

    Raises
    ------
    ValueError
        Integers, empty or non-finite gradients, a limit not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> print(clip_norm({"a": np.array([3.0]), "b": np.array([4.0])}, 1.0))
    {'a': array([0.6]), 'b': array([0.8])}
    """
    checked = {name: floats(name, gradient, axes=0) for name, gradient in gradients.items()}
    length = math.hypot(*(_length(wide(gradient)) for gradient in checked.values()))
    factor = min(1.0, positive("limit", limit) / length) if length > 0 else 1.0
    return {name: narrow(name, wide(gradient) * factor, gradient) for name, gradient in checked.items()}


def _paired(parameters: Parameters, gradients: Gradients) -> list[tuple[str, Floats, Floats]]:
    """Return name, parameter and gradient in the wide type, for each gradient, checked to fit before anything moves."""
    pairs = []
    for name, gradient in gradients.items():
        if name not in parameters:
            raise ValueError(f"gradients: {name!r} of shape {np.shape(gradient)} is no parameter")
        checked = floats(f"gradients[{name!r}]", gradient, axes=0)
        shaped(f"gradients[{name!r}]", checked, parameters[name].shape)
        pairs.append((name, parameters[name], wide(checked)))
    return pairs


def _length(gradient: Floats) -> float:
    """Return the Euclidean length, scaled by the largest number so that no square overflows."""
    largest = float(np.abs(gradient).max())
    return largest * float(np.linalg.norm(gradient / largest)) if largest > 0 else 0.0


def _fraction(name: str, number: float) -> float:
    if not 0 <= number < 1:
        raise ValueError(f"{name}: expected a number from 0 to below 1, got {number}")
    return float(number)
