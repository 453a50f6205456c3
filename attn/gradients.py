r"""Gradients of attention by hand: how a loss $L$ changes with queries, keys and values.

A backward function takes the gradient $\partial L / \partial(\text{output})$ first, then what the forward function
took, and gives the gradient of each array input, in the same shape and type. What it needs from the forward pass it
computes again: nothing has to be kept in between.
"""

from __future__ import annotations

import numpy as np

from attn._attention import checked, wide_weights
from attn._checks import Floats, Mask, floats, positive, shaped
from attn._precision import divided, narrow, product, wide


def softmax_backward(d_weights: Floats, weights: Floats, temperature: float = 1.0) -> Floats:
    r"""Lead a gradient back through softmax: $dS = A \circ (dA - \operatorname{rowsum}(A \circ dA)) / T$.

    From $\partial A_i / \partial S_j = A_i (\delta_{ij} - A_j) / T$. Each row of $dS$ sums to 0, since a shift of all
    scores changes nothing.

    Parameters
    ----------
    d_weights : array (..., m)
        $dA = \partial L / \partial A$.
    weights : array (..., m)
        $A$, what `softmax` gave.
    temperature : float
        $T$, as in `softmax`.

    Returns
    -------
    array (..., m)
        $dS = \partial L / \partial S$.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, shapes that differ, a temperature not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> print(softmax_backward(np.array([1.0, 0.0]), np.array([0.5, 0.5])))
    [ 0.25 -0.25]
    """
    weights, d_weights = floats("weights", weights), floats("d_weights", d_weights)
    shaped("d_weights", d_weights, weights.shape)
    A, dA = wide(weights), wide(d_weights)
    dS = A * (dA - (A * dA).sum(axis=-1, keepdims=True))
    return narrow("softmax_backward", divided(dS, positive("temperature", temperature)), d_weights, weights)


def attention_backward(
    dZ: Floats, Q: Floats, K: Floats, V: Floats, mask: Mask | None = None, scale: float | None = None
) -> tuple[Floats, Floats, Floats]:
    r"""Lead a gradient back through `scaled_dot_product_attention`.

    $dV = A^\top dZ$

    $dA = dZ\, V^\top$

    $dS = A \circ (dA - \operatorname{rowsum}(A \circ dA))$

    $dQ = \dfrac{dS\, K}{\sqrt{d_k}}$

    $dK = \dfrac{dS^\top Q}{\sqrt{d_k}}$

    Parameters
    ----------
    dZ : array (..., n, d_v)
        $\partial L / \partial Z$.
    Q, K, V : arrays
        As in `scaled_dot_product_attention`.
    mask : array, optional
        As in `scaled_dot_product_attention`.
    scale : float, optional
        As in `scaled_dot_product_attention`.

    Returns
    -------
    tuple of three arrays
        dQ, dK and dV, in the shapes of Q, K and V. Nothing flows back through a forbidden look, so a query that may
        look at nothing gets zeros.

    Raises
    ------
    ValueError, OverflowError
        As `scaled_dot_product_attention`; a gradient whose shape is not Z's.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.eye(2)
    >>> dQ, dK, dV = attention_backward(np.ones((2, 2)), X, X, X)
    >>> print(dV)
    [[1. 1.]
     [1. 1.]]
    """
    Q, K, V, scale = checked(Q, K, V, scale)
    A = wide_weights(Q, K, mask, scale)  # (..., n, m)
    dZ = floats("dZ", dZ, axes=2)
    shaped("dZ", dZ, np.broadcast_shapes((*A.shape[:-1], 1), (*V.shape[:-2], 1, V.shape[-1])))
    dV = product(A.mT, dZ)
    dS = softmax_backward(product(dZ, V.mT), np.broadcast_to(A, (*dZ.shape[:-1], A.shape[-1])))
    dQ, dK = product(dS, K) * scale, product(dS.mT, Q) * scale
    return _reduced("dQ", dQ, Q), _reduced("dK", dK, K), _reduced("dV", dV, V)


def _reduced(name: str, gradient: Floats, like: Floats) -> Floats:
    """Return the gradient of an array that was broadcast: summed over the axes along which it was repeated."""
    extra = gradient.ndim - like.ndim
    repeated = tuple(extra + i for i, length in enumerate(like.shape) if length == 1 < gradient.shape[extra + i])
    gradient = gradient.sum(axis=(*range(extra), *repeated), keepdims=True)
    return narrow(name, gradient.reshape(like.shape), like)


def project_backward(dY: Floats, X: Floats, W: Floats) -> tuple[Floats, Floats]:
    r"""Lead a gradient back through a product with a matrix, $Y = XW$: $dX = dY\, W^\top$, $dW = X^\top dY$.

    Parameters
    ----------
    dY : array (..., n, e)
        $\partial L / \partial Y$.
    X : array (..., n, d)
        One word a row.
    W : array (d, e)
        The matrix, shared by all words, so that its gradient sums over them.

    Returns
    -------
    tuple of two arrays
        dX (..., n, d) and dW (d, e), in the shapes of X and W.

    Raises
    ------
    ValueError
        Integers, empty or non-finite arrays, shapes that do not fit each other.

    Examples
    --------
    >>> import numpy as np
    >>> dX, dW = project_backward(np.array([[1.0]]), np.array([[2.0, 3.0]]), np.array([[5.0], [7.0]]))
    >>> print(dX, dW.ravel())
    [[5. 7.]] [2. 3.]
    """
    X, W, dY = floats("X", X, axes=2), floats("W", W, axes=2), floats("dY", dY, axes=2)
    shaped("W", W, (X.shape[-1], dY.shape[-1]))
    shaped("dY", dY, (*X.shape[:-1], dY.shape[-1]))
    dW = product(X.reshape(-1, X.shape[-1]).T, dY.reshape(-1, dY.shape[-1]))
    return narrow("dX", product(dY, W.mT), X), narrow("dW", dW, W)
