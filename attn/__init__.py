"""Attention in numpy, one idea a module: the maths of the whole course, checked against independent implementations.

Rows are words: arrays are (..., n, d) with any leading batch axes. A boolean mask says True where a word may look, and
a query that may look at nothing gives zeros. float16, float32 and float64 stay what they are, with sums taken in the
next wider type. Whatever does not fit raises a ValueError of one line that names the argument and both shapes.
"""

from attn.attention import attention_weights, scaled_dot_product_attention
from attn.blockwise import blockwise_attention
from attn.decoding import KVCache, decode
from attn.embedding import embedding, embedding_backward
from attn.features import elu_plus_one, positive_random_features
from attn.feed_forward import gelu, gelu_backward, mlp, mlp_backward
from attn.generation import generate, next_words
from attn.gradients import attention_backward, project_backward, softmax_backward
from attn.heads import multi_head_attention, multi_head_weights
from attn.heads_gradient import HeadGradients, multi_head_attention_backward
from attn.invariance import average_over_rotations, invariant_dimension, random_rotation, rotation
from attn.kernels import gaussian_kernel, nadaraya_watson
from attn.learned_scores import additive, bilinear
from attn.linear import LinearState, causal_linear_attention, linear_attention
from attn.loss import cross_entropy, cross_entropy_backward
from attn.masks import causal_mask, causal_rule, mask_table, window_rule
from attn.normalisation import layer_norm, layer_norm_backward
from attn.online import Running, finish, merge, online_softmax, running
from attn.optimisers import SGD, Adam, clip_norm
from attn.pairwise import pairwise_attention, pairwise_scores
from attn.parameters import Config, initial_parameters, of_block
from attn.position import frequencies, learned_positions, sinusoidal
from attn.principles import free_energy, maximum_entropy_gap, shift_sensitivity
from attn.projections import cross_attention, self_attention
from attn.relative import alibi, alibi_slopes, relative_bias
from attn.rotary import rope, rope_permutation, rotate_pairs
from attn.saturation import largest_weight, largest_weight_curve
from attn.scores import cosine, dot, negative_distance
from attn.softmax import entropy, log_softmax, log_sum_exp, softmax
from attn.statistics import dot_product_variance, sample_dot_products, sample_rows
from attn.strips import merge_heads, repeat_heads, split_heads
from attn.training import loss_and_gradients, transformer_block_backward
from attn.transformer import decoder, embed_text, encoder, transformer_block
from attn.windows import sliding_window_attention

__all__ = [
    "SGD",
    "Adam",
    "Config",
    "HeadGradients",
    "KVCache",
    "LinearState",
    "Running",
    "additive",
    "alibi",
    "alibi_slopes",
    "attention_backward",
    "attention_weights",
    "average_over_rotations",
    "bilinear",
    "blockwise_attention",
    "causal_linear_attention",
    "causal_mask",
    "causal_rule",
    "clip_norm",
    "cosine",
    "cross_attention",
    "cross_entropy",
    "cross_entropy_backward",
    "decode",
    "decoder",
    "dot",
    "dot_product_variance",
    "elu_plus_one",
    "embed_text",
    "embedding",
    "embedding_backward",
    "encoder",
    "entropy",
    "finish",
    "free_energy",
    "frequencies",
    "gaussian_kernel",
    "gelu",
    "gelu_backward",
    "generate",
    "initial_parameters",
    "invariant_dimension",
    "largest_weight",
    "largest_weight_curve",
    "layer_norm",
    "layer_norm_backward",
    "learned_positions",
    "linear_attention",
    "log_softmax",
    "log_sum_exp",
    "loss_and_gradients",
    "mask_table",
    "maximum_entropy_gap",
    "merge",
    "merge_heads",
    "mlp",
    "mlp_backward",
    "multi_head_attention",
    "multi_head_attention_backward",
    "multi_head_weights",
    "nadaraya_watson",
    "negative_distance",
    "next_words",
    "of_block",
    "online_softmax",
    "pairwise_attention",
    "pairwise_scores",
    "positive_random_features",
    "project_backward",
    "random_rotation",
    "relative_bias",
    "repeat_heads",
    "rope",
    "rope_permutation",
    "rotate_pairs",
    "rotation",
    "running",
    "sample_dot_products",
    "sample_rows",
    "scaled_dot_product_attention",
    "self_attention",
    "shift_sensitivity",
    "sinusoidal",
    "sliding_window_attention",
    "softmax",
    "softmax_backward",
    "split_heads",
    "transformer_block",
    "transformer_block_backward",
    "window_rule",
]
