"""Research day T2, scaled dot product, as a notebook: how large "up to rounding" is.

The day's claims are in ``repro_t2_scaled_dotprod.py``.
"""

# --8<-- [start:setup]
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes

import attn
from knit import colours, figure

# zh: 整数没有舍入：两种读法给出的表一格不差
# en: whole numbers are not rounded: both readings give the same cells
Q = np.array([[1.0, 2.0], [3.0, -4.0], [0.0, 5.0]])
K = np.array([[2.0, 1.0], [-1.0, 3.0]])
print(attn.dot(Q, K))
print((attn.dot(Q, K) == attn.pairwise_scores(Q, K)).all())
# --8<-- [end:setup]

# --8<-- [start:prediction]
# zh: 写于运行之前：误差像 d 的几次方那样增长
# en: written before the run: the power of d that the error grows like
predicted_exponent = 0.5
# --8<-- [end:prediction]

# --8<-- [start:adding]
Adder = Callable[[np.ndarray], np.ndarray]


def one_by_one(products: np.ndarray) -> np.ndarray:
    return np.cumsum(products, axis=-1)[:, -1]


def by_halves(products: np.ndarray) -> np.ndarray:
    while products.shape[-1] > 1:
        products = products[:, ::2] + products[:, 1::2]
    return products[:, 0]


adders: dict[str, Adder] = {"one_by_one": one_by_one, "by_halves": by_halves}
# --8<-- [end:adding]

# --8<-- [start:experiment]
widths = 2 ** np.arange(2, 13)
pairs = 400


def errors(d: int) -> dict[str, float]:
    rng = np.random.default_rng(int(d))
    q, k = rng.standard_normal((2, pairs, d)).astype(np.float32)
    # zh: 参照：同样的数，用双精度算
    # en: the yardstick: the same numbers, computed in double precision
    products = q.astype(float) * k
    exact = products.sum(axis=-1)
    found = {}
    for name, add in adders.items():
        found[name] = float(np.sqrt(np.mean((add(q * k) - exact) ** 2)))
    # zh: 教科书的上界：d 次舍入，每次都往最坏的方向
    # en: the textbook's bound: d roundings, each in the worst direction
    found["bound"] = float(d * 2.0**-24 * np.abs(products).sum(axis=-1).mean())
    return found


table = {int(d): errors(d) for d in widths}
for d, found in table.items():
    found_here = (f"{name} {error:.1e}" for name, error in found.items())
    print(f"{d:>5}", *found_here, sep="  ")
# --8<-- [end:experiment]


# --8<-- [start:drawing]
@figure
def error_by_width(ax: Axes, t: Callable[..., str]) -> None:
    looks = {
        "bound": ("D-", colours.MUTED, t(zh="上界", en="bound")),
        "one_by_one": ("o-", colours.BAD, t(zh="逐个相加", en="one by one")),
        "by_halves": ("s-", colours.GOOD, t(zh="两两对加", en="by halves")),
    }
    for name, (marker, colour, label) in looks.items():
        measured = [found[name] for found in table.values()]
        ax.loglog(widths, measured, marker, color=colour, label=label)
    predicted = table[4]["one_by_one"] * (widths / 4) ** predicted_exponent
    label = t(zh="预测：√d", en="predicted: √d")
    ax.loglog(widths, predicted, "--", color=colours.INK, label=label)
    ax.set_xlabel(t(zh="分量个数 d", en="components d"))
    ax.set_ylabel(t(zh="误差", en="error"))
    ax.legend()


# --8<-- [end:drawing]

# --8<-- [start:result]
wide = [d for d in table if d >= 64]


def exponent(name: str) -> float:
    error = [table[d][name] for d in wide]
    return float(np.polyfit(np.log(wide), np.log(error), 1)[0])


exponents = {name: exponent(name) for name in table[4]}
for name, measured in exponents.items():
    print(f"{name:<10} predicted {predicted_exponent}   measured {measured:.2f}")
slack = table[4096]["bound"] / table[4096]["one_by_one"]
saved = table[4096]["one_by_one"] / table[4096]["by_halves"]
# --8<-- [end:result]
