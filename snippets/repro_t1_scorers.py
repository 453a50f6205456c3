"""Research day T1, scorers: find the function of two word vectors that deserves to be called their score.

Lesson L1 is compiled from this day. Run it alone to check its claims: ``python repro_t1_scorers.py``.

Rounding: every quantity below adds at most a few hundred products of numbers below 100, so its rounding
error stays under 500 · 100² · 2⁻⁵² ≈ 1e-9; where the numbers are single digits in the plane, under 1e-12.
"""

import numpy as np

import attn
from knit import claim, main, seed

# The toy words of the course, invented for it: two coordinates are enough to draw them.
bank = np.array([2.0, 0.5])
steep = np.array([0.5, 2.0])
the = np.array([0.2, -0.4])  # short, and pointing elsewhere
was = np.array([-0.1, 0.3])  # short too
flat = -steep  # the opposite of steep
nothing = np.zeros(2)  # a word that says nothing at all
suspect = np.array([1.8, 1.5])  # what the first draft of L1 called "the"

identity = np.eye(2)
quarter_turn_score = np.array([[0.0, 1.0], [-1.0, 0.0]])  # J: scores q₁k₂ − q₂k₁

dimensions = 64  # of the words in the variance claim
batches, draws = 5, 20_000
component_variance = 4.0


def flip_point(query: np.ndarray, key: np.ndarray, other: np.ndarray) -> float:
    """Give the λ at which ``key`` and ``other`` are equally far from λ·query: where ‖λq−k‖² = ‖λq−k'‖²."""
    return float((key @ key - other @ other) / (2 * (query @ key - query @ other)))


@claim("S1", show=".4f")
def distance_to_steep() -> float:
    r"""State the first distance of the lesson.

    zh: bank 到 steep 的距离是 $\sqrt{4.5}$。
    en: The distance from bank to steep is $\sqrt{4.5}$.
    """
    distance = -attn.negative_distance(bank, steep)
    assert abs(distance - np.sqrt(4.5)) < 1e-12
    return float(distance)


@claim("S2", show=".2f")
def distance_prefers_a_short_word() -> np.ndarray:
    """Compare the two candidates under three scores (repair 1 of the draft).

    zh: 从 bank 看，两个短向量 the 和 was 都比 steep 更近；内积和余弦却都把 steep 排在最前。
    en: Seen from bank, the short vectors of “the” and “was” are both nearer than steep; dot product and
        cosine put steep first.
    """
    keys = np.array([steep, the, was])
    distances = -attn.negative_distance(bank, keys)
    dots, cosines = attn.dot(bank, keys), attn.cosine(bank, keys)
    assert np.linalg.norm(keys[1:], axis=1).max() < min(np.linalg.norm(bank), np.linalg.norm(steep))
    assert distances[1:].max() < distances[0]
    assert dots[1:].max() < dots[0]
    assert cosines[1:].max() < cosines[0]
    return distances


@claim("S3", show=".2f")
def even_nothing_is_nearer() -> float:
    """Fault one: length.

    zh: 连零向量（什么也没说的词）到 bank 的距离都比 steep 小；跟 the 一样长的向量，转到三百六十个方向，到 bank
        的距离与 bank 的长度相差都不超过它自己的长度。
    en: Even the zero vector, a word that says nothing, is nearer to bank than steep; a vector as long as “the”, turned
        in 360 directions, is at a distance from bank that differs from bank's length by its own length at most.
    """
    distance = -attn.negative_distance(bank, nothing)
    angles = np.linspace(0, 2 * np.pi, 361)
    ring = np.linalg.norm(the) * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    offsets = np.abs(-attn.negative_distance(bank, ring) - np.linalg.norm(bank))
    assert distance < -attn.negative_distance(bank, steep)
    assert offsets.max() < np.linalg.norm(the) + 1e-12
    return float(distance)


@claim("S4.a", show=".3f")
def scaling_flips_the_distance() -> float:
    r"""Fault two: scale (repair 3 of the draft).

    zh: 把 bank 放大到 $\lambda$ 倍，$\lambda=1.125$ 之前 the 更近，之后 steep 更近：距离的名次翻转了。
    en: Scale bank by $\lambda$: below $\lambda=1.125$ “the” is nearer, above it steep is. The distance's ranking
        flips.
    """
    flip = flip_point(bank, steep, the)
    gaps = [
        attn.negative_distance(scale * bank, steep) - attn.negative_distance(scale * bank, the)
        for scale in (flip - 0.01, flip, flip + 0.01)
    ]
    assert abs(flip - 1.125) < 1e-12
    assert abs(gaps[1]) < 1e-12
    assert gaps[0] < 0 < gaps[2]
    return flip


@claim("S4.b", show="bound")
def scaling_never_flips_the_dot_product() -> float:
    r"""Fault two, repaired: s(λq, k) = λ s(q, k), so a positive λ keeps every ranking.

    zh: 查询乘以任何 $\lambda>0$，全部内积也恰好乘以 $\lambda$，名次从不改变（随机 50 个键，$\lambda$ 从百分之一到一
        百）。
    en: Multiplying the query by any $\lambda>0$ multiplies every dot product by $\lambda$ and never changes the
        ranking (50 random keys, $\lambda$ from a hundredth to a hundred).
    """
    rng = np.random.default_rng(seed(1))
    query, keys = rng.normal(size=3), rng.normal(size=(50, 3))
    scores = attn.dot(query, keys)
    scales = np.geomspace(0.01, 100, 41)
    scaled = np.array([attn.dot(scale * query, keys) for scale in scales])
    deviation = np.abs(scaled - scales[:, None] * scores).max()
    assert deviation < 1e-9
    assert (np.argsort(scaled, axis=1) == np.argsort(scores)).all()
    return float(deviation)


@claim("S5", show=".2f")
def distance_has_no_opposite() -> float:
    """Fault three: no sign.

    zh: 与 bank 同方向、三倍长的向量，和 bank 的反向量，到 bank 的距离一样大；内积给它们一正一负。
    en: A vector three times bank and the exact opposite of bank are equally far from bank; the dot product
        gives one a positive score and the other a negative one.
    """
    keys = np.array([3 * bank, -bank])
    distances = -attn.negative_distance(bank, keys)
    dots = attn.dot(bank, keys)
    assert abs(distances[0] - distances[1]) < 1e-12
    assert dots[0] > 0 > dots[1]
    assert (attn.negative_distance(bank, np.random.default_rng(seed(2)).normal(size=(100, 2))) <= 0).all()
    return float(distances[0])


@claim("S6", show="bound")
def unit_vectors() -> float:
    r"""Normalise first, and the distance says what the inner product says.

    zh: 单位向量满足 $\lVert q-k\rVert^2=2-2\,q\cdot k$，所以此时距离的名次就是余弦的名次（随机 100 个词，各排 100
        个名次）。
    en: For unit vectors $\lVert q-k\rVert^2=2-2\,q\cdot k$, so their distance ranks as the cosine does (100 random
        words, each ranking 100 others).
    """
    rng = np.random.default_rng(seed(3))
    vectors = rng.normal(size=(200, 5))
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    squared = attn.negative_distance(unit[:100], unit[100:]) ** 2
    cosines = attn.cosine(vectors[:100], vectors[100:])
    deviation = np.abs(squared - (2 - 2 * attn.dot(unit[:100], unit[100:]))).max()
    assert deviation < 1e-12
    assert np.abs(cosines - attn.dot(unit[:100], unit[100:])).max() < 1e-12
    assert (np.argsort(squared) == np.argsort(-cosines)).all()
    return float(deviation)


@claim("S7", show=".2f")
def additivity_is_not_enough() -> float:
    r"""Show what additivity over components leaves in (repair 5 of the draft).

    zh: $-\lVert q-k\rVert^2$ 逐分量可加、对称、旋转不变，却不是线性的：只要求“可加”，距离就溜回来了。
    en: $-\lVert q-k\rVert^2$ is additive over components, symmetric and rotation-invariant, yet not linear: demand
        mere additivity and the distance walks back in.
    """
    turn = attn.rotation(1.0)
    squared = -(attn.negative_distance(bank, steep) ** 2)
    by_component = -sum((q - k) ** 2 for q, k in zip(bank, steep, strict=True))
    mirrored = -(attn.negative_distance(steep, bank) ** 2)
    turned = -(attn.negative_distance(bank @ turn.T, steep @ turn.T) ** 2)
    doubled = -(attn.negative_distance(2 * bank, steep) ** 2)
    assert abs(squared - by_component) < 1e-12
    assert abs(squared - mirrored) < 1e-12
    assert abs(squared - turned) < 1e-12
    assert abs(doubled - 2 * squared) > 1
    return float(doubled - 2 * squared)


@claim("S8", show="bound")
def linearity_gives_a_table() -> float:
    r"""Rebuild a score that is linear in each word from the scores of the axes.

    zh: 对两个词都线性的分数，由坐标轴两两之间的分数 $M$ 完全决定：$s(q,k)=\sum_{ij}M_{ij}\,q_ik_j$。
    en: A score that is linear in each word is settled by the scores $M$ of the axes:
        $s(q,k)=\sum_{ij}M_{ij}\,q_ik_j$.
    """
    rng = np.random.default_rng(seed(4))
    M, q, k = rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=3)
    axes = attn.bilinear(np.eye(3), np.eye(3), M)
    rebuilt = sum(axes[i, j] * q[i] * k[j] for i in range(3) for j in range(3))
    deviation = abs(attn.bilinear(q, k, M) - rebuilt)
    assert (axes == M).all()
    assert deviation < 1e-12
    return float(deviation)


@claim("S9.a", show="d")
def what_rotations_leave() -> np.ndarray:
    """Count the free numbers (repair 6 of the draft).

    zh: 旋转不变的打分表，在平面里剩 2 个自由数（$aI+bJ$），三维、四维只剩 1 个；再加对称，处处只剩 1 个。
    en: Rotation-invariant score tables keep 2 free numbers in the plane ($aI+bJ$) and 1 in three or four
        dimensions; with symmetry, 1 everywhere.
    """
    rotations_only = [attn.invariant_dimension(d) for d in (2, 3, 4)]
    with_symmetry = [attn.invariant_dimension(d, symmetric=True) for d in (2, 3, 4)]
    assert rotations_only == [2, 1, 1]
    assert with_symmetry == [1, 1, 1]
    return np.array(rotations_only)


@claim("S9.b", show="bound")
def average_over_all_turns() -> float:
    """Average any table over all turns of the plane.

    zh: 把平面里任意一张打分表对全部旋转取平均，得到 $aI+bJ$，其中 $a=(M_{11}+M_{22})/2$，$b=(M_{12}-M_{21})/2$；$M$
        对称时 $b=0$。
    en: Averaged over all turns of the plane, any score table becomes $aI+bJ$ with $a=(M_{11}+M_{22})/2$ and
        $b=(M_{12}-M_{21})/2$; for a symmetric table $b=0$.
    """
    M = np.random.default_rng(seed(5)).normal(size=(2, 2))
    a, b = (M[0, 0] + M[1, 1]) / 2, (M[0, 1] - M[1, 0]) / 2
    deviation = np.abs(attn.average_over_rotations(M) - (a * identity + b * quarter_turn_score)).max()
    assert deviation < 1e-12
    return float(deviation)


@claim("S9.c", show="bound")
def the_inner_product_survives_every_turn() -> float:
    """Turn both words alike, in the plane and beyond.

    zh: 两个词一起旋转，内积不变（2 至 6 维的随机旋转）；平面里 $q_1k_2-q_2k_1$ 也不变，它不对称。
    en: Turn both words alike and the dot product stays (random rotations in 2 to 6 dimensions); in the plane
        $q_1k_2-q_2k_1$ stays too, and it is not symmetric.
    """
    rng = np.random.default_rng(seed(6))
    deviations = []
    for d in range(2, 7):
        (q, k), R = rng.normal(size=(2, d)), attn.random_rotation(d, rng)
        deviations.append(abs(attn.dot(q @ R.T, k @ R.T) - attn.dot(q, k)))
        assert abs(np.linalg.det(R) - 1) < 1e-12
    R = attn.rotation(rng.uniform(0, 2 * np.pi))
    there, back = (attn.bilinear(*pair, quarter_turn_score) for pair in ((bank, steep), (steep, bank)))
    turned = attn.bilinear(bank @ R.T, steep @ R.T, quarter_turn_score)
    assert max(deviations) < 1e-12
    assert abs(turned - there) < 1e-12
    assert there == -back != 0
    return float(max(deviations))


@claim("S10", show=".3f")
def the_constant_goes_into_the_projection() -> float:
    """Where c goes (repair 7 of the draft).

    zh: 常数 $c$ 改变 softmax 的份额（它缩放分差，不是平移），但把查询乘以 $c$ 得到完全相同的分数，所以 $W^Q$ 可以吸
        收它。
    en: The constant $c$ does change softmax's shares (it scales differences, it does not shift them), but
        multiplying the query by $c$ gives the same scores, so $W^Q$ can absorb it.
    """
    c, keys = 2.0, np.array([steep, the, flat])
    scores = attn.dot(bank, keys)
    moved = np.abs(attn.softmax(c * scores) - attn.softmax(scores)).max()
    assert np.abs(attn.dot(c * bank, keys) - c * scores).max() < 1e-12
    assert moved > 0.1
    return float(moved)


@claim("S11", show="bound")
def learned_table() -> float:
    r"""Name the table that training writes, with words as rows (repair 8 of the draft).

    zh: 词是行时，$(xW^Q)\cdot(yW^K)$ 用的打分表是 $M=W^QW^{K\top}$；它一般不对称，也不是 $cI$。
    en: With words as rows, $(xW^Q)\cdot(yW^K)$ scores with the table $M=W^QW^{K\top}$, in general neither symmetric
        nor $cI$.
    """
    rng = np.random.default_rng(seed(8))
    x, y = rng.normal(size=(2, 10, 5))
    WQ, WK = rng.normal(size=(2, 5, 3))
    M = WQ @ WK.T
    deviation = np.abs(attn.bilinear(x, y, M) - attn.dot(x @ WQ, y @ WK)).max()
    assert deviation < 1e-9
    assert np.abs(M - M.T).max() > 1e-3
    assert np.linalg.matrix_rank(M) == WQ.shape[1]
    return float(deviation)


@claim("S12", show="bound")
def one_word_listens() -> float:
    """Run the whole formula on the toy sentence and compare it with the sums written out.

    zh: 对这句话算注意力（$Q=K=V=X$），bank 的新向量等于按份额逐项相加的结果，并且转向 steep 那一侧。
    en: Attention over the sentence ($Q=K=V=X$) gives bank the sum of the words weighted by their shares, and turns
        it towards steep.
    """
    X = np.array([the, bank, was, steep])
    updated = attn.scaled_dot_product_attention(X, X, X)[1]
    raised = [np.exp(sum(q * k for q, k in zip(bank, word, strict=True)) / np.sqrt(2)) for word in X]
    by_hand = sum(r * word for r, word in zip(raised, X, strict=True)) / sum(raised)
    deviation = np.abs(updated - by_hand).max()
    assert deviation < 1e-12
    assert attn.cosine(updated, steep) > attn.cosine(bank, steep)
    return float(deviation)


@claim("S13", show=".1f")
def the_opposite_question() -> np.ndarray:
    r"""Check exercise 1.

    zh: $\text{bank}\cdot\text{steep}=2$，$(-\text{bank})\cdot\text{steep}=-2$。
    en: $\text{bank}\cdot\text{steep}=2$ and $(-\text{bank})\cdot\text{steep}=-2$.
    """
    products = np.array([attn.dot(bank, steep), attn.dot(-bank, steep)])
    assert np.abs(products - [2, -2]).max() < 1e-12
    return products


@claim("S14", show=",.0f")
def variance_of_a_score() -> float:
    r"""Check exercise 3, within six standard errors.

    zh: 各分量方差为 4 的独立正态词向量，$\mathrm{Var}(q\cdot k)=16\,d$；$d=64$ 时是 1024（十万对词，容许六个标准
        误）。
    en: For independent normal components of variance 4, $\mathrm{Var}(q\cdot k)=16\,d$, which is 1024 at $d=64$ (a
        hundred thousand pairs of words; six standard errors).
    """
    rng = np.random.default_rng(seed(9))
    # As many pairs as draws at a time, each a stack of one query and one key.
    pairs = (rng.normal(0, np.sqrt(component_variance), size=(2, draws, 1, dimensions)) for _ in range(batches))
    measured = np.mean([attn.dot(q, k) ** 2 for q, k in pairs])
    expected = component_variance**2 * dimensions
    # Var(s²) = E s⁴ − (E s²)² = 2 v² + 6 v²/d for v = E s², since E (qᵢkᵢ)⁴ = 9 (E (qᵢkᵢ)²)² for normals.
    standard_error = expected * np.sqrt((2 + 6 / dimensions) / (batches * draws))
    assert abs(measured - expected) < 6 * standard_error
    return float(measured)


@claim("S15", show=".2f")
def the_suspect() -> np.ndarray:
    r"""Check exercise 4 (repairs 1 and 2 of the draft).

    zh: $(1.8,\ 1.5)$ 是三个向量里最长的；距离、内积、余弦都把它排在 steep 前面；$\lambda<0.2638$ 时距离才改口。
    en: $(1.8,\ 1.5)$ is the longest of the three vectors; distance, dot product and cosine all put it before steep;
        the distance changes its mind only for $\lambda$ below 0.2638.
    """
    keys = np.array([steep, suspect])
    distances = -attn.negative_distance(bank, keys)
    dots, cosines = attn.dot(bank, keys), attn.cosine(bank, keys)
    flip = flip_point(bank, steep, suspect)
    nearer = [
        attn.negative_distance(scale * bank, suspect) - attn.negative_distance(scale * bank, steep)
        for scale in (flip - 0.01, flip + 0.01)
    ]
    assert nearer[0] < 0 < nearer[1]
    assert abs(distances[1] - np.sqrt(1.04)) < 1e-12
    assert np.linalg.norm(suspect) > max(np.linalg.norm(bank), np.linalg.norm(steep))
    assert distances[1] < distances[0]
    assert dots[1] > dots[0]
    assert cosines[1] > cosines[0]
    assert abs(flip - 1.24 / 4.7) < 1e-12
    return np.array([distances[1], dots[1], cosines[1]])


if __name__ == "__main__":
    raise SystemExit(main())
