"""Lesson L4, position: the values, code and figures of the page.

The sentences, the ideas and the claims come from the research day T4 (position).
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from repro_t1_scorers import bank, steep
from repro_t2_scaled_dotprod import WK, WQ, WV
from repro_t4_position import (
    a_mask_sees_order,
    added,
    alibi,
    alibi_weight_on_the_word_before,
    angles,
    appended,
    bites_differs,
    bites_differs_with_rope,
    bites_moves,
    d,
    dog_bites,
    echo,
    far,
    fitted_scores,
    frequencies,
    gamma,
    half_the_hands_never_came_round,
    lengths,
    man_bites,
    many_hands_do_not,
    many_places,
    middle_wins,
    n,
    neighbours_fade,
    normalised,
    nothing,
    one_hand_comes_round,
    one_hot,
    one_hot_obeys_any_table,
    push_moves,
    pushed_scores,
    rope,
    sentence,
    sinusoids,
    slope,
    the_words_melt,
    trained,
    turn,
    vocabulary,
    wedge,
    weight_on_the_word_before,
)

import attn
from knit import colours, figure, heatmap, main, seed, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Words = Callable[..., str]

# --- Section 1: two sentences, one output ---


# --8<-- [start:two_sentences]
# zh: L2 的机器和三张表，一个字没改
# en: the machine of L2 and its three tables, unchanged
def machine(X: np.ndarray) -> np.ndarray:
    return attn.scaled_dot_product_attention(X @ WQ, X @ WK, X @ WV)


first = machine(sentence(dog_bites))
second = machine(sentence(man_bites))

# zh: 同一个词，在两句话里各得到什么
# en: what each word comes out as, in the one sentence and the other
for word in ("dog", "bites", "man"):
    one, other = first[dog_bites.index(word)], second[man_bites.index(word)]
    print(f"{word:6} ({one[0]:.4f}, {one[1]:.4f})  ({other[0]:.4f}, {other[1]:.4f})")
# --8<-- [end:two_sentences]

bites_at = dog_bites.index("bites")

# Where the interactive figure starts from.
shuffle = {"sentence": dog_bites, "vectors": sentence(dog_bites), "WQ": WQ, "WK": WK, "WV": WV, "slope": slope}

# --- Section 3: writing the number down ---

places = np.arange(n)
asker = n // 2  # the place that the examples ask from
last = n - 1
content_spread = math.sqrt(d)  # of the dot product of two words: L3
loudest = last * last

# --8<-- [start:append]
# zh: 回声句：每一处都是同一个词，只有位置能分出高下
# en: the echo: the same word at every place, so that only the place can decide
word = np.ones(d)
told = np.array([[*word, i] for i in range(n)])  # (n, d + 1)

weights_appended = attn.attention_weights(told, told)
for j in (0, asker - 1, asker, last - 1, last):
    print(f"{j:2}  {weights_appended[asker, j]:.4f}")
# --8<-- [end:append]

appended_share = weights_appended[asker, last]
melted = the_words_melt()
short, long = 5, 1000
third = 3
longer, far_third = 100 * short, 100 * third
third_share = third / short
third_after = third / (short + 1)
louder = long // short
fade = neighbours_fade()

# --- Section 4: one-hot ---

looked_back = one_hot_obeys_any_table()
rule_numbers = n - 1
one_hot_rows = many_places * d
the_last_place = many_places - 1

# --- Section 5: sinusoids ---

one_step_apart = float(np.linalg.norm(attn.sinusoidal(2, 2)[1] - attn.sinusoidal(2, 2)[0]))
round_steps, round_turns = 44, 7
round_angle = round_turns * 2 * math.pi
round_distance = one_hand_comes_round()
slow = 0.001
slow_apart = 2 * math.sin(slow / 2)
hands = d // 2
fastest_turn = 2 * math.pi / attn.frequencies(d)[0]
slowest_turn = 2 * math.pi / attn.frequencies(d)[-1]
clock_hands, clock_base = 4, 1000.0
pairs_of_places = many_places * (many_places - 1) // 2
nearest = many_hands_do_not()
radius = math.sqrt(d / 2)
slow_turn = 2 * math.pi / slow

# --8<-- [start:offset]
p = attn.sinusoidal(trained, d)
for i, j in ((10, 3), (110, 103), (503, 496)):
    print(i, j, f"{p[i] @ p[j]:.6f}")
# --8<-- [end:offset]

bites_apart = bites_differs()
bites_sinusoids = machine(sinusoids(sentence(dog_bites), np.arange(5), 5))[bites_at]
bites_sinusoids_swapped = machine(sinusoids(sentence(man_bites), np.arange(5), 5))[bites_at]

# --- Section 6: cross terms ---

place_term = d / 2
pushed_spread = float(pushed_scores().std())

# Where the interactive figure starts from.
walk = {
    "query": {"name": "bites", "at": vocabulary["bites"], "place": 2},
    "key": {"name": "dog", "at": vocabulary["dog"], "place": 1},
}

# --- Section 7: RoPE ---

dog, bites, man = vocabulary["dog"], vocabulary["bites"], vocabulary["man"]

# --8<-- [start:rope]
# zh: bites 站在 i，问站在 j 的 dog
# en: "bites" at place i asks "dog" at place j
for i, j in ((2, 1), (12, 11), (102, 101), (1, 2)):
    query = attn.rope(bites[None], np.array([i]))
    key = attn.rope(dog[None], np.array([j]))
    print(f"{i:4} {j:4}  {(query @ key.T).item():.6f}")
# --8<-- [end:rope]

bites_apart_rope = bites_differs_with_rope()

# --- Section 8: ALiBi ---

# --8<-- [start:alibi]
bias = attn.alibi(5, slope)
print(bias)

X = sentence(dog_bites)
Z = attn.scaled_dot_product_attention(X @ WQ, X @ WK, X @ WV, mask=bias)
# --8<-- [end:alibi]

Y = sentence(man_bites)
other_bites = attn.scaled_dot_product_attention(Y @ WQ, Y @ WK, Y @ WV, mask=bias)[bites_at]
bites_apart_alibi = float(np.linalg.norm(Z[bites_at] - other_bites) / np.linalg.norm(Z[bites_at]))
far_points = slope * far
step_factor = math.exp(-slope)
own_share = math.tanh(slope / 2)
far_factor = math.exp(-slope * far)

# --- Section 9: beyond the lengths it saw ---

thinning = [[length, weight_on_the_word_before(length), alibi_weight_on_the_word_before(length)] for length in lengths]
unfinished = half_the_hands_never_came_round()
horizon = 8 * trained
beyond_scores = fitted_scores(horizon)
fit_error = float(np.abs(beyond_scores[:trained] + wedge * np.arange(trained)).max())
wedge_depth = wedge * trained
mistaken = trained + int(beyond_scores[trained:].argmax())
mistaken_score, own_score = beyond_scores[mistaken], beyond_scores[0]

# --- Section 10: odd d ---

odd = d + 1
lone = attn.sinusoidal(2048, 6)[:, :5]
lone_products = (lone[1:] * lone[:-1]).sum(axis=1)
lone_least, lone_most = lone_products.min(), lone_products.max()

# --- Section 11: sixteen bits ---

last_exact, merged_place = 2048, 2049
significand = np.finfo(np.float16).nmant + 1
half_bits, single_bits = np.finfo(np.float16).bits, np.finfo(np.float32).bits
half_largest = float(np.finfo(np.float16).max)
context = 4096
distinct = len(np.unique(np.arange(context).astype(np.float16)))
samples = np.array([2047, last_exact, merged_place, 4097, 10_001, 65_003])
sixteen = [[int(place), float(np.float16(place)), float(abs(place - float(np.float16(place))))] for place in samples]


def worst(places: np.ndarray, kind: type) -> np.ndarray:
    """Give the largest error of any hand's cosine at each place, angles computed in this kind of number."""
    exact = np.cos(places[:, None] * frequencies)
    return np.abs(np.cos(angles(places, kind)) - exact).max(axis=1)


# --- Section 12: the scoreboard ---


scoreboard_draws = 40


def row(name: dict[str, str], idea: Callable[..., np.ndarray]) -> list[object]:
    """Try an idea three ways, each averaged over the same draws."""
    draws = [np.random.default_rng([seed(4), k]) for k in range(scoreboard_draws)]
    apart = np.mean([bites_moves(idea, rng) for rng in draws])
    moved = np.mean([push_moves(idea, rng) for rng in draws])
    return [name, float(apart), float(moved), middle_wins(idea)]


scoreboard = [
    row(name, idea)
    for name, idea in (
        (text(zh="什么也不说", en="say nothing"), nothing),
        (text(zh="接上序号", en="append the index"), appended),
        (text(zh="加上序号", en="add the index"), added),
        (text(zh="序号除以长度", en="index over length"), normalised),
        (text(zh="独热", en="one-hot"), one_hot),
        (text(zh="正弦", en="sinusoids"), sinusoids),
        (text(zh="RoPE", en="RoPE"), rope),
        (text(zh="ALiBi", en="ALiBi"), alibi),
    )
]

# --- Exercises ---

pair = np.array([[1.0, 0.0], [1.0, 1.0]])
pair_scores = pair @ pair.T
pair_weights = attn.attention_weights(pair, pair, scale=1.0)
pair_output = attn.scaled_dot_product_attention(pair, pair, pair, scale=1.0)
pair_output_swapped = attn.scaled_dot_product_attention(pair[::-1], pair[::-1], pair[::-1], scale=1.0)

quarter = math.pi / 2
four_places = np.array([[math.sin(k * quarter), math.cos(k * quarter)] for k in range(4)]).round(12) + 0.0
four_products = (four_places @ four_places.T).round(12) + 0.0
sixteenth = math.pi / 8
clock_distances = [math.sqrt(4 - 2 * math.cos(k * quarter) - 2 * math.cos(k * sixteenth)) for k in range(1, 16)]
closest_offset = 1 + int(np.argmin(np.round(clock_distances, 12)))
closest_distance = min(clock_distances)
neighbour_distance = clock_distances[0]
clock_fast, clock_places = 4, 16
turned_last = clock_fast - 1


def quarter_turns(x: np.ndarray, steps: int) -> np.ndarray:
    """Turn a word of the plane by so many quarters."""
    return attn.rope(x[None], np.array([steps * quarter]))[0].round(12) + 0.0


turned_bank = [quarter_turns(bank, k) for k in range(4)]
turned_scores = [float(quarter_turns(bank, k) @ steep) for k in range(4)]
asked_place, key_place = 7, 5
same_score = float(quarter_turns(bank, asked_place) @ quarter_turns(steep, key_place))

masked_apart = a_mask_sees_order()
weak_share = 0.01
weak_steps = 10
weak_slope = -math.log(weak_share) / weak_steps

half_overflow = math.log(half_largest) / gamma
double_overflow = math.log(float(np.finfo(np.float64).max)) / gamma

# --- The next lesson ---

halves = 0.5
mixed = halves * (dog @ WV) + halves * (man @ WV)

# --- Figures ---


@figure(width=4.6, height=6.8, rows=2)
def shuffled_tables(ax: "np.ndarray", t: Words) -> None:
    """Draw the weights of both sentences."""
    for panel, words, title in (
        (ax[0], dog_bites, t(zh="第一句", en="first sentence")),
        (ax[1], man_bites, t(zh="第二句", en="second sentence")),
    ):
        X = sentence(words)
        heatmap(panel, attn.attention_weights(X @ WQ, X @ WK), rows=words, columns=words)
        panel.set_title(title)


@figure(width=4.6, height=6.4, rows=3)
def where_it_looks(ax: "np.ndarray", t: Words) -> None:
    """Draw the scores that the word in the middle of an echo gives, with three ways of telling it the places."""
    told_appended = appended(echo(n), places, n)
    told_normalised = normalised(echo(n), places, n)
    p = attn.sinusoidal(n, d)
    drawn = (
        (told_appended[asker] @ told_appended.T, colours.BAD, t(zh="接上序号", en="index appended")),
        (told_normalised[asker] @ told_normalised.T, colours.BAD, t(zh="序号除以长度", en="index over length")),
        (
            p[asker] @ turn(-1) @ p.T,
            colours.GOOD,
            t(zh="正弦，查询往回转一步", en="sinusoids, query turned back"),
        ),
    )
    for panel, (scores, colour, title) in zip(ax, drawn, strict=True):
        panel.axvline(asker, color=colours.MUTED, lw=1, ls="--")
        panel.plot(places, scores, color=colour)
        panel.plot([scores.argmax()], [scores.max()], "o", color=colour)
        panel.set_title(title)
        panel.set_ylabel(t(zh="分数", en="score"))
    ax[2].set_xlabel(t(zh="被看的位置", en="place that is looked at"))


@figure(width=3, height=1.9)
def glance(ax: "Axes", t: Words) -> None:
    """Show on the home page the lesson's picture: hands that tell places, fast ones and slow ones."""
    rates = attn.frequencies(6, clock_base)
    ring = np.linspace(0, 2 * np.pi, 49)
    for place in range(6):
        for row_, rate in enumerate(rates):
            ax.plot(place + 0.38 * np.cos(ring), -row_ + 0.38 * np.sin(ring), color=colours.MUTED, lw=1, alpha=0.6)
            tip = 0.36 * math.sin(place * rate), 0.36 * math.cos(place * rate)
            ax.plot([place, place + tip[0]], [-row_, -row_ + tip[1]], color=colours.KEY, lw=2)
    ax.text(2.5, -2.85, t(zh="位置 0 到 5", en="places 0 to 5"), color=colours.MUTED, ha="center", va="center")
    ax.set_aspect("equal")
    ax.set_xlim(-0.5, 5.5)
    ax.set_ylim(-3.1, 0.5)
    ax.axis("off")


@figure(width=4.6, height=3.5)
def clock_faces(ax: "Axes", t: Words) -> None:
    """Draw the hands of four clocks at six places."""
    shown, rates = (0, 1, 2, 3, 10, round_steps), attn.frequencies(2 * clock_hands, clock_base)
    ring = np.linspace(0, 2 * np.pi, 49)
    for column, place in enumerate(shown):
        for row_, rate in enumerate(rates):
            ax.plot(column + 0.38 * np.cos(ring), -row_ + 0.38 * np.sin(ring), color=colours.MUTED, lw=1, alpha=0.6)
            tip = 0.36 * math.sin(place * rate), 0.36 * math.cos(place * rate)
            ax.plot([column, column + tip[0]], [-row_, -row_ + tip[1]], color=colours.KEY, lw=2)
    ax.set_aspect("equal")
    ax.set_xticks(range(len(shown)), [str(place) for place in shown])
    ax.set_yticks([0, -3], [t(zh="最快", en="fastest"), t(zh="最慢", en="slowest")], rotation=90, va="center")
    ax.set_xlabel(t(zh="位置", en="place"))
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)


@figure(width=4.8, height=3.6)
def only_offset(ax: "Axes", t: Words) -> None:
    """Draw the dot product of two places by their offset."""
    p, centre = attn.sinusoidal(241, d), 120
    offsets = np.arange(-120, 121)
    ax.plot(offsets, p @ p[centre], color=colours.SCORE)
    ax.axvline(0, color=colours.MUTED, lw=1, ls="--")
    ax.set_ylim(0, d / 2 + 2)
    ax.set_xlabel(t(zh="相隔几步：j − i", en="offset j − i"))
    ax.set_ylabel(t(zh="两个位置的内积", en="dot product of two places"))


@figure(width=4.8, height=3.8)
def pushed(ax: "Axes", t: Words) -> None:
    """Push two words on together and draw their score, sinusoids added and with RoPE."""
    rng = np.random.default_rng(seed(7))
    x, y = rng.standard_normal((2, d))
    steps = np.arange(201)
    p = attn.sinusoidal(208, d)
    with_sinusoids = ((x + p[3 + steps]) * (y + p[7 + steps])).sum(axis=1) / math.sqrt(d)
    turned = attn.rope(np.tile(x, (201, 1)), 3 + steps) * attn.rope(np.tile(y, (201, 1)), 7 + steps)
    ax.plot(steps, with_sinusoids - with_sinusoids[0], color=colours.BAD)
    ax.plot(steps, turned.sum(axis=1) / math.sqrt(d) - turned[0].sum() / math.sqrt(d), color=colours.GOOD)
    top = (with_sinusoids - with_sinusoids[0]).max()
    ax.text(207, 0, "RoPE", color=colours.GOOD, va="center")
    ax.text(100, top, t(zh="加上正弦", en="sinusoids added"), color=colours.BAD, ha="center", va="bottom")
    ax.set_xlabel(t(zh="两个词一起往后挪的步数", en="steps that both words are moved on"))
    ax.set_ylabel(t(zh="分数变了多少", en="change of their score"))


@figure(width=4.8, height=3.8)
def beyond(ax: "Axes", t: Words) -> None:
    """Draw what RoPE was fitted to, and what it gives farther out."""
    offsets = np.arange(horizon)
    ax.axvspan(0, trained, color=colours.GRID, alpha=0.6)
    ax.plot(offsets[::4], beyond_scores[::4], color=colours.QUERY)
    ax.plot([0, 2 * trained], [0, -2 * trained * wedge], color=colours.MUTED, ls="--")
    ax.plot([mistaken], [mistaken_score], "o", color=colours.BAD)
    ax.text(trained * 2.1, -7.4, t(zh="要学的直线", en="the line to learn"), color=colours.MUTED)
    ax.text(trained * 1.2, 1.2, t(zh="灰：见过的距离", en="grey: offsets it saw"), color=colours.MUTED)
    ax.set_ylim(-8.2, 2)
    ax.set_xlabel(t(zh="距离", en="offset"))
    ax.set_ylabel(t(zh="分数", en="score"))


@figure(width=4.8, height=4.0)
def half_precision(ax: "Axes", t: Words) -> None:
    """Draw the worst error of a hand by place: angles in 16 and 32 bits, and rounded after the turn."""
    at = np.unique(np.geomspace(8, 65_000, 240).astype(int))
    places16 = attn.sinusoidal(int(at[-1]) + 1, d)[at]
    stored = np.abs(places16.astype(np.float16).astype(float) - places16).max(axis=1)
    for errors, colour in (
        (worst(at, np.float16), colours.BAD),
        (worst(at, np.float32), colours.VALUE),
        (stored, colours.GOOD),
    ):
        ax.plot(at, np.maximum.accumulate(errors), color=colour)
    ax.text(10, 0.12, t(zh="角度用 16 位算", en="angles in 16 bits"), color=colours.BAD)
    ax.text(900, 4e-6, t(zh="角度用 32 位算", en="angles in 32 bits"), color=colours.VALUE)
    ax.text(16, 4.5e-4, t(zh="先转，再存成 16 位", en="turn first, then store in 16"), color=colours.GOOD)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks([10, 100, 1000, 10_000], ["10", "100", "1000", "10000"])
    ax.set_yticks([1e-6, 1e-4, 1e-2, 1])  # as powers of ten: zeros would be counted
    ax.minorticks_off()
    ax.set_xlabel(t(zh="位置", en="place"))
    ax.set_ylabel(t(zh="最大误差", en="largest error"))


if __name__ == "__main__":
    raise SystemExit(main())
