"""Research day T2, scaled dot product: two readings of the matrix product, what it costs, what it forbids.

Lesson L2 is compiled from this day. Run it alone to check its claims: ``python repro_t2_scaled_dotprod.py``.

Rounding: a dot product of d terms, added in any order, lies within γ_d Σ|qᵢ||kᵢ| of the true one, where
γ_d = d·u/(1 − d·u) and u = 2⁻⁵³ (Higham, *Accuracy and Stability of Numerical Algorithms*, §3.1). Two ways
of computing the same thing therefore differ by no more than twice that. Sampling: a mean of N draws lies
within six standard errors of its expectation, save for about two such means in a thousand million.
"""

import itertools
import math
from collections.abc import Callable

import numpy as np
from repro_t1_scorers import bank, steep, the, was

import attn
from knit import claim, main, seed

# The sentence of the course, a word a row, and three tables that turn words into queries, keys and values.
# Chosen so that the first word comes out as (0.28, 0.33) and (0.19, 0.04), and that bank looks to steep.
X = np.array([the, bank, was, steep])
WQ = np.array([[-0.2, 0.25], [-0.8, -0.7]])
WK = np.array([[0.55, 0.6], [-0.2, 0.2]])
WV = np.array([[1.0, 0.5], [-0.5, 1.0]])
Q, K, V = X @ WQ, X @ WK, X @ WV

two_words = np.array([[1, 2], [3, 4]])  # the pair of the numerical example
swap = np.array([[0, 1], [1, 0]])  # and its machine, which exchanges the two coordinates

context = 100_000  # words that a model of today looks at together
width = 64  # d_k, the components of a query and of a key
model_width = 512  # d, the components of a word before it is projected
nanosecond = 1e-9  # assumed: one multiply-add a nanosecond
side = 16  # rows and columns of the random square matrices
keys_in_sight = 64  # n, the keys that a random query is compared with
narrower = (-1, 1)  # where uniform components lie, for comparison with standard normal ones
queries = 4000  # independent draws of a query with its own keys


def rounding(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Bound the rounding error of each cell of ``A @ B``, whatever the order of its additions."""
    terms = A.shape[-1] * 2.0**-53
    return terms / (1 - terms) * (np.abs(A) @ np.abs(B))


def multiply_adds(n: int, d: int, m: int) -> int:
    """Count what (n×d)·(d×m) costs: n·m cells, each a dot product of d multiply-adds."""
    return n * d * m


def counted(product: Callable[..., object], *shapes: tuple[int, int]) -> int:
    """Count multiplications as they happen: multiply matrices of numbers that count."""
    ticks = itertools.count()

    class Ticking:
        def __mul__(self, _: object) -> "Ticking":
            next(ticks)
            return self

        def __add__(self, _: object) -> "Ticking":
            return self

    product(*(np.full(shape, Ticking(), dtype=object) for shape in shapes))
    return next(ticks)


def random_matrices(number: int, *shapes: tuple[int, int]) -> list[np.ndarray]:
    """Draw matrices with independent standard normal entries, from seed ``number``."""
    rng = np.random.default_rng(seed(number))
    return [rng.standard_normal(shape) for shape in shapes]


def largest_weights(n: int, d: int, *, draws: int = queries, number: int = 11, uniform: bool = False) -> np.ndarray:
    """Draw a query and n keys, all components independent, and give softmax's largest weight, unscaled.

    Components are standard normal, or uniform in (−1, 1). Returns an array of shape (draws,).
    """
    rng = np.random.default_rng(seed(number))
    largest = []
    portion = max(1, 2_000_000 // ((n + 1) * d))  # two million numbers at a time
    for start in range(0, draws, portion):
        shape = (min(portion, draws - start), n + 1, d)
        words = rng.uniform(*narrower, shape) if uniform else rng.standard_normal(shape)
        scores = attn.dot(words[:, :1], words[:, 1:])[:, 0]
        largest.append(attn.softmax(scores).max(axis=-1))
    return np.concatenate(largest)


def standard_error(sample: np.ndarray) -> float:
    """Give the standard error of the mean of independent draws."""
    return float(np.std(sample, ddof=1) / np.sqrt(len(sample)))


def wide_batch(number: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Draw fifty words of 512 components and the table that projects them to 64."""
    words, table = random_matrices(number, (50, model_width), (model_width, width))
    return words, table


@claim("P1.a", show="bound")
def shuffled_rows() -> float:
    """Check the first reading (repair 12 of the draft): no row looks at another.

    Whether the bits agree in the wide case depends on the kernels that the BLAS at hand picks for edge rows:
    for the shuffled batch some processors give 0, others 7e-14. A row on its own takes another kernel on all.

    zh: 打乱 $X$ 的行，$XW$ 的行只是跟着打乱：小整数逐位相同；50 个 512 维的词投影到 64 维，无论整批打乱还是单独送一
        行进去，偏差都不超过舍入误差的界。
    en: Shuffling the rows of $X$ only shuffles the rows of $XW$: to the last bit for small integers; for fifty
        words of 512 components projected to 64, shuffled as a batch or one row on its own, within the bound on
        rounding.
    """
    assert ((two_words[::-1] @ swap) == (two_words @ swap)[::-1]).all()
    words, table = wide_batch()
    order = np.random.default_rng(seed(2)).permutation(50)
    shuffled = np.abs(words[order] @ table - (words @ table)[order]).max()
    alone = np.abs(words[:1] @ table - (words @ table)[:1]).max()
    deviation = max(shuffled, alone)
    allowed = 2 * rounding(words, table).max()
    assert deviation <= allowed
    return float(deviation)


@claim("P1.b", show="bound")
def order_of_additions() -> float:
    """Show why bits may differ: floating-point addition is not associative (repair 12 of the draft).

    zh: 浮点加法不满足结合律：$(0.1+0.2)+0.3$ 与 $0.1+(0.2+0.3)$ 不相等；同样的 512 个乘积，正着加与倒着加的差在舍入
        误差的界之内。
    en: Floating-point addition is not associative: $(0.1+0.2)+0.3$ is not $0.1+(0.2+0.3)$. The same 512 products
        added forwards and backwards differ within the bound on rounding.
    """
    forwards, backwards = added_both_ways()
    deviation = np.abs(forwards - backwards).max()
    allowed = 2 * rounding(*wide_batch()).max()
    assert (0.1 + 0.2) + 0.3 != 0.1 + (0.2 + 0.3)
    assert deviation <= allowed
    return float(deviation)


def added_both_ways() -> tuple[np.ndarray, np.ndarray]:
    """Add the 512 products of each cell of one row from first to last, and from last to first."""
    words, table = wide_batch()
    products = words[0][:, None] * table  # (512, 64)
    return np.cumsum(products, axis=0)[-1], np.cumsum(products[::-1], axis=0)[-1]


@claim("P1.c")
def small_integers_are_exact() -> int:
    r"""Check the example by hand and exercise 1.

    zh: $XW=\begin{bmatrix}2&1\\4&3\end{bmatrix}$；把 $X$ 的两行对调，输出的两行也对调，其余不变，逐位相同（偏差是整
        数零）。
    en: $XW=\begin{bmatrix}2&1\\4&3\end{bmatrix}$; exchange the rows of $X$ and the rows of the output are
        exchanged, with no other change, to the last bit (the deviation is the whole number zero).
    """
    output, exchanged = two_words @ swap, two_words[::-1] @ swap
    deviation = np.abs(exchanged - output[::-1]).max()
    assert (output == [[2, 1], [4, 3]]).all()
    assert deviation == 0
    return int(deviation)


@claim("P2", show="bound")
def every_cell_is_a_dot_product() -> float:
    r"""Check the second reading on the sentence (repairs 11 and 13 of the draft).

    zh: $QK^\top$ 的每一格都是一个查询与一个键的内积：四个词的全部 16 格与逐对计算的结果一致，只差舍入误差。
    en: Every cell of $QK^\top$ is the dot product of one query and one key: all 16 cells of the four words agree
        with those computed pair by pair, up to rounding.
    """
    table = attn.dot(Q, K)
    deviation = np.abs(table - attn.pairwise_scores(Q, K)).max()
    allowed = 2 * rounding(Q, K.T).max()
    assert table.shape == (4, 4)
    assert np.abs(Q[0] - [0.28, 0.33]).max() < 1e-15
    assert np.abs(K[0] - [0.19, 0.04]).max() < 1e-15
    assert abs(table[0, 0] - 0.0664) < 1e-15
    assert deviation <= allowed
    return float(deviation)


def both_ways(d: int) -> tuple[float, float]:
    """Score eight random queries and keys pair by pair, from the first component on and from the last.

    Gives how far the two differ, which is the same on every machine, and the bound on that.
    """
    asking, asked = random_matrices(d, (8, d), (8, d))
    forwards = attn.pairwise_scores(asking, asked)
    backwards = attn.pairwise_scores(asking[:, ::-1], asked[:, ::-1])
    return float(np.abs(forwards - backwards).max()), float(2 * rounding(asking, asked.T).max())


@claim("P2.b", show=".1e")
def deviation_has_a_size() -> np.ndarray:
    r"""Say how large "up to rounding" is (repair 13 of the draft).

    zh: 4、64、512 维的随机查询与键：$QK^\top$ 与逐对计算之差，以及逐对计算时分量正着加与倒着加之差，都在舍入误差的
        界之内；这个界随维度增大。
    en: For random queries and keys of 4, 64 and 512 components, $QK^\top$ and the pairs, and the pairs added from
        the first component on and from the last, agree within the bound on rounding, which grows with the number of
        components.
    """
    sizes = (4, 64, 512)
    deviations, allowed = np.array([both_ways(d) for d in sizes]).T
    for d, bound in zip(sizes, allowed, strict=True):
        asking, asked = random_matrices(d, (8, d), (8, d))
        assert np.abs(attn.dot(asking, asked) - attn.pairwise_scores(asking, asked)).max() <= bound
    assert (deviations <= allowed).all()
    assert (np.diff(allowed) > 0).all()
    return deviations


@claim("P2.c")
def the_diagonal() -> float:
    r"""Check exercise 2: a word's question against its own label.

    zh: 对角线的第 $i$ 格是 $q_i\cdot k_i$，可正可负；$W^Q=W^K$ 时它是长度的平方，不会为负。
    en: Cell $i$ of the diagonal is $q_i\cdot k_i$, of either sign; for $W^Q=W^K$ it is a squared length, never
        negative.
    """
    own = np.diag(attn.dot(Q, K))
    same = np.diag(attn.dot(Q, Q))
    assert own.min() < 0 < own.max()
    assert np.abs(same - np.linalg.norm(Q, axis=1) ** 2).max() < 1e-12
    assert same.min() >= 0
    return float(own.min())


@claim("P3")
def pairs_and_cells() -> np.ndarray:
    """Tell pairs from cells (repair 11 of the draft).

    zh: 四个词：与别的词配成的有序对有 12 个，表有 16 格，多出来的 4 格在对角线上；50 个词有 2500 格。
    en: Four words form 12 ordered pairs with another word; the table has 16 cells, the other 4 on its
        diagonal. Fifty words give 2,500 cells.
    """
    pairs = len(list(itertools.permutations(range(4), 2)))
    cells = len(list(itertools.product(range(4), repeat=2)))
    assert (pairs, cells) == (12, attn.dot(Q, K).size) == (4 * 3, 4 * 4)
    assert attn.dot(np.ones((50, 2)), np.ones((50, 2))).size == 2500
    return np.array([pairs, cells])


@claim("P4.a")
def a_dot_product_costs_d() -> int:
    r"""Count multiply-adds (repair 10 of the draft).

    zh: $d$ 维的一次内积要 $d$ 次乘加；$n\times d$ 乘 $d\times m$ 要 $n\,d\,m$ 次：用会计数的数真的乘一遍，次数相
        符。
    en: A dot product of $d$ components costs $d$ multiply-adds, and $(n\times d)(d\times m)$ costs $n\,d\,m$:
        multiplying numbers that count gives the same.
    """
    assert counted(np.matmul, (1, width), (width, 1)) == width == multiply_adds(1, width, 1)
    assert counted(np.matmul, (6, 5), (5, 7)) == multiply_adds(6, 5, 7)
    return counted(np.matmul, (1, width), (width, 1))


@claim("P4.b")
def the_bill() -> float:
    """Compute the bill of the opening (repair 10 of the draft).

    zh: 十万个词两两打分是 $10^{10}$ 次内积；每次 64 次乘加、每次乘加一纳秒，共 640 秒，而不是 10 秒。表本身用双精度
        要 80 GB。
    en: Scoring a hundred thousand words against each other takes $10^{10}$ dot products; at 64 multiply-adds each
        and a nanosecond per multiply-add that is 640 seconds, not 10. The table in double precision takes 80 GB.
    """
    products = context**2
    seconds = products * width * nanosecond
    assert products == 10**10
    assert abs(seconds - 640) < 1e-9
    assert products * 8 == 80 * 10**9  # bytes of the table in double precision
    return seconds


@claim("P5", show="bound")
def four_stations() -> float:
    """Walk through project, score, normalise and fetch (repair 14 of the draft).

    zh: 投影、打分、归一、取回，四站接起来就是注意力公式：与逐词循环的结果一致；每行份额之和为 1；
        进去一词一行，出来还是一词一行。
    en: Project, score, normalise, fetch: the four stations in a row are the attention formula. They agree
        with the loop over words, each row of shares sums to 1, and a row a word goes in and comes out.
    """
    scores = attn.dot(Q, K) / math.sqrt(Q.shape[1])
    shares = attn.softmax(scores)
    fetched = shares @ V
    deviation = np.abs(fetched - attn.pairwise_attention(Q, K, V)).max()
    formula = np.abs(fetched - attn.scaled_dot_product_attention(Q, K, V)).max()
    # Numbers under 3, fewer than 50 operations on each: 50 · 3² · 2⁻⁵² stays under 1e-12.
    assert deviation < 1e-12
    assert formula < 1e-12
    assert np.abs(shares.sum(axis=1) - 1).max() < 1e-12
    assert fetched.shape == X.shape
    return float(deviation)


@claim("P5.b")
def bank_looks_to_steep() -> float:
    """Look at bank's row of shares.

    zh: bank 那一行里，steep 得到的份额最大，bank 自己最小；取回的每个分量都落在各词的值的最小与最大之间。
    en: In bank's row steep receives the largest share and bank itself the smallest, and each component of what is
        fetched lies between the smallest and the largest of the words' values.
    """
    shares = attn.softmax(attn.dot(Q, K) / math.sqrt(2))
    fetched = shares @ V
    assert shares[1].argmax() == 3
    assert shares[1].argmin() == 1
    assert (V.min(axis=0) <= fetched).all()
    assert (fetched <= V.max(axis=0)).all()
    return float(shares[1, 3])


def three_squares() -> list[np.ndarray]:
    """Draw the three random square matrices of the laws."""
    return random_matrices(1, (side, side), (side, side), (side, side))


@claim("P6.a", show="bound")
def grouping_does_not_matter() -> float:
    r"""Check associativity (repair 17 of the draft) on three random 16×16 matrices.

    zh: $(LM)N=L(MN)$：三个元素取自标准正态的 $16\times16$ 随机矩阵，偏差在舍入误差的界之内。
    en: $(LM)N=L(MN)$: for three random $16\times16$ matrices with standard normal entries, within the bound on
        rounding.
    """
    L, M, N = three_squares()
    deviation = np.abs((L @ M) @ N - L @ (M @ N)).max()
    # Each side rounds twice, n terms each time: |error| ≤ (2γ_n + γ_n²)|L||M||N|, and there are two sides.
    gamma = side * 2.0**-53 / (1 - side * 2.0**-53)
    allowed = 2 * (2 * gamma + gamma**2) * (np.abs(L) @ np.abs(M) @ np.abs(N)).max()
    assert deviation <= allowed
    return float(deviation)


@claim("P6.b", show=".1f")
def order_does_matter() -> float:
    r"""Measure how far LM is from ML (repair 17 of the draft).

    A cell of LM, or of ML, is a sum of n uncorrelated products of mean square 1. Off the diagonal a cell of
    LM is uncorrelated with that of ML; on it the two share one product, LᵢᵢMᵢᵢ. So the squares of the cells
    of LM − ML add up to 2n·n² − 2n on average, and one cell's mean is 2(n² − 1)/n.

    zh: $LM\ne ML$：元素取自标准正态的 $n\times n$ 随机矩阵，$LM-ML$ 每格的均方值是 $2(n^2-1)/n$；$n=16$ 时实测 1000
        对，相差不超过六个标准误。
    en: $LM\ne ML$: for random $n\times n$ matrices with standard normal entries a cell of $LM-ML$ has mean square
        $2(n^2-1)/n$; measured at $n=16$ over 1000 pairs, within six standard errors.
    """
    rng = np.random.default_rng(seed(6))
    L, M = rng.standard_normal((2, 1000, side, side))
    squares = ((L @ M - M @ L) ** 2).mean(axis=(1, 2))
    expected = 2 * (side**2 - 1) / side
    assert abs(squares.mean() - expected) < 6 * standard_error(squares)
    assert (two_words @ swap != swap @ two_words).any()
    return float(squares.mean())


@claim("P7.a", show="bound")
def regrouping_without_softmax() -> float:
    r"""Drop the softmax and regroup (repair 15 of the draft).

    zh: 没有 softmax 时 $(QK^\top)V=Q(K^\top V)$，只差舍入误差；前者要 $2n^2d$ 次乘加，后者要 $2nd^2$ 次（逐次数
        过），$n=d$ 时打平。
    en: Without the softmax $(QK^\top)V=Q(K^\top V)$ up to rounding; the first costs $2n^2d$ multiply-adds and the
        second $2nd^2$ (counted one by one), the same at $n=d$.
    """
    n, d = 96, 8
    asking, asked, values = random_matrices(3, (n, d), (n, d), (n, d))
    deviation = np.abs((asking @ asked.T) @ values - asking @ (asked.T @ values)).max()
    # One grouping adds d terms, then n; the other n, then d. Each is within (γ_n + γ_d + γ_n γ_d)|Q||K|ᵀ|V|.
    gamma_n, gamma_d = (m * 2.0**-53 / (1 - m * 2.0**-53) for m in (n, d))
    sizes = (np.abs(asking) @ np.abs(asked).T @ np.abs(values)).max()
    allowed = 2 * (gamma_n + gamma_d + gamma_n * gamma_d) * sizes
    table_first = counted(lambda q, k, v: (q @ k.T) @ v, (n, d), (n, d), (n, d))
    table_never = counted(lambda q, k, v: q @ (k.T @ v), (n, d), (n, d), (n, d))
    assert deviation <= allowed
    assert table_first == 2 * n**2 * d
    assert table_never == 2 * n * d**2
    return float(deviation)


@claim("P7.b")
def softmax_blocks_regrouping() -> float:
    """Prove that attention is no product Q·M with M made of K and V: ask with Q = 0 (repair 15).

    zh: softmax 挡住了重新分组：$Q=0$ 时注意力取回 $V$ 各行的平均，而任何 $QM$（$M$ 只由 $K$、$V$ 算出）只能给出零。
    en: The softmax blocks regrouping: for $Q=0$ attention fetches the mean of the rows of $V$, while any $QM$, with
        $M$ made of $K$ and $V$ alone, can give only zero.
    """
    silent = np.zeros_like(Q)
    fetched = attn.scaled_dot_product_attention(silent, K, V)
    assert np.abs(fetched - V.mean(axis=0)).max() < 1e-12
    assert np.abs(V.mean(axis=0)).max() > 0.5
    assert (silent @ (K.T @ V) == 0).all()
    return float(np.abs(fetched).max())


@claim("P8.a", show="bound")
def the_same_table_turned() -> float:
    r"""Transpose the table (repair 16 of the draft).

    zh: $KQ^\top$ 就是 $(QK^\top)^\top$：同一张表，行列对调；四个词，以及 50 个 64 维的随机查询与键，偏差都在舍入误
        差的界之内。
    en: $KQ^\top$ is $(QK^\top)^\top$, the same table with rows and columns exchanged: for the four words, and for
        50 random queries and keys of 64 components, within the bound on rounding.
    """
    asking, asked = random_matrices(8, (50, width), (50, width))
    many = np.abs(attn.dot(asked, asking) - attn.dot(asking, asked).T).max()
    deviation = np.abs(attn.dot(K, Q) - attn.dot(Q, K).T).max()
    assert many <= 2 * rounding(asked, asking.T).max()
    assert deviation <= 2 * rounding(K, Q.T).max()
    return float(deviation)


@claim("P8.b", show=".2f")
def what_is_normalised() -> np.ndarray:
    r"""Say what does change (repair 16 of the draft).

    zh: 变的是在什么上面归一：对 $KQ^\top$ 逐行做 softmax，等于对 $QK^\top$ 逐列做；于是每个键分出去的份额之和为 1，
        每个查询得到的份额之和却不再是 1。
    en: What changes is over what one normalises: softmax along the rows of $KQ^\top$ is softmax down the columns of
        $QK^\top$. Each key's shares then sum to 1, and each query's no longer do.
    """
    scores = attn.dot(Q, K) / math.sqrt(2)
    turned = attn.softmax(attn.dot(K, Q) / math.sqrt(2)).T
    assert np.abs(turned - attn.softmax(scores, axis=0)).max() < 1e-12
    assert np.abs(turned.sum(axis=0) - 1).max() < 1e-12
    assert np.abs(attn.softmax(scores).sum(axis=1) - 1).max() < 1e-12
    assert np.abs(turned.sum(axis=1) - 1).max() > 0.1
    return turned.sum(axis=1)


@claim("P9.a", show=",")
def projections_and_table() -> np.ndarray:
    """Count exercise 3 (repair 18 of the draft).

    zh: $n=100$、$d=512$、$d_k=64$ 时，一次投影要 3,276,800 次乘加，三次要 9,830,400 次，打分表要 640,000
        次；$n=1000$ 时，三次投影 98,304,000 次，打分表 64,000,000 次。
    en: For $n=100$, $d=512$, $d_k=64$ a projection takes 3,276,800 multiply-adds, three take 9,830,400 and the
        table 640,000; at $n=1000$ it is 98,304,000 against 64,000,000.
    """
    bills = np.array([[3 * multiply_adds(n, 512, 64), multiply_adds(n, 64, n)] for n in (100, 1000)])
    assert multiply_adds(100, 512, 64) == 3_276_800
    assert (bills == [[9_830_400, 640_000], [98_304_000, 64_000_000]]).all()
    assert counted(np.matmul, (10, 16), (16, 4)) == multiply_adds(10, 16, 4)
    return bills[1]


@claim("P9.b")
def the_table_overtakes() -> int:
    """Find where the table overtakes: 3·n·d·d_k = n²·d_k at n = 3d (repair 18 of the draft).

    zh: 打分表到 $n=3d$ 才追上三次投影，与 $d_k$ 无关：$d=512$ 时是 1536；早一个词还便宜，晚一个词就更贵。
    en: The table catches up with the three projections only at $n=3d$, whatever $d_k$: at 1536 for $d=512$. A word
        earlier it is cheaper, a word later dearer.
    """
    crossing = next(n for n in itertools.count(1) if n * n * width >= 3 * n * model_width * width)
    table = [multiply_adds(n, width, n) for n in (crossing - 1, crossing, crossing + 1)]
    projections = [3 * multiply_adds(n, model_width, width) for n in (crossing - 1, crossing, crossing + 1)]
    assert crossing == 3 * model_width == 1536
    assert table[0] < projections[0]
    assert table[1] == projections[1]
    assert table[2] > projections[2]
    return crossing


@claim("P10.a", show=".1%")
def one_key_takes_it_all() -> float:
    """Measure the hand-over to L3: how much weight falls on one random key.

    zh: 一个查询与 $n=64$ 个键，64 个分量都独立取自标准正态，不缩放：最大的那份权重平均是 79%（4000 次，容许六个标
        准误与半个百分点的取整）。
    en: With a query and $n=64$ keys of 64 independent standard normal components, unscaled, the largest weight is
        79% on average (4000 draws; six standard errors and half a percentage point for rounding).
    """
    sample = largest_weights(keys_in_sight, width)
    assert abs(sample.mean() - 0.79) < 0.005 + 6 * standard_error(sample)
    return float(sample.mean())


@claim("P10.b", show=".1%")
def it_depends_on_how_many_keys() -> np.ndarray:
    """Say under which n.

    zh: 这个平均取决于 $n$：$n=2$ 时是 95%，$n=50$ 时是 80%，$n=64$ 时是 79%（各 4000 次，容许六个标准误与半个百
        分点的取整）。
    en: This mean depends on $n$: it is 95% at $n=2$, 80% at $n=50$ and 79% at $n=64$ (4000 draws each; six
        standard errors and half a percentage point for rounding).
    """
    samples = [largest_weights(n, width) for n in (2, 50, 64)]
    means = np.array([sample.mean() for sample in samples])
    errors = np.array([standard_error(sample) for sample in samples])
    assert (np.abs(means - [0.95, 0.80, 0.79]) < 0.005 + 6 * errors).all()
    return means


@claim("P10.c", show=".1%")
def it_depends_on_the_distribution() -> float:
    """Say under which distribution: ±1 has to mean variance 1.

    zh: 也取决于分布：分量均匀取自 $(-1,1)$ 时方差只有三分之一，$n=64$ 时最大的那份权重平均只有 42%（4000 次，容许
        六个标准误与半个百分点的取整）。
    en: It depends on the distribution too: components uniform in $(-1,1)$ have variance one third, and at $n=64$
        the largest weight is then 42% on average (4000 draws; six standard errors and half a percentage point for
        rounding).
    """
    sample = largest_weights(keys_in_sight, width, uniform=True)
    assert abs(sample.mean() - 0.42) < 0.005 + 6 * standard_error(sample)
    return float(sample.mean())


def library_calls(fill: Callable[[np.ndarray, np.ndarray], object], n: int) -> int:
    """Count how often numpy's matrix product is called while ``fill`` scores n queries and n keys."""
    calls = itertools.count()

    class Watched(np.ndarray):
        def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: np.ndarray) -> object:
            next(calls)
            return getattr(ufunc, method)(*(np.asarray(each) for each in inputs))

    asking, asked = (words.view(Watched) for words in random_matrices(9, (n, width), (n, width)))
    fill(asking, asked)
    return next(calls)


@claim("P11", show=",")
def one_call_instead_of_many() -> np.ndarray:
    """Say what the matrix product saves: not multiply-adds, but everything around them.

    How much time that saves depends on the machine, so it is not claimed.

    zh: 给 50 个查询与 50 个键打分，乘加次数相同：两层循环要调用线性代数库 2500 次，一次矩阵乘法只调用 1 次。
    en: Scoring 50 queries and 50 keys takes the same multiply-adds either way: the two loops call the linear
        algebra library 2,500 times, one matrix product calls it once.
    """
    by_pairs = library_calls(lambda Q, K: [[query @ key for key in K] for query in Q], 50)
    at_once = library_calls(lambda Q, K: Q @ K.T, 50)
    assert by_pairs == 50**2
    assert at_once == 1
    assert counted(lambda Q, K: [[query @ key for key in K] for query in Q], (5, 3), (5, 3)) == 5 * 5 * 3
    assert counted(lambda Q, K: Q @ K.T, (5, 3), (5, 3)) == 5 * 5 * 3
    return np.array([by_pairs, at_once])


if __name__ == "__main__":
    raise SystemExit(main())
