"""Research day T1, scorers, as a notebook: which score finds the right word when words differ in length.

The day's claims are in ``repro_t1_scorers.py``.
"""

# --8<-- [start:setup]
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes

import attn
from knit import colours, figure

scorers = {
    "distance": attn.negative_distance,
    "dot": attn.dot,
    "cosine": attn.cosine,
}
# --8<-- [end:setup]

# --8<-- [start:prediction]
# zh: 写于运行之前：词的长短从全都一样，变到相差悬殊，
# en: written before the run: the part of the scenes lost
# zh: 有多大一部分场次从答对变成答错
# en: as words go from one length to very different ones
predicted_loss = {"distance": 0.5, "dot": 0.0, "cosine": 0.0}
# --8<-- [end:prediction]

# --8<-- [start:scene]
d, n, scenes = 16, 50, 1000
likeness = 0.7
spreads = np.linspace(0, 1.5, 7)


def length(vectors: np.ndarray) -> np.ndarray:
    return np.linalg.norm(vectors, axis=-1, keepdims=True)


def draw(spread: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    queries = rng.standard_normal((scenes, 1, d))
    keys = rng.standard_normal((scenes, n, d))
    # zh: 0 号是该听的词：与查询的余弦恰好是 likeness
    # en: word 0 is the one to listen to, at the cosine `likeness`
    along = queries / length(queries)
    first = keys[:, :1]
    across = first - (first * along).sum(axis=-1, keepdims=True) * along
    across *= np.sqrt(1 - likeness**2) / length(across)
    keys[:, :1] = likeness * along + across
    # zh: 方向定了，再给每个词随便一个长度；spread 越大，差得越多
    # en: then a length for each word, more varied the larger `spread`
    lengths = np.exp(spread * rng.standard_normal((scenes, n, 1)))
    return queries, keys / length(keys) * np.sqrt(d) * lengths


# --8<-- [end:scene]


# --8<-- [start:experiment]
def hit_rate(name: str, spread: float) -> float:
    queries, keys = draw(spread)
    best = scorers[name](queries, keys)[:, 0].argmax(axis=-1)
    return float((best == 0).mean())


hits = {name: [hit_rate(name, spread) for spread in spreads] for name in scorers}
print("spread  ", *(f"{spread:5.2f}" for spread in spreads))
for name, rates in hits.items():
    print(f"{name:<8}", *(f"{rate:5.2f}" for rate in rates))
# --8<-- [end:experiment]


# --8<-- [start:drawing]
@figure
def hits_by_spread(ax: Axes, t: Callable[..., str]) -> None:
    looks = {
        "distance": (colours.BAD, "o", t(zh="距离", en="distance")),
        "dot": (colours.QUERY, "s", t(zh="点积", en="dot product")),
        "cosine": (colours.GOOD, "^", t(zh="余弦", en="cosine")),
    }
    for name, (colour, marker, label) in looks.items():
        ax.plot(spreads, hits[name], f"{marker}-", color=colour, label=label)
    ax.set_ylim(0, 1.05)
    ax.set_xlabel(t(zh="词的长短相差多少", en="spread of the words' lengths"))
    ax.set_ylabel(t(zh="答对的比例", en="share of hits"))
    ax.legend()


# --8<-- [end:drawing]

# --8<-- [start:result]
measured_loss = {name: rates[0] - rates[-1] for name, rates in hits.items()}
for name, loss in measured_loss.items():
    predicted = predicted_loss[name]
    print(f"{name:<8} predicted {predicted:.2f}   measured {loss:.2f}")
# --8<-- [end:result]

# --8<-- [start:winners]
# zh: 没答对的场次里，胜出的词有多长，以一般的词为一
# en: where the right word lost, how long the winner is: a usual word is one
queries, keys = draw(spreads[-1])
winners = {}
for name in ("distance", "dot"):
    best = scorers[name](queries, keys)[:, 0].argmax(axis=-1)
    lengths = length(keys)[best > 0, best[best > 0], 0]
    winners[name] = float(np.median(lengths) / np.median(length(keys)))
    print(f"{name:<8} {winners[name]:.2f}")
# --8<-- [end:winners]
