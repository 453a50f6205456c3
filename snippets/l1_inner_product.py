"""Lesson L1, the inner product: the values, code and figures of the page.

The words and the claims come from the research days T1 (scorers) and T5 (softmax).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from repro_t1_scorers import (
    bank,
    component_variance,
    dimensions,
    flat,
    flip_point,
    identity,
    nothing,
    quarter_turn_score,
    steep,
    suspect,
    the,
    was,
)
from repro_t5_softmax import cold, hot, moved, shares, shift, sigmoid, softplus

import attn
from knit import colours, figure, main, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Words = Callable[..., str]


def norm(vector: np.ndarray) -> float:
    """Give the length of a vector."""
    return float(np.linalg.norm(vector))


def degrees(vector: np.ndarray) -> float:
    """Give the direction of a vector of the plane, in degrees from the first axis."""
    return float(np.degrees(np.arctan2(vector[1], vector[0])))


# --- Section 2: distance and its three faults ---

# --8<-- [start:distance]
# zh: 句子里 bank 可以听的三个词，一行一个
# en: the three words of the sentence that bank may listen to, one a row
candidates = np.array([the, was, steep])
distances = np.sqrt(((bank - candidates) ** 2).sum(axis=1))

# zh: 从近到远
# en: from near to far
for i in np.argsort(distances):
    print(["the", "was", "steep"][i], round(distances[i], 2))
# --8<-- [end:distance]

difference = bank - steep
squared_distance = float(difference @ difference)
distance_the, distance_was, distance_steep = (float(d) for d in distances)
distance_nothing = -float(attn.negative_distance(bank, nothing))
norms = {"bank": norm(bank), "steep": norm(steep), "the": norm(the), "was": norm(was)}

dots = attn.dot(bank, candidates)
cosines = attn.cosine(bank, candidates)
dot_the, dot_was, dot_steep = (float(s) for s in dots)
squares = {"bank": bank @ bank, "steep": steep @ steep, "the": the @ the, "suspect": suspect @ suspect}

three_scores = [
    [word, norm(vector), distance, dot, cosine]
    for word, vector, distance, dot, cosine in zip(
        ("the", "was", "steep"), candidates, distances, dots, cosines, strict=True
    )
]

flip = flip_point(bank, steep, the)
flip_numerator = float(steep @ steep - the @ the)
flip_gain = dot_steep - dot_the
flip_denominator = 2 * flip_gain

# Where the interactive figure starts from.
drag = {
    "query": {"name": "bank", "at": bank},
    "keys": [{"name": word, "at": at} for word, at in (("the", the), ("was", was), ("steep", steep))],
}

longer = 3.0
same_direction, opposite = longer * bank, -bank
distance_same, distance_opposite = (-float(attn.negative_distance(bank, key)) for key in (same_direction, opposite))
dot_same, dot_opposite = (float(attn.dot(bank, key)) for key in (same_direction, opposite))

# --- Section 3: demands on a score ---

stretched = np.array([[1.5, 0.0], [0.0, 0.5]])  # weighs the first feature more
mixed = np.array([[1.0, 0.5], [0.5, 1.0]])  # lets one feature speak to the other
turn_degrees = 30

# --8<-- [start:turn]
angle = np.radians(turn_degrees)


def turn(word: np.ndarray) -> np.ndarray:
    x, y = word
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * x - s * y, s * x + c * y])


# zh: 一视同仁的、偏爱第一个特征的、让两个特征串门的
# en: one that is even-handed, one with a favourite, one that lets features talk
for M in (identity, stretched, mixed):
    before = attn.bilinear(bank, steep, M)
    after = attn.bilinear(turn(bank), turn(steep), M)
    print(M.tolist(), f"{before:.4f} -> {after:.4f}")
# --8<-- [end:turn]

turned_stretched = float(attn.bilinear(turn(bank), turn(steep), stretched))
turned_mixed = float(attn.bilinear(turn(bank), turn(steep), mixed))
kept = float(attn.bilinear(turn(bank), turn(steep), identity))
steep_mixed = float(attn.bilinear(bank, steep, mixed))
steep_stretched = float(attn.bilinear(bank, steep, stretched))
J = quarter_turn_score

# Where the interactive figure starts from.
dial = {
    "query": {"name": "bank", "at": bank},
    "key": {"name": "steep", "at": steep},
    "tables": [
        {"name": "I", "M": identity},
        {"name": text(zh="偏爱第一个特征", en="has a favourite"), "M": stretched},
        {"name": text(zh="让两个特征串门", en="lets features talk"), "M": mixed},
        {"name": "J", "M": J},
    ],
    "degrees": turn_degrees,
}
signed_area, signed_area_back = (float(attn.bilinear(q, k, J)) for q, k in ((bank, steep), (steep, bank)))

family = [2, 3, 4]
free_numbers = [
    [
        d,
        d * d,
        d * (d + 1) // 2,
        attn.invariant_dimension(d),
        attn.invariant_dimension(d, symmetric=True),
    ]
    for d in family
]
plane = free_numbers[0]

# --- Section 4: from scores to shares ---

sides = np.array([steep, the, flat])
scores = attn.dot(bank, sides)
total = float(scores.sum())
divided = shares(scores)
absolute = shares(np.abs(scores))

# --8<-- [start:softmax]
# zh: 先取指数：全部变正，次序不变
# en: exponentials first: all become positive, the order stays
exponentials = np.exp(scores)
# zh: 再除以总和：压成份额
# en: then divide by the total: shares
weights = exponentials / exponentials.sum()
print("exponentials", exponentials.round(3))
print("shares      ", weights.round(3))
# --8<-- [end:softmax]

bonus_table = [
    [name, before[0], after[0], moved(before, after)]
    for name, before, after in (
        (name, shares(rise(scores)), shares(rise(scores + shift)))
        for name, rise in (
            (text(zh="指数", en="exponential"), np.exp),
            ("softplus", softplus),
            ("sigmoid", sigmoid),
            (text(zh="平方", en="square"), np.square),
        )
    )
]
softplus_before, softplus_after = bonus_table[1][1:3]
mixer = {"names": ["steep", "the", "flat"], "scores": scores, "shift": shift}  # where the interactive figure starts
scaled_by = 2.0
weights_scaled = attn.softmax(scaled_by * scores)
weights_cold = attn.softmax(scores, temperature=cold)
weights_hot = attn.softmax(scores, temperature=hot)

# --- Section 5: the whole machine ---

# --8<-- [start:assemble]
# zh: 一行一个词：the, bank, was, steep
# en: one word a row: the, bank, was, steep
X = np.array([the, bank, was, steep])
# zh: 还没有学过任何东西，所以 Q = K = V = X
# en: nothing has been learned yet, so Q = K = V = X
attention = attn.scaled_dot_product_attention
updated, A = attention(X, X, X, return_weights=True)
print("bank's shares:", A[1].round(3))
print("bank before:", bank, " after:", updated[1].round(3))
# --8<-- [end:assemble]

bank_shares = A[1]
bank_after = updated[1]
direction_before, direction_after, direction_steep = degrees(bank), degrees(bank_after), degrees(steep)
turned_by = direction_after - direction_before

# --- Section 7: exercises ---

dot_steep_opposite = float(attn.dot(-bank, steep))
opposite_scores = attn.dot(-bank, sides)
opposite_weights = attn.softmax(opposite_scores)
one_sided = np.array([[0.0, 1.0], [0.0, 0.0]])  # only q₁k₂ counts
asked, asked_back = (float(attn.bilinear(q, k, one_sided)) for q, k in ((bank, steep), (steep, bank)))
score_variance = component_variance**2 * dimensions
unit_variance = 1
pair_variance = component_variance**2
unit_score_spread = float(np.sqrt(unit_variance**2 * dimensions))
score_spread = float(np.sqrt(score_variance))
suspects = [
    [
        word,
        norm(vector),
        -float(attn.negative_distance(bank, vector)),
        float(attn.dot(bank, vector)),
        float(attn.cosine(bank, vector)),
    ]
    for word, vector in (("steep", steep), (text(zh="可疑的词", en="the suspect"), suspect))
]
suspect_angle, steep_angle = (degrees(word) - degrees(bank) for word in (suspect, steep))
suspect_flip = flip_point(bank, steep, suspect)
exercise_scores = np.array([2.0, 1.0, -1.0])
exercise_softplus = [shares(softplus(exercise_scores + bonus))[0] for bonus in (0.0, shift)]
exercise_softmax = [attn.softmax(exercise_scores + bonus)[0] for bonus in (0.0, shift)]

long_text = 100_000  # words, for the hand-over to L2


# --- Figures ---


def arrow(ax: "Axes", vector: np.ndarray, label: str, colour: str, offset: tuple[float, float]) -> None:
    """Draw a word as an arrow from the origin, with its name beside the tip."""
    ax.annotate(
        "",
        vector,
        (0, 0),
        arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 2, "shrinkA": 0, "shrinkB": 0},
    )
    ax.text(*(vector + offset), label, color=colour, ha="center", va="center")


def circle_around_bank(ax: "Axes") -> None:
    """Draw the circle of all that is nearer to bank than steep is."""
    ax.set_aspect("equal")
    turn = np.linspace(0, 2 * np.pi, 181)
    ring = bank[:, None] + distance_steep * np.array([np.cos(turn), np.sin(turn)])
    ax.fill(*ring, color=colours.MUTED, alpha=0.12, lw=0)
    ax.plot(*ring, color=colours.MUTED, lw=1)


@figure(width=3.4, height=2.9)
def three_words(ax: "Axes", t: Words) -> None:
    """Show the three words of the home page, before anything is scored."""
    ax.set_aspect("equal")
    arrow(ax, bank, "bank", colours.QUERY, (0.1, 0.25))
    arrow(ax, steep, "steep", colours.KEY, (0.0, 0.2))
    arrow(ax, the, "the", colours.KEY, (0.25, -0.2))
    ax.set_xlim(-0.6, 2.8)
    ax.set_ylim(-0.9, 2.5)
    ax.set_xticks([0, 1, 2])
    ax.set_yticks([0, 1, 2])
    ax.set_xlabel(t(zh="第一个特征", en="first feature"))
    ax.set_ylabel(t(zh="第二个特征", en="second feature"))


@figure(width=3, height=1.9)
def glance(ax: "Axes", t: Words) -> None:
    """Show on the home page what goes wrong first: the circle of all that is nearer to bank than steep is."""
    circle_around_bank(ax)
    arrow(ax, bank, "bank", colours.QUERY, (0.65, 0.25))
    arrow(ax, steep, "steep", colours.KEY, (-0.95, 0.1))
    arrow(ax, the, "the", colours.BAD, (0.9, -0.4))
    ax.text(2.75, -0.35, t(zh="更近的", en="nearer"), color=colours.MUTED, ha="center", va="center")
    ax.set_xlim(-1.6, 5.4)
    ax.set_ylim(-1.8, 2.8)
    ax.axis("off")


@figure(width=4.8, height=4.6)
def inside_the_circle(ax: "Axes", t: Words) -> None:
    """Show that the circle around bank through steep swallows the short words and the origin."""
    circle_around_bank(ax)
    for word in candidates:
        ax.plot(*np.array([bank, word]).T, color=colours.MUTED, lw=1, ls="--")
    arrow(ax, bank, "bank", colours.QUERY, (0.3, 0.15))
    arrow(ax, steep, "steep", colours.KEY, (-0.42, 0.12))
    arrow(ax, the, "the", colours.BAD, (0.45, -0.2))
    arrow(ax, was, "was", colours.BAD, (-0.3, 0.1))
    ax.text(1.57, 1.52, f"{distance_steep:.2f}", color=colours.KEY, ha="center", va="center")
    ax.text(1.2, -0.22, f"{distance_the:.2f}", color=colours.BAD, ha="center", va="center")
    ax.text(
        2.05,
        -1.1,
        t(zh="圈里的都比 steep 近", en="inside: nearer\nthan steep"),
        color=colours.MUTED,
        ha="center",
    )
    ax.set_xlim(-0.8, 4.4)
    ax.set_ylim(-1.9, 2.9)


@figure(width=4.8, height=5.2, rows=2)
def ranking_flips(axes: np.ndarray, t: Words) -> None:
    """Plot both scores against the scale: distance changes its mind, the dot product never does."""
    scale = np.linspace(0, 2.25, 91)
    near, product = axes
    for word, name, colour in ((steep, "steep", colours.KEY), (the, "the", colours.BAD)):
        queries = scale[:, None] * bank
        away = -attn.negative_distance(queries, word[None])[:, 0]
        agree = attn.dot(queries, word[None])[:, 0]
        near.plot(scale, away, color=colour)
        product.plot(scale, agree, color=colour)
        near.text(scale[-1] + 0.07, away[-1], name, color=colour, va="center")
        product.text(scale[-1] + 0.07, agree[-1], name, color=colour, va="center")
    near.axvline(flip, color=colours.MUTED, lw=1, ls="--")
    near.text(flip + 0.05, 0.7, f"λ = {flip:.3f}", color=colours.MUTED)
    near.set_title(t(zh="距离：名次翻转", en="distance: the ranking flips"))
    product.set_title(t(zh="内积：名次不变", en="dot product: the ranking stays"))
    product.set_xlabel(t(zh="bank 放大 λ 倍", en="bank scaled by λ"))
    for ax in axes:
        ax.set_xlim(0, 2.75)


@figure(width=4.8, height=4.0)
def turning(ax: "Axes", t: Words) -> None:
    """Turn bank and steep together: only the inner product keeps its score."""
    angles = np.linspace(0, 2 * np.pi, 181)
    pairs = [(bank @ attn.rotation(a).T, steep @ attn.rotation(a).T) for a in angles]
    drawn = (
        (stretched, t(zh="偏爱第一个特征", en="has a favourite"), colours.BAD, "--", (135, 4.4)),
        (mixed, t(zh="让两个特征串门", en="lets features talk"), colours.QUERY, ":", (270, -0.45)),
        (identity, "M = I", colours.GOOD, "-", (395, 2)),
    )
    for table, name, colour, style, place in drawn:
        ax.plot(np.degrees(angles), [attn.bilinear(q, k, table) for q, k in pairs], color=colour, ls=style)
        ax.text(*place, name, color=colour, ha="center", va="center")
    ax.set_ylim(-0.8, 4.8)
    ax.set_xticks([0, 90, 180, 270, 360], ["0°", "90°", "180°", "270°", "360°"])
    ax.set_xlabel(t(zh="两个词一起转过的角度", en="both words turned by"))
    ax.set_ylabel(t(zh="bank 与 steep 的分数", en="score of bank and steep"))


@figure(width=4.8, height=3.8)
def same_bonus(ax: "Axes", t: Words) -> None:
    """Give every word the same bonus: only the exponential's shares stay."""
    bonus = np.linspace(0, 8, 81)
    drawn = (
        (np.exp, t(zh="指数", en="exponential"), colours.GOOD, "-", (3.6, 0.88)),
        (softplus, "softplus", colours.BAD, "--", (3.6, 0.41)),
        (np.square, t(zh="平方", en="square"), colours.QUERY, ":", (3.4, 0.7)),
    )
    for rise, name, colour, style, place in drawn:
        ax.plot(bonus, [shares(rise(scores + c))[0] for c in bonus], color=colour, ls=style)
        ax.text(*place, name, color=colour)
    ax.axhline(1 / 3, color=colours.MUTED, lw=1)
    ax.text(8, 0.3, t(zh="均摊", en="equal shares"), color=colours.MUTED, ha="right", va="top")
    ax.set_ylim(0.2, 1)
    ax.set_xlabel(t(zh="每个词都加上的分", en="bonus given to every word"))
    ax.set_ylabel(t(zh="steep 的份额", en="share of steep"))


@figure(width=4.8, height=3.8)
def temperature(ax: "Axes", t: Words) -> None:
    """Turn the knob: from one word taking all to all alike."""
    knob = np.geomspace(0.1, 20, 120)
    p = np.array([attn.softmax(scores, temperature=T) for T in knob])
    for column, name, colour, place in (
        (0, "steep", colours.KEY, (0.13, 0.93)),
        (1, "the", colours.MUTED, (3.0, 0.37)),
        (2, "flat", colours.BAD, (5.2, 0.13)),
    ):
        ax.plot(knob, p[:, column], color=colour)
        ax.text(*place, name, color=colour)
    ax.set_xscale("log")
    ax.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
    ax.minorticks_off()
    ax.axvline(1, color=colours.MUTED, lw=1, ls="--")
    ax.set_xlabel(t(zh="温度 T", en="temperature T"))
    ax.set_ylabel(t(zh="份额", en="share"))


if __name__ == "__main__":
    raise SystemExit(main())
