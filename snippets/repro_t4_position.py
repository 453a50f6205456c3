"""Research day T4, position: what the machine cannot see, and six ways of telling it who stands where.

Lesson L4 is compiled from this day. Run it alone to check its claims: ``python repro_t4_position.py``.

Places are counted from 0, as numpy counts rows. Rounding: u = 2⁻⁵³; a sum of d products, in any order, errs by
at most d·u times the sum of their sizes (Higham, *Accuracy and Stability of Numerical Algorithms*, §3.1), and an
angle as large as i is itself known to i·u only. Sampling: a variance estimated from N normal draws has the
relative standard error √(2/N); six of them are allowed.
"""

import math
from collections.abc import Callable

import numpy as np
from repro_t1_scorers import the
from repro_t2_scaled_dotprod import WK, WQ, WV

import attn
from knit import claim, main, seed

u = 2.0**-53

# The two sentences. "the" is L1's; the other three words are made up for this lesson.
vocabulary = {
    "the": the,
    "dog": np.array([1.5, 0.5]),
    "bites": np.array([0.5, 1.5]),
    "man": np.array([1.0, -1.0]),
}
dog_bites = ["the", "dog", "bites", "the", "man"]
man_bites = ["the", "man", "bites", "the", "dog"]
swapped = [0, 4, 2, 3, 1]  # who stands where in the second sentence: dog and man have changed places

d = 64  # components of a word wherever the two of the plane would be too few
n = 50  # words of a sentence, as in L2
base = 10_000  # of the sinusoids: the slowest hand is about this many times slower than the fastest
push = 100  # how far a whole sentence is moved on
trained = 512  # a length: the offsets that a machine has seen
room = n + push  # places that one-hot has components for
sentences = 300  # drawn for each idea
slope = 0.5  # of ALiBi: the points taken off for each step of distance
frequencies = float(base) ** (-np.arange(0, d, 2) / d)  # radians that each hand turns at a step


def sentence(words: list[str]) -> np.ndarray:
    """Stack the vectors of a sentence, a word a row."""
    return np.array([vocabulary[word] for word in words])


def attend(X: np.ndarray, tables: tuple[np.ndarray, ...] = (WQ, WK, WV)) -> tuple[np.ndarray, np.ndarray]:
    """Run L2's machine on the rows of X; give the output and the weights."""
    Q, K, V = (X @ table for table in tables)
    return attn.scaled_dot_product_attention(Q, K, V, return_weights=True)


def rounding(X: np.ndarray, tables: tuple[np.ndarray, ...] = (WQ, WK, WV)) -> float:
    """Bound how far two runs of the machine on the same words can be apart by rounding alone.

    First-order error analysis, step by step through the machine: projections, scores, weights, output. The last
    factor counts two runs and leaves as much again for what is of second order.
    """
    absolute = [np.abs(X) @ np.abs(table) for table in tables]
    q, k, v = absolute
    terms = X.shape[1] * u
    scale = 1 / math.sqrt(q.shape[1])
    score_error = (2 * terms + (q.shape[1] + 4) * u) * scale * (q @ k.T)
    weight_error = 2 * score_error.max() + (len(X) + 12 + 2 * scale * (q @ k.T).max()) * u  # relative
    _, weights = attend(X, tables)
    return float(4 * (weight_error + terms + len(X) * u) * (weights @ v).max())


def drawn_tables(rng: np.random.Generator, width: int = d) -> tuple[np.ndarray, ...]:
    """Draw W^Q, W^K and W^V so that words of unit variance give queries, keys and contents of unit variance."""
    return tuple(rng.standard_normal((3, width, d)) / math.sqrt(d))


# --- The machine sees who is there, not who stands where ---


@claim("O1", show="bound")
def two_sentences_one_output() -> float:
    """Feed both sentences to the machine of L2.

    zh: “the dog bites the man”和“the man bites the dog”里，每个词的输出都一样，差别不超过舍入误差。
    en: In “the dog bites the man” and “the man bites the dog” every word's output is the same, up to rounding.
    """
    first, second = attend(sentence(dog_bites))[0], attend(sentence(man_bites))[0]
    deviation = float(np.abs(first[swapped] - second).max())
    assert deviation <= rounding(sentence(dog_bites))
    return deviation


@claim("O2.a", show="bound")
def shuffled_words_shuffled_output() -> float:
    r"""Permute the rows of a random sentence.

    zh: 把词的顺序打乱，输出只是同步打乱：$\operatorname{Attention}(PX)=P\operatorname{Attention}(X)$，差别不超过舍
        入误差。
    en: Shuffle the words and the output is shuffled likewise,
        $\operatorname{Attention}(PX)=P\operatorname{Attention}(X)$, up to rounding.
    """
    X, order, tables = random_sentence(41)
    deviation = float(np.abs(attend(X[order], tables)[0] - attend(X, tables)[0][order]).max())
    assert deviation <= rounding(X, tables)
    return deviation


@claim("O2.b", show="bound")
def shuffled_words_shuffled_weights() -> float:
    r"""Permute the rows and look at the table of weights.

    zh: 权重表的行和列一起打乱：$A(PX)=P\,A(X)\,P^\top$，差别不超过舍入误差。
    en: The table of weights is shuffled in rows and columns alike, $A(PX)=P\,A(X)\,P^\top$, up to rounding.
    """
    X, order, tables = random_sentence(42)
    deviation = np.abs(attend(X[order], tables)[1] - attend(X, tables)[1][np.ix_(order, order)]).max()
    unit = (tables[0], tables[1], np.eye(d)[:, :1])  # the weights are outputs for contents that are 0 or 1
    assert deviation <= rounding(np.abs(X) + 1, unit)
    return float(deviation)


@claim("O2.c", show=".0%")
def a_mask_sees_order() -> float:
    """Let each word see only itself and the words before it.

    zh: 加上因果掩码以后，两句话里 bites 的输出就不同了，差别远超舍入误差：掩码自己也透露顺序。
    en: Under a causal mask the outputs of “bites” in the two sentences differ by far more than rounding: the
        mask, too, gives order away.
    """
    first, second = (masked(sentence(words)) for words in (dog_bites, man_bites))
    difference = float(np.linalg.norm(first[2] - second[2]) / np.linalg.norm(first[2]))
    assert difference > 1e6 * rounding(sentence(dog_bites))
    return difference


@claim("O2.d", show="bound")
def the_last_word_sees_a_bag() -> float:
    """Shuffle all words but the last, under a causal mask.

    zh: 加了掩码，最后一个词前面的词怎么打乱，它的输出都不变：它看到的仍然是一袋词。
    en: Under the mask, shuffle the words before the last one as you like and its output stays: it still sees a bag.
    """
    X = sentence(dog_bites)
    first, second = masked(X)[-1], masked(X[[2, 1, 0, 3, 4]])[-1]
    deviation = float(np.abs(first - second).max())
    assert deviation <= rounding(X)
    assert np.abs(first - attend(X)[0][-1]).max() <= rounding(X)  # the last word sees all, the first only itself
    assert np.abs(masked(X)[0] - X[0] @ WV).max() <= rounding(X)
    return deviation


def masked(X: np.ndarray) -> np.ndarray:
    """Run L2's machine with each word blind to the words after it."""
    return attn.scaled_dot_product_attention(X @ WQ, X @ WK, X @ WV, mask=attn.causal_mask(len(X)))


def random_sentence(number: int) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, ...]]:
    """Draw n words, an order to shuffle them into, and the machine's tables."""
    rng = np.random.default_rng(seed(number))
    return rng.standard_normal((n, d)), rng.permutation(n), drawn_tables(rng)


# --- Writing the place into the word ---


def appended(X: np.ndarray, places: np.ndarray, length: int) -> np.ndarray:  # noqa: ARG001 - one signature for all
    """Give each word its place as one more component."""
    return np.column_stack([X, places])


def added(X: np.ndarray, places: np.ndarray, length: int) -> np.ndarray:  # noqa: ARG001
    """Add a word's place to each of its components."""
    return X + places[:, None]


def normalised(X: np.ndarray, places: np.ndarray, length: int) -> np.ndarray:
    """Give each word its place as a share of the sentence's length."""
    return np.column_stack([X, places / length])


def one_hot(X: np.ndarray, places: np.ndarray, length: int) -> np.ndarray:  # noqa: ARG001
    """Give each word a component for each place: 1 at its own, 0 at the others."""
    return np.column_stack([X, np.eye(room)[places]])


def sinusoids(X: np.ndarray, places: np.ndarray, length: int) -> np.ndarray:  # noqa: ARG001
    """Add the vector of its place to each word."""
    return X + attn.sinusoidal(int(places[-1]) + 1, X.shape[1])[places]


def nothing(X: np.ndarray, places: np.ndarray, length: int) -> np.ndarray:  # noqa: ARG001
    """Leave the words as they are."""
    return X


def rope(X: np.ndarray, places: np.ndarray, length: int) -> np.ndarray:
    """Leave the words as they are: queries and keys are turned instead, in ``told_scores``."""
    return nothing(X, places, length)


def alibi(X: np.ndarray, places: np.ndarray, length: int) -> np.ndarray:
    """Leave the words as they are: the scores are changed instead, in ``told_scores``."""
    return nothing(X, places, length)


Idea = Callable[[np.ndarray, np.ndarray, int], np.ndarray]


def told_scores(
    idea: Idea, X: np.ndarray, places: np.ndarray, length: int, tables: tuple[np.ndarray, ...]
) -> tuple[np.ndarray, float]:
    """Score every word with every word once the machine is told the places; bound the rounding of a score."""
    told = idea(X, places, length)
    Q, K = told @ tables[0], told @ tables[1]
    terms = 4 * (2 * told.shape[1] + d + 2 * places[-1]) * u
    error = terms * (np.abs(told) @ np.abs(tables[0]) @ (np.abs(told) @ np.abs(tables[1])).T).max()
    if idea is rope:
        Q, K = attn.rope(Q, places), attn.rope(K, places)
    scores = attn.dot(Q, K) / math.sqrt(Q.shape[1])
    if idea is alibi:
        scores = scores + attn.alibi(len(X), slope)
    return scores, float(error)


def echo(length: int, width: int = d) -> np.ndarray:
    """Say the same word at every place, so that nothing but the place can decide."""
    return np.ones((length, width))


def middle_wins(idea: Idea) -> float:
    """Count how often the middle one of three copies of a word is a word's favourite of the three.

    The sentence, the three places and the machine's tables are drawn anew each time; to count, a win must exceed
    rounding.
    """
    rng = np.random.default_rng(seed(43))
    wins = 0
    for _ in range(sentences):
        X = rng.standard_normal((n, d))
        trio = np.sort(rng.choice(n, 3, replace=False))
        X[trio] = X[trio[0]]
        tables = drawn_tables(rng, idea(X, np.arange(n), n).shape[1])
        scores, error = told_scores(idea, X, np.arange(n), n, tables)
        wins += int((scores[:, trio[1]] > np.maximum(scores[:, trio[0]], scores[:, trio[2]]) + error).sum())
    return wins / (sentences * n)


@claim("O3.a", show=".0%")
def the_middle_copy_never_wins() -> float:
    """Put three copies of a word into random sentences and score with random tables.

    zh: 序号无论接在后面、加上去还是除以长度，同一个词的三份里，中间那份从来不会单独成为谁的首选。
    en: With the index appended, added or divided by the length, the middle one of three copies of a word is never
        anyone's sole favourite of the three.
    """
    share = max(middle_wins(idea) for idea in (appended, added, normalised))
    assert share == 0
    return share


@claim("O3.b", show=".0%")
def elsewhere_it_does() -> float:
    """Do the same with the other ideas.

    zh: 换成独热、正弦、RoPE 或 ALiBi，中间那份都会被选中（给出选得最少的那个办法）。
    en: With one-hot places, sinusoids, RoPE or ALiBi the middle copy does get chosen (shown is the idea that
        chooses it least).
    """
    share = min(middle_wins(idea) for idea in (one_hot, sinusoids, rope, alibi))
    assert share > 0
    return share


@claim("O4", show=".3f")
def the_last_word_shouts() -> float:
    r"""Append the index to a sentence that says one word at every place.

    zh: 把序号接在词后面，$n$ 处都是同一个词，$i$ 处的词分给最后一个词的权重是 $(1-r)/(1-r^n)$，其中
        $r=\exp(-i/\sqrt{d+1})$。
    en: With the index appended and the same word at all $n$ places, the word at place $i$ gives the last one the
        weight $(1-r)/(1-r^n)$, where $r=\exp(-i/\sqrt{d+1})$.
    """
    told = appended(echo(n), np.arange(n), n)
    _, weights = attn.scaled_dot_product_attention(told, told, told, return_weights=True)
    r = np.exp(-np.arange(1, n) / math.sqrt(d + 1))
    largest = told[-1] @ told[-1] / math.sqrt(d + 1)
    assert np.abs(weights[1:, -1] - (1 - r) / (1 - r**n)).max() <= (d + n) * 8 * u * largest
    return float(weights[n // 2, -1])


@claim("O5", show=".4f")
def the_words_melt() -> float:
    """Add the index to every component and compare two different words at the same place.

    1 − cos is |x−y|²/(2·i²·d) to first order, where |x−y|² has the mean 2d = 128; 0.001 would need 320.

    zh: 把序号加到每个分量上：到了 50 号位，两个不同的词方向几乎相同，余弦都在 0.999 以上。
    en: With the index added to every component, two different words at place 50 point almost the same way: their
        cosine is above 0.999.
    """
    rng = np.random.default_rng(seed(44))
    x, y = added(rng.standard_normal((2000, d)), np.full(2000, n), n).reshape(2, 1000, d)
    cosines = (x * y).sum(axis=1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)
    assert cosines.min() > 0.999
    return float(cosines.mean())


@claim("O6", show=".5f")
def neighbours_fade() -> float:
    r"""Append the index divided by the length, and compare what two neighbours receive.

    zh: 序号除以长度，到处同一个词：$i$ 处的词分给相邻两处的权重之比是 $\exp(i/(n^2\sqrt{d+1}))$；$n=1000$ 时处处不
        到 1.0002。
    en: With the index divided by the length and one word everywhere, the weights that the word at place $i$ gives
        to two neighbours are in the ratio $\exp(i/(n^2\sqrt{d+1}))$: below 1.0002 everywhere at $n=1000$.
    """
    long = 1000
    told = normalised(echo(long), np.arange(long), long)
    _, weights = attn.scaled_dot_product_attention(told, told, told, return_weights=True)
    ratios = weights[:, 1:] / weights[:, :-1]
    expected = np.exp(np.arange(long) / long**2 / math.sqrt(d + 1))
    largest = told[-1] @ told[-1] / math.sqrt(d + 1)
    assert np.abs(ratios - expected[:, None]).max() <= 8 * (d + 8) * u * largest
    assert ratios.max() < 1.0002
    return float(ratios.max())


@claim("O7.a", show="bound")
def one_hot_knows_no_distance() -> float:
    """Append a one-hot place and score by the plain dot product.

    zh: 独热位置直接做内积，别的位置无论远近，权重都相同。
    en: With one-hot places and the plain dot product, every other place gets the same weight, near or far.
    """
    told = one_hot(echo(n), np.arange(n), n)
    _, weights = attn.scaled_dot_product_attention(told, told, told, return_weights=True)
    others = weights[~np.eye(n, dtype=bool)]
    assert np.ptp(others) <= 8 * (d + n) * u
    return float(np.ptp(others))


look_back = 8.0  # the score that a table gives to "the word just before me"


@claim("O7.b", show=".3f")
def one_hot_obeys_any_table() -> float:
    """Let a table of the places give one score to the place before, for each place separately.

    zh: 独热位置配一张任意的表，可以让每个词都看它的前一个词：权重 $e^8/(e^8+n-1)$。
    en: One-hot places with a free table can make every word look at the one before it: weight $e^8/(e^8+n-1)$.
    """
    places = np.eye(n)
    table = look_back * math.sqrt(n) * np.eye(n, k=-1)  # one number for each place that has one before it
    _, weights = attn.scaled_dot_product_attention(places @ table, places, places, return_weights=True)
    before = weights[np.arange(1, n), np.arange(n - 1)]
    expected = math.exp(look_back) / (math.exp(look_back) + n - 1)
    assert np.abs(before - expected).max() <= 8 * n * u
    return float(before[0])


# --- A shift is a fixed rotation: sinusoids ---


def turn(step: float, rates: np.ndarray = frequencies) -> np.ndarray:
    """Give the block rotation that turns pair m by ``step`` times its rate; rows are multiplied from the left."""
    blocks = np.zeros((2 * len(rates), 2 * len(rates)))
    for m, rate in enumerate(rates):
        blocks[2 * m : 2 * m + 2, 2 * m : 2 * m + 2] = attn.rotation(step * rate)
    return blocks


@claim("O8.a", show="bound")
def hands_of_many_clocks() -> float:
    r"""Compare with sines and cosines computed one by one.

    zh: 位置 $i$ 的第 $m$ 对分量是 $(\sin\omega_{im},\ \cos\omega_{im})$，角度为 $i\cdot10000^{-2m/d}$。
    en: Pair $m$ of place $i$ is the sine and cosine of the angle $i\cdot10000^{-2m/d}$.
    """
    places = attn.sinusoidal(trained, d)
    expected = np.zeros((trained, d))
    for i in range(trained):
        for m in range(d // 2):
            angle = i / 10_000 ** (2 * m / d)
            expected[i, 2 * m : 2 * m + 2] = math.sin(angle), math.cos(angle)
    deviation = float(np.abs(places - expected).max())
    assert deviation <= 16 * trained * u
    assert np.abs(attn.frequencies(d) - [10_000 ** (-2 * m / d) for m in range(d // 2)]).max() <= 16 * u
    return deviation


@claim("O8.b", show="bound")
def a_shift_is_a_fixed_rotation() -> float:
    """Push every place on by the same number of steps.

    zh: 往后挪 $t$ 步，等于乘一个与 $i$ 无关的旋转：$p_{i+t}=p_iR_t$。
    en: Moving $t$ steps on is multiplying by one rotation that does not depend on $i$: $p_{i+t}=p_iR_t$.
    """
    places = attn.sinusoidal(trained, d)
    deviation = max(float(np.abs(places[k:] - places[:-k] @ turn(k)).max()) for k in (1, 7, push))
    assert deviation <= 32 * trained * u
    return deviation


@claim("O8.c", show="bound")
def only_the_offset() -> float:
    r"""Compare all pairs of places with the sum of cosines of their offset.

    zh: 两个位置向量的内积只取决于相隔几步：$p_i\cdot p_j=\sum_m\cos((i-j)\,\omega_m)$；每个位置向量一样长，都是
        $\sqrt{d/2}$。
    en: The dot product of two places depends on their offset only, $p_i\cdot p_j=\sum_m\cos((i-j)\,\omega_m)$, and
        all places are equally long: $\sqrt{d/2}$.
    """
    places = attn.sinusoidal(trained, d)
    i = np.arange(trained)
    expected = np.cos((i[:, None] - i)[..., None] * frequencies).sum(axis=-1)
    deviation = np.abs(attn.dot(places, places) - expected).max()
    lengths = np.abs(np.linalg.norm(places, axis=1) - math.sqrt(d / 2)).max()
    assert deviation <= d * (4 * trained + d) * u
    assert lengths <= d * u * 8
    return float(deviation)


@claim("O9.a", show=".4f")
def one_hand_comes_round() -> float:
    """Tell places 0 and 44 apart with one hand that turns a radian at a step.

    zh: 只有一根每步转 1 弧度的指针时，44 步几乎正好转 7 圈：0 号位和 44 号位的向量只差不到 0.02。
    en: With one hand that turns a radian at a step, 44 steps are almost exactly seven turns: places 0 and 44 are less
        than 0.02 apart.
    """
    places = attn.sinusoidal(45, 2)
    distance = float(np.linalg.norm(places[44] - places[0]))
    assert abs(distance - 2 * math.sin((44 - 14 * math.pi) / 2)) <= 64 * 44 * u
    assert distance < 0.02
    return distance


many_places = 100_000


@claim("O9.b", show=".2f")
def many_hands_do_not() -> float:
    """Find the two nearest of 100,000 places; the offset decides, so offsets are tried and not pairs.

    zh: 32 根指针一起看，前 10 万个位置里任意两个之间的距离，最近的就是相邻的两个。
    en: With all 32 hands, no two of the first 100,000 places are nearer to each other than neighbours are.
    """
    places = attn.sinusoidal(many_places, d)
    distances = np.linalg.norm(places[1:] - places[0], axis=1)
    neighbours = math.sqrt((2 - 2 * np.cos(frequencies)).sum())
    assert distances.argmin() == 0
    assert abs(distances[0] - neighbours) <= 64 * d * u
    return float(distances[0])


@claim("O10.a", show=".0%")
def sinusoids_look_back() -> float:
    """Turn the queries one step back.

    zh: 让查询往回转一步（$W^Q$ 取 $R_{-1}$），只看位置的话，每个位置得分最高的都是它前面那一个。
    en: With queries turned one step back ($W^Q=R_{-1}$), the place alone gives its highest score to the one before
        it, at every place.
    """
    places = attn.sinusoidal(trained, d)
    scores = attn.dot(places @ turn(-1), places)
    share = float((scores[1:].argmax(axis=1) == np.arange(trained - 1)).mean())
    assert share == 1
    return share


@claim("O10.b", show=".0%")
def bites_differs() -> float:
    """Add sinusoids to both sentences.

    zh: 加上正弦编码以后，两句话里 bites 的输出不再相同，差别远超舍入误差。
    en: With sinusoids added, the outputs of “bites” in the two sentences differ by far more than rounding.
    """
    first, second = (attend(sinusoids(sentence(w), np.arange(5), 5))[0] for w in (dog_bites, man_bites))
    difference = float(np.linalg.norm(first[2] - second[2]) / np.linalg.norm(first[2]))
    assert difference > 1e6 * rounding(np.abs(sentence(dog_bites)) + 1)
    return difference


pairs = 20_000  # of words drawn to see how far their score moves


@claim("O11", show=".2f")
def adding_brings_cross_terms() -> float:
    r"""Push two words on together, sinusoids added: only the cross terms change.

    zh: 正弦编码加在词上：两个词一起往后挪 $c$ 步，相隔没变，分数却变了，方差是 $2\lVert p_c-p_0\rVert^2/d$。
    en: With sinusoids added, two words moved $c$ steps on together keep their offset and yet change their score,
        with the variance $2\lVert p_c-p_0\rVert^2/d$.
    """
    changes = pushed_scores()
    places = attn.sinusoidal(push + 1, d)
    expected = 2 * ((places[push] - places[0]) ** 2).sum() / d
    assert abs(changes.var() / expected - 1) < 6 * math.sqrt(2 / pairs)
    return float(changes.std())


def pushed_scores() -> np.ndarray:
    """Draw pairs of words at places 3 and 7 and give the change of their score at places 103 and 107."""
    rng = np.random.default_rng(seed(45))
    x, y = rng.standard_normal((2, pairs, d))
    p = attn.sinusoidal(push + 8, d)
    before = ((x + p[3]) * (y + p[7])).sum(axis=1)
    after = ((x + p[3 + push]) * (y + p[7 + push])).sum(axis=1)
    return (after - before) / math.sqrt(d)


# --- Only the offset may count: RoPE ---


@claim("O12.a", show="bound")
def rope_scores_survive_a_push() -> float:
    """Push a whole sentence on by up to a thousand places.

    zh: RoPE：整句话往后挪，每一格分数都不变，差别不超过舍入误差。
    en: RoPE: move the whole sentence on and no score changes, up to rounding.
    """
    rng = np.random.default_rng(seed(46))
    q, k = rng.standard_normal((2, n, d))
    i = np.arange(n)
    here = attn.dot(attn.rope(q, i), attn.rope(k, i))
    there = [attn.dot(attn.rope(q, i + c), attn.rope(k, i + c)) for c in (1, push, 1000)]
    deviation = float(max(np.abs(s - here).max() for s in there))
    longest = np.linalg.norm(q, axis=1).max() * np.linalg.norm(k, axis=1).max()
    assert deviation <= 4 * (2 * (n + 1000) + d + 8) * u * longest
    return deviation


@claim("O12.b", show="bound")
def rope_is_a_power() -> float:
    """Compare with the i-th power of the one-step rotation, multiplied out.

    zh: RoPE 在 $i$ 处做的事，就是把第 1 步的旋转重复 $i$ 次：$R_i=R_1^i$；0 号位什么也不做；长度不变。
    en: What RoPE does at place $i$ is the rotation of one step, $i$ times over: $R_i=R_1^i$. Place 0 changes
        nothing, and lengths are kept.
    """
    rng = np.random.default_rng(seed(47))
    x = rng.standard_normal((n, d))
    turned = attn.rope(x, np.arange(n))
    expected = np.array([x[i] @ np.linalg.matrix_power(turn(-1), i) for i in range(n)])
    deviation = float(np.abs(turned - expected).max())
    lengths = np.abs(np.linalg.norm(turned, axis=1) - np.linalg.norm(x, axis=1)).max()
    assert (turned[0] == x[0]).all()
    assert deviation <= 16 * n * u * np.linalg.norm(x, axis=1).max()
    assert lengths <= 16 * d * u * np.linalg.norm(x, axis=1).max()
    return deviation / float(np.abs(x).max())  # of the largest component


@claim("O12.c", show=".1f")
def any_other_law_fails() -> float:
    """Turn by the square of the place instead of the place.

    zh: 要是位置 $i$ 转的角度正比于 $i^2$，而不是 $i$，整句话往后挪，分数就变了。
    en: If place $i$ turned by an angle in proportion to $i^2$ instead of $i$, moving the sentence on would change
        the scores.
    """
    rng = np.random.default_rng(seed(48))
    q, k = rng.standard_normal((2, n, d))
    i = np.arange(n)
    here = attn.dot(attn.rope(q, i**2), attn.rope(k, i**2))
    there = attn.dot(attn.rope(q, (i + push) ** 2), attn.rope(k, (i + push) ** 2))
    change = float(np.abs(there - here).max())
    longest = np.linalg.norm(q, axis=1).max() * np.linalg.norm(k, axis=1).max()
    assert change > 1e6 * 4 * (2 * (n + push) ** 2 + d + 8) * u * longest
    return change


@claim("O13.a", show=".0%")
def rope_looks_back() -> float:
    """Say one word at every place and turn its queries one step back.

    zh: RoPE：到处都是同一个词，$W^Q$ 取往回转一步的旋转，每个词得分最高的都是它前面那一个，对任何词都成立。
    en: RoPE: with one word everywhere and $W^Q$ the rotation one step back, every word gives its highest score to
        the one before it, whatever the word is.
    """
    rng = np.random.default_rng(seed(49))
    X = np.tile(rng.standard_normal(d), (trained, 1))
    scores = rope_scores(X @ turn(1), X)
    share = float((scores[1:].argmax(axis=1) == np.arange(trained - 1)).mean())
    assert share == 1
    return share


def rope_scores(Q: np.ndarray, K: np.ndarray, start: int = 0) -> np.ndarray:
    """Score every query with every key, both turned by RoPE, at places from ``start`` on."""
    places = np.arange(start, start + len(Q))
    return attn.dot(attn.rope(Q, places), attn.rope(K, places)) / math.sqrt(Q.shape[1])


@claim("O13.b", show=".0%")
def bites_differs_with_rope() -> float:
    """Give both sentences to the machine with RoPE.

    zh: 用 RoPE，两句话里 bites 的输出不再相同，差别远超舍入误差。
    en: With RoPE the outputs of “bites” in the two sentences differ by far more than rounding.
    """
    outputs = [rope_attend(sentence(w))[2] for w in (dog_bites, man_bites)]
    difference = float(np.linalg.norm(outputs[0] - outputs[1]) / np.linalg.norm(outputs[0]))
    assert difference > 1e6 * rounding(sentence(dog_bites))
    return difference


def rope_attend(X: np.ndarray) -> np.ndarray:
    """Run L2's machine with queries and keys turned by RoPE; the contents are left alone."""
    places = np.arange(len(X))
    return attn.scaled_dot_product_attention(attn.rope(X @ WQ, places), attn.rope(X @ WK, places), X @ WV)


# --- The blunt tool: ALiBi ---


@claim("O14.a", show=".3f")
def alibi_is_a_geometric_series() -> float:
    """Say one word everywhere and look from the middle.

    zh: ALiBi，到处同一个词：隔 $t$ 步的词权重是自己的 $e^{-mt}$ 倍；句子一长，留给自己的趋于 $(e^m-1)/(e^m+1)$。
    en: ALiBi, one word everywhere: a word $t$ steps away weighs $e^{-mt}$ times as much as oneself, and as the
        sentence grows, one's own share tends to $(e^m-1)/(e^m+1)$.
    """
    half = 200
    words = echo(2 * half + 1)
    weights = attn.attention_weights(words, words, mask=attn.alibi(len(words), slope))[half]
    steps = np.abs(np.arange(len(words)) - half)
    expected = math.tanh(slope / 2) * np.exp(-slope * steps)
    left_out = 2 * math.exp(-slope * (half + 1)) / (1 - math.exp(-slope))  # of the series, beyond both ends
    assert np.abs(weights - expected).max() <= left_out + 8 * (half + slope * half) * u
    return float(weights[half])


far = 32  # steps


@claim("O14.b", show="bound")
def alibi_cannot_look_far() -> float:
    r"""Draw random words and add up the weight on all that is farther than ``far`` steps.

    Far words share e^(range) times a geometric series at most, since one's own word is in the sum.

    zh: ALiBi 的权重就是 $\operatorname{softmax}(QK^\top/\sqrt d-m\,\lvert i-j\rvert)$；隔 $D$ 步以上的全部词，权重
        合计不超过 $2e^{\Delta-m(D+1)}/(1-e^{-m})$，$\Delta$ 是内容分数的极差，与句长无关。
    en: ALiBi's weights are $\operatorname{softmax}(QK^\top/\sqrt d-m\,\lvert i-j\rvert)$; all words more than $D$
        steps away together weigh at most $2e^{\Delta-m(D+1)}/(1-e^{-m})$, where $\Delta$ is the range of the
        content scores, however long the sentence.
    """
    rng = np.random.default_rng(seed(50))
    q, k = rng.standard_normal((2, trained, d))
    scores = attn.dot(q, k) / math.sqrt(d)
    weights = attn.attention_weights(q, k, mask=attn.alibi(trained, slope))
    steps = np.abs(np.arange(trained)[:, None] - np.arange(trained))
    told = scores - slope * steps
    by_hand = np.exp(told) / np.exp(told).sum(axis=1, keepdims=True)
    # An error of a score is a relative error of its weight and of the sum; the weights, too, were computed twice.
    score_error = (d + 4) * u * (np.abs(q) @ np.abs(k).T).max() / math.sqrt(d) + 4 * u * np.abs(told).max()
    assert np.abs(weights - by_hand).max() <= 2 * (2 * score_error + (trained + 8) * u)
    beyond = np.where(steps > far, weights, 0).sum(axis=1)
    allowed = 2 * np.exp(np.ptp(scores, axis=1) - slope * (far + 1)) / (1 - math.exp(-slope))
    assert (beyond <= allowed).all()
    return float(beyond.max())


# --- Beyond the lengths it saw ---

lengths = (64, 512, 4096, 32768)


def weight_on_the_word_before(length: int) -> float:
    """Give what the last word gives the one before it: RoPE, one word everywhere, queries turned one step back."""
    q, keys = echo(1) @ turn(1), echo(length)
    scores = attn.dot(attn.rope(q, np.array([length - 1])), attn.rope(keys, np.arange(length))) / math.sqrt(d)
    return float(attn.softmax(scores)[0, -2])


def alibi_weight_on_the_word_before(length: int) -> float:
    """Give what the last word gives the one before it with ALiBi, one word everywhere."""
    bias = attn.alibi(1, slope, m=length)
    return float(attn.attention_weights(echo(1), echo(length), mask=bias)[0, -2])


@claim("O15", show=".3f")
def bounded_scores_thin_out() -> float:
    """Lengthen the sentence and watch the weight on the word before.

    With scores in [−c, c], one word can get e^(2c)/(e^(2c) + n − 1) at most: its own e^c against n − 1 times e^(−c).

    zh: RoPE 的分数有界：句子越长，分给前一个词的权重越稀，从 64 个词到 32768 个词一路下降；ALiBi 的分数无下界，权重
        停在 $e^{-m}(1-e^{-m})$ 不动。
    en: RoPE's scores are bounded: the longer the sentence, the thinner the weight on the word before, all the way
        from 64 words to 32768; ALiBi's have no lower bound, and its weight stays at $e^{-m}(1-e^{-m})$.
    """
    rope_weights = np.array([weight_on_the_word_before(length) for length in lengths])
    alibi_weights = np.array([alibi_weight_on_the_word_before(length) for length in lengths])
    c = math.sqrt(d)  # the word is √d long, so no score exceeds d/√d
    for length, weight in zip(lengths, rope_weights, strict=True):  # the same by hand: Σ cos(k−1)ωₘ at k steps back
        scores = 2 * np.cos((np.arange(length)[:, None] - 1) * frequencies).sum(axis=1) / math.sqrt(d)
        assert abs(weight - math.exp(scores[1]) / np.exp(scores).sum()) <= 64 * (length + d) * u
    assert (np.diff(rope_weights) < 0).all()
    assert (rope_weights <= math.exp(2 * c) / (math.exp(2 * c) + np.array(lengths) - 1)).all()
    r = math.exp(-slope)
    series = r * (1 - r) / (1 - r ** np.array(lengths))  # 1 + r + r² + … over the sentence; the word before has r
    assert np.abs(alibi_weights - series).max() <= 8 * (lengths[-1] + d) * u
    assert np.ptp(alibi_weights) < r ** lengths[0] / (1 - r)  # what is left of the series
    return float(rope_weights[-1])


@claim("O16", show="d")
def half_the_hands_never_came_round() -> int:
    """Count the hands that have not made one turn when the last of 512 places is reached.

    zh: 32 根指针里，有 16 根在 512 个位置之内没转完一圈：再往后，它们指的是从没出现过的方向。
    en: Of the 32 hands, 16 have not made one turn within 512 places: farther on they point where they never pointed.
    """
    places = attn.sinusoidal(trained, d)
    turned = np.abs(np.unwrap(np.arctan2(places[:, 0::2], places[:, 1::2]), axis=0)[-1])
    unfinished = int((turned < 2 * np.pi).sum())
    assert unfinished == (frequencies * (trained - 1) < 2 * np.pi).sum() == 16
    return unfinished


wedge = 4 / trained  # the slope to be imitated: four points over the lengths seen
told_apart = 32  # offsets this far apart are ranked right
ridge = 0.01  # keeps the fitted numbers small


def fitted() -> np.ndarray:
    """Fit a score that RoPE can give, Σ cₘ cos(kωₘ), to −wedge·k for the offsets k that were seen."""
    k = np.arange(trained)
    cosines = np.cos(k[:, None] * frequencies)
    return np.linalg.solve(cosines.T @ cosines + ridge * np.eye(d // 2), cosines.T @ (-wedge * k))


def fitted_scores(length: int) -> np.ndarray:
    """Give the score of the fitted query with one word everywhere, by RoPE, at offsets 0 to length − 1."""
    query, key = np.zeros((1, d)), np.zeros((length, d))
    query[0, 0::2], key[:, 0::2] = fitted() * math.sqrt(d), 1
    places = np.arange(length)
    turned = attn.rope(query, np.array([length - 1]))
    return (attn.dot(turned, attn.rope(key, places)) / math.sqrt(d))[0, ::-1]


@claim("O17", show="d")
def near_is_better_until_it_is_not() -> int:
    """Teach RoPE "the nearer the better" on 512 offsets, and go on.

    Nothing is drawn. That scores come back is no accident: a sum of cosines is almost periodic, so it comes as near as
    you like to its value at 0 again and again (Bohr).

    zh: 用最小二乘让 RoPE 在 512 步以内学会“越近分越高”：其中任意两处，只要相隔 32 步以上，总是近的分高；再往外，
        却有远处得分比见过的哪一处都高，连自己脚下也比不上（给出最高的那一处）。
    en: Fitted by least squares to “the nearer the better” on 512 offsets, RoPE gives the nearer of any two of them
        that are 32 or more apart the higher score; farther out some places score higher than all of those, one's
        own included (the highest is shown).
    """
    scores = fitted_scores(8 * trained)
    seen = scores[:trained]
    best_from = np.maximum.accumulate(seen[::-1])[::-1]  # of each offset and all seen ones beyond
    assert (seen[:-told_apart] > best_from[told_apart:]).all()
    assert scores[trained:].max() > seen.max()
    return trained + int(scores[trained:].argmax())


# --- Odd d ---


@claim("O18.a", show="bound")
def odd_rotations_leave_an_axis() -> float:
    """Draw rotations in 3, 5, 7 and 9 dimensions.

    zh: 奇数维的旋转总有一个方向不动：$R-I$ 的行列式为零，最小奇异值不超过舍入误差。
    en: In an odd number of dimensions a rotation always leaves a direction alone: $R-I$ has a singular value that
        is 0 up to rounding.
    """
    rng = np.random.default_rng(seed(51))
    smallest = 0.0
    for odd in (3, 5, 7, 9):
        R = attn.random_rotation(odd, rng)
        smallest = max(smallest, float(np.linalg.svd(R - np.eye(odd), compute_uv=False)[-1]))
        assert smallest <= 64 * odd**2 * u
    return smallest


@claim("O18.b", show=".3f")
def a_sine_without_its_cosine() -> float:
    r"""Take six components and lose the last, the slowest hand's cosine.

    zh: 少了一个余弦，相邻两个位置的内积就跟着位置变：从 $\sin(i\omega)\sin((i+1)\omega)$ 里多出一项
        $\cos((2i+1)\,\omega)/2$。
    en: With one cosine lost the dot product of neighbours depends on where they are:
        $\sin(i\omega)\sin((i+1)\omega)$ holds a term $\cos((2i+1)\,\omega)/2$.
    """
    places = attn.sinusoidal(2048, 6)[:, :5]
    neighbours = (places[1:] * places[:-1]).sum(axis=1)
    i, rates = np.arange(2047), 10_000.0 ** (-np.arange(0, 6, 2) / 6)
    expected = np.cos(rates[:2]).sum() + (math.cos(rates[2]) - np.cos((2 * i + 1) * rates[2])) / 2
    assert np.abs(neighbours - expected).max() <= 16 * 2048 * u
    return float(np.ptp(neighbours))


@claim("O18.c", show="d")
def attn_refuses_odd() -> int:
    """Ask for an odd number of components.

    zh: attn 拒绝给奇数维编码位置。
    en: attn refuses to give places to words with an odd number of components.
    """
    refused = 0
    for ask in (lambda: attn.sinusoidal(2, 5), lambda: attn.rope(echo(2, 5), np.arange(2))):
        try:
            ask()
        except ValueError:
            refused += 1
    assert refused == 2
    return refused


# --- Sixteen bits ---


def angles(places: np.ndarray, kind: type) -> np.ndarray:
    """Compute place times frequency in this kind of number; give the angles, in double precision to look at."""
    return (places.astype(kind)[:, None] * frequencies.astype(kind)).astype(float)


@claim("O19.a", show="d")
def half_precision_merges_places() -> int:
    """Count what is left of 4096 places in sixteen bits.

    zh: 16 位浮点数里，2048 以后的整数只剩偶数：前 4096 个位置并成 3073 个，2048 号和 2049 号成了同一个。
    en: In sixteen bits only even integers are left after 2048: the first 4096 places become 3073, and 2048 and 2049 are
        one.
    """
    places = np.arange(4096).astype(np.float16)
    left = len(np.unique(places))
    turned = attn.rope(echo(4096), places)
    assert (turned[2048] == turned[2049]).all()
    assert left == 2049 + 1024  # 0 to 2048, and the even ones up to 4096
    return left


@claim("O19.b", show=".0f")
def half_precision_loses_the_angle() -> float:
    """Compute the fastest hand's angle at place 2049 in sixteen bits.

    zh: 角度也用 16 位算的话，2049 号位最快的指针正好差 1 弧度，而它每步一共才转 1 弧度。
    en: With angles in sixteen bits, the fastest hand at place 2049 is off by exactly one radian: a whole step of
        its own.
    """
    error = float(abs(angles(np.array([2049]), np.float16)[0, 0] - 2049))
    assert error == 1
    return error


@claim("O19.c", show=".6f")
def turn_first_then_round() -> float:
    """Compute angles in double precision and store only sines and cosines in sixteen bits.

    A number below 1 is stored to half its last place: 2⁻¹² at most.

    zh: 角度用双精度算，只把正弦和余弦存成 16 位：每个数的误差不超过 $2^{-12}$，位置再大也一样。
    en: With angles in double precision and only sines and cosines stored in sixteen bits, each is off by $2^{-12}$
        at most, however large the place.
    """
    places = attn.sinusoidal(65_504, d)[::7]
    error = float(np.abs(places.astype(np.float16).astype(float) - places).max())
    assert error <= 2**-12
    return error


# --- All ideas side by side ---


def bites_moves(idea: Idea, rng: np.random.Generator) -> float:
    """Give how far apart "bites" comes out in the two sentences, in parts of itself, words drawn in d dimensions."""
    words = {word: rng.standard_normal(d) for word in vocabulary}
    X = np.array([words[word] for word in dog_bites])
    tables = drawn_tables(rng, idea(X, np.arange(5), 5).shape[1])
    outputs = []
    for rows in (X, X[swapped]):
        contents = idea(rows, np.arange(5), 5) @ tables[2]
        outputs.append((attn.softmax(told_scores(idea, rows, np.arange(5), 5, tables)[0]) @ contents)[2])
    return float(np.linalg.norm(outputs[0] - outputs[1]) / np.linalg.norm(outputs[0]))


def push_moves(idea: Idea, rng: np.random.Generator) -> float:
    """Give how far a score moves (root mean square) when push words are put in front of a sentence of n words."""
    X = rng.standard_normal((n, d))
    places = np.arange(n)
    tables = drawn_tables(rng, idea(X, places, n).shape[1])
    here = told_scores(idea, X, places, n, tables)[0]
    there = told_scores(idea, X, places + push, room, tables)[0]
    return float(np.sqrt(((there - here) ** 2).mean()))


@claim("O22.a", show=".0%")
def every_idea_tells_the_sentences_apart() -> float:
    """Try every idea on the two sentences, words and tables drawn at random.

    zh: 除了什么也不说，每个办法都分得出两句话：bites 的输出差别远超舍入误差（抽一次，给出最小的差别）。
    en: Every idea but saying nothing tells the two sentences apart: the outputs of “bites” differ by far more than
        rounding (one draw; the smallest difference is shown).
    """
    ideas = (appended, added, normalised, one_hot, sinusoids, rope, alibi)
    apart = [bites_moves(idea, np.random.default_rng(seed(53))) for idea in ideas]
    blind = bites_moves(nothing, np.random.default_rng(seed(53)))
    # The bound of O2.a, 4e-10 a component for fifty words; d components, of an output that is longer than 1.
    rounding_of_the_output = 4e-10 * math.sqrt(d)
    assert blind <= rounding_of_the_output
    assert min(apart) > 1e4 * rounding_of_the_output
    return min(apart)


@claim("O22.b", show=".3f")
def only_two_ideas_survive_a_push() -> float:
    """Put a hundred words in front of a sentence, with every idea.

    zh: 前面添 100 个词：RoPE 和 ALiBi 的分数不变，差别不超过舍入误差；另外五个办法的分数都变了。
    en: With 100 words put in front, the scores of RoPE and ALiBi stay, up to rounding; those of the other
        five ideas move.
    """
    others = (appended, added, normalised, one_hot, sinusoids)
    moved = [push_moves(idea, np.random.default_rng(seed(54))) for idea in others]
    stayed = [push_moves(idea, np.random.default_rng(seed(54))) for idea in (rope, alibi)]
    # A score is at most ‖q‖‖k‖/√d, and no query or key drawn here is nearly as long as d: √d is their mean.
    rounding_of_a_score = 4 * (4 * d + 2 * room) * u * d**1.5
    assert max(stayed) <= rounding_of_a_score
    assert min(moved) > 1e6 * rounding_of_a_score
    return min(moved)


# --- For the exercises, and for the next lesson ---

gamma = 0.01  # growth of the queries and decay of the keys at a step


@claim("O20", show="bound")
def growth_is_a_law_too() -> float:
    r"""Treat queries and keys differently: grow the one, shrink the other.

    zh: 查询乘 $e^{\gamma i}$、键乘 $e^{-\gamma j}$：分数也只取决于 $i-j$，差别不超过舍入误差。
    en: Queries times $e^{\gamma i}$ and keys times $e^{-\gamma j}$: these scores, too, depend on $i-j$ only, up to
        rounding.
    """
    rng = np.random.default_rng(seed(52))
    q, k = rng.standard_normal((2, n, d))
    i = np.arange(n)[:, None]
    here = attn.dot(q * np.exp(gamma * i), k * np.exp(-gamma * i))
    there = attn.dot(q * np.exp(gamma * (i + push)), k * np.exp(-gamma * (i + push)))
    sizes = np.abs(q * np.exp(gamma * i)) @ np.abs(k * np.exp(-gamma * i)).T
    deviation = np.abs(there - here)
    assert (deviation <= 2 * (d + 8 + 4 * gamma * (n + push)) * u * sizes).all()
    return float(deviation.max())


@claim("O21", show="bound")
def one_look_mixes_biter_and_bitten() -> float:
    """Let "bites" give half its weight to the word before it and half to the word two places on.

    zh: 位置全对，bites 把权重一半给前面的词、一半给后面的宾语：两句话的输出还是一样。分两次看，各存各的，才不同。
    en: With every place right, “bites” gives half its weight to the word before it and half to the object after it: the
        two sentences still give the same output. Two looks, kept apart, differ.
    """
    weights = np.array([0, 0.5, 0, 0, 0.5])
    first, second = (sentence(words) @ WV for words in (dog_bites, man_bites))
    mixed = float(np.abs(weights @ first - weights @ second).max())
    apart = np.abs(first[[1, 4]] - second[[1, 4]]).max()
    assert mixed <= 8 * u * np.abs(first).max()
    assert apart > 1e6 * 8 * u * np.abs(first).max()
    return mixed


if __name__ == "__main__":
    raise SystemExit(main())
