r"""Parameters of a Transformer: its sizes, and the numbers it starts from.

They are a dictionary from names to arrays; the names of what belongs to block 0 begin with ``0.``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from attn._checks import Floats, count


@dataclass(frozen=True)
class Config:
    """The sizes of a model.

    Parameters
    ----------
    vocabulary : int
        How many different words there are.
    context : int
        How many words a text may have.
    width : int
        How many components a word has between blocks.
    heads : int
        How many heads a block has, a divisor of the width.
    layers : int
        How many blocks are stacked.

    Raises
    ------
    ValueError
        A size below 1, heads that do not divide the width.

    Examples
    --------
    >>> print(Config(vocabulary=27, context=16, width=32, heads=4, layers=2))
    Config(vocabulary=27, context=16, width=32, heads=4, layers=2)
    """

    vocabulary: int
    context: int
    width: int
    heads: int
    layers: int

    def __post_init__(self) -> None:
        for name in ("vocabulary", "context", "width", "heads", "layers"):
            count(name, getattr(self, name))
        if self.width % self.heads:
            raise ValueError(f"heads: {self.heads} heads do not divide the width {self.width}")


def initial_parameters(config: Config, rng: np.random.Generator) -> dict[str, Floats]:
    r"""Draw a model that knows nothing.

    A matrix of d rows has entries of variance 1/d, so that a word keeps its variance on the way through. What is added
    to the words is smaller by $\sqrt{2L}$, so that the 2L additions of L blocks together have the variance of one
    (Radford et al., 2019).

    Parameters
    ----------
    config : Config
        The sizes.
    rng : numpy.random.Generator
        Where the randomness comes from.

    Returns
    -------
    dictionary from names to float64 arrays
        ``words`` (vocabulary, d), ``positions`` (context, d); for each block ``gain_1``, ``bias_1``, ``W_Q``, ``W_K``,
        ``W_V``, ``W_O``, ``gain_2``, ``bias_2``, ``W_1`` (d, 4d), ``b_1``, ``W_2`` (4d, d), ``b_2``; at the end
        ``gain``, ``bias`` and ``W_out`` (d, vocabulary).

    Examples
    --------
    >>> import numpy as np
    >>> parameters = initial_parameters(Config(27, 16, 32, 4, 2), np.random.default_rng(0))
    >>> print(parameters["words"].shape, parameters["1.W_1"].shape, sum(p.size for p in parameters.values()))
    (27, 32) (32, 128) 27456
    """
    d, added = config.width, 1 / math.sqrt(2 * config.layers)

    def matrix(rows: int, columns: int, size: float = 1.0) -> Floats:
        return rng.standard_normal((rows, columns)) * (size / math.sqrt(rows))

    parameters: dict[str, Floats] = {
        "words": rng.standard_normal((config.vocabulary, d)),
        "positions": rng.standard_normal((config.context, d)),
    }
    for layer in range(config.layers):
        block: dict[str, Floats] = {
            "gain_1": np.ones(d),
            "bias_1": np.zeros(d),
            "W_Q": matrix(d, d),
            "W_K": matrix(d, d),
            "W_V": matrix(d, d),
            "W_O": matrix(d, d, added),
            "gain_2": np.ones(d),
            "bias_2": np.zeros(d),
            "W_1": matrix(d, 4 * d),
            "b_1": np.zeros(4 * d),
            "W_2": matrix(4 * d, d, added),
            "b_2": np.zeros(d),
        }
        parameters |= {f"{layer}.{name}": array for name, array in block.items()}
    return parameters | {"gain": np.ones(d), "bias": np.zeros(d), "W_out": matrix(d, config.vocabulary)}


def of_block(parameters: Mapping[str, Floats], layer: int) -> dict[str, Floats]:
    r"""Pick out what belongs to one block, by the names that `transformer_block` takes.

    Parameters
    ----------
    parameters : mapping from names to arrays
        A model's parameters, as `initial_parameters` names them.
    layer : int
        The number of the block, from 0 on.

    Returns
    -------
    dictionary from names to arrays
        ``W_Q`` for ``0.W_Q``, and so on: the same arrays, not copies.

    Raises
    ------
    ValueError
        There is no such block.

    Examples
    --------
    >>> import numpy as np
    >>> print(of_block({"0.W_Q": np.eye(1), "1.W_Q": np.eye(2), "gain": np.ones(2)}, 1))
    {'W_Q': array([[1., 0.],
           [0., 1.]])}
    """
    start = f"{layer}."
    block = {name.removeprefix(start): array for name, array in parameters.items() if name.startswith(start)}
    if not block:
        raise ValueError(f"parameters: no block {layer} among {', '.join(parameters)}")
    return block
