"""Research day T5, softmax: find the function that turns scores into shares, and why exactly this one.

Lesson L1 is compiled from this day. Run it alone to check its claims: ``python repro_t5_softmax.py``.

Rounding: shares are quotients of sums of three positive numbers, so they are right to a few units of 2⁻⁵²
times the relative error of the exponentials; 1e-12 leaves a thousandfold margin.
"""

from collections.abc import Callable

import numpy as np
from repro_t1_scorers import bank, flat, steep, the

import attn
from knit import claim, main, seed

Rise = Callable[[np.ndarray], np.ndarray]

keys = np.array([steep, the, flat])
scores = attn.dot(bank, keys)  # 2.0, 0.2, −2.0: one for, one hardly caring, one against
shift = 5.0  # the bonus that every score gets
cold, hot = 0.25, 8.0  # two temperatures


def softplus(s: np.ndarray) -> np.ndarray:
    """Give log(1 + eˢ): positive and rising, almost eˢ on the left and almost s on the right."""
    return np.logaddexp(0, s)


def sigmoid(s: np.ndarray) -> np.ndarray:
    """Give 1/(1 + e⁻ˢ): positive and rising from 0 to 1."""
    return 1 / (1 + np.exp(-s))


def shares(values: np.ndarray) -> np.ndarray:
    """Divide by the total."""
    return values / values.sum()


def moved(before: np.ndarray, after: np.ndarray) -> float:
    """Give the total variation between two divisions: the part of the whole that changes hands."""
    return float(np.abs(after - before).sum() / 2)


rivals: dict[str, Rise] = {"exp": np.exp, "softplus": softplus, "sigmoid": sigmoid, "square": np.square}


@claim("E1.a", show=".0f")
def dividing_by_the_sum_dies() -> np.ndarray:
    """Try the first natural repair.

    zh: 直接除以总和：steep 与 flat 的分数之和为零，除不了；再加上 the，份额是 10、1、−10。
    en: Divide by the sum: the scores of steep and flat add up to zero, nothing can be divided; with “the”
        added the shares are 10, 1 and −10.
    """
    assert scores[0] + scores[2] == 0
    divided = shares(scores)
    assert np.abs(divided - [10, 1, -10]).max() < 1e-12
    return divided


@claim("E1.b", show=".3f")
def absolute_values_die() -> np.ndarray:
    """Try the second natural repair.

    zh: 先取绝对值：steep 与它的反义词 flat 分到一样多。
    en: Take absolute values first: steep and its opposite flat get the same share.
    """
    divided = shares(np.abs(scores))
    assert divided[0] == divided[2]
    return divided


@claim("E2", show=".3f")
def four_demands_are_not_enough() -> np.ndarray:
    r"""Find other functions that satisfy the draft's four demands (repair 9 of the draft).

    zh: 不只是指数：softplus 和 sigmoid 取 $f(s)^\beta$ 再归一，也都非负、和为一、保序，并且 $\beta$ 能从均摊调到独
        占（$\beta$ 试了千分之一、一和四百；量的是 $\beta=1$ 时指数、softplus、sigmoid 给第一名的份额）。
    en: Not the exponential alone: softplus and the sigmoid, too, as $f(s)^\beta$ over the total are non-negative,
        sum to one and keep the order, and $\beta$ turns them from equal shares to winner takes all ($\beta$ was a
        thousandth, one and four hundred; measured is the first share by exp, softplus and sigmoid at $\beta=1$).
    """
    top_shares = []
    for rise in (np.exp, softplus, sigmoid):
        raw = rise(scores)
        ratios = raw / raw[0]  # 1 first, then smaller
        for beta in (0.001, 1.0, 400.0):
            p = shares(ratios**beta)
            assert (p >= 0).all()
            assert abs(p.sum() - 1) < 1e-12
            assert (np.diff(p) <= 0).all()
        assert (np.diff(shares(raw)) < 0).all()  # strictly, where nothing is too small for floating point
        # All three lie between ratio^β/3 and 1/(3 ratio^β); the winner misses at most 2·(second ratio)^β.
        even, alone = shares(ratios**0.001), shares(ratios**400.0)
        assert np.abs(even - 1 / 3).max() <= (ratios[2] ** -0.001 - 1) / 3
        assert 1 - alone[0] <= 2 * ratios[1] ** 400.0
        top_shares.append(shares(raw)[0])
    assert max(top_shares) - min(top_shares) > 0.1
    return np.array(top_shares)


@claim("E3.a", show="bound")
def softmax_ignores_a_constant() -> float:
    """Add the same number to every score.

    zh: 给每个分数加上同一个数，softmax 的份额不变，只差舍入误差。
    en: Adding one number to every score leaves softmax's shares where they were, up to rounding.
    """
    rng = np.random.default_rng(seed(1))
    many = rng.normal(size=(100, 8))
    bonus = rng.uniform(-10, 10, size=(100, 1))
    change = np.abs(attn.softmax(many + bonus) - attn.softmax(many)).max()
    assert change < 1e-12
    return float(change)


@claim("E3.b", show=".3f")
def the_others_do_not() -> np.ndarray:
    """Add the same number to every score, and see who changes (repair 9 of the draft).

    zh: 全体加 5，有多少份额易手：指数为零，softplus、sigmoid、平方都在一成以上。
    en: Add 5 to all: no share changes hands with exp, more than a tenth of the whole does with softplus, the
        sigmoid and the square.
    """
    changes = {name: moved(shares(f(scores)), shares(f(scores + shift))) for name, f in rivals.items()}
    assert changes["exp"] < 1e-12
    assert min(changes["softplus"], changes["sigmoid"], changes["square"]) > 0.1
    return np.array(list(changes.values()))


@claim("E3.c", show=".3f")
def softplus_in_the_exercise() -> np.ndarray:
    r"""Check exercise 5 of L1.

    zh: 分数 $(2,\ 1,\ {-1})$ 用 softplus 归一，第一份是 0.567；全体加 5 之后是 0.411。softmax 的第一份两次一样。
    en: Normalised with softplus, the scores $(2,\ 1,\ {-1})$ give the first word 0.567, and 0.411 once 5 is added to
        all; softmax gives it the same both times.
    """
    example = np.array([2.0, 1.0, -1.0])
    before, after = shares(softplus(example))[0], shares(softplus(example + shift))[0]
    assert abs(before - 0.567) < 5e-4
    assert abs(after - 0.411) < 5e-4
    assert abs(attn.softmax(example + shift)[0] - attn.softmax(example)[0]) < 1e-12
    return np.array([before, after])


@claim("E4", show=".3f")
def only_exp_has_a_common_factor() -> float:
    """Test f(s+c)/f(s) = g(c), the equation of the proof.

    zh: $f(s+c)/f(s)$ 与 $s$ 无关：在这四个函数里只有指数做得到（$s$ 从 −3 到 3，$c=1$；量的是另外三个里最稳的那个，
        最大比值除以最小比值）。
    en: $f(s+c)/f(s)$ does not depend on $s$: of the four functions only exp manages that ($s$ from −3 to 3 and
        $c=1$; measured is the largest ratio over the smallest, for the steadiest of the other three).
    """
    s = np.linspace(-3.05, 3.05, 62)  # never 0, where the square vanishes
    spread = {}
    for name, f in rivals.items():
        ratio = f(s + 1.0) / f(s)
        spread[name] = float(ratio.max() / ratio.min())
    assert spread["exp"] - 1 < 1e-12
    steadiest = min(spread["softplus"], spread["sigmoid"], spread["square"])
    assert steadiest > 1.5
    return steadiest


@claim("E5.a", show="bound")
def temperature_is_the_remaining_knob() -> float:
    """Check what is left: one number.

    zh: 分数除以 $T$ 再 softmax，等于把份额升到 $1/T$ 次幂再归一；分数乘 $c$ 就是温度 $1/c$。
    en: Softmax of scores divided by $T$ is the shares raised to the power $1/T$, over their total; multiplying the
        scores by $c$ is the temperature $1/c$.
    """
    rng = np.random.default_rng(seed(2))
    deviations = []
    for temperature in rng.uniform(0.25, 4, size=20):
        p = attn.softmax(scores, temperature=temperature)
        deviations.append(np.abs(p - shares(attn.softmax(scores) ** (1 / temperature))).max())
        deviations.append(np.abs(p - attn.softmax(scores / temperature)).max())
    assert max(deviations) < 1e-12
    return float(max(deviations))


@claim("E5.b", show=".3f")
def cold_and_hot() -> np.ndarray:
    r"""Turn the knob to both ends.

    zh: 最高分的份额与一至多相差 $2e^{-\text{领先}/T}$，每一份与均摊至多相差 $(e^{\text{最大分差}/T}-1)/3$：$T$ 小则
        独占，$T$ 大则均摊（量的是最高分在 $T=0.25$ 和 $T=8$ 时的份额）。
    en: The best score's share misses one by at most $2e^{-\text{lead}/T}$, and each share misses a third by at most
        $(e^{\text{spread}/T}-1)/3$: one takes all when $T$ is small, all get the same when $T$ is large (measured
        is the share of the best at $T=0.25$ and $T=8$).
    """
    p_cold, p_hot = attn.softmax(scores, temperature=cold), attn.softmax(scores, temperature=hot)
    lead, spread = scores[0] - scores[1], scores[0] - scores[2]
    assert 1 - p_cold[0] <= 2 * np.exp(-lead / cold)
    assert np.abs(p_hot - 1 / 3).max() <= np.expm1(spread / hot) / 3
    return np.array([p_cold[0], p_hot[0]])


@claim("E6", show="bound")
def softmax_by_its_definition() -> float:
    r"""Compare the library function with the formula of the lesson.

    zh: attn.softmax 就是 $e^{s_j}/\sum_ke^{s_k}$，逐行算；所有分数都是负数时，份额之和仍是一。
    en: attn.softmax is $e^{s_j}/\sum_ke^{s_k}$, row by row; when every score is negative the shares still sum to
        one.
    """
    table = np.random.default_rng(seed(3)).uniform(-6, -1, size=(5, 4))
    p = attn.softmax(table)
    by_hand = np.array([[np.exp(s) / sum(np.exp(t) for t in row) for s in row] for row in table])
    deviation = np.abs(p - by_hand).max()
    assert deviation < 1e-12
    assert np.abs(p.sum(axis=1) - 1).max() < 1e-12
    return float(deviation)


@claim("E7", show="bound")
def the_constant_saves_the_machine() -> float:
    r"""Use the freedom to add a constant.

    zh: $e^{1000}$ 超出浮点数的范围，但先减去最大分数，softmax 对 $(1000,\ 998.2,\ 996)$ 算出的份额与原来相同，对
        $(1000,\ {-1000})$ 恰好给出 1 和 0。
    en: $e^{1000}$ is beyond floating point, yet with the largest score subtracted first softmax gives
        $(1000,\ 998.2,\ 996)$ the shares it gave before, and $(1000,\ {-1000})$ exactly the shares 1 and 0.
    """
    change = np.abs(attn.softmax(scores + 998) - attn.softmax(scores)).max()
    assert np.log(np.finfo(float).max) < 1000
    assert change < 1e-9
    assert (attn.softmax(np.array([1000.0, -1000.0])) == [1, 0]).all()
    return float(change)


if __name__ == "__main__":
    raise SystemExit(main())
