"""The errata: what the two drafts of L1 and L2 said, beside what the code says.

The claims that each row cites stand in the scripts of the research days T1, T2 and T5.
"""

import numpy as np
from repro_t1_scorers import bank, flat, flip_point, steep, suspect, the
from repro_t2_scaled_dotprod import (
    K,
    Q,
    added_both_ways,
    both_ways,
    context,
    model_width,
    multiply_adds,
    nanosecond,
    rounding,
    side,
    three_squares,
    wide_batch,
    width,
)
from repro_t5_softmax import shares, shift, softplus

import attn
from knit import main


def norm(vector: np.ndarray) -> float:
    """Give the length of a vector."""
    return float(np.linalg.norm(vector))


def three_scores(key: np.ndarray) -> dict[str, float]:
    """Give the distance from bank to a word, their dot product and their cosine."""
    return {
        "distance": -float(attn.negative_distance(bank, key)),
        "dot": float(attn.dot(bank, key)),
        "cosine": float(attn.cosine(bank, key)),
    }


# Rows 1 to 3: the word that was too near
norm_suspect, norm_bank, norm_steep, norm_the = norm(suspect), norm(bank), norm(steep), norm(the)
of_suspect, of_steep, of_the = three_scores(suspect), three_scores(steep), three_scores(the)
doubled = 2
doubled_distance = -float(attn.negative_distance(doubled * bank, steep))
doubled_dot = float(attn.dot(doubled * bank, steep))
flip = flip_point(bank, steep, the)

# Row 4: the faults announced and told
draft_faults, draft_told = 3, 2

# Row 5: additive and yet not linear
once = float(attn.negative_distance(bank, steep) ** 2)
twice = float(attn.negative_distance(doubled * bank, steep) ** 2)

# Row 6: free numbers left by rotations alone, in the plane and in space
plane_rotations, space_rotations = attn.invariant_dimension(2), attn.invariant_dimension(3)
plane_both = attn.invariant_dimension(2, symmetric=True)

# Row 7: a factor does not cancel
scores = attn.dot(bank, np.array([steep, the, flat]))
steep_share = float(attn.softmax(scores)[0])
steep_share_doubled = float(attn.softmax(doubled * scores)[0])

# Row 9: softplus meets the four demands, and moves
three = np.array([2.0, 1.0, -1.0])
softplus_before = float(shares(softplus(three))[0])
softplus_after = float(shares(softplus(three + shift))[0])
softmax_before = float(attn.softmax(three)[0])
softmax_after = float(attn.softmax(three + shift)[0])

# Rows 10 and 11: the bill, the pairs and the cells
products = context**2
draft_seconds = products * nanosecond
seconds = products * width * nanosecond
words = len(Q)
pairs, cells = words * (words - 1), words**2

# Rows 12 and 13: deviations that the draft took to be zero
batch, table = wide_batch()
batch_words = len(batch)
alone_deviation = float(np.abs(batch[:1] @ table - (batch @ table)[:1]).max())
batch_bound = float(2 * rounding(batch, table).max())
forwards, backwards = added_both_ways()
order_deviation = float(np.abs(forwards - backwards).max())
draft_deviation = 0
widest = 512
widest_deviation, widest_bound = both_ways(widest)

# Row 14: the stations announced and listed
draft_stations, stations = 3, 4

# Row 15: what regrouping would save
saving = multiply_adds(context, width, context) / multiply_adds(context, width, width)

# Row 16: over what the slip normalises
turned = attn.softmax(attn.dot(K, Q) / np.sqrt(Q.shape[1])).T
totals = turned.sum(axis=1)

# Row 17: one draw of unstated size
draft_grouping, draft_order = 4e-15, 15.5
A, B, C = three_squares()
grouping = float(np.abs((A @ B) @ C - A @ (B @ C)).max())
order = float(np.abs(A @ B - B @ A).max())
smaller = side // 2
typical_smaller, typical = (float(np.sqrt(2 * (n**2 - 1) / n)) for n in (smaller, side))

# Row 18: which explodes first
short, long = 100, 1000
projections_short, projections_long = (3 * multiply_adds(n, model_width, width) for n in (short, long))
table_short, table_long = (multiply_adds(n, width, n) for n in (short, long))
crossing = 3 * model_width


if __name__ == "__main__":
    raise SystemExit(main())
