r"""Transformer: blocks of looking around and working alone, stacked between a table of words and a guess at the next.

Pre-norm (Xiong et al., 2020), as in GPT-2: each part works on normalised words, and its result is *added* to them, so
that a word reaches the end by a path that nothing obstructs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from attn._checks import Floats, Integers, Mask, integers
from attn._projection import project
from attn.decoding import KVCache
from attn.embedding import embedding
from attn.feed_forward import mlp
from attn.heads import multi_head_attention
from attn.masks import causal_mask
from attn.normalisation import layer_norm
from attn.parameters import Config, of_block


def transformer_block(
    x: Floats, p: Mapping[str, Floats], heads: int, mask: Mask | None = None, cache: KVCache | None = None
) -> Floats:
    r"""Let words look at each other, then work on each by itself.

    $x' = x + \text{heads}(\text{norm}(x)), \quad y = x' + \text{mlp}(\text{norm}(x'))$

    Parameters
    ----------
    x : array (..., n, d)
        One word a row.
    p : mapping from names to arrays
        The block's parameters, as `initial_parameters` names them.
    heads : int
        How many heads look.
    mask : array broadcasting to (..., heads, n, m), optional
        As in `multi_head_attention`.
    cache : KVCache, optional
        As in `multi_head_attention`.

    Returns
    -------
    array (..., n, d)
        The words, each knowing more.

    Raises
    ------
    ValueError, OverflowError
        As `multi_head_attention`, `layer_norm` and `mlp`.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import Config, initial_parameters, of_block
    >>> parameters = initial_parameters(Config(5, 8, 16, heads=2, layers=1), np.random.default_rng(0))
    >>> print(transformer_block(np.ones((3, 16)), of_block(parameters, 0), heads=2).shape)
    (3, 16)
    """
    looking = layer_norm(x, p["gain_1"], p["bias_1"])
    seen = x + multi_head_attention(looking, p["W_Q"], p["W_K"], p["W_V"], p["W_O"], heads, mask=mask, cache=cache)
    working = layer_norm(seen, p["gain_2"], p["bias_2"])
    return seen + mlp(working, p["W_1"], p["b_1"], p["W_2"], p["b_2"])


def encoder(
    parameters: Mapping[str, Floats],
    tokens: Integers,
    config: Config,
    mask: Mask | None = None,
    caches: Sequence[KVCache] | None = None,
) -> Floats:
    r"""Turn a text into words that know their surroundings: table plus positions, blocks, a last norm.

    Parameters
    ----------
    parameters : mapping from names to arrays
        As `initial_parameters` names them; ``W_out`` is not used.
    tokens : integer array (..., n)
        Numbers of words.
    config : Config
        The sizes.
    mask : array broadcasting to (..., heads, n, n), optional
        Who may look at whom, such as True for the words that are there and False for padding; everybody at
        everybody unless given.
    caches : sequence of KVCache, one a block, optional
        Keys and values of earlier words; the tokens go on from there.

    Returns
    -------
    array (..., n, d)
        One word a row.

    Raises
    ------
    ValueError
        Tokens that are not in the vocabulary, a text longer than the context, parameters that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import Config, initial_parameters
    >>> config = Config(vocabulary=5, context=8, width=16, heads=2, layers=2)
    >>> parameters = initial_parameters(config, np.random.default_rng(0))
    >>> print(encoder(parameters, np.array([[0, 1, 2], [4, 3, 2]]), config).shape)
    (2, 3, 16)
    """
    x = embed_text(parameters, tokens, config, earlier=len(caches[0]) if caches else 0)
    for layer in range(config.layers):
        x = transformer_block(x, of_block(parameters, layer), config.heads, mask, caches[layer] if caches else None)
    return layer_norm(x, parameters["gain"], parameters["bias"])


def embed_text(parameters: Mapping[str, Floats], tokens: Integers, config: Config, earlier: int = 0) -> Floats:
    r"""Look a text up: each word's row of the one table plus its position's row of the other.

    Parameters
    ----------
    parameters : mapping from names to arrays
        As in `encoder`.
    tokens : integer array (..., n)
        As in `encoder`.
    config : Config
        As in `encoder`.
    earlier : int
        How many words stand before these.

    Returns
    -------
    array (..., n, d)
        What goes into the first block.

    Raises
    ------
    ValueError
        Tokens that are not in the vocabulary, a text longer than the context.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import Config
    >>> tables = {"words": np.array([[1.0], [2.0]]), "positions": np.array([[0.0], [0.1], [0.2]])}
    >>> print(embed_text(tables, np.array([1, 0, 1]), Config(2, 3, 1, 1, 1)).ravel())
    [2.  1.1 2.2]
    """
    tokens = integers("tokens", tokens, below=config.vocabulary)
    n = tokens.shape[-1]
    if earlier + n > config.context:
        raise ValueError(f"tokens: {earlier} words and shape {tokens.shape} exceed the context of {config.context}")
    places = np.arange(earlier, earlier + n)
    return embedding(parameters["words"], tokens) + embedding(parameters["positions"], places)


def decoder(
    parameters: Mapping[str, Floats],
    tokens: Integers,
    config: Config,
    caches: Sequence[KVCache] | None = None,
) -> Floats:
    r"""Guess every next word: a decoder-only model is `encoder` under a causal mask, times a matrix.

    Parameters
    ----------
    parameters : mapping from names to arrays
        As in `encoder`.
    tokens : integer array (..., n)
        As in `encoder`.
    config : Config
        As in `encoder`.
    caches : sequence of KVCache, optional
        As in `encoder`.

    Returns
    -------
    array (..., n, vocabulary)
        Row t: a score (logit) for each word that might follow word t. No later word has a part in it.

    Raises
    ------
    ValueError
        As `encoder`.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import Config, initial_parameters
    >>> config = Config(vocabulary=5, context=8, width=16, heads=2, layers=2)
    >>> parameters = initial_parameters(config, np.random.default_rng(0))
    >>> one, other = (decoder(parameters, np.array(text), config) for text in ([0, 1, 2], [0, 1, 4]))
    >>> print(one.shape, (one == other).all(axis=-1))
    (3, 5) [ True  True False]
    """
    n = np.shape(tokens)[-1] if np.ndim(tokens) else 1
    mask = causal_mask(n, n + len(caches[0]) if caches else None)
    return project("W_out", encoder(parameters, tokens, config, mask, caches), parameters["W_out"], of="words")
