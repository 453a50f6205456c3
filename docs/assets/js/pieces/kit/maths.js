/* What the pieces compute. Words are rows, as in attn; tests/browser/test_pieces.py compares the two. */

export const dot = (q, k) => q.reduce((sum, value, i) => sum + value * k[i], 0)

export const length = v => Math.hypot(...v)

export const negativeDistance = (q, k) => -length(q.map((value, i) => value - k[i]))

/** s(q, k) = q M kᵀ */
export const bilinear = (q, k, M) => dot(q, M.map(row => dot(row, k)))

/** The word of the plane, turned by an angle in radians. */
export const turned = ([x, y], angle) => {
  const c = Math.cos(angle), s = Math.sin(angle)
  return [c * x - s * y, s * x + c * y]
}

export const transpose = A => A[0].map((_, j) => A.map(row => row[j]))

export const product = (A, B) => {
  const columns = transpose(B)
  return A.map(row => columns.map(column => dot(row, column)))
}

/** Shares of exp(score / temperature); the largest score is taken off first, or exp would overflow. */
export const softmax = (scores, temperature = 1) => {
  const most = Math.max(...scores)
  return shares(scores.map(score => Math.exp((score - most) / temperature)))
}

/** ln(1 + eˢ), without overflow. */
export const softplus = s => Math.max(s, 0) + Math.log1p(Math.exp(-Math.abs(s)))

/** Shares of softplus(score)^(1 / temperature): the same knob for a function that is no exponential. */
export const softplusShares = (scores, temperature = 1) =>
  softmax(scores.map(score => Math.log(softplus(score))), temperature)

export const shares = values => {
  const total = values.reduce((sum, value) => sum + value, 0)
  return values.map(value => value / total)
}

/** How much of the whole changed hands between two lists of shares. */
export const moved = (before, after) =>
  before.reduce((sum, share, i) => sum + Math.abs(share - after[i]), 0) / 2

/** Place of each value, the largest first; equals share a place. */
export const ranks = values =>
  values.map(value => 1 + values.filter(other => other > value + 1e-9).length)

/** The λ > 0 at which λq is as far from one key as from the other, or null. */
export const flipPoint = (q, one, other) => {
  const gain = 2 * (dot(q, one) - dot(q, other))
  const lambda = (dot(one, one) - dot(other, other)) / gain
  return Number.isFinite(lambda) && lambda > 0 ? lambda : null
}

/** Mean and standard deviation. */
export const spread = values => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return [mean, Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)]
}

/** Radians a step of each hand, from fast to slow. */
export const frequencies = (d, base = 10000) =>
  Array.from({ length: d / 2 }, (_, m) => base ** (-2 * m / d))

/** The word, each pair of its components turned by its hand's angle at a place. */
export const rope = (x, place, base = 10000) =>
  frequencies(x.length, base).flatMap((rate, m) => turned([x[2 * m], x[2 * m + 1]], rate * place))

/** Sine and cosine of each hand at a place. */
export const sinusoid = (place, d, base = 10000) =>
  frequencies(d, base).flatMap(rate => [Math.sin(rate * place), Math.cos(rate * place)])

/** Weights and output of scaled dot-product attention; `bias` is added to the scores. */
export const attention = (Q, K, V, bias = null) => {
  const scale = 1 / Math.sqrt(Q[0].length)
  const scores = product(Q, transpose(K)).map((row, i) => row.map((score, j) => score * scale + (bias?.[i][j] ?? 0)))
  const weights = scores.map(row => softmax(row))
  return { scores, weights, output: product(weights, V) }
}

/** Standard normal numbers from a seed: the same on every machine. mulberry32, then Box and Muller. */
export const normals = (seed, count) => {
  let state = seed >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const drawn = new Float64Array(count)
  for (let i = 0; i < count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - uniform())), angle = 2 * Math.PI * uniform()
    drawn[i] = radius * Math.cos(angle)
    if (i + 1 < count) drawn[i + 1] = radius * Math.sin(angle)
  }
  return drawn
}
