"""Research day T4, position, as a notebook: are near places more alike than far ones, at every step?

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
# zh: 写于运行之前：从 0 号位往外走，相似度有几步是上升的
# en: written before the run: walking away from place 0, at how many steps does the likeness rise
predicted_rises = 0
# --8<-- [end:prediction]


# --8<-- [start:experiment]
def likeness(d: int) -> np.ndarray:
    places = attn.sinusoidal(far + 1, d)
    return attn.dot(places[0], places) / (d / 2)


def rises(d: int) -> np.ndarray:
    return np.flatnonzero(np.diff(likeness(d)) > 1e-12) + 1


found = rises(64)
print(f"d = 64: {len(found)} of {far} steps rise, the first after {found[0]} steps")
# --8<-- [end:experiment]

# --8<-- [start:result]
widths = (8, 16, 32, 64, 128, 256, 512, 1024, 2048)
rows = []
for d in widths:
    steps = rises(d)
    first = int(steps[0]) if len(steps) else far
    rows.append([d, len(steps), first])
    print(f"d = {d:<5} rises {len(steps):>4}   first after {first:>4} steps")
# --8<-- [end:result]


# --8<-- [start:drawing]
@figure
def likeness_by_offset(ax: Axes, t: Callable[..., str]) -> None:
    for d, colour in ((16, colours.BAD), (64, colours.QUERY), (1024, colours.GOOD)):
        ax.plot(likeness(d)[:129], color=colour, label=f"d = {d}")
    ax.set_xlabel(t(zh="相隔几步", en="steps apart"))
    ax.set_ylabel(t(zh="相似度", en="likeness"))
    ax.legend()


# --8<-- [end:drawing]
