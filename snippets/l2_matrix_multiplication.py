"""Lesson L2, matrix multiplication: the values, code and figures of the page.

The claims come from the research day T2 (scaled dot product).
"""

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from repro_t2_scaled_dotprod import (
    WK,
    WQ,
    WV,
    X,
    added_both_ways,
    both_ways,
    context,
    keys_in_sight,
    largest_weights,
    model_width,
    multiply_adds,
    nanosecond,
    queries,
    rounding,
    side,
    swap,
    three_squares,
    two_words,
    wide_batch,
    width,
)

import attn
from knit import colours, figure, heatmap, main

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Words = Callable[..., str]

names = ("the", "bank", "was", "steep")

# --- Section 0: the bill ---

words = len(X)
others = words - 1
ordered_pairs = len(list(itertools.permutations(names, 2)))
cells = words**2

without_self = context * (context - 1)
with_self = context**2
naive_seconds = with_self * nanosecond
seconds = with_self * width * nanosecond
minutes = seconds / 60
training_steps = 1000
training_days = training_steps * seconds / 86_400

# --- Section 1: fifty words, one transformation ---

# --8<-- [start:one_by_one]
# zh: 50 个 512 维的词，一张 512×64 的表
# en: fifty words of 512 components, and a table of 512×64
many_words, table = wide_batch()

# zh: 一个词一个词地过
# en: one word after another
one_by_one = np.array([word @ table for word in many_words])

# zh: 摞成矩阵，一次过完
# en: stacked into a matrix, all in one go
all_at_once = many_words @ table

print(one_by_one.shape, all_at_once.shape)
print(np.allclose(one_by_one, all_at_once, rtol=0, atol=1e-9))
# --8<-- [end:one_by_one]

fifty = len(many_words)
batch_bound = float(2 * rounding(many_words, table).max())
alone_deviation = float(np.abs(many_words[:1] @ table - all_at_once[:1]).max())

# --8<-- [start:not_associative]
print((0.1 + 0.2) + 0.3)
print(0.1 + (0.2 + 0.3))
# --8<-- [end:not_associative]

forwards, backwards = added_both_ways()
order_changes = int((forwards != backwards).sum())
order_deviation = float(np.abs(forwards - backwards).max())

# --- Section 2: all dot products at once ---

fifty_cells = fifty**2

# --8<-- [start:pairs]
# zh: 第一站：每个词的提问、标签、内容
# en: first station: each word's question, label and content
Q, K, V = X @ WQ, X @ WK, X @ WV

# zh: 逐对打分：两层循环，一格一格地填
# en: pair by pair: two loops fill the table cell by cell
n = len(X)
pair_by_pair = np.empty((n, n))
for i in range(n):
    for j in range(n):
        pair_by_pair[i, j] = Q[i] @ K[j]
# --8<-- [end:pairs]

# --8<-- [start:product]
# zh: 一次乘法，整张表
# en: one product, the whole table
scores = Q @ K.T

for name, row in zip(names, scores, strict=True):
    print(f"{name:<6}", *(f"{score:7.4f}" for score in row))
# --8<-- [end:product]

# Where the interactive figure starts from: bank asks steep.
pointing = {"names": names, "Q": Q, "K": K, "row": names.index("bank"), "column": names.index("steep")}

# --- Section 3: by hand ---

XW = two_words @ swap
q_first, k_first = Q[0], K[0]
first_score = float(scores[0, 0])
toy_width = Q.shape[1]
sizes = [[d, *both_ways(d)] for d in (4, 64, 512)]

# --- Section 4: four stations ---

# --8<-- [start:stations]
# zh: 第一站 投影
# en: station one, project
Q, K, V = X @ WQ, X @ WK, X @ WV  # (n, d_k)
# zh: 第二站 打分
# en: station two, score
S = Q @ K.T / np.sqrt(Q.shape[1])  # (n, n)
# zh: 第三站 归一
# en: station three, normalise
A = attn.softmax(S)  # (n, n)
# zh: 第四站 取回
# en: station four, fetch
Z = A @ V  # (n, d_k)

print("bank scores ", S[1].round(3))
print("bank shares ", A[1].round(3))
print("bank fetches", Z[1].round(3))
# --8<-- [end:stations]

bank_row = A[1]
bank_scores = S[1]
bank_fetched = Z[1]
bank_steep = float(A[1, 3])
bank_self = float(A[1, 1])

# Where the interactive figure starts from, and how far its sliders go.
sizing = {"n": fifty, "d": model_width, "dk": width, "most": {"n": context, "d": 8 * model_width, "dk": 8 * width}}

# --- Section 5: shapes ---

bytes_each = 8
growth = [[length, length**2, length**2 * bytes_each / 1e9] for length in (fifty, 1_000, 10_000, context)]
gigabytes = with_self * bytes_each / 1e9

# --- Section 6: laws ---

A_, B_, C_ = three_squares()
grouping_deviation = float(np.abs((A_ @ B_) @ C_ - A_ @ (B_ @ C_)).max())
order_difference = float(np.abs(A_ @ B_ - B_ @ A_).max())
typical_difference = float(np.sqrt(2 * (side**2 - 1) / side))
WX = swap @ two_words

table_first = 2 * context**2 * width
table_never = 2 * context * width**2
saving = table_first / table_never
mean_value = V.mean(axis=0)
turned = attn.softmax(K @ Q.T / np.sqrt(Q.shape[1])).T  # the slip, its table turned back: row = query
query_totals = turned.sum(axis=1)

# --- Section 7: exercises ---

swapped_words = two_words[::-1]
swapped_output = swapped_words @ swap
own_scores = np.diag(scores)
squared_lengths = np.diag(attn.dot(Q, Q))
short, long = 100, 1000
projection = multiply_adds(short, model_width, width)
projections_short = 3 * projection
projections_long = 3 * multiply_adds(long, model_width, width)
table_short = multiply_adds(short, width, short)
table_long = multiply_adds(long, width, long)
projections_grew = projections_long / projections_short
table_grew = table_long / table_short
crossing = 3 * model_width
crossing_both = crossing / 2
cost_table = [
    [length, 3 * multiply_adds(length, model_width, width), multiply_adds(length, width, length)]
    for length in (short, long, crossing, 10_000)
]

# --- Section 8: the next lesson ---

share_by_keys = [
    [n_keys, float(np.mean(sample)), float(np.median(sample))]
    for n_keys, sample in ((n_keys, largest_weights(n_keys, width)) for n_keys in (2, 16, 50, 64))
]
share = share_by_keys[3][1]
share_uniform = float(np.mean(largest_weights(keys_in_sight, width, uniform=True)))
draws = queries
fair_share = 1 / keys_in_sight
concentration = []
for d in (1, 2, 4, 8, 16, 32, 64, 128, 256):
    weights = largest_weights(keys_in_sight, d, draws=queries if d == width else queries // 4)
    concentration.append([d, float(weights.mean()), *(float(q) for q in np.quantile(weights, (0.1, 0.9)))])
narrow, wide = concentration[0], concentration[-1]

# --- Figures ---


def box(ax: "Axes", place: tuple[float, float], size: tuple[float, float], look: tuple[str, str, str]) -> None:
    """Draw a matrix as a rectangle around ``place``: its name inside, its shape below."""
    (x, y), (across, down), (name, shape, colour) = place, size, look
    ax.fill(
        x + np.array([-1, 1, 1, -1]) * across / 2,
        y + np.array([-1, -1, 1, 1]) * down / 2,
        facecolor=colour,
        edgecolor=colour,
        alpha=0.3,
    )
    ax.text(x, y, name, color=colours.INK, ha="center", va="center", weight="bold")
    ax.text(x, y - down / 2 - 0.2, shape, color=colours.MUTED, ha="center", va="top")


def leads(ax: "Axes", start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw an arrow from one matrix to another."""
    ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colours.MUTED})


def frame(ax: "Axes", place: tuple[float, float], size: tuple[float, float], colour: str) -> None:
    """Draw a frame around cells of a heat map: from row and column ``place``, over ``size`` rows and columns."""
    (i, j), (down, across) = place, size
    x, y = j - 0.5 + np.array([0, 1, 1, 0, 0]) * across, i - 0.5 + np.array([0, 0, 1, 1, 0]) * down
    ax.plot(x, y, color=colour, lw=2.5, clip_on=False)


@figure(width=3, height=1.9)
def glance(ax: "Axes", t: Words) -> None:
    """Show on the home page what the lesson ends with: who listens to whom, in one table."""
    heatmap(ax, A, low=0, high=0.6, rows=names)
    ax.set_title(t(zh="谁听谁，听多少", en="who listens to whom"))


@figure(width=4.8, height=4.6)
def every_pair(ax: "Axes", t: Words) -> None:
    """Show the table of scores with one query's row and one key's column picked out."""
    heatmap(ax, scores, kind="score", low=-1, high=1, fmt=".4f", rows=names, columns=names)
    frame(ax, (names.index("bank"), 0), (1, words), colours.QUERY)
    frame(ax, (0, names.index("steep")), (words, 1), colours.KEY)
    ax.set_xlabel(t(zh="键：谁被问", en="key: who is asked"))
    ax.set_ylabel(t(zh="查询：谁在问", en="query: who asks"))


@figure(width=4.8, height=7.8, rows=2)
def normalised_over(axes: np.ndarray, t: Words) -> None:
    """Set the shares normalised over the keys above those normalised over the queries."""
    titles = (
        t(zh="对 QKᵀ 逐行归一：每行之和是 1", en="rows of QKᵀ normalised: each row sums to 1"),
        t(zh="对 KQᵀ 逐行归一，再转回来：每列之和是 1", en="rows of KQᵀ, turned back: each column sums to 1"),
    )
    for ax, shares, title in zip(axes, (A, turned), titles, strict=True):
        with_totals = np.column_stack([shares, np.full(words, np.nan)])
        heatmap(ax, with_totals, fmt=".2f", low=0, high=0.6, rows=names, columns=[*names, "Σ"])
        for i, total in enumerate(shares.sum(axis=1)):
            ax.text(words, i, f"{total:.2f}", color=colours.INK, ha="center", va="center", weight="bold")
        ax.set_title(title)


@figure(width=4.8, height=5.4)
def four_stations(ax: "Axes", t: Words) -> None:
    """Show the shapes of the four stations: strips are batches of vectors, squares are tables of pairs."""
    strip, square = (0.7, 1.5), (1.5, 1.5)
    box(ax, (4.3, 9.6), (1.3, 1.5), ("X", "$n × d$", colours.INK))
    box(ax, (2.4, 6.4), strip, ("Q", "$n × d_k$", colours.QUERY))
    box(ax, (4.3, 6.4), strip, ("K", "$n × d_k$", colours.KEY))
    box(ax, (8.4, 6.4), strip, ("V", "$n × d_k$", colours.VALUE))
    box(ax, (3.3, 3.2), square, ("S", "$n × n$", colours.SCORE))
    box(ax, (6.4, 3.2), square, ("A", "$n × n$", colours.WEIGHT))
    box(ax, (8.4, 0.2), strip, ("Z", "$n × d_k$", colours.INK))
    for x in (2.4, 4.3, 8.4):
        leads(ax, (4.3 + 0.1 * (x - 4.3), 7.95), (x, 7.3))
    leads(ax, (2.55, 4.75), (3.0, 4.05))
    leads(ax, (4.15, 4.75), (3.6, 4.05))
    leads(ax, (4.2, 3.2), (5.5, 3.2))
    leads(ax, (7.0, 1.55), (7.9, 0.85))
    leads(ax, (8.4, 4.75), (8.4, 1.1))
    stations = (
        (7.9, t(zh="1 投影", en="1 project")),
        (4.9, t(zh="2 打分", en="2 score")),
        (3.2, t(zh="3 归一", en="3 normalise")),
        (0.2, t(zh="4 取回", en="4 fetch")),
    )
    for y, station in stations:
        ax.text(0.0, y, station, color=colours.INK, va="center")
    ax.set_xlim(0, 9.4)
    ax.set_ylim(-1.3, 10.5)
    ax.set_aspect("equal")
    ax.axis("off")


@figure(width=4.8, height=4.0)
def costs(ax: "Axes", t: Words) -> None:
    """Plot what the projections and the table cost against the number of words, both axes logarithmic."""
    lengths = np.geomspace(10, context, 81)
    drawn = (
        (3 * lengths * model_width * width, t(zh="三次投影", en="projections"), colours.QUERY, "-", (-25, 0.2, "left")),
        (lengths**2 * width, t(zh="打分表", en="table"), colours.SCORE, "--", (-12, 4, "right")),
    )
    for cost, name, colour, style, (at, aside, hang) in drawn:
        ax.loglog(lengths, cost, color=colour, ls=style)
        ax.text(lengths[at], cost[at] * aside, name, color=colour, ha=hang, va="center")
    level = multiply_adds(crossing, width, crossing)
    ax.plot([crossing], [level], "o", color=colours.INK)
    ax.axvline(crossing, color=colours.MUTED, lw=1, ls=":")
    ax.text(crossing * 0.85, level * 3, f"n = 3d = {crossing}", color=colours.INK, ha="right")
    ax.set_xlabel(t(zh="词数 n", en="words n"))
    ax.set_ylabel(t(zh="乘加次数", en="multiply-adds"))
    ax.minorticks_off()


@figure(width=4.8, height=3.8)
def one_key(ax: "Axes", t: Words) -> None:
    """Plot the largest weight of random keys against the number of components, unscaled."""
    components, mean, low, high = np.array(concentration).T
    ax.fill_between(components, low, high, color=colours.WEIGHT, alpha=0.2, lw=0)
    ax.plot(components, mean, "o-", color=colours.WEIGHT, ms=4)
    ax.axhline(fair_share, color=colours.MUTED, lw=1, ls="--")
    ax.text(components[-1], fair_share + 0.045, t(zh="均分", en="equal shares"), color=colours.MUTED, ha="right")
    ax.plot([width], [share], "o", color=colours.INK)
    ax.text(width, share - 0.11, f"{share:.0%}", color=colours.INK, ha="left")
    ax.set_xscale("log", base=2)
    ax.set_xticks(components[::2], [f"{int(d)}" for d in components[::2]])
    ax.minorticks_off()
    ax.set_ylim(0, 1.02)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
    ax.set_xlabel(t(zh="分量的个数 d", en="components d"))
    ax.set_ylabel(t(zh="最大的一份", en="largest share"))


if __name__ == "__main__":
    raise SystemExit(main())
