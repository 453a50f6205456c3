r"""Training: the gradient of a whole model by hand, block after block from the last to the first."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from attn._checks import Floats, Integers, Mask, floats, integers, shaped
from attn._projection import project
from attn.embedding import embedding_backward
from attn.feed_forward import mlp_backward
from attn.gradients import project_backward
from attn.heads import multi_head_attention
from attn.heads_gradient import multi_head_attention_backward
from attn.loss import cross_entropy, cross_entropy_backward
from attn.masks import causal_mask
from attn.normalisation import layer_norm, layer_norm_backward
from attn.parameters import Config, of_block
from attn.transformer import embed_text, transformer_block


def transformer_block_backward(
    d_out: Floats, x: Floats, p: Mapping[str, Floats], heads: int, mask: Mask | None = None
) -> tuple[Floats, dict[str, Floats]]:
    r"""Lead a gradient back through `transformer_block`.

    At each addition the gradient goes both ways: through the part, and unchanged along the path around it.

    Parameters
    ----------
    d_out : array (..., n, d)
        $\partial L / \partial y$.
    x : array (..., n, d)
        As in `transformer_block`.
    p : mapping from names to arrays
        As in `transformer_block`.
    heads : int
        As in `transformer_block`.
    mask : array, optional
        As in `transformer_block`.

    Returns
    -------
    dx : array (..., n, d)
        $\partial L / \partial x$.
    gradients : dictionary from names to arrays
        The gradient of each of the block's parameters.

    Raises
    ------
    ValueError, OverflowError
        As `transformer_block`; a gradient whose shape is not that of x.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import Config, initial_parameters, of_block
    >>> p = of_block(initial_parameters(Config(5, 8, 16, heads=2, layers=1), np.random.default_rng(0)), 0)
    >>> dx, gradients = transformer_block_backward(np.ones((3, 16)), np.ones((3, 16)), p, heads=2)
    >>> print(dx.shape, gradients.keys() == p.keys())
    (3, 16) True
    """
    looking = layer_norm(x, p["gain_1"], p["bias_1"])
    seen = x + multi_head_attention(looking, p["W_Q"], p["W_K"], p["W_V"], p["W_O"], heads, mask=mask)
    working = layer_norm(seen, p["gain_2"], p["bias_2"])
    shaped("d_out", floats("d_out", d_out, axes=2), np.shape(x))

    d_working, dW_1, db_1, dW_2, db_2 = mlp_backward(d_out, working, p["W_1"], p["b_1"], p["W_2"], p["b_2"])
    d_seen, d_gain_2, d_bias_2 = layer_norm_backward(d_working, seen, p["gain_2"], p["bias_2"])
    d_seen = d_seen + d_out
    d = multi_head_attention_backward(d_seen, looking, p["W_Q"], p["W_K"], p["W_V"], p["W_O"], heads, mask=mask)
    dx, d_gain_1, d_bias_1 = layer_norm_backward(d.X, x, p["gain_1"], p["bias_1"])
    return dx + d_seen, {
        "gain_1": d_gain_1,
        "bias_1": d_bias_1,
        "W_Q": d.W_Q,
        "W_K": d.W_K,
        "W_V": d.W_V,
        "W_O": d.W_O,
        "gain_2": d_gain_2,
        "bias_2": d_bias_2,
        "W_1": dW_1,
        "b_1": db_1,
        "W_2": dW_2,
        "b_2": db_2,
    }


def loss_and_gradients(
    parameters: Mapping[str, Floats],
    tokens: Integers,
    targets: Integers,
    config: Config,
    counted: NDArray[np.bool_] | None = None,
) -> tuple[float, dict[str, Floats]]:
    r"""Measure how surprised `decoder` is by the next words, and how that changes with each of its parameters.

    Parameters
    ----------
    parameters : mapping from names to arrays
        As `initial_parameters` names them.
    tokens : integer array (..., n)
        Texts.
    targets : integer array (..., n)
        The word that really follows each: the same texts, one word on.
    config : Config
        The sizes.
    counted : boolean array (..., n), optional
        As in `cross_entropy`.

    Returns
    -------
    loss : float
        The mean surprise in nats; near ln(vocabulary) for a model that knows nothing.
    gradients : dictionary from names to arrays
        One for each parameter, in its shape and type: what an optimiser's ``step`` takes.

    Raises
    ------
    ValueError
        As `decoder` and `cross_entropy`.

    Examples
    --------
    >>> import numpy as np
    >>> from attn import Adam, Config, initial_parameters
    >>> config, text = Config(vocabulary=3, context=6, width=8, heads=2, layers=1), np.array([0, 1, 2, 0, 1, 2])
    >>> parameters, optimiser = initial_parameters(config, np.random.default_rng(0)), Adam(rate=0.01)
    >>> for _ in range(100):
    ...     loss, gradients = loss_and_gradients(parameters, text[:-1], text[1:], config)
    ...     optimiser.step(parameters, gradients)
    >>> print(loss < 0.05)
    True
    """
    tokens = integers("tokens", tokens)
    mask = causal_mask(tokens.shape[-1])
    x = [embed_text(parameters, tokens, config)]  # what goes into each block, and what comes out of the last
    for layer in range(config.layers):
        x.append(transformer_block(x[-1], of_block(parameters, layer), config.heads, mask))
    final = layer_norm(x[-1], parameters["gain"], parameters["bias"])
    logits = project("W_out", final, parameters["W_out"], of="words")
    loss = float(cross_entropy(logits, targets, counted))

    d_logits = cross_entropy_backward(logits, targets, counted)
    d_final, dW_out = project_backward(d_logits, final, parameters["W_out"])
    dx, d_gain, d_bias = layer_norm_backward(d_final, x[-1], parameters["gain"], parameters["bias"])
    gradients = {"gain": d_gain, "bias": d_bias, "W_out": dW_out}
    for layer in reversed(range(config.layers)):
        dx, block = transformer_block_backward(dx, x[layer], of_block(parameters, layer), config.heads, mask)
        gradients |= {f"{layer}.{name}": gradient for name, gradient in block.items()}
    gradients["words"] = embedding_backward(dx, parameters["words"], tokens)
    places = np.broadcast_to(np.arange(tokens.shape[-1]), tokens.shape)
    gradients["positions"] = embedding_backward(dx, parameters["positions"], places)
    return loss, gradients
