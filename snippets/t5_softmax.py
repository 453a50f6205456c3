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


rivals: dict[str, Rise] = {"exp": np.exp, "softplus": softplus, "sigmoid": sigmoid, "square": np.square}

# zh: L1 的句子：bank 给 steep、the 和 flat 打的分
# en: the sentence of L1: how bank scores steep, the and flat
bank, steep, the = np.array([2.0, 0.5]), np.array([0.5, 2.0]), np.array([0.2, -0.4])
scores = attn.dot(bank, np.array([steep, the, -steep]))
print(scores)
# --8<-- [end:setup]

# --8<-- [start:prediction]
# zh: 写于运行之前：全体加 10 分、减 10 分，份额离 softmax 的份额都比原来更远吗
# en: written before the run: with 10 added for everybody, or taken off, are shares farther from softmax's than before
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
    return float(np.abs(shares(rise(scores + bonus)) - attn.softmax(scores)).sum() / 2)


bonus = 10.0
moves = {name: [apart(rise, b) for b in (-bonus, 0.0, bonus)] for name, rise in rivals.items()}
for name, (blamed, before, praised) in moves.items():
    print(f"{name:<9} -10: {blamed:.3f}   0: {before:.3f}   +10: {praised:.3f}")
# --8<-- [end:experiment]


# --8<-- [start:drawing]
@figure
def apart_by_bonus(ax: Axes, t: Callable[..., str]) -> None:
    bonuses = np.linspace(-bonus, bonus, 81)
    looks = {"exp": colours.GOOD, "softplus": colours.QUERY, "sigmoid": colours.KEY, "square": colours.BAD}
    for name, colour in looks.items():
        ax.plot(bonuses, [apart(rivals[name], b) for b in bonuses], color=colour, label=name)
    ax.set_xlabel(t(zh="给每个分数加上多少", en="added to every score"))
    ax.set_ylabel(t(zh="与 softmax 相差的份额", en="share that differs from softmax's"))
    ax.legend()


# --8<-- [end:drawing]

# --8<-- [start:result]
farther = {
    name: (blamed > before + 1e-12, praised > before + 1e-12) for name, (blamed, before, praised) in moves.items()
}
for name in rivals:
    print(f"{name:<9} predicted {predicted_farther[name]}   measured {farther[name]}")
# --8<-- [end:result]
