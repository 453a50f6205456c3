"""Research day T1, scorers, as a notebook: which score finds the right word when words differ in length.

The day's claims are in ``repro_t1_scorers.py``.
"""

# --8<-- [start:setup]
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes

import attn
from knit import colours, figure

scorers = {"distance": attn.negative_distance, "dot": attn.dot, "cosine": attn.cosine}
# --8<-- [end:setup]

# --8<-- [start:prediction]
# zh: 写于运行之前：词的长短从全都一样变到相差悬殊，答对率掉多少
# en: written before the run: how much of the hit rate is lost as words go from one length to very different ones
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
    # en: word 0 is the one to listen to: its cosine with the query is exactly `likeness`
    along = queries / length(queries)
    across = keys[:, :1] - (keys[:, :1] * along).sum(axis=-1, keepdims=True) * along
    keys[:, :1] = likeness * along + np.sqrt(1 - likeness**2) * across / length(across)
    # zh: 方向定了，再给每个词随便一个长度；spread 越大，长短差得越多
    # en: directions are settled; each word now gets a length of its own, more varied the larger `spread`
    lengths = np.sqrt(d) * np.exp(spread * rng.standard_normal((scenes, n, 1)))
    return queries, keys / length(keys) * lengths


# --8<-- [end:scene]

# --8<-- [start:experiment]
Scorer = Callable[[np.ndarray, np.ndarray], np.ndarray]


def hit_rate(scorer: Scorer, spread: float) -> float:
    queries, keys = draw(spread)
    best = scorer(queries, keys)[:, 0].argmax(axis=-1)
    return float((best == 0).mean())


hits = {name: [hit_rate(scorer, spread) for spread in spreads] for name, scorer in scorers.items()}
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
        ax.plot(spreads, hits[name], marker, ls="-", color=colour, label=label)
    ax.set_ylim(0, 1.05)
    ax.set_xlabel(t(zh="词的长短相差多少", en="how much words differ in length"))
    ax.set_ylabel(t(zh="答对的比例", en="share of hits"))
    ax.legend()


# --8<-- [end:drawing]

# --8<-- [start:result]
measured_loss = {name: rates[0] - rates[-1] for name, rates in hits.items()}
for name, loss in measured_loss.items():
    print(f"{name:<8} predicted {predicted_loss[name]:.2f}   measured {loss:.2f}")
# --8<-- [end:result]

# --8<-- [start:winners]
# zh: 没答对的场次里，胜出的词有多长，以一般的词为一
# en: where the right word lost, how long the winner is, a usual word being one
queries, keys = draw(spreads[-1])
winners = {}
for name in ("distance", "dot"):
    best = scorers[name](queries, keys)[:, 0].argmax(axis=-1)
    lengths = length(keys)[best > 0, best[best > 0], 0]
    winners[name] = float(np.median(lengths) / np.median(length(keys)))
    print(f"{name:<8} {winners[name]:.2f}")
# --8<-- [end:winners]
