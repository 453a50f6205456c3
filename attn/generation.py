r"""Generation: the model's guess at the next word becomes the next word, again and again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from attn._checks import Floats, Integers, count, floats, integers, positive
from attn._precision import divided, wide
from attn.decoding import KVCache
from attn.parameters import Config
from attn.transformer import decoder


def next_words(logits: Floats, rng: np.random.Generator | None = None, temperature: float = 1.0) -> Integers:
    r"""Choose a word by its score: the best one, or one drawn with the probabilities of softmax.

    The draw is Gumbel's: $\arg\max_j (s_j / T + g_j)$ with independent $g_j = -\ln(-\ln u_j)$ is j with probability
    exactly $\operatorname{softmax}(s / T)_j$.

    Parameters
    ----------
    logits : array (..., vocabulary)
        A score for each word there is.
    rng : numpy.random.Generator, optional
        Where the randomness comes from; without it the best word is chosen (greedy).
    temperature : float
        $T > 0$: below 1 more cautious, above 1 more adventurous. Of no effect without a generator.

    Returns
    -------
    integer array (...)
        The number of the chosen word.

    Raises
    ------
    ValueError
        Integers, an empty or non-finite array, a temperature not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> logits = np.log([[0.2, 0.8]])
    >>> drawn = next_words(np.repeat(logits, 10_000, axis=0), np.random.default_rng(0))
    >>> print(next_words(logits), round(drawn.mean(), 1))
    [1] 0.8
    """
    logits = floats("logits", logits)
    temperature = positive("temperature", temperature)
    scores = wide(logits)
    if rng is not None:
        with np.errstate(over="ignore"):  # to -inf, where the chance is 0
            scores = scores - scores.max(axis=-1, keepdims=True)
        scores = divided(scores, temperature) + rng.gumbel(size=scores.shape)
    chosen: Integers = np.argmax(scores, axis=-1)
    return chosen


def generate(
    parameters: Mapping[str, Floats],
    prompt: Integers,
    words: int,
    config: Config,
    *,
    rng: np.random.Generator | None = None,
    temperature: float = 1.0,
) -> Integers:
    r"""Continue a text word by word, each step asking the cache instead of computing earlier words again.

    Parameters
    ----------
    parameters : mapping from names to arrays
        As `initial_parameters` names them.
    prompt : integer array (..., n)
        The beginning of one or more texts of equal length.
    words : int
        How many words to add.
    config : Config
        The sizes; prompt and added words must fit the context.
    rng : numpy.random.Generator, optional
        As in `next_words`: greedy without a generator.
    temperature : float
        As in `next_words`.

    Returns
    -------
    integer array (..., n + words)
        The texts, prompt included.

    Raises
    ------
    ValueError
        As `decoder`.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import Config, initial_parameters
    >>> config = Config(vocabulary=5, context=8, width=16, heads=2, layers=2)
    >>> parameters = initial_parameters(config, np.random.default_rng(0))
    >>> print(generate(parameters, np.array([3, 1]), 4, config).shape)
    (6,)
    """
    text = integers("prompt", prompt, below=config.vocabulary)
    words = count("words", words)
    if text.shape[-1] + words > config.context:
        raise ValueError(f"words: {words} more than shape {text.shape} exceed the context of {config.context}")
    caches = [KVCache() for _ in range(config.layers)]
    fresh = text
    for _ in range(words):
        logits = decoder(parameters, fresh, config, caches)
        fresh = next_words(logits[..., -1, :], rng, temperature)[..., None]
        text = np.concatenate([text, fresh], axis=-1)
    return text
