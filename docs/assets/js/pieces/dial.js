/* L4: two words walk along a sentence. RoPE turns them, and their score sees the offset only; added sinusoids do not. */
import { chart } from "./kit/chart.js"
import { button, slider } from "./kit/controls.js"
import { clamp, fill, h, number, saying } from "./kit/dom.js"
import { dot, rope, sinusoid } from "./kit/maths.js"
import { plane } from "./kit/plane.js"

export const words = {
  zh: {
    title: "两个词一起往后挪，看分数动不动",
    hint: "拖动两个位置，或者让两个词一起走。RoPE 把两个词各转一个角；淡的是没转时的样子。",
    plane: "平面上的两个词，各按自己的位置转过一个角",
    query: "{name} 站在第几位（查询）", key: "{name} 站在第几位（键）",
    together: "一起走",
    across: "一起往后挪的步数", up: "分数", rope: "RoPE", sinusoid: "加上正弦",
    says: "相隔 {offset} 步。RoPE 的分数 {rope}：只看相隔几步。加上正弦的分数 {sinusoid}：站在哪儿也算进去了。",
  },
  en: {
    title: "Move two words on together and see whether their score moves",
    hint: "Move either place, or let both words walk together. RoPE turns each word by an angle; pale is where it was.",
    plane: "The plane with two words, each turned by an angle that grows with its place",
    query: "Place of {name} (query)", key: "Place of {name} (key)",
    together: "Both walk on by",
    across: "steps that both are moved on", up: "score", rope: "RoPE", sinusoid: "sinusoids added",
    says: "Offset {offset}. RoPE's score is {rope}: it sees the offset only. With sinusoids added it is {sinusoid}, and where they stand counts too.",
  },
}

const WALK = 40 // steps that the chart shows
const FAR = 100 // largest place

/** Scores of a query at place i and a key at place j, with RoPE and with sinusoids added. */
export function scores(q, k, i, j) {
  const add = (word, at) => sinusoid(at, word.length).map((value, a) => value + word[a])
  return [dot(rope(q, i), rope(k, j)), dot(add(q, i), add(k, j))]
}

export default function ({ place, start, words, kept, keep }) {
  const { query, key } = start
  const numbers = kept?.length === 2 ? kept : [query.place, key.place]
  const [i, j] = numbers.map(value => clamp(Math.round(value), 0, FAR))
  const state = { i, j }
  const changed = () => {
    draw()
    keep([state.i, state.j])
  }
  const field = plane({ reach: 2.4, up: 1.8, label: words.plane })
  field.arrow({ name: "", kind: "ghost query" }).put(query.at)
  field.arrow({ name: "", kind: "ghost key" }).put(key.at)
  const asks = field.arrow({ name: query.name, kind: "query" }), asked = field.arrow({ name: key.name, kind: "key" })
  const knob = (which, kind, label) => slider({ label, min: 0, max: FAR, step: 1, value: state[which], kind,
    show: String, change: value => {
      state[which] = value
      changed()
    } })
  const knobs = { i: knob("i", "query", fill(words.query, query)), j: knob("j", "key", fill(words.key, key)) }
  const walk = steps => () => {
    const by = clamp(steps, -Math.min(state.i, state.j), FAR - Math.max(state.i, state.j))
    for (const which of ["i", "j"]) {
      state[which] += by
      knobs[which].put(state[which])
    }
    changed()
  }
  const buttons = h("div", { class: "knit-choice", role: "group", "aria-label": words.together },
    h("span", { class: "of", "aria-hidden": "true" }, words.together),
    button("−1", walk(-1)), button("+1", walk(1)), button("+10", walk(10)))
  const graph = chart({ x: [0, WALK], y: [-6, 6], xs: [0, 10, 20, 30, 40].map(value => [value, String(value)]),
    ys: [-6, -3, 0, 3, 6].map(value => [value, number(value, 0)]), across: words.across, up: words.up })
  const now = graph.upright("now")
  const lines = [graph.line("good"), graph.line("bad dashed")], points = [graph.point("good"), graph.point("bad")]
  const legend = h("p", { class: "knit-legend" }, h("span", { class: "good" }, "━ ", words.rope), h("span", { class: "bad" }, "╌ ", words.sinusoid))
  const { line, say } = saying()

  function draw() {
    const { i, j } = state, base = Math.min(i, j), both = scores(query.at, key.at, i, j)
    asks.put(rope(query.at, i))
    asked.put(rope(key.at, j))
    const steps = Array.from({ length: 4 * WALK + 1 }, (_, step) => step / 4)
    lines.forEach((put, which) => put(steps.map(step => [step, scores(query.at, key.at, i - base + step, j - base + step)[which]])))
    const at = Math.min(base, WALK)
    now(at)
    points.forEach((put, which) => put(at, both[which]))
    say(fill(words.says, { offset: Math.abs(i - j), rope: number(both[0]), sinusoid: number(both[1]) }))
  }

  place.append(h("p", { class: "knit-hint" }, words.hint), h("div", { class: "knit-sides" },
    h("div", {}, field.svg, knobs.i.root, knobs.j.root), h("div", {}, buttons, graph.svg, legend)), line)
  draw()
}
