"""Attention in numpy, one idea a module: the maths of the whole course, checked against independent implementations.

Rows are words: arrays are (..., n, d) with any leading batch axes. A boolean mask says True where a word may look, and
a query that may look at nothing gives zeros. float16, float32 and float64 stay what they are, with sums taken in the
next wider type. Whatever does not fit raises a ValueError of one line that names the argument and both shapes.
"""

from attn.attention import attention_weights, scaled_dot_product_attention
from attn.blockwise import blockwise_attention
from attn.decoding import KVCache, decode
from attn.heads import merge_heads, multi_head_attention, multi_head_weights, repeat_heads, split_heads
from attn.invariance import average_over_rotations, invariant_dimension, random_rotation, rotation
from attn.kernels import gaussian_kernel, nadaraya_watson
from attn.learned_scores import additive, bilinear
from attn.linear import LinearState, causal_linear_attention, elu_plus_one, linear_attention, positive_random_features
from attn.masks import causal_mask, causal_rule, mask_table, window_rule
from attn.online import Running, finish, merge, online_softmax, running
from attn.pairwise import pairwise_attention, pairwise_scores
from attn.position import frequencies, learned_positions, sinusoidal
from attn.principles import free_energy, maximum_entropy_gap, shift_sensitivity
from attn.projections import cross_attention, self_attention
from attn.relative import alibi, alibi_slopes, relative_bias
from attn.rotary import rope, rope_permutation
from attn.scores import cosine, dot, negative_distance
from attn.softmax import entropy, log_softmax, log_sum_exp, softmax
from attn.statistics import dot_product_variance, largest_weight, largest_weight_curve, sample_dot_products, sample_rows
from attn.windows import sliding_window_attention

__all__ = [
    "KVCache",
    "LinearState",
    "Running",
    "additive",
    "alibi",
    "alibi_slopes",
    "attention_weights",
    "average_over_rotations",
    "bilinear",
    "blockwise_attention",
    "causal_linear_attention",
    "causal_mask",
    "causal_rule",
    "cosine",
    "cross_attention",
    "decode",
    "dot",
    "dot_product_variance",
    "elu_plus_one",
    "entropy",
    "finish",
    "free_energy",
    "frequencies",
    "gaussian_kernel",
    "invariant_dimension",
    "largest_weight",
    "largest_weight_curve",
    "learned_positions",
    "linear_attention",
    "log_softmax",
    "log_sum_exp",
    "mask_table",
    "maximum_entropy_gap",
    "merge",
    "merge_heads",
    "multi_head_attention",
    "multi_head_weights",
    "nadaraya_watson",
    "negative_distance",
    "online_softmax",
    "pairwise_attention",
    "pairwise_scores",
    "positive_random_features",
    "random_rotation",
    "relative_bias",
    "repeat_heads",
    "rope",
    "rope_permutation",
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
    "split_heads",
    "window_rule",
]
