"""Research day T3, training: whether a machine has to divide by √d to learn, and what the division buys it.

The day's other claims are in ``repro_t3_variance.py``. Run it alone to check these: ``python repro_t3_training.py``.

Descent with long strides magnifies: what differs in the sixteenth digit differs in the first one a hundred steps later.
And processors do differ there, for they add in different orders. So words, the cells that score them and the signals
that come back are whole multiples of 2⁻⁴, 2⁻⁸ and 2⁻²⁰. Then each sum of their products is a whole number of 2⁻³⁶, less
than 2⁵³ of them, which float64 adds without rounding in any order. What is left to differ are the exponentials in
softmax (and at d = 32, where √d is no power of two, the scores), and that rounding a signal takes away again, unless
the signal lies within the error of the middle between two multiples of 2⁻²⁰: added up over all signals of all
trainings, errors over multiples, that is to be expected once in 30 000 repetitions of the whole experiment.
"""

import functools
import math
from collections.abc import Callable

import numpy as np
from repro_t3_variance import generator, returned

import attn
from knit import claim, colours, figure, main

Labels = Callable[..., str]

# The task: each key is a random word, each value a random vector. A query is one of the keys, blurred and turned by a
# rotation that nobody tells the machine; it is to fetch that key's value. The machine may change W^Q and W^K by plain
# gradient descent, on fresh words every step.

trained_widths = (16, 32, 64)
narrow, middle, wide = trained_widths
runs = 6  # starts, each with its own rotation and words
steps = 200
batch = 16  # queries a step
choices = 16  # keys a step
value_width = 8
blur = 0.1  # standard deviation of what is added to the key
rates = 2.0 ** np.arange(-9, 2)  # learning rates, each twice the last
good_enough = 0.25  # error below which a machine counts as trained; fetching nothing gives about 1
word_places, cell_places, signal_places = 4, 8, 20  # binary places that are kept

Words = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def rounded(array: np.ndarray, places: int, out: np.ndarray | None = None) -> np.ndarray:
    """Round to whole multiples of 2^-places, into ``out`` if it is given."""
    result = np.multiply(array, 2.0**places, out=out)
    return np.multiply(np.rint(result, out=result), 2.0**-places, out=result)


def fresh_words(rotation: np.ndarray, rng: np.random.Generator) -> Words:
    """Give queries (batch, d), keys (choices, d), values (choices, 8) and the values wanted (batch, 8)."""
    d = len(rotation)
    keys, values = (rounded(attn.sample_rows(choices, size, 1.0, rng), word_places) for size in (d, value_width))
    chosen = rng.integers(choices, size=batch)
    queries = (keys[chosen] + blur * attn.sample_rows(batch, d, 1.0, rng)) @ rotation
    return rounded(queries, word_places), keys, values, values[chosen]


# --8<-- [start:slopes]
# zh: 均方误差，以及一个查询差值平方之和的一半
# zh: 沿 W^Q 和 W^K 的斜率
# en: the mean squared error, and the slopes along W^Q and W^K
# en: of a query's squared miss, halved
def slopes(
    WQ: np.ndarray,
    WK: np.ndarray,
    words: Words,
    scale: float,
    places: int = signal_places,
) -> tuple[np.ndarray, ...]:
    x, y, values, wanted = words
    Q, K = x @ WQ, y @ WK
    Z, A = attn.scaled_dot_product_attention(Q, K, values, scale=scale, return_weights=True)
    miss = Z - wanted
    # zh: 权重想怎么动，带回给除法之前的分数
    # zh: 只留这么多位小数，每台机器才算得一样
    # en: what the weights should do, carried back to the scores
    # en: before the division; so many places are the same on every machine
    dS = rounded(returned(A, miss @ values.T / len(x)) * scale, places)
    slope_Q = x.T @ (dS @ K)
    slope_K = y.T @ (np.swapaxes(dS, -1, -2) @ Q)
    return (miss**2).mean(axis=(-1, -2)), slope_Q, slope_K


# --8<-- [end:slopes]


def descend(d: int, scale: float, learning_rates: np.ndarray, run: int, shrink: float = 1.0) -> np.ndarray:
    """Train a machine for each learning rate, side by side on the same words, and give their final errors: (rates,).

    W^Q and W^K begin with cells of variance 1/d, times ``shrink``, a power of two. They keep every digit; words are
    scored with cells rounded, in proportion to the start.
    """
    rng = generator(100 + run)
    rotation = attn.random_rotation(d, rng)
    shape = (len(learning_rates), d, d)
    cells = [np.broadcast_to(shrink * attn.sample_rows(d, d, 1 / d, rng), shape).copy() for _ in range(2)]
    scoring = [np.empty(shape) for _ in cells]
    halvings = round(math.log2(shrink))
    rate = learning_rates[:, None, None]

    def look() -> tuple[np.ndarray, ...]:
        for W, into in zip(cells, scoring, strict=True):
            rounded(W, cell_places - halvings, into)
        return slopes(*scoring, fresh_words(rotation, rng), scale, signal_places + 2 * halvings)

    for _ in range(steps):
        _, slope_Q, slope_K = look()
        np.subtract(cells[0], rate * slope_Q, out=cells[0])
        np.subtract(cells[1], rate * slope_K, out=cells[1])
    return np.mean([look()[0] for _ in range(10)], axis=0)


@functools.cache
def errors(d: int, *, divided: bool) -> np.ndarray:
    """Give the final errors of all runs at width d: shape (runs, rates)."""
    scale = 1 / math.sqrt(d) if divided else 1.0
    return np.array([descend(d, scale, rates, run) for run in range(runs)])


def working(d: int, *, divided: bool) -> np.ndarray:
    """Count the learning rates that end good enough, for each run."""
    return (errors(d, divided=divided) < good_enough).sum(axis=1)


def gain(d: int) -> np.ndarray:
    """Give how many more learning rates work with the division than without, for each run."""
    return working(d, divided=True) - working(d, divided=False)


def fastest(d: int, *, divided: bool) -> float:
    """Give the largest learning rate that still ends good enough, in doublings, averaged over the runs."""
    return float(np.mean([np.log2(rates[row < good_enough].max()) for row in errors(d, divided=divided)]))


@claim("V10.a", show="bound")
def slopes_by_hand() -> float:
    """Compare the slopes written by hand with differences of what is descended: half the squared miss, a query.

    zh: 每个查询差值平方之和的一半，沿 $W^Q$、$W^K$ 每一格的手写斜率，与逐格做中心差分的结果一致（步长 $2^{-16}$）。
    en: The slopes of half a query's squared miss, written by hand, agree with central differences for every cell of
        $W^Q$ and $W^K$ (step $2^{-16}$).
    """
    h, d, rng, exact = 2.0**-16, 4, generator(95), 60  # signals keep every digit
    words = fresh_words(attn.random_rotation(d, rng), rng)
    W = np.stack([attn.sample_rows(d, d, 1 / d, rng) for _ in range(2)])
    by_hand = np.stack(slopes(*W, words, 0.8, exact)[1:])
    nudges = h * np.eye(2 * d * d).reshape(-1, 2, d, d)  # one machine for each cell that is nudged
    up, down = (slopes(*np.swapaxes(W + sign * nudges, 0, 1), words, 0.8, exact)[0] for sign in (1, -1))
    measured = ((up - down) * value_width / 2 / (2 * h)).reshape(by_hand.shape)
    deviation = np.abs(measured - by_hand).max()
    # Truncation is h²/6 times a third derivative, a few 1e-10 for numbers of the size of these; rounding, 2⁻⁵² times
    # the error over h, is less. A wrong slope is off by its own size.
    assert deviation < 1e-7
    assert np.abs(by_hand).max() > 1e-3
    return float(deviation)


@claim("V10.b", show="bound")
def division_is_a_smaller_start() -> float:
    r"""Show what dividing by c amounts to under plain gradient descent.

    With c = 4, all factors are powers of two, which floating point multiplies exactly: the two trainings must agree to
    the last bit.

    zh: 普通的梯度下降里，分数除以 $c$，与不除、但 $W^Q$、$W^K$ 的起点除以 $\sqrt c$、学习率除以 $c$，是同一场训
        练：$d=16$（$c=4$）时最终误差逐位相同。
    en: Under plain gradient descent, dividing scores by $c$ is the same training as not dividing but starting $W^Q$
        and $W^K$ smaller by $\sqrt c$ and using a learning rate smaller by $c$: at $d=16$ ($c=4$) the final errors
        agree to the last bit.
    """
    d, c = 16, 4.0
    smaller = descend(d, 1.0, rates / c, 0, shrink=1 / math.sqrt(c))
    deviation = np.abs(smaller - errors(d, divided=True)[0]).max()
    assert deviation == 0
    return float(deviation)


@claim("V10.c", show=".3f")
def it_trains_without() -> np.ndarray:
    r"""Look for a learning rate that works without the division: an experiment, not a theorem.

    zh: 这个实验里，不除以 $\sqrt d$ 照样学得会：$d=16,\ 32,\ 64$，六个起点个个都有学习率把误差降到 0.25 以下（什么
        也不取，误差约为 1）。给出每种宽度最差的那个起点。
    en: In this experiment it is learned without dividing by $\sqrt d$: at $d=16$, $32$ and $64$ each of the six
        starts has a learning rate that brings the error below 0.25 (fetching nothing gives about 1). The worst
        start of each width is shown.
    """
    best = np.array([errors(d, divided=False).min(axis=1).max() for d in trained_widths])
    assert (best < good_enough).all()
    return best


@claim("V10.d", show=".1f")
def the_division_widens_the_range() -> np.ndarray:
    r"""Count the learning rates that work, on a grid of factors of two whose ends fail everywhere.

    Did the division change nothing, a start would gain by it with the same chance p as lose. Then four or more of six
    gain and none loses with chance 15p⁴(1−2p)² + 6p⁵(1−2p) + p⁶, which is below 1/30 for every p.

    zh: 这个实验里，学习率每档翻一倍，$d=64$ 时除以 $\sqrt d$，六个起点没有一个管用的档数变少，变多的至少四个（假如
        除不除没有分别，出现这种局面的机会不到 1/30）；平均多出的档数比 $d=16$ 时大。除以 $\sqrt d$ 时，$d=64$
        管用的档数平均不比 $d=16$ 时少。两端的学习率从来不管用。
    en: In this experiment, with learning rates that double from one to the next, at $d=64$ the division costs none
        of the six starts a rate that works, and at least four of them gain some (if it changed nothing, this would
        happen with a chance below 1/30); on average the gain is larger than at $d=16$. With the division
        at least as many rates work at $d=64$ as at $d=16$, on average. The ends of the grid never work.
    """
    ends = [errors(d, divided=divided)[:, [0, -1]] for d in trained_widths for divided in (False, True)]
    assert np.min(ends) > good_enough
    assert gain(wide).min() >= 0
    assert np.count_nonzero(gain(wide)) >= 4
    assert gain(wide).mean() > gain(narrow).mean()
    assert working(wide, divided=True).mean() >= working(narrow, divided=True).mean()
    return np.array([gain(d).mean() for d in trained_widths])


@claim("V10.e", show=".1f")
def the_edge_moves() -> np.ndarray:
    r"""Follow the largest learning rate that works, in doublings.

    zh: 这个实验里，从 $d=16$ 到 $64$，不除以 $\sqrt d$，管用的最大学习率要缩小，而且比除以 $\sqrt d$ 时缩得多；除以
        $\sqrt d$ 时，它变动不到一倍（给出两者各减半了几次，六个起点的平均）。
    en: In this experiment the largest learning rate that works shrinks from $d=16$ to $64$ without the division,
        and by more than it does with it; with the division it moves by less than a factor of two (shown in halvings,
        averaged over the six starts).
    """
    edges = np.array([[fastest(d, divided=divided) for divided in (False, True)] for d in (narrow, wide)])
    undivided, divided = edges[0] - edges[1]
    assert undivided > 0
    assert undivided > divided
    assert abs(divided) < 1
    return np.array([undivided, divided])


@claim("V10.f", show=".3f")
def small_strides_and_large() -> np.ndarray:
    r"""Compare the two kinds at one small and one large learning rate.

    zh: 这个实验里，$d=64$：学习率 1/128 时，六个起点个个是不除的误差小；1/8 时，个个是除以 $\sqrt d$ 的误差小（给出
        平均误差：1/128 时不除、除，1/8 时不除、除）。
    en: In this experiment, at $d=64$: with a learning rate of 1/128 the error is smaller undivided from each of the
        six starts; with 1/8 it is smaller divided from each (shown are mean errors: at 1/128 undivided and divided,
        at 1/8 undivided and divided).
    """
    slow, fast = list(rates).index(1 / 128), list(rates).index(1 / 8)
    undivided, divided = (errors(wide, divided=divided) for divided in (False, True))
    assert (undivided[:, slow] < divided[:, slow]).all()
    assert (undivided[:, fast] > divided[:, fast]).all()
    return np.array([kind[:, at].mean() for at in (slow, fast) for kind in (undivided, divided)])


# --- What the lesson shows ---

range_rows = [
    [
        d,
        float(working(d, divided=False).mean()),
        float(working(d, divided=True).mean()),
        2 ** fastest(d, divided=False),
        2 ** fastest(d, divided=True),
    ]
    for d in trained_widths
]
gain_narrow, gain_middle, gain_wide = (float(gain(d).mean()) for d in trained_widths)
slow_rate, large_rate = 1 / 128, 1 / 8
slow_raw, slow_calm, large_raw, large_calm = (
    float(errors(wide, divided=divided)[:, list(rates).index(rate)].mean())
    for rate in (slow_rate, large_rate)
    for divided in (False, True)
)
best_raw = float(errors(wide, divided=False).min(axis=1).mean())
lowest_rate, highest_rate = float(rates[0]), float(rates[-1])
lowest_inverse, slow_inverse, large_inverse = (round(1 / rate) for rate in (lowest_rate, slow_rate, large_rate))
equal_divisor = math.sqrt(narrow)
equal_start = math.sqrt(equal_divisor)


# --- Figure ---


@figure(width=4.8, height=6.2, rows=2)
def learning_rates(axes: np.ndarray, t: Labels) -> None:
    """Plot the final error against the learning rate, narrow and wide."""
    for ax, d in zip(axes, (narrow, wide), strict=True):
        for divided, colour in ((False, colours.BAD), (True, colours.GOOD)):
            ax.plot(rates, errors(d, divided=divided).T, color=colour, lw=0.8, alpha=0.6, marker="o", ms=2.5)
        ax.axhline(good_enough, color=colours.MUTED, lw=1, ls="--")
        ax.set_title(f"d = {d}")
        ax.set_xscale("log", base=2)
        ax.set_xticks([2.0**-9, 2.0**-6, 2.0**-3, 1.0], ["1/512", "1/64", "1/8", "1"])
        ax.minorticks_off()
        ax.set_ylim(0, 2.4)
        ax.set_xlim(2.0**-9.5, 2.0**2.8)
        ax.set_ylabel(t(zh="训练后的误差", en="error after training"))
    axes[0].text(2.0**-3.6, 1.75, t(zh="不除", en="undivided"), color=colours.BAD, ha="right")
    axes[0].text(2.0**0.5, 0.45, t(zh="除以 √d", en="÷ √d"), color=colours.GOOD)
    axes[1].set_xlabel(t(zh="学习率", en="learning rate"))


if __name__ == "__main__":
    raise SystemExit(main())
