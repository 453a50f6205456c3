"""Research day T4, position, as a notebook: whether near places are more alike than far ones, at every step.

The day's claims are in ``repro_t4_position.py``.
"""

# --8<-- [start:setup]
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes

import attn
from knit import colours, figure

far = 512
# --8<-- [end:setup]

# --8<-- [start:prediction]
# zh: 写于运行之前：从起点往外走，相似度有几步不降反升
# en: written before the run: at how many steps the likeness rises
predicted_rises = 0
# --8<-- [end:prediction]


# --8<-- [start:experiment]
def likeness(d: int) -> np.ndarray:
    places = attn.sinusoidal(far + 1, d)
    return attn.dot(places[0], places) / (d / 2)


def rises(d: int) -> np.ndarray:
    return np.flatnonzero(np.diff(likeness(d)) > 1e-12) + 1


found = rises(64)
first_rise = int(found[0])
print(f"{len(found)} of {far} steps are rises, the first is step {first_rise}")
# --8<-- [end:experiment]


# --8<-- [start:drawing]
@figure
def likeness_by_offset(ax: Axes, t: Callable[..., str]) -> None:
    looks = {16: colours.BAD, 64: colours.QUERY, 1024: colours.GOOD}
    for d, colour in looks.items():
        ax.plot(likeness(d)[:129], color=colour, label=f"d = {d}")
    ax.set_xlabel(t(zh="相隔几步", en="steps apart"))
    ax.set_ylabel(t(zh="相似度", en="likeness"))
    ax.legend()


# --8<-- [end:drawing]

# --8<-- [start:upside_down]
# zh: 最近的一处颠倒：远一倍还多的位置，反而更像
# en: the nearest case upside down: a place twice as far, or more, is more alike
alike = likeness(64)
near = next(k for k in range(1, far // 2) if alike[2 * k :].max() > alike[k])
farther = 2 * near + int((alike[2 * near :] > alike[near]).argmax())
for steps in (near, farther):
    print(f"{steps} steps apart: {alike[steps]:.3f}")
# --8<-- [end:upside_down]

# --8<-- [start:result]
widths = (8, 32, 128, 512, 2048, 8192, 32768)
counts = [len(rises(d)) for d in widths]
for d, count in zip(widths, counts, strict=True):
    print(f"d = {d:<6} rises {count:>4}")
# --8<-- [end:result]
