"""Research day T3, variance: how far a score wobbles, what to divide it by, and what the division buys.

Lesson L3 is compiled from this day. Run it alone to check its claims: ``python repro_t3_variance.py``.

Sampling: a mean of N independent draws lies within six standard errors of its expectation, save for about two draws
in a thousand million (the normal law; Chebyshev's inequality alone would say one in thirty-six). Where an expectation
is stated, it comes from algebra, from counting every case, or from an integral, never from the draws it judges.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import numpy as np
from numpy.polynomial.legendre import leggauss

import attn
from knit import claim, main, seed

Sampler = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]

width = 64  # d_k, the components of a query and of a key
keys_in_sight = 64  # n, the keys that a query is compared with
model_width = 512  # d, the components of a word before it is projected
crowds = (2, 4, 16, 64, 256, 1024)  # other n
widths = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)  # other d
queries = 4000  # independent draws, each of a query with keys of its own
pairs = 10_000  # independent draws of one query and one key
component_variance = 4.0  # L1's exercise


def generator(number: int) -> np.random.Generator:
    """Give the generator of one experiment: each has its own, so that none disturbs another."""
    return np.random.default_rng((seed(3), number))


# --- Words that wobble ---


def normal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw from the bell curve: no largest value, variance 1."""
    return rng.standard_normal(shape)


def coin(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Toss coins: +1 or −1, variance 1."""
    return rng.choice([-1.0, 1.0], shape)


def uniform(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw anything between −1 and 1 with equal chance: variance 1/3."""
    return rng.uniform(-1, 1, shape)


def stretched(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw anything between −√3 and √3 with equal chance: variance 1 again."""
    return math.sqrt(3) * uniform(rng, shape)


def draw_scores(n: int, d: int, draws: int, rng: np.random.Generator, sampler: Sampler = normal) -> np.ndarray:
    """Draw queries, each with n keys of its own, and give their scores, unscaled: shape (draws, n)."""
    portion = max(1, 2_000_000 // (n * d))  # queries whose keys fit in 16 MB
    scores = []
    for start in range(0, draws, portion):
        size = min(portion, draws - start)
        query, keys = sampler(rng, (size, 1, d)), sampler(rng, (size, n, d))
        scores.append(attn.dot(query, keys)[:, 0])  # (size, 1, n) -> (size, n)
    return np.concatenate(scores)


def standard_error(sample: np.ndarray) -> float:
    """Give the standard error of the mean of independent draws."""
    return float(np.std(sample, ddof=1) / math.sqrt(len(sample)))


def doubt(share: float, draws: int) -> float:
    """Give six standard errors of a share counted in independent draws: a yes-or-no has variance p(1−p)."""
    return 6 * math.sqrt(share * (1 - share) / draws)


# --- The same without dice ---


gauss = functools.cache(leggauss)  # nodes and weights are the same every time, and slow to find


def interval(low: float, high: float, nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Give Gauss's nodes and weights for an integral from ``low`` to ``high``."""
    x, w = gauss(nodes)
    return low + (high - low) * (x + 1) / 2, w * (high - low) / 2


def bell(z: np.ndarray) -> np.ndarray:
    """Give the density of the standard normal law."""
    return np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)


def expected_largest(crowd: Sequence[int], spread: float, nodes: int = 100) -> np.ndarray:
    r"""Give the expectation of softmax's largest weight among n independent normal scores, for each n.

    Let the largest score be ``spread * s``. Its weight is 1/(1+Y), where Y adds e^(−spread·x) over the other scores,
    each some x below it, and 1/(1+Y) is the integral of e^(−t(1+Y)) over t > 0. For a given t the other scores are
    independent, so their n−1 factors are equal and multiply: what is left is an integral over s and one over t, of a
    power of an integral over x.

    Parameters
    ----------
    crowd : sequence of int
        Numbers n of scores.
    spread : float
        Standard deviation of each score.
    nodes : int
        Nodes of the integral over x; the other two follow.

    Returns
    -------
    ndarray of shape (len(crowd),)

    """
    s, s_weights = interval(-9, 9, nodes)
    x, x_weights = interval(0, 18, nodes)
    u, u_weights = interval(-20, 5, nodes)  # t = e^u
    t, t_weights = np.exp(u), u_weights * np.exp(u - np.exp(u))
    others = (bell(s[:, None] - x) * x_weights) @ np.exp(-np.outer(np.exp(-spread * x), t))
    return np.array([n * (s_weights * bell(s)) @ others ** (n - 1) @ t_weights for n in crowd])


def expected_share(crowd: Sequence[int], d: int, divisor: float = 1.0) -> np.ndarray:
    """Give the expectation of the largest weight for normal words of d components, scores over ``divisor``.

    Given a query of length r, its scores are independent and normal with standard deviation r. What is left is to
    average over r, whose density is proportional to r^(d−1) e^(−r²/2). Returns an array of shape (len(crowd),).
    """
    r, weights = interval(max(0.0, math.sqrt(d) - 6.5), math.sqrt(d) + 6.5, 24)
    height = (d - 1) * np.log(r) - r**2 / 2
    density = weights * np.exp(height - height.max())
    curve = np.array([expected_largest(crowd, length / divisor) for length in r])
    return density @ curve / density.sum()


expected = dict(zip(crowds, expected_share(crowds, width), strict=True))
expected_divided = dict(zip(crowds, expected_share(crowds, width, math.sqrt(width)), strict=True))


@claim("V1.a", show=".1%")
def seventy_nine_percent() -> float:
    """State the last line of L2 as an expectation, with nothing drawn.

    zh: 查询与 64 个键的 64 个分量独立取自标准正态，不缩放：最大权重的期望（一个积分，不掷骰子）四舍五入是 79%。
    en: With a query and 64 keys of 64 independent standard normal components, unscaled, the expectation of the
        largest weight (an integral, nothing drawn) rounds to 79%.
    """
    coarse = expected_largest([keys_in_sight], math.sqrt(width), nodes=100)
    fine = expected_largest([keys_in_sight], math.sqrt(width), nodes=200)
    # For two keys there is a shorter way: the difference of their scores is normal too, √2 times as wide.
    gap, gap_weights = interval(0, 9 * math.sqrt(2 * width), 400)
    two = 2 * gap_weights @ (bell(gap / math.sqrt(2 * width)) / math.sqrt(2 * width) / (1 + np.exp(-gap)))
    assert abs(fine - coarse).max() < 1e-6
    assert abs(expected_largest([2], math.sqrt(width))[0] - two) < 1e-6
    assert 0.785 < expected[keys_in_sight] < 0.795
    return float(expected[keys_in_sight])


@functools.cache
def crowd_sample(n: int, divisor: float = 1.0) -> np.ndarray:
    """Draw the largest weights for the lesson's table: fewer queries where each has more keys."""
    trials = min(queries, queries * keys_in_sight // n)
    return attn.largest_weight(n, width, generator(n), scale=1 / divisor, trials=trials)


@claim("V1.b", show=".2f")
def draws_agree() -> float:
    r"""Compare the means of the draws with the integral, in standard errors.

    zh: $n=2,\ 4,\ 16,\ 64,\ 256,\ 1024$ 个键，以及 64 个键除以 $\sqrt d$：抽样平均与积分算出的期望相差不到六个标准
        误（给出其中最大的差）。
    en: For 2, 4, 16, 64, 256 and 1024 keys, and for 64 keys divided by $\sqrt d$, the mean of the draws lies within
        six standard errors of the integral's expectation (the worst is shown).
    """
    cases = [(crowd_sample(n), expected[n]) for n in crowds]
    cases.append((crowd_sample(keys_in_sight, math.sqrt(width)), expected_divided[keys_in_sight]))
    off = max(abs(sample.mean() - expectation) / standard_error(sample) for sample, expectation in cases)
    assert off < 6
    return float(off)


@claim("V1.c", show=".0%")
def the_mean_is_nobody() -> np.ndarray:
    """Look at how the draws lie around their mean, with a binomial interval of six standard errors.

    zh: 64 个键时，一半以上的查询，最大权重高过期望；同时每二十个查询里至少有一个，最大权重不到一半。
    en: With 64 keys the largest weight is above its expectation for more than half of the queries; at least one
        query in twenty keeps every weight below one half.
    """
    sample = crowd_sample(keys_in_sight)
    above, below = float(np.mean(sample > expected[keys_in_sight])), float(np.mean(sample < 0.5))
    assert above - doubt(above, queries) > 0.5
    assert below - doubt(below, queries) > 0.05
    return np.array([above, below])


@functools.cache
def law_scores(sampler: Sampler) -> np.ndarray:
    """Draw scores of 64 keys for words of another law: shape (queries / 2, keys)."""
    return draw_scores(keys_in_sight, width, queries // 2, generator(21), sampler)


@claim("V2", show=".3f")
def range_decides_nothing() -> np.ndarray:
    r"""Try to blame the range, or the average size: an experiment.

    zh: 这个实验里，抛硬币 $\pm1$ 与均匀取自 $(-1,1)$ 的范围相同，最大权重的平均却差了不止六个标准误；把后者拉宽到
        $\pm\sqrt3$，它离标准正态的期望还剩不到原来的十分之一（各 2000 次，再容许六个标准误）。给出三个平均：硬币、
        均匀、拉宽以后。
    en: In this experiment coins of $\pm1$ and numbers uniform in $(-1,1)$ have the same range, yet their mean
        largest weights are more than six standard errors apart; stretch the latter to $\pm\sqrt3$ and less than a
        tenth is left of its distance from the expectation for standard normal words (2000 draws each, six standard
        errors allowed). Shown are the three means: coin, uniform, stretched.
    """
    samples = [attn.softmax(law_scores(sampler)).max(axis=-1) for sampler in (coin, uniform, stretched)]
    means = np.array([sample.mean() for sample in samples])
    margin = 6 * max(standard_error(sample) for sample in samples)
    away = abs(means - expected[keys_in_sight])
    assert abs(means[0] - means[1]) > math.sqrt(2) * margin
    assert away[2] < 0.1 * away[1] + margin
    return means


def jittered_scores() -> np.ndarray:
    """Add to each of the coins' scores, which are even numbers, anything between −1 and 1: no ties are left."""
    scores = law_scores(coin)
    return scores + uniform(generator(22), scores.shape)


@claim("V2.b", show=".3f")
def ties_cost_the_coin() -> float:
    """Ask what the coin lacks: its scores lie on a grid, and the winner often has to share.

    zh:
        硬币的分数只取偶数，至少十分之一的查询有并列第一；给每个分数加上不足一格的零头，并列没有了，最大权重的平均回到
        0.79 附近（2000 次，容许六个标准误再加 0.01）。
    en: Coins give even scores, and at least one query in ten sees a tie for first place; add to each score anything
        less than a step of that grid, ties are gone, and the mean largest weight is back at about 0.79 (2000 draws;
        six standard errors and 0.01 more).
    """
    ranked = np.sort(law_scores(coin), axis=-1)
    ties = float(np.mean(ranked[:, -1] == ranked[:, -2]))
    jittered = np.sort(jittered_scores(), axis=-1)
    sample = attn.softmax(jittered).max(axis=-1)
    assert (ranked % 2 == 0).all()
    assert (jittered[:, -1] > jittered[:, -2]).all()
    assert ties - doubt(ties, len(ranked)) > 0.1
    assert abs(sample.mean() - 0.79) < 0.01 + 6 * standard_error(sample)
    return float(sample.mean())


# --- A number for wobbling: every case counted, in fractions ---

two_sides = (-1, 1)  # a coin
two_coins = (-2, 0, 0, 2)  # the sum of two coins
die = (1, 2, 3, 4, 5, 6)
lopsided = (0, 0, 0, 10)  # mostly nothing


def average(values: Iterable[int | Fraction]) -> Fraction:
    """Average equally likely values, exactly."""
    listed = [Fraction(value) for value in values]
    return sum(listed, Fraction(0)) / len(listed)


def deviations(values: Iterable[int | Fraction]) -> list[Fraction]:
    """Give how far each value lies from the average."""
    listed = list(values)
    return [value - average(listed) for value in listed]


def size(values: Iterable[int | Fraction]) -> Fraction:
    """Give the average absolute deviation."""
    return average(abs(step) for step in deviations(values))


def variance(values: Iterable[int | Fraction]) -> Fraction:
    """Give the average squared deviation."""
    return average(step**2 for step in deviations(values))


def sums(first: Iterable[int], second: Iterable[int]) -> list[int]:
    """Add two independent things: every value of one meets every value of the other, equally often."""
    return [x + y for x, y in itertools.product(first, second)]


def products(first: Iterable[Fraction], second: Iterable[Fraction]) -> list[Fraction]:
    """Multiply two independent things."""
    return [x * y for x, y in itertools.product(first, second)]


@claim("V3.a")
def deviations_cancel() -> float:
    """Try one: the average deviation.

    zh: 偏离平均的量，平均起来总是零：硬币、两枚硬币之和、骰子、一边倒的分布，逐个精确算过。
    en: The average deviation is zero: exactly so for a coin, the sum of two, a die and a lopsided law.
    """
    cancelled = [average(deviations(values)) for values in (two_sides, two_coins, die, lopsided)]
    assert cancelled == [0, 0, 0, 0]
    return float(max(cancelled))


@claim("V3.b")
def sizes_do_not_add() -> list[float]:
    """Try two: the average absolute deviation obeys no rule of addition.

    zh: 平均大小（偏离的绝对值的平均）没有加法规则：硬币与“两枚硬币之和”都是
        1，可是两个前者之和是 1，两个后者之和是 1.5。
    en: The average size (the average absolute deviation) has no rule for sums: a coin and the sum of two coins both
        have 1, yet two of the former add up to 1 and two of the latter to 1.5.
    """
    assert size(two_sides) == size(two_coins) == 1
    assert size(sums(two_sides, two_sides)) == 1
    assert size(sums(two_coins, two_coins)) == Fraction(3, 2)
    return [float(size(sums(two_sides, two_sides))), float(size(sums(two_coins, two_coins)))]


@claim("V3.c")
def squares_add() -> float:
    r"""Try three: squares. Every pair of the four laws, exactly.

    zh: 相互独立时方差相加：
        $\mathrm{Var}(x+y)=\mathrm{Var}(x)+\mathrm{Var}(y)$；$\mathrm{Var}(cx)=c^2\,\mathrm{Var}(x)$；
        平均都为零时 $\mathrm{Var}(xy)=\mathrm{Var}(x)\,\mathrm{Var}(y)$。四种分布两两逐格数过，一格不差。
    en: For independent things variances add, $\mathrm{Var}(x+y)=\mathrm{Var}(x)+\mathrm{Var}(y)$;
        $\mathrm{Var}(cx)=c^2\,\mathrm{Var}(x)$; and if both averages are zero
        $\mathrm{Var}(xy)=\mathrm{Var}(x)\,\mathrm{Var}(y)$. All pairs of four laws, counted case by case, to the
        last fraction.
    """
    laws = (two_sides, two_coins, die, lopsided)
    for x, y in itertools.product(laws, laws):
        assert variance(sums(x, y)) == variance(x) + variance(y)
        centred = products(deviations(x), deviations(y))  # both average zero
        assert variance(centred) == variance(x) * variance(y)
    for x, c in itertools.product(laws, (-2, Fraction(1, 2), 3)):
        assert variance([c * value for value in x]) == c**2 * variance(x)
    return float(variance(sums(die, lopsided)) - variance(die) - variance(lopsided))


@claim("V3.d")
def independence_is_needed() -> list[float]:
    """Add a thing to itself.

    zh: 必须独立：硬币加它自己，方差是 4，不是 2；加它的相反数，方差是 0。
    en: Independence is needed: a coin plus itself has variance 4, not 2; plus its opposite, 0.
    """
    doubled, cancelled = (variance([x + sign * x for x in two_sides]) for sign in (1, -1))
    assert variance(sums(two_sides, two_sides)) == 2
    assert doubled == 4
    assert cancelled == 0
    return [float(doubled), float(cancelled)]


@claim("V3.e")
def fourth_powers_do_not_add() -> list[float]:
    """Check the exercise on fourth powers.

    zh: 四次方不相加：一枚硬币的四次偏差平均是 1，两枚之和是 8，不是 2。
    en: Fourth powers do not add: a coin's average fourth power is 1, that of the sum of two coins is 8, not 2.
    """
    one, two = (average(step**4 for step in deviations(x)) for x in (two_sides, two_coins))
    assert one == 1
    assert two == 8
    return [float(one), float(two)]


@claim("V3.f")
def two_dice() -> float:
    """Check the exercise on dice.

    zh: 一枚骰子的方差是 35/12；两枚之和的 36 种情形直接数，是 35/6。
    en: A die has variance 35/12; the sum of two, counted over its 36 cases, 35/6.
    """
    assert variance(die) == Fraction(35, 12)
    assert variance(sums(die, die)) == Fraction(35, 6)
    return float(variance(sums(die, die)))


# --- How far the score wobbles ---


@claim("V4.a")
def every_coin_vector() -> int:
    r"""Count the variance of the score over all words made of coins: no sampling at all.

    zh: 分量是硬币 $\pm1$ 的全部查询与全部键，$d=1$ 到 $5$，一对不漏地数（$d=5$ 时 1024 对）：$q\cdot k$ 的平均恰好
        是 0，方差恰好是 $d$。
    en: Over all queries and all keys made of coins, for $d=1$ to $5$ and without missing a pair (1024 of them at
        $d=5$), $q\cdot k$ averages exactly 0 and its variance is exactly $d$.
    """
    counted = 0
    for d in range(1, 6):
        words = np.array(list(itertools.product((-1.0, 1.0), repeat=d)))
        scores = attn.dot(words, words)
        counted = scores.size
        assert scores.sum() == 0
        assert (scores**2).sum() == d * counted
    return counted


def score_sample(d: int) -> np.ndarray:
    """Draw scores of one query and one key each, all components standard normal: shape (pairs,)."""
    return attn.sample_dot_products(pairs, d, 1.0, generator(40 + d))


def variance_error(d: int) -> float:
    """Give the standard error of the mean of s² over the pairs, for normal components.

    E s⁴ = 3d² + 6d, for (qᵢkᵢ)⁴ averages 9 and each of the 3d(d−1) matched couples of squares averages 1; so s² has
    variance 2d² + 6d.
    """
    return math.sqrt((2 * d**2 + 6 * d) / pairs)


@claim("V4.b", show=".2f")
def variance_is_d() -> float:
    r"""Measure Var(q·k) for d = 1…1024, in standard errors from d.

    zh: $d=1,\ 2,\ 4,\ \dots,\ 1024$：标准正态分量，一万对 $q$、$k$ 测得的 $\mathrm{Var}(q\cdot k)$ 与 $d$ 相差不到
        六个标准误（给出其中最大的差）。
    en: For $d=1,\ 2,\ 4,\ \dots,\ 1024$ and standard normal components, $\mathrm{Var}(q\cdot k)$ measured on ten
        thousand pairs lies within six standard errors of $d$ (the worst is shown).
    """
    off = max(abs(np.mean(score_sample(d) ** 2) - d) / variance_error(d) for d in widths)
    assert off < 6
    return float(off)


def louder_scores() -> np.ndarray:
    """Draw scores of words whose components have variance 4: shape (pairs,)."""
    return attn.sample_dot_products(pairs, width, component_variance, generator(61))


@claim("V4.c", show=".1f")
def variance_of_components() -> np.ndarray:
    r"""Change the variance of the components (L1's exercise), for two laws.

    zh: 分量方差为 $v$ 时 $\mathrm{Var}(q\cdot k)=v^2d$：$d=64$，$v=4$（正态）是 1024，$v=1/3$（均匀取自 $(-1,1)$）
        是 64/9；实测都在六个标准误之内。
    en: With components of variance $v$, $\mathrm{Var}(q\cdot k)=v^2d$: at $d=64$ that is 1024 for $v=4$ (normal)
        and 64/9 for $v=1/3$ (uniform in $(-1,1)$); both measured within six standard errors.
    """
    squares = [louder_scores() ** 2, draw_scores(1, width, pairs, generator(62), uniform)[:, 0] ** 2]
    assert attn.dot_product_variance(width, component_variance, 1.0) == component_variance * width
    assert attn.dot_product_variance(width, 1.0, component_variance) == component_variance * width
    for square, v in zip(squares, (component_variance, 1 / 3), strict=True):
        assert abs(attn.dot_product_variance(width, v, v) - v**2 * width) < 1e-12
        assert abs(square.mean() - v**2 * width) < 6 * standard_error(square)
    return np.array([square.mean() for square in squares])


def projected_components() -> np.ndarray:
    """Draw a component of xW: a word x and a column of W, whose cells have variance 1/512. Shape (pairs,)."""
    rng = generator(63)
    x = attn.sample_rows(pairs, model_width, 1.0, rng)
    columns = attn.sample_rows(pairs, model_width, 1 / model_width, rng)
    return attn.dot(x[:, None], columns[:, None]).ravel()


@claim("V4.d", show=".3f")
def projection_keeps_the_variance() -> float:
    """Check the exercise on W^Q: a component of xW is a dot product too.

    zh: $x$ 的 512 个分量方差为 1，$W$ 的每格方差取 1/512，则 $xW$ 的每个分量方差是 1：实测在六个标准误之内。
    en: If the 512 components of $x$ have variance 1 and the cells of $W$ variance 1/512, each component of $xW$ has
        variance 1: measured within six standard errors.
    """
    square = projected_components() ** 2
    assert abs(square.mean() - 1) < 6 * standard_error(square)
    return float(square.mean())


# --- What to divide by ---

divisors: dict[str, Callable[[int], float]] = {
    "1": lambda _: 1.0,
    "ln d": math.log,
    "√d": math.sqrt,
    "d": float,
}


@claim("V5.a", show=".2f")
def the_formula_divides_by_the_root() -> float:
    r"""Read the spread of the scores back from the weights of attn's own attention.

    For two keys ln(w₁/w₂) is the difference of their scores as softmax saw them: variance 1 + 1.

    zh: attn 的注意力默认除以 $\sqrt d$：从它的权重反推，两个键的分数差的方差对 $d=1$ 到 $1024$ 都是 2，相差不到六个
        标准误。
    en: attn's attention divides by $\sqrt d$: read back from its weights, the difference of two keys' scores has
        variance 2 for every $d$ from $1$ to $1024$, within six standard errors.
    """
    worst = 0.0
    for d in widths:
        rng = generator(70 + d)
        query, keys = normal(rng, (1000, 1, d)), normal(rng, (1000, 2, d))
        _, weights = attn.scaled_dot_product_attention(query, keys, keys, return_weights=True)
        square = np.log(weights[:, 0, 0] / weights[:, 0, 1]) ** 2
        # Given q the difference is normal with variance 2‖q‖²/d: its square averages 2, its fourth power 12(1 + 2/d).
        worst = max(worst, abs(square.mean() - 2) / math.sqrt((8 + 24 / d) / len(square)))
    assert worst < 6
    return worst


@claim("V5.b", show=".3f")
def only_the_root_stands_still() -> np.ndarray:
    r"""Follow the expected largest weight of 64 keys as d grows, under four divisors.

    Given a query of length r, scores over c have standard deviation r/c, and the larger that is, the larger is the
    largest weight: its slope in 1/c is never negative, draw by draw. Now r grows with d, r/√d has a mean square of 1
    and settles at 1, r/d falls, and r/ln d, about √d/ln d, grows from d = e² on.

    zh: 64 个键，$d$ 从 2 起一次次加倍到 1024，最大权重的期望（都是积分，不掷骰子）：除以 $\sqrt d$，一次比一次接近
        标准差为一的分数的期望；不除，一次比一次高；除以 $\ln d$，从 $d=8$ 起一次比一次高；除以 $d$，一次比一次低。
        给出 $d=1024$ 时的四个值：不除、$\ln d$、$\sqrt d$、$d$。
    en: With 64 keys, $d$ doubled from 2 to 1024, and expectations of the largest weight (integrals, nothing drawn):
        divided by $\sqrt d$ it draws nearer with every doubling to that of scores of standard deviation one;
        undivided it climbs every time, divided by $\ln d$ every time from $d=8$ on; divided by $d$ it falls every
        time. Shown are the four at $d=1024$: undivided, $\ln d$, $\sqrt d$, $d$.
    """
    curves = {
        name: np.array([expected_share([keys_in_sight], d, divisor(d))[0] for d in widths[1:]])
        for name, divisor in divisors.items()
    }
    gaps = abs(curves["√d"] - expected_largest([keys_in_sight], 1.0))
    assert (np.diff(gaps) < 0).all()
    assert (np.diff(curves["1"]) > 0).all()
    assert (np.diff(curves["ln d"][2:]) > 0).all()
    assert (np.diff(curves["d"]) < 0).all()
    return np.array([curve[-1] for curve in curves.values()])


def match_shares(d: int, divisor: float, draws: int = 1000) -> np.ndarray:
    """Hide a copy of the query among random keys, all made of coins, and give the weight it gets: (draws,)."""
    rng = generator(80 + d)
    query, keys = coin(rng, (draws, 1, d)), coin(rng, (draws, keys_in_sight, d))
    keys[:, 0] = query[:, 0]
    return attn.softmax(attn.dot(query, keys) / divisor)[:, 0, 0]


@claim("V6", show=".3f")
def a_true_match() -> np.ndarray:
    r"""Ask what the division leaves of a key that deserves to win.

    Let Y add e^s over the others, each s a sum of coins over the divisor, so that e^s averages cosh(1/divisor)^d. By
    Jensen the mean weight is at least 1/(1 + Y's mean/e^8) = 0.966 for √d. For d, Y is at least 63·e^(mean of s), and
    that mean of 63 scores strays by 0.016 only: the weight is about e/(e + 63) = 0.041 at most.

    zh: 64 维硬币词，63 个随机键里藏一个与查询相同的键：除以 $\sqrt d$，它平均得到九成以上；除以 $d$，不到 5%。
    en: Hide a copy of the query among 63 random keys, all made of 64 coins: divided by $\sqrt d$ it gets over nine
        tenths on average, divided by $d$ under 5%.
    """
    by_root, by_width = match_shares(width, math.sqrt(width)), match_shares(width, width)
    assert by_root.mean() - 6 * standard_error(by_root) > 0.9
    assert by_width.mean() + 6 * standard_error(by_width) < 0.05
    return np.array([by_root.mean(), by_width.mean()])


# --- What reaches the scores ---


def returned(weights: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Carry a wish for the weights back to the scores: p ∘ (g − Σ p g), row by row."""
    return weights * (wanted - (weights * wanted).sum(axis=-1, keepdims=True))


@claim("V7.a", show="bound")
def one_nudge() -> float:
    r"""Check the algebra of one nudge, for steps small and large.

    zh: 一个分数加 $h$，它的权重恰好变成 $p\,e^h/(1+p(e^h-1))$，$h$ 从 −2 到 2，只差舍入误差。
    en: Add $h$ to one score and its weight becomes exactly $p\,e^h/(1+p(e^h-1))$, for $h$ from −2 to 2, up to
        rounding.
    """
    scores = 2 * generator(90).standard_normal(6)
    p = attn.softmax(scores)
    deviation = 0.0
    for h in np.linspace(-2, 2, 17):
        for i in range(len(scores)):
            moved = attn.softmax(scores + h * (np.arange(len(scores)) == i))[i]
            deviation = max(deviation, abs(moved - p[i] * np.exp(h) / (1 + p[i] * np.expm1(h))))
    assert deviation < 1e-14
    return float(deviation)


@claim("V7.b", show="bound")
def two_slopes() -> float:
    """Check the slopes that follow: p(1−p) for itself, −pᵢpⱼ for the others.

    Taylor's remainder: the second derivatives are at most 1/4 in size, so a step h misses by at most h/8; subtracting
    two weights rounds by 2⁻⁵², divided by h.

    zh: 分数动一点点 $h$，自己的权重变化与 $h$ 之比是 $p(1-p)$，别人的是 $-p_ip_j$：$h=10^{-5}$ 时误差不超过 $h/8$（
        加舍入）；$p(1-p)$ 最大是四分之一，在 $p=1/2$。
    en: Nudge a score by $h$: the change of its own weight over $h$ is $p(1-p)$, of another's $-p_ip_j$, within
        $h/8$ (and rounding) for $h=10^{-5}$; $p(1-p)$ is at most a quarter, at $p=1/2$.
    """
    h, scores = 1e-5, 2 * generator(91).standard_normal(6)
    p = attn.softmax(scores)
    measured = (attn.softmax(scores + h * np.eye(6)) - p) / h  # row i: what nudging score i does to all weights
    deviation = np.abs(measured - (np.diag(p) - np.outer(p, p))).max()
    grid = np.linspace(0, 1, 1001)
    assert deviation < h / 8 + 2.0**-50 / h
    assert grid[np.argmax(grid * (1 - grid))] == 0.5
    return float(deviation)


@claim("V7.c", show="bound")
def the_wish_carried_back() -> float:
    r"""Compare the rule for carrying a wish back with central differences.

    zh: 分数 $i$ 收到的信号 $p_i\bigl(g_i-\sum_jp_jg_j\bigr)$，与逐个分数做差分量出的结果一致，误差在差分本身的误差
        之内。
    en: The signal $p_i\bigl(g_i-\sum_jp_jg_j\bigr)$ that reaches score $i$ agrees with differences taken score by
        score, within the error of the differences themselves.
    """
    h, rng = 1e-4, generator(92)
    scores, wanted = 2 * rng.standard_normal(6), rng.standard_normal(6)
    p = attn.softmax(scores)
    measured = (attn.softmax(scores + h * np.eye(6)) - attn.softmax(scores - h * np.eye(6))) @ wanted / (2 * h)
    deviation = np.abs(measured - returned(p, wanted)).max()
    # Third derivatives of a weight are at most 1 in size, so central differences miss by at most h²/6 each.
    assert deviation < np.abs(wanted).sum() * (h**2 / 6 + 2.0**-51 / h)
    return float(deviation)


def signals() -> tuple[np.ndarray, np.ndarray]:
    """Give the length of the signal that reaches the scores of each drawn query, undivided and divided by √d.

    64 keys, 64 standard normal components; what the weights should do is a random wish, also standard normal.
    """
    rng = generator(93)
    scores = draw_scores(keys_in_sight, width, queries, rng)
    wanted = normal(rng, scores.shape)
    raw, divided = (
        np.linalg.norm(returned(attn.softmax(scores / divisor), wanted), axis=-1) for divisor in (1.0, math.sqrt(width))
    )
    return raw, divided


@claim("V8", show=".4f")
def the_deaf_tenth() -> np.ndarray:
    r"""Look at the signal's 10th percentile, not only at its mean.

    The 10th percentile of what was drawn from lies, within six standard errors, between those of the sample whose
    ranks are six binomial standard errors to either side.

    zh: 这个实验里（64 个键，64 维，4000 个查询，愿望是随机的）：除不除 $\sqrt d$，到达分数的信号平均起来分不出高
        下，相差不到六个标准误；第 10 百分位却差一个数量级还多：不除的不到除了的十分之一，两边的名次各容许六个标准
        误。
    en: In this experiment (64 keys, 64 components, 4000 queries, random wishes) the mean signals that reach the
        scores with and without $\sqrt d$ cannot be told apart: they differ by less than six standard errors. The
        10th percentiles are more than an order of magnitude apart: undivided it is less than a tenth of what it is
        divided, with ranks allowed six standard errors on either side.
    """
    raw, divided = signals()
    margin = doubt(0.1, queries)
    assert abs(raw.mean() - divided.mean()) < 6 * standard_error(raw - divided)
    assert 10 * np.quantile(raw, 0.1 + margin) < np.quantile(divided, 0.1 - margin)
    return np.quantile([raw, divided], 0.1, axis=-1)


@claim("V9", show="bound")
def odds() -> float:
    """Say what temperature does, exactly.

    zh: 两个键的权重之比等于 $e^{(s_1-s_2)/T}$：$T$ 就是让这个比乘上 $e$ 所需要的分差。相对误差只有舍入。
    en: The ratio of two keys' weights is $e^{(s_1-s_2)/T}$: $T$ is the difference of scores that multiplies it by
        $e$. Up to rounding.
    """
    scores = 3 * generator(94).standard_normal(8)
    deviation = 0.0
    for T in (0.5, 1.0, 2.0, 8.0):
        p = attn.softmax(scores, temperature=T)
        deviation = max(deviation, np.abs(p[:1] / p / np.exp((scores[0] - scores) / T) - 1).max())
    # The exponent is rounded by a few 2⁻⁵³ of its size, at most 60 here, and so is the ratio.
    assert deviation < 1e-13
    return float(deviation)


if __name__ == "__main__":
    raise SystemExit(main())
