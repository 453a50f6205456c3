"""Research day T3, variance, as a notebook: whether √d still fits when words have something in common.

The day's claims are in ``repro_t3_variance.py`` and ``repro_t3_training.py``.
"""

# --8<-- [start:setup]
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes

import attn
from knit import colours, figure

d, n, queries = 64, 64, 1000
# --8<-- [end:setup]

# --8<-- [start:prediction]
# zh: 写于运行之前：键的方差里有多大一部分是共有的，都无所谓
# en: written before the run: whatever part of the keys' variance is shared
shared_parts = (0.0, 0.25, 0.5, 0.75, 0.9)
predicted_largest = 0.79
# --8<-- [end:prediction]


# --8<-- [start:scores]
def scores_of(shared: float) -> np.ndarray:
    rng = np.random.default_rng(1)
    query = rng.standard_normal((queries, 1, d))
    own = rng.standard_normal((queries, n, d))
    # zh: 一句话里所有的键共有的那一份；每个分量的方差仍然是一
    # en: what a sentence's keys have in common; the variance is still one
    common = rng.standard_normal((queries, 1, d))
    keys = np.sqrt(shared) * common + np.sqrt(1 - shared) * own
    return attn.dot(query, keys)[:, 0]


# --8<-- [end:scores]

# --8<-- [start:experiment]
variances, largest = [], []
for shared in shared_parts:
    scores = scores_of(shared)
    variances.append(float(scores.var()))
    largest.append(float(attn.softmax(scores).max(axis=-1).mean()))
    print(f"{shared:.2f}   variance {variances[-1]:.1f}   largest {largest[-1]:.2f}")
# --8<-- [end:experiment]


# --8<-- [start:drawing]
@figure
def largest_by_shared(ax: Axes, t: Callable[..., str]) -> None:
    measured, predicted = t(zh="测得", en="measured"), t(zh="预测", en="predicted")
    ax.plot(shared_parts, largest, "o-", color=colours.WEIGHT, label=measured)
    ax.axhline(predicted_largest, ls="--", color=colours.INK, label=predicted)
    ax.set_ylim(0, 1)
    ax.set_xlabel(t(zh="键的方差里共有的部分", en="shared part of the variance"))
    ax.set_ylabel(t(zh="最大的权重，平均", en="largest weight, mean"))
    ax.legend(loc="lower left")


# --8<-- [end:drawing]

# --8<-- [start:result]
# zh: 方差换个量法：一个查询的各个键之间
# en: the variance measured another way: among the keys of one query
among_keys = []
for shared in shared_parts:
    among_keys.append(float(scores_of(shared).var(axis=-1, ddof=1).mean()))
    expected = (1 - shared) * d
    print(f"{shared:.2f}   among keys {among_keys[-1]:4.1f}   (1−shared)·d {expected:4.1f}")
# --8<-- [end:result]

# --8<-- [start:mended]
for shared in shared_parts:
    scores = scores_of(shared)
    by_root = attn.softmax(scores / np.sqrt(d)).max(axis=-1).mean()
    mended = attn.softmax(scores / np.sqrt(d * (1 - shared))).max(axis=-1).mean()
    print(f"{shared:.2f}   /√d {by_root:.3f}   /√(d·(1−shared)) {mended:.3f}")
# --8<-- [end:mended]
