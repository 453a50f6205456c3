"""The small Transformer against one put together from PyTorch's own layers, forwards, backwards and in training."""

import numpy as np
import pytest
import scipy.stats
import torch

import attn

CONFIG = attn.Config(vocabulary=11, context=9, width=12, heads=3, layers=2)


@pytest.fixture
def parameters(rng):
    parameters = attn.initial_parameters(CONFIG, rng)
    for name, array in parameters.items():  # gains and biases are trained as well: let them differ from 1 and 0
        if array.ndim == 1:
            parameters[name] = array + 0.3 * rng.standard_normal(array.shape)
    return parameters


def torch_encoder(tensors):
    """Return PyTorch's encoder with our parameters in its places, so that autograd leads back to them."""
    d = CONFIG.width
    layer = torch.nn.TransformerEncoderLayer(
        d,
        CONFIG.heads,
        4 * d,
        dropout=0.0,
        activation=lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
        batch_first=True,
        norm_first=True,
        dtype=torch.float64,
    )
    norm = torch.nn.LayerNorm(d, dtype=torch.float64)
    encoder = torch.nn.TransformerEncoder(layer, CONFIG.layers, norm, enable_nested_tensor=False)
    places = {"norm.weight": tensors["gain"], "norm.bias": tensors["bias"]}
    for i in range(CONFIG.layers):
        p = attn.of_block(tensors, i)
        places |= {
            f"layers.{i}.{name}": tensor
            for name, tensor in {
                "self_attn.in_proj_weight": torch.cat([p["W_Q"], p["W_K"], p["W_V"]], dim=1).T,
                "self_attn.in_proj_bias": torch.zeros(3 * d, dtype=torch.float64),
                "self_attn.out_proj.weight": p["W_O"].T,
                "self_attn.out_proj.bias": torch.zeros(d, dtype=torch.float64),
                "linear1.weight": p["W_1"].T,
                "linear1.bias": p["b_1"],
                "linear2.weight": p["W_2"].T,
                "linear2.bias": p["b_2"],
                "norm1.weight": p["gain_1"],
                "norm1.bias": p["bias_1"],
                "norm2.weight": p["gain_2"],
                "norm2.bias": p["bias_2"],
            }.items()
        }
    return lambda *args, **options: torch.func.functional_call(encoder, places, args, options)


def torch_words(tensors, tokens, *, causal, padding=None):
    x = tensors["words"][tokens] + tensors["positions"][: tokens.shape[-1]]
    forbidden = torch.from_numpy(~attn.causal_mask(tokens.shape[-1])) if causal else None
    return torch_encoder(tensors)(x, mask=forbidden, src_key_padding_mask=padding)


@pytest.fixture
def tokens(rng):
    return rng.integers(0, CONFIG.vocabulary, (4, 8))


def as_tensors(parameters, *, grad=False):
    return {name: torch.tensor(array, requires_grad=grad) for name, array in parameters.items()}


def test_encoder_is_torchs(parameters, tokens, agree):
    agree(attn.encoder(parameters, tokens, CONFIG), torch_words(as_tensors(parameters), tokens, causal=False))


def test_encoder_leaves_out_padding(parameters, tokens, agree):
    there = np.arange(8) < np.array([8, 5, 1, 6])[:, None]
    ours = attn.encoder(parameters, tokens, CONFIG, mask=there[:, None, None, :])
    theirs = torch_words(as_tensors(parameters), tokens, causal=False, padding=torch.from_numpy(~there))
    agree(ours[there], theirs[torch.from_numpy(there)])


def test_one_block_is_torchs(rng, parameters, agree):
    """Of two blocks, the second made to add nothing: what is left is the first and the last norm."""
    parameters |= {"1.W_O": np.zeros((12, 12)), "1.W_2": np.zeros((48, 12)), "1.b_2": np.zeros(12)}
    x = rng.standard_normal((2, 5, 12))
    y = attn.transformer_block(x, attn.of_block(parameters, 0), CONFIG.heads)
    ours = attn.layer_norm(y, parameters["gain"], parameters["bias"])
    agree(ours, torch_encoder(as_tensors(parameters))(torch.from_numpy(x)))


def test_decoder_is_torchs(parameters, tokens, agree):
    tensors = as_tensors(parameters)
    agree(attn.decoder(parameters, tokens, CONFIG), torch_words(tensors, tokens, causal=True) @ tensors["W_out"])


@pytest.mark.parametrize("counted", [False, True])
def test_loss_and_gradients_are_autograds(rng, parameters, tokens, counted, agree):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    chosen = rng.random(targets.shape) < 0.5 if counted else None
    loss, gradients = attn.loss_and_gradients(parameters, inputs, targets, CONFIG, chosen)
    tensors = as_tensors(parameters, grad=True)
    logits = torch_words(tensors, inputs, causal=True) @ tensors["W_out"]
    kept = torch.from_numpy(targets if chosen is None else np.where(chosen, targets, -100))
    theirs = torch.nn.functional.cross_entropy(logits.flatten(0, 1), kept.flatten())
    assert loss == pytest.approx(theirs.item(), rel=1e-13)
    autograds = torch.autograd.grad(theirs, list(tensors.values()))
    assert gradients.keys() == tensors.keys()
    for name, autograd in zip(tensors, autograds, strict=True):
        agree(gradients[name], autograd)


def test_gradients_of_a_single_text(parameters, tokens, agree):
    text = tokens[0]
    loss, gradients = attn.loss_and_gradients(parameters, text[:-1], text[1:], CONFIG)
    batched, same = attn.loss_and_gradients(parameters, text[None, :-1], text[None, 1:], CONFIG)
    assert loss == pytest.approx(batched, rel=1e-14)
    for name, gradient in gradients.items():
        agree(gradient, same[name])


def test_a_fresh_model_knows_nothing(rng, tokens):
    losses = []
    for _ in range(20):
        fresh = attn.initial_parameters(CONFIG, rng)
        losses.append(attn.loss_and_gradients(fresh, tokens[:, :-1], tokens[:, 1:], CONFIG)[0])
    # Logits have variance about 1, which costs half a nat more than equal ones.
    assert abs(np.mean(losses) - (np.log(11) + 0.5)) < 0.3


def test_training_with_adam_follows_torch(parameters, tokens):
    """Twenty steps of both, from the same start: every loss agrees to ten digits."""
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    tensors = as_tensors(parameters, grad=True)
    ours, theirs = attn.Adam(0.01), torch.optim.Adam(tensors.values(), lr=0.01)
    for _ in range(20):
        loss, gradients = attn.loss_and_gradients(parameters, inputs, targets, CONFIG)
        ours.step(parameters, gradients)
        theirs.zero_grad()
        logits = torch_words(tensors, inputs, causal=True) @ tensors["W_out"]
        other = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.from_numpy(targets).flatten())
        other.backward()
        theirs.step()
        assert loss == pytest.approx(other.item(), rel=1e-10)
    assert loss < 1.5


def test_the_cache_gives_the_logits_of_the_full_pass(parameters, tokens, agree):
    caches = [attn.KVCache() for _ in range(CONFIG.layers)]
    parts = [attn.decoder(parameters, part, CONFIG, caches) for part in np.split(tokens, [3, 4, 5], axis=1)]
    agree(np.concatenate(parts, axis=1), attn.decoder(parameters, tokens, CONFIG))


def test_greedy_generation_takes_the_best_word_of_each_full_pass(parameters, tokens):
    text = tokens[:, :3]
    generated = attn.generate(parameters, text, 6, CONFIG)
    for _ in range(6):
        best = attn.decoder(parameters, text, CONFIG)[:, -1].argmax(axis=-1)
        text = np.concatenate([text, best[:, None]], axis=1)
    assert (generated == text).all()


def test_sampled_words_have_the_probabilities_of_softmax(rng):
    logits, draws = np.array([2.0, 0.0, 1.0, -1.0]), 20_000
    words = attn.next_words(np.broadcast_to(logits, (draws, 4)), rng, temperature=0.8)
    expected = draws * attn.softmax(logits, temperature=0.8)
    assert scipy.stats.chisquare(np.bincount(words, minlength=4), expected).pvalue > 1e-6


def test_generation_is_repeatable_and_tends_to_greedy(parameters, tokens):
    prompt = tokens[:, :3]
    draws = [attn.generate(parameters, prompt, 5, CONFIG, rng=np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert (draws[0] == draws[1]).all()
    assert (draws[0] != draws[2]).any()
    cold = attn.generate(parameters, prompt, 5, CONFIG, rng=np.random.default_rng(1), temperature=1e-300)
    assert (cold == attn.generate(parameters, prompt, 5, CONFIG)).all()


def test_it_learns_to_repeat_a_word_seen_before(rng):
    """The task of L9 in small: after `a b … a` comes b. Only attention can look it up."""
    config = attn.Config(vocabulary=8, context=12, width=16, heads=2, layers=2)
    parameters, adam = attn.initial_parameters(config, rng), attn.Adam(0.01)
    for _ in range(150):
        halves = np.array([rng.permutation(8)[:6] for _ in range(32)])
        text = np.concatenate([halves, halves], axis=1)
        seen_before = np.broadcast_to(np.arange(11) >= 6, (32, 11))
        loss, gradients = attn.loss_and_gradients(parameters, text[:, :-1], text[:, 1:], config, seen_before)
        adam.step(parameters, attn.clip_norm(gradients, 1.0))
    assert loss < 0.1


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_the_model_keeps_its_type(parameters, tokens, dtype, agree):
    narrow = {name: array.astype(dtype) for name, array in parameters.items()}
    logits = attn.decoder(narrow, tokens, CONFIG)
    assert logits.dtype == dtype
    agree(logits, attn.decoder(parameters, tokens, CONFIG), roundings=64)
    _, gradients = attn.loss_and_gradients(narrow, tokens[:, :-1], tokens[:, 1:], CONFIG)
    assert {gradient.dtype for gradient in gradients.values()} == {np.dtype(dtype)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: attn.Config(5, 5, 5, heads=2, layers=1), "heads: 2 heads do not divide the width 5"),
        (lambda _: attn.Config(5, 0, 5, 1, 1), "context: expected a whole number of at least 1, got 0"),
        (lambda p: attn.of_block(p, 2), "parameters: no block 2 among words, .*"),
        (lambda p: attn.decoder(p, np.zeros(10, int), CONFIG), r"tokens: 0 words and shape \(10,\) exceed .* of 9"),
        (lambda p: attn.decoder(p, np.array([11]), CONFIG), r"tokens: expected integers from 0 to 10, got 11 .*"),
        (lambda p: attn.decoder(p, np.array(3), CONFIG), r"tokens: expected at least 1 axes .* got shape \(\)"),
        (lambda p: attn.decoder(p, np.ones(3), CONFIG), r"tokens: expected integers, got float64 of shape \(3,\)"),
        (lambda p: attn.generate(p, np.zeros(5, int), 5, CONFIG), r"words: 5 more than shape \(5,\) exceed .* of 9"),
        (lambda p: attn.generate(p, np.zeros(5, int), 0, CONFIG), "words: .* of at least 1, got 0"),
        (lambda _: attn.next_words(np.zeros(3), temperature=0), "temperature: .* above 0, got 0"),
    ],
)
def test_refused(parameters, call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call(parameters)
