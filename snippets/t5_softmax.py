"""Research day T5, softmax, as a notebook: what praise and blame for everybody do to shares not made by exp.

The day's claims are in ``repro_t5_softmax.py``.
"""

# --8<-- [start:setup]
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes

import attn
from knit import colours, figure

Rise = Callable[[np.ndarray], np.ndarray]


def softplus(s: np.ndarray) -> np.ndarray:
    return np.logaddexp(0, s)


def sigmoid(s: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-s))


rivals: dict[str, Rise] = {
    "exp": np.exp,
    "softplus": softplus,
    "sigmoid": sigmoid,
    "square": np.square,
}

# zh: L1 的句子：bank 给 steep、the 和 flat 打的分
# en: the sentence of L1: how bank scores steep, the and flat
bank = np.array([2.0, 0.5])
keys = np.array([[0.5, 2.0], [0.2, -0.4], [-0.5, -2.0]])
scores = attn.dot(bank, keys)
print(scores)
# --8<-- [end:setup]

# --8<-- [start:prediction]
# zh: 写于运行之前：全体减 10 分、加 10 分，离 softmax 的份额是不是更远
# en: written before the run: with 10 taken off for all, with 10 added,
# en: are shares farther from softmax's than before?
predicted_farther = {
    "exp": (False, False),
    "softplus": (True, True),
    "sigmoid": (True, True),
    "square": (True, True),
}
# --8<-- [end:prediction]


# --8<-- [start:experiment]
def shares(values: np.ndarray) -> np.ndarray:
    return values / values.sum()


def apart(rise: Rise, bonus: float) -> float:
    difference = shares(rise(scores + bonus)) - attn.softmax(scores)
    return float(np.abs(difference).sum() / 2)


bonus = 10.0
added = (-bonus, 0.0, bonus)
print("added    ", *(f"{b:+5.0f}" for b in added))
moves = {}
for name, rise in rivals.items():
    moves[name] = [apart(rise, b) for b in added]
    print(f"{name:<9}", *(f"{move:.3f}" for move in moves[name]))
# --8<-- [end:experiment]


# --8<-- [start:drawing]
@figure
def apart_by_bonus(ax: Axes, t: Callable[..., str]) -> None:
    bonuses = np.linspace(-bonus, bonus, 81)
    inks = (colours.GOOD, colours.QUERY, colours.KEY, colours.BAD)
    for (name, rise), ink in zip(rivals.items(), inks, strict=True):
        ax.plot(bonuses, [apart(rise, b) for b in bonuses], color=ink, label=name)
    ax.set_xlabel(t(zh="全体加上多少", en="added to every score"))
    ax.set_ylabel(t(zh="与 softmax 相差", en="apart from softmax"))
    ax.legend()


# --8<-- [end:drawing]

# --8<-- [start:result]
for name, (blamed, before, praised) in moves.items():
    farther = (blamed > before + 1e-12, praised > before + 1e-12)
    print(f"{name:<9} predicted {predicted_farther[name]}   measured {farther}")
# --8<-- [end:result]
