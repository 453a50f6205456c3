r"""Loss: how surprised a model is by the words that really come next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attn._checks import Floats, Integers, floats, integers, shaped
from attn._precision import narrow, wide
from attn.softmax import log_softmax, softmax


def cross_entropy(logits: Floats, targets: Integers, counted: NDArray[np.bool_] | None = None) -> Floats:
    r"""Average the surprise at the right words, in nats.

    $L = -\tfrac1N \sum_t \ln \operatorname{softmax}(\text{logits}_t)_{y_t}$

    Parameters
    ----------
    logits : array (..., vocabulary)
        A score for each word there is.
    targets : integer array (...)
        $y_t$, the number of the right word.
    counted : boolean array (...), optional
        True where a word counts towards the loss; all do unless given.

    Returns
    -------
    float
        $\ln(\text{vocabulary})$ for equal scores, near 0 where the right words have nearly all the weight.

    Raises
    ------
    ValueError
        Integer, empty or non-finite logits, targets not in the vocabulary, shapes that do not fit, nothing counted.

    Examples
    --------
    >>> import numpy as np
    >>> print(f"{cross_entropy(np.zeros((3, 8)), np.array([0, 5, 7])):.4f} {np.log(8):.4f}")
    2.0794 2.0794
    """
    logits, targets, share = _checked(logits, targets, counted)
    surprise = -np.take_along_axis(log_softmax(wide(logits)), targets[..., None], axis=-1)[..., 0]
    return narrow("cross_entropy", (share * surprise).sum(), logits)


def cross_entropy_backward(logits: Floats, targets: Integers, counted: NDArray[np.bool_] | None = None) -> Floats:
    r"""Give the gradient of `cross_entropy`: what the model said minus what was right.

    $\dfrac{\partial L}{\partial \text{logits}_t} = \dfrac{\operatorname{softmax}(\text{logits}_t) - e_{y_t}}{N}$

    Parameters
    ----------
    logits, targets : arrays
        As in `cross_entropy`.
    counted : boolean array, optional
        As in `cross_entropy`.

    Returns
    -------
    array (..., vocabulary)
        In the shape of the logits; each row sums to 0, and is 0 where a word does not count.

    Raises
    ------
    ValueError
        As `cross_entropy`.

    Examples
    --------
    >>> import numpy as np
    >>> print(cross_entropy_backward(np.zeros((1, 4)), np.array([2])))
    [[ 0.25  0.25 -0.75  0.25]]
    """
    logits, targets, share = _checked(logits, targets, counted)
    right = targets[..., None] == np.arange(logits.shape[-1])
    return narrow("cross_entropy_backward", share[..., None] * (softmax(wide(logits)) - right), logits)


def _checked(
    logits: Floats, targets: Integers, counted: NDArray[np.bool_] | None
) -> tuple[Floats, Integers, NDArray[np.float64]]:
    """Return logits and targets that fit, and each word's share in the mean."""
    logits = floats("logits", logits)
    targets = integers("targets", targets, axes=0, below=logits.shape[-1])
    shaped("targets", targets, logits.shape[:-1])
    counted = np.ones(targets.shape, np.bool_) if counted is None else np.asarray(counted)
    shaped("counted", counted, targets.shape)
    if counted.dtype != np.bool_ or not counted.any():
        raise ValueError(f"counted: expected booleans, some of them True, got {counted.dtype} of shape {counted.shape}")
    return logits, targets, counted / counted.sum()
