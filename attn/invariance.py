r"""Invariance: which score matrices look the same from every direction, $R M R^\top = M$ for every rotation $R$."""

from __future__ import annotations

import math

import numpy as np

from attn._checks import Floats, count, floats, shaped


def rotation(angle: float) -> Floats:
    r"""Turn the plane: $R = \begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix}$.

    A row word $x$ turns counter-clockwise as $x R^\top$.

    Parameters
    ----------
    angle : float
        $\theta$ in radians.

    Returns
    -------
    array (2, 2)
        The rotation.

    Raises
    ------
    ValueError
        An angle that is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> print((np.array([1.0, 0.0]) @ rotation(np.pi / 2).T).round(12))
    [0. 1.]
    """
    if not math.isfinite(angle):
        raise ValueError(f"angle: expected a finite number, got {angle}")
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def random_rotation(d: int, rng: np.random.Generator) -> Floats:
    r"""Draw a rotation of d dimensions, every one as likely as any other (Haar measure).

    The QR decomposition of a Gaussian matrix, with the signs that make it unique (Mezzadri, 2007); one row is
    reversed where the determinant is -1.

    Parameters
    ----------
    d : int
        The number of dimensions.
    rng : numpy.random.Generator
        Where the randomness comes from.

    Returns
    -------
    array (d, d)
        A matrix $R$ with $R R^\top = I$ and $\det R = 1$.

    Raises
    ------
    ValueError
        d below 1.

    Examples
    --------
    >>> import numpy as np
    >>> R = random_rotation(3, np.random.default_rng(0))
    >>> print(np.allclose(R @ R.T, np.eye(3)), round(np.linalg.det(R), 12))
    True 1.0
    """
    d = count("d", d)
    orthogonal, upper = np.linalg.qr(rng.standard_normal((d, d)))
    orthogonal *= np.copysign(1, np.diagonal(upper))
    if np.linalg.det(orthogonal) < 0:
        orthogonal[0] *= -1
    return orthogonal


def average_over_rotations(M: Floats, rng: np.random.Generator | None = None, samples: int = 1000) -> Floats:
    r"""Average a score matrix over all rotations: $\int R M R^\top \, dR$, the invariant part of $M$.

    In the plane $R M R^\top$ is a trigonometric polynomial of degree 2 in the angle, which the mean over four quarter
    turns integrates exactly: no generator is needed. In more dimensions the mean over random rotations is taken;
    it comes near $\tfrac{\operatorname{tr} M}{d} I$ with an error that falls as one over the root of the samples.

    Parameters
    ----------
    M : array (d, d)
        A score matrix, as in `bilinear`.
    rng : numpy.random.Generator, optional
        Where random rotations come from; needed with more than two dimensions.
    samples : int
        How many random rotations to take.

    Returns
    -------
    array (d, d)
        The average.

    Raises
    ------
    ValueError
        Not a square matrix of finite floating-point numbers; no generator with more than two dimensions.

    Examples
    --------
    >>> import numpy as np
    >>> print(average_over_rotations(np.array([[3.0, 5.0], [1.0, 1.0]])))
    [[ 2.  2.]
     [-2.  2.]]
    """
    M = floats("M", M, axes=2)
    d = M.shape[-1]
    shaped("M", M, (d, d))
    if d <= 2:  # noqa: PLR2004 - the line and the plane
        quarter_turns = [np.linalg.matrix_power(np.rint(rotation(math.pi / 2)), k) for k in range(4)]
        turns = quarter_turns if d > 1 else [np.eye(1)]
    elif rng is None:
        raise ValueError(f"rng: expected a generator for M of shape {M.shape}; only the plane has an exact rule")
    else:
        turns = [random_rotation(d, rng) for _ in range(count("samples", samples))]
    R = np.array(turns)
    average: Floats = (R @ M @ R.mT).mean(axis=0).astype(M.dtype)
    return average


def invariant_dimension(d: int, symmetric: bool = False) -> int:  # noqa: FBT001, FBT002 - reads as a question
    r"""Count the free numbers in a matrix that no rotation changes.

    It is the dimension of the space of all $M$ with $R M R^\top = M$ for every rotation $R$ of d dimensions. Every
    rotation is built of small turns in the planes of neighbouring axes. $M$ is unchanged by the turns in one plane
    exactly when it commutes with the plane's generator $G$ (1 and -1 at two opposite places). The equations
    $GM - MG = 0$ for each $G$, with $M - M^\top = 0$ if symmetric, are linear in the $d^2$ entries; what their rank
    leaves over is the answer.

    Parameters
    ----------
    d : int
        The number of dimensions.
    symmetric : bool
        Whether to ask for $M^\top = M$ as well.

    Returns
    -------
    int
        The dimension of the space of solutions.

    Raises
    ------
    ValueError
        d below 1.

    Examples
    --------
    >>> [invariant_dimension(d) for d in (2, 3, 4)]
    [2, 1, 1]
    >>> [invariant_dimension(d, symmetric=True) for d in (2, 3, 4)]
    [1, 1, 1]
    """
    d = count("d", d)
    basis = np.eye(d * d).reshape(d * d, d, d)
    equations = [basis - basis.mT] if symmetric else []
    for axis in range(d - 1):
        G = np.zeros((d, d))
        G[axis, axis + 1], G[axis + 1, axis] = -1, 1
        equations.append(G @ basis - basis @ G)
    if not equations:  # a line has no rotation but the identity
        return d * d
    conditions = np.stack(equations, axis=1).reshape(d * d, -1)
    return d * d - int(np.linalg.matrix_rank(conditions))
