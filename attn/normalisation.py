r"""Layer normalisation: every word is brought to mean 0 and variance 1 over its components, then scaled and shifted."""

from __future__ import annotations

import numpy as np

from attn._checks import Floats, floats, positive, shaped
from attn._precision import narrow, wide


def layer_norm(x: Floats, gain: Floats, bias: Floats, epsilon: float = 1e-5) -> Floats:
    r"""Normalise each word: $y = g \circ \hat x + b$ with $\hat x = \dfrac{x - \mu}{\sqrt{\sigma^2 + \epsilon}}$.

    Ba, Kiros and Hinton (2016). Mean $\mu$ and variance $\sigma^2$ (divided by d, not d - 1) are each word's own.

    Parameters
    ----------
    x : array (..., d)
        One word a row.
    gain, bias : array (d,)
        $g$ and $b$, trained.
    epsilon : float
        What keeps a word of equal components from division by zero; such a word becomes the bias.

    Returns
    -------
    array (..., d)
        The words, normalised.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, gain or bias that do not fit, epsilon not above zero.
    OverflowError
        A result is too large for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> print(layer_norm(np.array([1.0, 2.0, 3.0]), np.ones(3), np.zeros(3)).round(3))
    [-1.225  0.     1.225]
    """
    x, gain, bias = _checked(x, gain, bias)
    normal, _ = _normalised(x, epsilon)
    with np.errstate(over="ignore"):
        y = wide(gain) * normal + wide(bias)
    return narrow("layer_norm", y, x, gain, bias)


def layer_norm_backward(
    dY: Floats, x: Floats, gain: Floats, bias: Floats, epsilon: float = 1e-5
) -> tuple[Floats, Floats, Floats]:
    r"""Lead a gradient back through `layer_norm`.

    With $h = g \circ dY$ and means over the components of a word,
    $dx = \dfrac{h - \bar h - \hat x \; \overline{h \circ \hat x}}{\sqrt{\sigma^2 + \epsilon}}$: what would move the
    mean or the variance is taken out, since the norm undoes it. $dg$ and $db$ sum $dY \circ \hat x$ and $dY$ over the
    words.

    Parameters
    ----------
    dY : array (..., d)
        $\partial L / \partial y$.
    x, gain, bias : arrays
        As in `layer_norm`.
    epsilon : float
        As in `layer_norm`.

    Returns
    -------
    tuple of three arrays
        dx (..., d), d_gain (d,) and d_bias (d,), in the shapes of x, gain and bias.

    Raises
    ------
    ValueError
        As `layer_norm`; a gradient whose shape is not that of x.

    Examples
    --------
    >>> import numpy as np
    >>> dx, d_gain, d_bias = layer_norm_backward(np.ones((1, 3)), np.array([[1.0, 2.0, 3.0]]), np.ones(3), np.zeros(3))
    >>> print(np.abs(dx).max() < 1e-12, d_bias)
    True [1. 1. 1.]
    """
    x, gain, bias = _checked(x, gain, bias)
    dY = floats("dY", dY)
    shaped("dY", dY, x.shape)
    normal, deviation = _normalised(x, epsilon)
    words = tuple(range(x.ndim - 1))
    h = wide(gain) * wide(dY)
    moved = h - h.mean(axis=-1, keepdims=True) - normal * (h * normal).mean(axis=-1, keepdims=True)
    d_gain, d_bias = (wide(dY) * normal).sum(axis=words), wide(dY).sum(axis=words)
    return narrow("dx", moved / deviation, x), narrow("d_gain", d_gain, gain), narrow("d_bias", d_bias, bias)


def _checked(x: Floats, gain: Floats, bias: Floats) -> tuple[Floats, Floats, Floats]:
    x, gain, bias = floats("x", x), floats("gain", gain), floats("bias", bias)
    shaped("gain", gain, x.shape[-1:])
    shaped("bias", bias, x.shape[-1:])
    return x, gain, bias


def _normalised(x: Floats, epsilon: float) -> tuple[Floats, Floats]:
    """Return the words at mean 0 and variance 1, and the root that they were divided by, in the wide type."""
    with np.errstate(over="ignore", invalid="ignore"):
        centred = wide(x) - wide(x).mean(axis=-1, keepdims=True)
        deviation = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + positive("epsilon", epsilon))
    narrow("the variance of x", deviation, deviation)
    return centred / deviation, deviation
