/* L3: a slider for d; how far the scores of random keys spread and what the largest weight is, raw and divided. */
import { chart } from "./kit/chart.js"
import { button, choice, slider } from "./kit/controls.js"
import { clamp, fill, h, number, s, saying, set } from "./kit/dom.js"
import { dot, normals, softmax, spread } from "./kit/maths.js"

export const words = {
  zh: {
    title: "拖动 d，看分数散得多开、最大的权重有多大",
    hint: "一个查询，{keys} 个键，都是随机的。拖动 d：每个键一点，站在它的分数上，权重越大点越大。",
    width: "分量个数 d", divisor: "第二排除以", again: "换一批随机数",
    raw: "不除", divided: "除以 {divisor}", deviation: "标准差 {deviation}",
    up: "最大权重", across: "分量个数 d",
    says: "d = {d}：不除，标准差 {one}，最大的权重 {most}；除以 {divisor}，标准差 {other}，最大的权重 {least}。",
    legend: "曲线是期望，圆点是这一批。",
  },
  en: {
    title: "Move d and watch how far scores spread and how large the largest weight is",
    hint: "One query and {keys} keys, all random. Move d. A dot a key: it stands at the key's score, and is larger the more weight the key gets.",
    width: "Components d", divisor: "Divide the second row by", again: "Draw again",
    raw: "undivided", divided: "divided by {divisor}", deviation: "s.d. {deviation}",
    up: "largest weight", across: "components d",
    says: "d = {d}: undivided, s.d. {one} and a largest weight of {most}; divided by {divisor}, s.d. {other} and {least}.",
    legend: "The curves are expectations, the dots this draw.",
  },
}

const DIVISORS = { "√d": Math.sqrt, "ln d": Math.log, d: d => d }
const NAMES = Object.keys(DIVISORS)
const AXIS = 100 // scores are drawn from minus this to this: three standard deviations of the widest words
const WIDE = 340
const SEEDS = 2 ** 31

/** The scores of a query with keys, both cut to their first d components. */
export function scores(drawn, keys, most, d) {
  const q = drawn.subarray(0, d)
  return Array.from({ length: keys }, (_, j) => dot(q, drawn.subarray((j + 1) * most, (j + 1) * most + d)))
}

export default function ({ place, start, words, kept, keep }) {
  const { keys, least, most, expected } = start
  const valid = kept?.length === 3
  const state = {
    d: clamp(Math.round(valid ? kept[0] : start.width), least, most),
    seed: valid ? Math.abs(Math.trunc(kept[1])) % SEEDS : 1,
    divisor: NAMES[valid ? kept[2] : 0] ?? NAMES[0],
  }
  const draw = () => normals(state.seed, (keys + 1) * most)
  let drawn = draw()
  const changed = () => {
    show()
    keep([state.d, state.seed, NAMES.indexOf(state.divisor)])
  }

  const knob = slider({ label: words.width, min: least, max: most, step: 0.01, value: state.d, kind: "query",
    from: Math.log2, to: x => Math.round(2 ** x), show: value => `d = ${value}`, change: value => {
      state.d = value
      changed()
    } })
  const divisor = choice({ label: words.divisor, options: NAMES.map(name => [name, name]), value: state.divisor,
    change: name => {
      state.divisor = name
      changed()
    } })
  const again = button(words.again, () => {
    state.seed = (state.seed * 48271 + 11) % SEEDS
    drawn = draw()
    changed()
  })

  const x = score => WIDE / 2 + clamp(score, -AXIS, AXIS) * (WIDE / 2 - 6) / AXIS
  const rows = ["bad", "good"].map(kind => {
    const dots = Array.from({ length: keys }, () => s("circle", { cy: 34 }))
    const title = s("text", { x: 0, y: 14, class: "start" }), deviation = s("text", { x: WIDE, y: 14, class: "end" })
    const width = s("line", { y1: 48, y2: 48, class: "width" })
    const svg = s("svg", { viewBox: `0 0 ${WIDE} 54`, class: `knit-scores ${kind}`, "aria-hidden": "true" }, title, deviation,
      s("line", { x1: 0, x2: WIDE, y1: 34, y2: 34, class: "ground" }),
      s("line", { x1: WIDE / 2, x2: WIDE / 2, y1: 22, y2: 46, class: "ground" }), ...dots, width)
    return { dots, title, deviation, width, svg }
  })
  const ticks = [2, 8, 64, 1024].filter(value => value >= least && value <= most)
  const graph = chart({ x: [least, most], y: [0, 1], xs: ticks.map(value => [value, String(value)]),
    ys: [[0, "0"], [0.5, "0.5"], [1, "1"]], across: words.across, up: words.up, scale: Math.log2 })
  const now = graph.upright("now")
  const lines = [graph.line("bad"), graph.line("good")], points = [graph.point("bad"), graph.point("good")]
  const { line, say } = saying()

  function show() {
    const { d } = state, raw = scores(drawn, keys, most, d), by = DIVISORS[state.divisor](d)
    const both = [raw, raw.map(score => score / by)]
    const names = [words.raw, fill(words.divided, { divisor: state.divisor })]
    const said = both.map((row, i) => {
      const [, deviation] = spread(row), weights = softmax(row), largest = Math.max(...weights)
      row.forEach((score, j) => set(rows[i].dots[j], { cx: x(score), r: 2 + 9 * Math.sqrt(weights[j]) }))
      rows[i].title.textContent = names[i]
      rows[i].deviation.textContent = fill(words.deviation, { deviation: number(deviation) })
      rows[i].width.setAttribute("x1", x(-deviation))
      rows[i].width.setAttribute("x2", x(deviation))
      points[i](d, largest)
      return [number(deviation), number(largest, 3)]
    })
    lines[0](expected.widths.map((width, i) => [width, expected.raw[i]]))
    lines[1](expected.widths.map((width, i) => [width, expected[state.divisor][i]]))
    now(d)
    say(fill(words.says, { d, divisor: state.divisor,
      one: said[0][0], most: said[0][1], other: said[1][0], least: said[1][1] }))
  }

  place.append(h("p", { class: "knit-hint" }, fill(words.hint, { keys })), h("div", { class: "knit-sides" },
    h("div", {}, knob.root, ...rows.map(({ svg }) => svg), divisor.root, again),
    h("div", {}, graph.svg, h("p", { class: "knit-hint" }, words.legend))), line)
  show()
}
