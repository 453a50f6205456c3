"""Lesson L3, variance and √d_k: the values, code and figures of the page.

The claims come from research day T3, and so does section 7, of which everything stands in ``repro_t3_training.py``.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from repro_t1_scorers import bank, steep, the
from repro_t3_variance import (
    average,
    coin,
    component_variance,
    crowd_sample,
    crowds,
    deviations,
    die,
    divisors,
    expected,
    expected_divided,
    expected_largest,
    expected_share,
    jittered_scores,
    keys_in_sight,
    law_scores,
    louder_scores,
    match_shares,
    model_width,
    normal,
    projected_components,
    score_sample,
    signals,
    size,
    stretched,
    sums,
    two_coins,
    two_sides,
    uniform,
    variance_error,
    width,
    widths,
)
from repro_t3_variance import variance as exact_variance

import attn
from knit import colours, figure, main, seed, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Labels = Callable[..., str]

root = math.sqrt(width)

# --- Section 0: the last line of L2 ---

rng = np.random.default_rng(seed(3))

# --8<-- [start:one_query]
for _ in range(5):
    # zh: 一个查询，64 个键；每个分量都独立取自标准正态
    # en: a query and 64 keys; each component drawn on its own, standard normal
    query = rng.standard_normal(width)
    keys = rng.standard_normal((keys_in_sight, width))
    weights = attn.softmax(attn.dot(query, keys))
    print(f"largest of {len(weights)} weights: {weights.max():.3f}")
# --8<-- [end:one_query]

drawn = crowd_sample(keys_in_sight)
drawn_divided = crowd_sample(keys_in_sight, root)
crowd_rows = [
    [
        n,
        crowd_sample(n)[0],
        crowd_sample(n).mean(),
        expected[n],
        float(np.median(crowd_sample(n))),
        expected_divided[n],
    ]
    for n in crowds
]
share = float(expected[keys_in_sight])
share_divided = float(expected_divided[keys_in_sight])
share_mean = float(drawn.mean())
share_median = float(np.median(drawn))
fair = 1 / keys_in_sight

# --- Section 1: what ±1 may mean ---

laws = {
    "coin": (text(zh="硬币：+1 或 −1", en="a coin: +1 or −1"), coin, 1.0),
    "uniform": (text(zh="−1 到 1 之间任取", en="anything from −1 to 1"), uniform, 0.5),
    "normal": (text(zh="标准正态", en="standard normal"), normal, math.sqrt(2 / math.pi)),
}
law_shares = {
    name: float(attn.softmax(law_scores(law)).max(axis=-1).mean())
    for name, law in (*((name, law) for name, (_, law, _) in laws.items()), ("stretched", stretched))
}
law_rows = [[words, typical, law_shares[name]] for name, (words, _, typical) in laws.items()]
typical = {name: typical for name, (_, _, typical) in laws.items()}
coin_scores = np.sort(law_scores(coin), axis=-1)
ties = float(np.mean(coin_scores[:, -1] == coin_scores[:, -2]))
unties = float(attn.softmax(jittered_scores()).max(axis=-1).mean())

# --- Section 2: a number for wobbling ---

four_coins = sums(two_coins, two_coins)
coin_rows = [
    [words, float(average(deviations(values))), float(size(values)), float(exact_variance(values))]
    for words, values in (
        (text(zh="一枚硬币", en="one coin"), two_sides),
        (text(zh="两枚之和", en="the sum of two"), two_coins),
        (text(zh="四枚之和", en="the sum of four"), four_coins),
    )
]
kinds_of_four = len(four_coins)
with_itself = [float(exact_variance([x + sign * x for x in two_sides])) for sign in (1, -1)]
size_one, size_two, size_four = (row[2] for row in coin_rows)
square_one, square_two, square_four = (row[3] for row in coin_rows)


# --8<-- [start:variance]
def variance(values: np.ndarray) -> float:
    # zh: 离平均有多远，平方，再平均
    # en: how far from the average, squared, averaged
    return np.mean((values - np.mean(values)) ** 2)


coins = rng.choice([-1.0, 1.0], size=100_000)
bells = rng.standard_normal(100_000)
flats = rng.uniform(-1, 1, size=100_000)
for name, values in (("coin", coins), ("normal", bells), ("uniform", flats)):
    print(f"{name:<8} variance {variance(values):.3f}")
# --8<-- [end:variance]

slices = 1000
square_sum = 6  # 1² + … + N² = N(N+1)(2N+1)/6
sliced = float(np.mean((np.arange(1, slices + 1) / slices) ** 2))
stretch_squared = 3
stretch = math.sqrt(stretch_squared)
sixth = 6  # how many standard deviations the small proof looks at
sixth_squared = sixth**2
beyond = 1 / sixth_squared

# --- Section 3: how far a score wobbles ---

counted_width = 5
coin_pairs = (2**counted_width) ** 2
shown_scores = 200  # in each column of the figure

scores_by_width = {d: score_sample(d) for d in widths}
width_rows = [
    [
        d,
        float(np.mean(scores_by_width[d] ** 2)),
        6 * variance_error(d),
        float(np.sqrt(np.mean(scores_by_width[d] ** 2))),
    ]
    for d in widths
]
largest_width = widths[-1]
gap_variance = 2 * width  # of the difference of two scores
gap_spread = math.sqrt(gap_variance)
gap_ratio = math.exp(gap_spread)
calm_gap_spread = math.sqrt(2)
calm_gap_ratio = math.exp(calm_gap_spread)

# --- Section 4: four divisors ---

shown_widths = (2, 8, 64, 1024)
divisor_curves = {
    name: [float(expected_share([keys_in_sight], d, divisor(d))[0]) for d in widths[1:]]
    for name, divisor in divisors.items()
}
divisor_rows = [
    [d, *(divisor_curves[name][widths.index(d) - 1] for name in ("1", "ln d", "√d", "d"))] for d in shown_widths
]
# Where the interactive figure starts from.
slide = {
    "keys": keys_in_sight,
    "width": width,
    "least": widths[1],
    "most": largest_width,
    "expected": {
        "widths": widths[1:],
        "raw": divisor_curves["1"],
        **{name: divisor_curves[name] for name in ("√d", "ln d", "d")},
    },
}
log_high = divisor_curves["ln d"][-1]
root_low, root_high = min(divisor_curves["√d"]), max(divisor_curves["√d"])
width_high = divisor_curves["d"][-1]

left_by_log = [math.sqrt(d) / math.log(d) for d in (shown_widths[1], largest_width)]
left_by_width = math.sqrt(largest_width) / largest_width

match_rows = [
    [
        words,
        divisors[name](width),
        root / divisors[name](width),
        width / divisors[name](width),
        float(match_shares(width, divisors[name](width)).mean()),
    ]
    for words, name in (
        (text(zh="不除", en="nothing"), "1"),
        ("ln d", "ln d"),
        ("√d", "√d"),
        ("d", "d"),
    )
]
match_root, match_width = match_rows[2][4], match_rows[3][4]

# --- Section 5: what reaches the scores ---

certainties = [0.5, 0.9, 0.99, 0.999]
slope_rows = [[p, p * (1 - p)] for p in certainties]
half = certainties[0]
steepest = half * (1 - half)

# --8<-- [start:nudge]
scores = np.array([2.0, 1.0, 0.0])
p = attn.softmax(scores)[0]
for h in (0.1, 0.01, 0.001):
    # zh: 只动第一个分数，看它自己的权重动了多少
    # en: move the first score alone, and see how much its own weight moves
    moved = attn.softmax(scores + np.array([h, 0, 0]))[0]
    print(f"h = {h:<6} change / h = {(moved - p) / h:.5f}")
print(f"p(1 - p)          = {p * (1 - p):.5f}")
# --8<-- [end:nudge]

raw, calm = signals()
signal_rows = [
    [words, float(sample.mean()), float(np.median(sample)), float(np.quantile(sample, 0.1))]
    for words, sample in (
        (text(zh="不除", en="nothing"), raw),
        ("√d", calm),
    )
]
mean_raw, mean_calm = signal_rows[0][1], signal_rows[1][1]
deaf_raw, deaf_calm = signal_rows[0][3], signal_rows[1][3]
deaf_bound = math.ceil(deaf_raw * 1e4) / 1e4  # rounded up, so that "less than" is true
deaf_ratio = deaf_calm / deaf_raw
deaf_share_raw, deaf_share_calm = deaf_raw / mean_raw, deaf_calm / mean_calm

# --- Section 6: temperature ---

two_keys = attn.dot(bank, np.array([steep, the]))
lead = float(two_keys[0] - two_keys[1])
settings = [0.25, 0.5, 1.0, 2.0, 4.0]
temperature_rows = [[T, float(np.exp(lead / T)), float(attn.softmax(two_keys, temperature=T)[0])] for T in settings]

# --8<-- [start:same_thing]
Q, K, V = (rng.standard_normal((4, width)) for _ in range(3))
by_formula = attn.scaled_dot_product_attention(Q, K, V)
by_temperature = attn.softmax(attn.dot(Q, K), temperature=np.sqrt(width)) @ V
difference = np.abs(by_formula - by_temperature).max()
print("largest difference below 1e-12:", difference < 1e-12)
# --8<-- [end:same_thing]

# --- Section 8: exercises ---

pair_variance = component_variance**2
quadrupled = component_variance**2 * width
quadrupled_spread = math.sqrt(quadrupled)
left_over = quadrupled_spread / root
share_left_over = float(expected_largest([keys_in_sight], left_over)[0])
quadrupled_measured = float(np.mean(louder_scores() ** 2))
die_average = float(average(die))
die_variance = float(exact_variance(die))
two_dice_variance = float(exact_variance(sums(die, die)))
dice_cases = len(sums(die, die))
die_steps = [abs(float(step)) for step in deviations(die)][2::-1]
die_squares = [step**2 for step in die_steps]
die_sizes = len(die_steps)
binomial = [math.comb(4, k) for k in range(5)]
fourth_one, fourth_two = (float(average(step**4 for step in deviations(x))) for x in (two_sides, two_coins))
target = 0.9
target_rest = 1 - target
odds_wanted = target / target_rest
temperature_wanted = lead / math.log(odds_wanted)
share_checked = float(attn.softmax(two_keys, temperature=temperature_wanted)[0])
cell_variance = 1 / model_width
projected_variance = float(np.mean(projected_components() ** 2))


# --- Figures ---


@figure(width=4.8, height=3.8)
def how_they_lie(ax: "Axes", t: Labels) -> None:
    """Show how the largest weights of many queries lie, undivided and divided by √d."""
    bins = np.linspace(0, 1, 41)
    ax.hist(drawn, bins, color=colours.BAD, alpha=0.55, lw=0)
    ax.hist(drawn_divided, bins, color=colours.GOOD, alpha=0.55, lw=0)
    top = ax.get_ylim()[1]
    for place, words, height in (
        (share_mean, t(zh="平均", en="mean"), 0.45),
        (share_median, t(zh="中位数", en="median"), 0.6),
    ):
        ax.axvline(place, ymax=height, color=colours.INK, lw=1, ls="--")
        ax.text(place - 0.025, height * top, words, color=colours.INK, ha="right", va="top")
    ax.text(0.2, 0.85 * top, t(zh="除以 √d", en="divided by √d"), color=colours.GOOD)
    ax.text(0.3, 0.2 * top, t(zh="不除", en="undivided"), color=colours.BAD)
    ax.set_xlim(0, 1)
    ax.tick_params(axis="x", pad=6)  # off the other axis's 0
    ax.set_xlabel(t(zh="最大的那份权重", en="largest weight"))
    ax.set_ylabel(t(zh="查询的个数", en="number of queries"))


@figure(width=3, height=1.9)
def glance(ax: "Axes", t: Labels) -> None:
    """Show on the home page how scores spread as words get wider, and that dividing by √d holds them."""
    d_ = np.linspace(1, 64, 64)
    raw, divided = np.sqrt(d_), np.ones_like(d_)
    ax.fill_between(d_, -raw, raw, color=colours.BAD, alpha=0.15, lw=0)
    ax.fill_between(d_, -divided, divided, color=colours.GOOD, alpha=0.4, lw=0)
    for edge in (-raw, raw):
        ax.plot(d_, edge, color=colours.BAD, lw=1)
    ax.text(1, 8.6, t(zh="分数的散布", en="spread of scores"), color=colours.BAD, va="center")
    ax.text(61.5, 3.2, t(zh="除以 √d", en="divided by √d"), color=colours.GOOD, ha="right", va="center")
    ax.text(63, -9.8, t(zh="词越宽 →", en="wider words →"), color=colours.MUTED, ha="right", va="center")
    ax.set_xlim(0, 65)
    ax.set_ylim(-10.5, 9.5)
    ax.axis("off")


@figure(width=4.8, height=4.0)
def funnel(ax: "Axes", t: Labels) -> None:
    """Scatter scores of random pairs against the number of components."""
    shown = widths[::2]
    jitter = np.linspace(-0.28, 0.28, shown_scores)
    for place, d in enumerate(shown):
        ax.plot(place + jitter, scores_by_width[d][: len(jitter)], ".", ms=2.5, color=colours.SCORE)
    places = np.linspace(0, len(shown) - 0.55, 100)  # a little farther than the dots
    for sign in (1, -1):
        ax.plot(places, sign * 2**places, color=colours.INK, lw=1.5)
    ax.text(places[-1] + 0.15, 2 ** places[-1], "√d", color=colours.INK, va="center")
    ax.set_xlim(-0.5, len(shown) - 0.05)
    ax.set_xticks(range(len(shown)), [str(d) for d in shown])
    ax.set_xlabel(t(zh="分量个数 d", en="components d"))
    ax.set_ylabel(t(zh="随机一对的分数", en="score of a random pair"))


@figure(width=4.8, height=4.2)
def four_divisors(ax: "Axes", t: Labels) -> None:
    """Follow the expected largest weight as d grows, for each divisor."""
    for name, label, colour, style, above in (
        ("1", t(zh="不除", en="undivided"), colours.BAD, "-", (16, 0.62, "right")),
        ("ln d", t(zh="除以 ln d", en="÷ ln d"), colours.VALUE, "--", (300, 0.53, "right")),
        ("√d", t(zh="除以 √d", en="÷ √d"), colours.GOOD, "-", (1024, 0.135, "right")),
        ("d", t(zh="除以 d", en="÷ d"), colours.KEY, ":", (1024, 0.037, "right")),
    ):
        ax.plot(widths[1:], divisor_curves[name], color=colour, ls=style)
        ax.text(above[0], above[1], label, color=colour, ha=above[2], va="bottom")
    ax.set_xscale("log", base=2)
    ax.set_xticks([2, 8, 64, 1024], ["2", "8", "64", "1024"])
    ax.minorticks_off()
    ax.set_ylim(0, 1)
    ax.set_xlabel(t(zh="分量个数 d", en="components d"))
    ax.set_ylabel(t(zh="最大权重的期望", en="expected largest weight"))


@figure(width=4.8, height=4.0)
def deaf_tenth(ax: "Axes", t: Labels) -> None:
    """Sort the queries by the signal that reaches their scores."""
    for sample, label, colour, place in (
        (raw, t(zh="不除", en="undivided"), colours.BAD, (0.16, 5e-4)),
        (calm, t(zh="除以 √d", en="divided by √d"), colours.GOOD, (0.16, 0.3)),
    ):
        ranks = np.linspace(0, 1, 201)
        ax.plot(ranks, np.quantile(sample, ranks), color=colour)
        ax.text(*place, label, color=colour)
    ax.axvline(0.1, color=colours.MUTED, lw=1, ls="--")
    ax.set_yscale("log")
    ax.set_ylim(1e-5, 2)
    ax.set_xlim(0, 1)
    ax.set_yticks([1e-4, 1e-2, 1], ["0.0001", "0.01", "1"])
    ax.set_xticks([0, 0.1, 0.5, 1], ["0", "1/10", "1/2", "1"])
    ax.minorticks_off()
    ax.set_xlabel(t(zh="查询，从最聋的排起", en="queries, deafest first"))
    ax.set_ylabel(t(zh="到达分数的信号", en="signal reaching the scores"))


if __name__ == "__main__":
    raise SystemExit(main())
