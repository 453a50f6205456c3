/* L1: the same scores through two functions: softmax sees differences only, softplus does not. */
import { slider } from "./kit/controls.js"
import { clamp, fill, h, number, s, saying, set } from "./kit/dom.js"
import { moved, softmax, softplusShares } from "./kit/maths.js"

export const words = {
  zh: {
    title: "推动分数、共同的加分和温度，看两种份额",
    hint: "三个分数、给所有词的同样加分、温度，都可以拖。竖线是没有加分时的份额。",
    score: "{name} 的分数", shift: "每个词都加", temperature: "温度 T",
    softmax: "指数（softmax）", softplus: "softplus",
    says: "加 {shift} 分之后，softmax 有 {one} 的份额换了手，softplus 有 {other}。",
    nothing: "没有加分。T = {temperature} 时，softmax 给 {name} {one}，softplus 给它 {other}。",
  },
  en: {
    title: "Move the scores, the bonus for everyone and the temperature, and watch two kinds of shares",
    hint: "Three scores, the same bonus for every word, and the temperature: all can be moved. Upright lines: shares without the bonus.",
    score: "“{name}” scores", shift: "Bonus for every word", temperature: "Temperature T",
    softmax: "exponential (softmax)", softplus: "softplus",
    says: "With a bonus of {shift}, softmax has {one} of the whole changing hands, softplus {other}.",
    nothing: "No bonus. At T = {temperature} softmax gives “{name}” {one}, and softplus {other}.",
  },
}

const FAR = 6 // largest score
const BONUS = 10
const COLD = 0.1, HOT = 20
const WIDE = 220 // of a full bar

export default function ({ place, start, words, kept, keep }) {
  const { names } = start
  const numbers = kept?.length === names.length + 2 ? kept : [...start.scores, start.shift, 1]
  const state = {
    scores: numbers.slice(0, -2).map(score => clamp(score, -FAR, FAR)),
    shift: clamp(numbers.at(-2), 0, BONUS),
    temperature: clamp(numbers.at(-1), COLD, HOT),
  }
  const changed = () => {
    draw()
    keep([...state.scores, state.shift, state.temperature])
  }

  const sliders = [
    ...names.map((name, i) => slider({ label: fill(words.score, { name }), min: -FAR, max: FAR, step: 0.1,
      value: state.scores[i], kind: "score", show: value => number(value, 1), change: value => {
        state.scores[i] = value
        changed()
      } })),
    slider({ label: words.shift, min: 0, max: BONUS, step: 0.1, value: state.shift, kind: "bad",
      show: value => `+${number(value, 1)}`, change: value => {
        state.shift = value
        changed()
      } }),
    slider({ label: words.temperature, min: COLD, max: HOT, step: 0.01, value: state.temperature, kind: "query",
      from: Math.log, to: Math.exp, show: value => `T = ${number(value)}`, change: value => {
        state.temperature = value
        changed()
      } }),
  ]
  const panels = [[softmax, words.softmax, "good"], [softplusShares, words.softplus, "bad"]].map(([share, title, kind]) => {
    const bars = names.map((name, i) => {
      const y = 22 + 26 * i
      const bar = s("rect", { x: 60, y, height: 20, class: "moves" }), mark = s("line", { y1: y - 2, y2: y + 22, class: "mark" })
      const text = s("text", { y: y + 15, class: "start" })
      return { bar, mark, text, parts: [s("text", { x: 54, y: y + 15, class: "end" }, name), bar, mark, text] }
    })
    const svg = s("svg", { viewBox: `0 0 340 ${26 + 26 * names.length}`, class: `knit-bars ${kind}`, role: "img", "aria-label": title },
      s("text", { x: 0, y: 13, class: "start" }, title), ...bars.flatMap(({ parts }) => parts))
    return { share, svg, bars, title }
  })
  const { line, say } = saying()

  function draw() {
    const changes = panels.map(({ share, svg, bars, title }) => {
      const before = share(state.scores, state.temperature)
      const after = share(state.scores.map(score => score + state.shift), state.temperature)
      bars.forEach(({ bar, mark, text }, i) => {
        bar.setAttribute("width", WIDE * after[i])
        set(mark, { x1: 60 + WIDE * before[i], x2: 60 + WIDE * before[i] })
        text.setAttribute("x", 66 + WIDE * Math.max(after[i], before[i]))
        text.textContent = number(after[i], 3)
      })
      const read = names.map((name, i) => `${name} ${number(after[i], 3)}`).join(", ")
      svg.setAttribute("aria-label", `${title}: ${read}`)
      return { moved: number(moved(before, after), 3), first: number(after[0], 3) }
    })
    const [one, other] = changes.map(change => state.shift ? change.moved : change.first)
    say(fill(state.shift ? words.says : words.nothing,
      { shift: number(state.shift, 1), temperature: number(state.temperature), name: names[0], one, other }))
  }

  place.append(h("p", { class: "knit-hint" }, words.hint), h("div", { class: "knit-sides" },
    h("div", {}, ...sliders.map(({ root }) => root)), h("div", {}, ...panels.map(({ svg }) => svg), line)))
  draw()
}
