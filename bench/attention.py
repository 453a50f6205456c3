"""Time and memory of blockwise attention against the plain table and against PyTorch's CPU kernel, in one run.

The three take turns on the same float64 words, each on one thread (as the lessons' scripts run); each time is the
median of its turns, and what counts are the ratios. Memory is what numpy holds at its peak above the inputs, traced
in a run of its own. The largest plain tables take 7 GB.

    python bench/attention.py [--sizes 1024 4096 16384] [--turns 3] [--json results.json]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # read at import

import numpy as np
import torch

import attn

WIDTH = 64
MEBIBYTE = 2**20
Contender = Callable[[], object]


def contenders(n: int, *, causal: bool) -> dict[str, Contender]:
    """Give the three ways to the same averages of n words, the first the one to compare with."""
    rng = np.random.default_rng(0)
    Q, K, V = (rng.standard_normal((n, WIDTH)) for _ in range(3))
    q, k, v = (torch.from_numpy(array)[None, None] for array in (Q, K, V))  # torch's fast kernel wants four axes
    return {
        "plain": lambda: attn.scaled_dot_product_attention(Q, K, V, attn.causal_mask(n) if causal else None),
        "blockwise": lambda: attn.blockwise_attention(Q, K, V, attn.causal_rule if causal else None),
        "torch": lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal),
    }


def medians(ways: dict[str, Contender], turns: int) -> dict[str, float]:
    """Time each way in turn, so that a busy moment of the machine hits all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(turns):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}


def peak(way: Contender) -> float:
    """Return the most that numpy held at once above what was there before, in MiB."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    way()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (most - before) / MEBIBYTE


def measured(n: int, turns: int, *, causal: bool) -> dict[str, float]:
    """Measure one size: agreement, times, ratios and memory."""
    ways = contenders(n, causal=causal)
    results = {name: np.asarray(way()).reshape(n, WIDTH) for name, way in ways.items()}  # also warms up
    seconds = medians(ways, turns)
    return {
        "n": n,
        "causal": causal,
        "apart": max(float(np.abs(result - results["torch"]).max()) for result in results.values()),
        **{f"{name} s": time for name, time in seconds.items()},
        "blockwise / plain": seconds["blockwise"] / seconds["plain"],
        "blockwise / torch": seconds["blockwise"] / seconds["torch"],
        "plain MiB": peak(ways["plain"]),
        "blockwise MiB": peak(ways["blockwise"]),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one row a size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1024, 4096, 16384])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    options = parser.parse_args(arguments)
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, torch {torch.__version__}"
    print(f"float64, d = {WIDTH}, {torch.get_num_threads()} threads, median of {options.turns}; {versions}")
    rows = []
    for n in options.sizes:
        for causal in (False, True):
            rows.append(measured(n, options.turns, causal=causal))
            if len(rows) == 1:
                print("  ".join(f"{name:>17}" for name in rows[0]))
            print(
                "  ".join(
                    f"{value!s:>17}" if isinstance(value, int) else f"{value:17.3g}" for value in rows[-1].values()
                )
            )
    if options.json:
        options.json.write_text(json.dumps({"versions": versions, "rows": rows}, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
