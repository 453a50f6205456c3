"""Attention in numpy, one idea a module: the maths of the whole course, checked against independent implementations.

Rows are words: arrays are (..., n, d) with any leading batch axes. A boolean mask says True where a word may look, and
a query that may look at nothing gives zeros. float16, float32 and float64 stay what they are, with sums taken in the
next wider type. Whatever does not fit raises a ValueError of one line that names the argument and both shapes.
"""

from attn.attention import attention_weights, scaled_dot_product_attention
from attn.invariance import average_over_rotations, invariant_dimension, random_rotation, rotation
from attn.kernels import gaussian_kernel, nadaraya_watson
from attn.learned_scores import additive, bilinear
from attn.masks import causal_mask
from attn.online import Running, finish, merge, online_softmax, running
from attn.pairwise import pairwise_attention, pairwise_scores
from attn.position import frequencies, learned_positions, sinusoidal
from attn.projections import cross_attention, self_attention
from attn.relative import alibi, alibi_slopes, relative_bias
from attn.rotary import rope, rope_permutation
from attn.scores import cosine, dot, negative_distance
from attn.softmax import entropy, log_softmax, softmax
from attn.statistics import (
    dot_product_variance,
    largest_weight,
    largest_weight_curve,
    sample_dot_products,
    sample_rows,
)

__all__ = [
    "Running",
    "additive",
    "alibi",
    "alibi_slopes",
    "attention_weights",
    "average_over_rotations",
    "bilinear",
    "causal_mask",
    "cosine",
    "cross_attention",
    "dot",
    "dot_product_variance",
    "entropy",
    "finish",
    "frequencies",
    "gaussian_kernel",
    "invariant_dimension",
    "largest_weight",
    "largest_weight_curve",
    "learned_positions",
    "log_softmax",
    "merge",
    "nadaraya_watson",
    "negative_distance",
    "online_softmax",
    "pairwise_attention",
    "pairwise_scores",
    "random_rotation",
    "relative_bias",
    "rope",
    "rope_permutation",
    "rotation",
    "running",
    "sample_dot_products",
    "sample_rows",
    "scaled_dot_product_attention",
    "self_attention",
    "sinusoidal",
    "softmax",
]
