r"""Feed-forward network: after words have looked at each other, each is worked on by itself, wider and back."""

from __future__ import annotations

import math

import numpy as np

from attn._checks import Floats, floats, shaped
from attn._precision import narrow, product, wide
from attn.gradients import project_backward

ROOT = math.sqrt(2 / math.pi)
CUBIC = 0.044715


def gelu(x: Floats) -> Floats:
    r"""Let a component through by how large it is: $\tfrac12 x \, (1 + \tanh u)$.

    $u = \sqrt{2/\pi}\,(x + 0.044715\,x^3)$. The approximation of $x\,\Phi(x)$ by Hendrycks and Gimpel (2016) that GPT-2
    uses; within 0.0005 of it. Unlike $\max(x, 0)$ it has a gradient everywhere.

    Parameters
    ----------
    x : array (...)
        Any numbers.

    Returns
    -------
    array (...)
        About 0 where x is far below 0, about x where it is far above.

    Raises
    ------
    ValueError
        Integers, an empty or non-finite array.

    Examples
    --------
    >>> import numpy as np
    >>> print(gelu(np.array([-10.0, -1.0, 0.0, 1.0, 10.0])).round(4))
    [-0.     -0.1588  0.      0.8412 10.    ]
    """
    x = floats("x", x)
    return narrow("gelu", wide(x) * _gate(wide(x)), x)


def gelu_backward(dY: Floats, x: Floats) -> Floats:
    r"""Lead a gradient back through `gelu`: $dx = dY \circ (\sigma + x\, \sigma')$, with $\sigma$ the factor of x.

    $\sigma = \tfrac12 (1 + \tanh u)$ and $\sigma' = 2 \sigma (1 - \sigma)\, u'$ with
    $u' = \sqrt{2/\pi}\,(1 + 3 \cdot 0.044715\, x^2)$.

    Parameters
    ----------
    dY : array (...)
        $\partial L / \partial y$.
    x : array (...)
        As in `gelu`.

    Returns
    -------
    array (...)
        $\partial L / \partial x$.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, shapes that differ.

    Examples
    --------
    >>> import numpy as np
    >>> print(gelu_backward(np.ones(3), np.array([-10.0, 0.0, 10.0])))
    [0.  0.5 1. ]
    """
    x, dY = floats("x", x), floats("dY", dY)
    shaped("dY", dY, x.shape)
    gate = _gate(wide(x))
    with np.errstate(over="ignore"):
        slope = ROOT * wide(x) * (1 + 3 * CUBIC * np.square(wide(x)))  # x·u'
    steep = gate * (1 - gate)
    bend = np.multiply(2 * steep, slope, out=np.zeros_like(gate), where=steep > 0)
    return narrow("gelu_backward", wide(dY) * (gate + bend), x)


def _gate(x: Floats) -> Floats:
    with np.errstate(over="ignore"):  # to ±inf, of which tanh is ±1 as it should be
        gate: Floats = (1 + np.tanh(ROOT * x * (1 + CUBIC * np.square(x)))) / 2
    return gate


def mlp(x: Floats, W_1: Floats, b_1: Floats, W_2: Floats, b_2: Floats) -> Floats:
    r"""Work on each word by itself: $y = \operatorname{gelu}(x W_1 + b_1)\, W_2 + b_2$.

    Vaswani et al. (2017), section 3.3, with `gelu`.

    Parameters
    ----------
    x : array (..., n, d)
        One word a row.
    W_1 : array (d, h)
        To the hidden width h, four times d as a rule.
    b_1 : array (h,)
        What is added to each hidden component.
    W_2 : array (h, e)
        And back; e is d where the result is to be added to the words.
    b_2 : array (e,)
        What is added to each component of the result.

    Returns
    -------
    array (..., n, e)
        The new words.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, shapes that do not fit each other.
    OverflowError
        A result is too large for the type of the words.

    Examples
    --------
    >>> import numpy as np
    >>> print(mlp(np.array([[1.0, -1.0]]), np.eye(2), np.zeros(2), np.eye(2), np.ones(2)).round(4))
    [[1.8412 0.8412]]
    """
    x, W_1, b_1, W_2, b_2 = _checked(x, W_1, b_1, W_2, b_2)
    hidden = gelu(_affine("hidden", x, W_1, b_1))
    return _affine("mlp", hidden, W_2, b_2)


def mlp_backward(
    dY: Floats, x: Floats, W_1: Floats, b_1: Floats, W_2: Floats, b_2: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    r"""Lead a gradient back through `mlp`, layer by layer, the last first.

    Parameters
    ----------
    dY : array (..., n, e)
        $\partial L / \partial y$.
    x, W_1, b_1, W_2, b_2 : arrays
        As in `mlp`.

    Returns
    -------
    tuple of five arrays
        dx, dW_1, db_1, dW_2 and db_2, in the shapes of x, W_1, b_1, W_2 and b_2.

    Raises
    ------
    ValueError, OverflowError
        As `mlp`; a gradient whose shape is not that of y.

    Examples
    --------
    >>> import numpy as np
    >>> dx, *_, db_2 = mlp_backward(np.ones((3, 2)), np.zeros((3, 2)), np.eye(2), np.zeros(2), np.eye(2), np.ones(2))
    >>> print(dx[0], db_2)
    [0.5 0.5] [3. 3.]
    """
    x, W_1, b_1, W_2, b_2 = _checked(x, W_1, b_1, W_2, b_2)
    shaped("dY", floats("dY", dY, axes=2), (*x.shape[:-1], W_2.shape[-1]))
    words = tuple(range(x.ndim - 1))
    before = _affine("hidden", x, W_1, b_1)  # (..., n, h)
    d_hidden, dW_2 = project_backward(dY, gelu(before), W_2)
    d_before = gelu_backward(d_hidden, before)
    dx, dW_1 = project_backward(d_before, x, W_1)
    db_1 = narrow("db_1", wide(d_before).sum(axis=words), b_1)
    return dx, dW_1, db_1, dW_2, narrow("db_2", wide(dY).sum(axis=words), b_2)


def _checked(x: Floats, W_1: Floats, b_1: Floats, W_2: Floats, b_2: Floats) -> tuple[Floats, ...]:
    x, W_1, W_2 = floats("x", x, axes=2), floats("W_1", W_1, axes=2), floats("W_2", W_2, axes=2)
    b_1, b_2 = floats("b_1", b_1), floats("b_2", b_2)
    shaped("W_1", W_1, (x.shape[-1], W_1.shape[-1]))
    shaped("b_1", b_1, W_1.shape[-1:])
    shaped("W_2", W_2, (W_1.shape[-1], W_2.shape[-1]))
    shaped("b_2", b_2, W_2.shape[-1:])
    return x, W_1, b_1, W_2, b_2


def _affine(name: str, x: Floats, W: Floats, b: Floats) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        y = product(x, W) + wide(b)
    return narrow(name, y, x, W, b)
