/* L1: a score table and a dial that turns both words: only cI (and, without symmetry, aI + bJ) keeps the score. */
import { chart } from "./kit/chart.js"
import { choice, slider } from "./kit/controls.js"
import { clamp, fill, h, number, saying } from "./kit/dom.js"
import { bilinear, turned } from "./kit/maths.js"
import { plane } from "./kit/plane.js"

export const words = {
  zh: {
    title: "改打分表，转动两个词，看分数动不动",
    hint: "选一张打分表，或者自己填四个数；再拖 {query} 的尖端，或拖滑块，让两个词一起转。",
    plane: "平面上的两个词，一起转",
    tables: "打分表 M", cell: "M 第 {row} 行第 {column} 列",
    angle: "两个词一起转过", across: "角度", up: "分数",
    now: "转 {angle}° 时 {query} 与 {key} 的分数是 {score}，不转时是 {rest}。",
    swings: "转一圈，分数在 {least} 和 {most} 之间摆动：这张表偏心。",
    kept: "转一圈，分数一动不动。{why}",
    symmetric: "这是 cI，c = {a}。", skew: "这是 aI + bJ，a = {a}，b = {b}：经得起旋转，但不对称。", zero: "可是它给谁都打零分。",
    between: "",
  },
  en: {
    title: "Change the score table, turn both words, and see whether the score moves",
    hint: "Choose a score table or fill in four numbers; then drag the tip of {query}, or the slider, to turn both words.",
    plane: "The plane with two words that turn together",
    tables: "Score table M", cell: "M, row {row}, column {column}",
    angle: "Both words turned by", across: "angle", up: "score",
    now: "Turned by {angle}°, {query} and {key} score {score}; at rest, {rest}.",
    swings: "Through a full turn the score swings between {least} and {most}: this table has a favourite.",
    kept: "Through a full turn the score stands still. {why}",
    symmetric: "This is cI with c = {a}.", skew: "This is aI + bJ with a = {a} and b = {b}: it survives rotations, but is not symmetric.",
    zero: "But it scores everybody zero.", between: " ",
  },
}

const LARGEST = 3 // cell of a table that can be typed
const STILL = 1e-9
const TURN = Array.from({ length: 121 }, (_, i) => 3 * i)

/** The score at every third degree of a full turn. */
export const scores = (q, k, M) =>
  TURN.map(degrees => bilinear(turned(q, degrees * Math.PI / 180), turned(k, degrees * Math.PI / 180), M))

export default function ({ place, start, words, kept, keep }) {
  const { query, key, tables } = start
  const numbers = kept?.length === 5 ? kept : [...tables[1].M.flat(), start.degrees]
  const cells = numbers.slice(0, 4).map(cell => clamp(cell, -LARGEST, LARGEST))
  const state = { M: [cells.slice(0, 2), cells.slice(2)], degrees: clamp(numbers[4], 0, 360) }
  const changed = () => {
    draw()
    keep([...state.M.flat(), state.degrees])
  }
  const rotate = degrees => {
    state.degrees = Math.round((degrees % 360 + 360) % 360)
    dial.put(state.degrees)
    changed()
  }

  const angleOf = ([x, y]) => Math.atan2(y, x) * 180 / Math.PI
  const field = plane({ reach: 2.7, up: 2.3, label: words.plane })
  field.arrow({ name: "", kind: "ghost query" }).put(query.at) // where they stood
  field.arrow({ name: "", kind: "ghost key" }).put(key.at)
  const [asks, asked] = [
    field.arrow({ name: query.name, kind: "query", change: at => rotate(angleOf(at) - angleOf(query.at)),
      nudge: steps => rotate(state.degrees + 5 * steps), says: () => `${state.degrees}°` }),
    field.arrow({ name: key.name, kind: "key" })]

  const same = () => String(tables.findIndex(({ M }) => M.flat().every((cell, i) => cell === state.M.flat()[i])))
  const presets = choice({ label: words.tables, options: tables.map(({ name }, i) => [String(i), name]), value: same(),
    change: which => {
      state.M = tables[which].M.map(row => [...row])
      inputs.flat().forEach((input, i) => { input.value = state.M.flat()[i] })
      changed()
    } })
  const inputs = state.M.map((row, i) => row.map((cell, j) => h("input", { type: "number", value: cell, step: 0.1,
    min: -LARGEST, max: LARGEST, "aria-label": fill(words.cell, { row: i + 1, column: j + 1 }), input: event => {
      if (event.target.value === "" || !Number.isFinite(event.target.valueAsNumber)) return
      state.M[i][j] = clamp(event.target.valueAsNumber, -LARGEST, LARGEST)
      presets.put(same())
      changed()
    } })))
  const matrix = h("div", { class: "knit-matrix" }, ...inputs.flat())
  const dial = slider({ label: words.angle, min: 0, max: 360, step: 1, value: state.degrees, kind: "query",
    show: value => `${value}°`, change: degrees => {
      state.degrees = degrees
      changed()
    } })
  const ticks = [0, 90, 180, 270, 360].map(value => [value, `${value}°`])
  const graph = chart({ x: [0, 360], y: [-1, 1], xs: ticks, ys: [], across: words.across, up: words.up, height: 170 })
  const level = graph.line("level"), curve = graph.line("score"), dot = graph.point("score")
  const { line, say } = saying()

  function draw() {
    const angle = state.degrees * Math.PI / 180, q = turned(query.at, angle), k = turned(key.at, angle)
    asks.put(q)
    asked.put(k)
    const all = scores(query.at, key.at, state.M), score = bilinear(q, k, state.M)
    const [least, most] = [Math.min(...all), Math.max(...all)]
    const top = 2 * Math.max(2, Math.ceil(Math.max(-least, most) / 2))
    graph.measure([-top, top], [-top, -top / 2, 0, top / 2, top].map(value => [value, number(value, 0)]))
    level([[0, all[0]], [360, all[0]]])
    curve(TURN.map((degrees, i) => [degrees, all[i]]))
    dot(state.degrees, score)
    const still = most - least < STILL
    const [[a, b], [c, d]] = state.M
    const why = [a, b, c, d].every(cell => cell === 0) ? words.zero
      : fill(b === 0 ? words.symmetric : words.skew, { a: number(a, 1), b: number(b, 1) })
    say(fill(words.now, { angle: state.degrees, query: query.name, key: key.name, score: number(score), rest: number(all[0]) })
      + words.between + (still ? fill(words.kept, { why })
        : fill(words.swings, { least: number(least), most: number(most) })))
    place.classList.toggle("knit-still", still)
  }

  place.append(h("p", { class: "knit-hint" }, fill(words.hint, { query: query.name })),
    h("div", { class: "knit-sides" }, h("div", {}, field.svg, dial.root),
      h("div", {}, presets.root, matrix, graph.svg)), line)
  draw()
}
