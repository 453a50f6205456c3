/* L1: drag the query and the keys; the distance changes its mind when the query is scaled, the dot product never. */
import { slider } from "./kit/controls.js"
import { clamp, fill, h, number, s, saying, set } from "./kit/dom.js"
import { dot, flipPoint, negativeDistance, ranks } from "./kit/maths.js"
import { plane } from "./kit/plane.js"

export const words = {
  zh: {
    title: "拖动 bank 和别的词，看两种分数怎么排名",
    plane: "平面：拖动箭头的尖端；或先点选一个词，再点它要去的地方；或用方向键",
    hint: "拖动箭头的尖端；也可以点一下尖端，再点要去的地方，或者用方向键。",
    scale: "{name} 放大 λ 倍",
    word: "词", distance: "距离：−‖λq\u00a0−\u00a0k‖", dot: "内积：λq\u00a0·\u00a0k",
    leads: "第一名，λ 从 {least} 到 {most}", byDistance: "距离", byDot: "内积",
    flips: "距离的第一名在 {points} 处换人；内积的第一名不换。",
    stays: "在这些位置上，距离的第一名碰巧不换；拖一拖试试。",
    order: "距离排名：{distance}。内积排名：{dot}。",
    ahead: "，", list: "、", tie: " = ", between: "",
  },
  en: {
    title: "Drag bank and the other words and watch both rankings",
    plane: "The plane: drag the tip of an arrow; or choose a word, then tap where it shall go; or use the arrow keys",
    hint: "Drag the tip of an arrow; or tap it, then where it shall go; or use the arrow keys.",
    scale: "{name} scaled by λ",
    word: "word", distance: "distance: −‖λq\u00a0−\u00a0k‖", dot: "dot product: λq\u00a0·\u00a0k",
    leads: "Who is first, for λ from {least} to {most}", byDistance: "distance", byDot: "dot product",
    flips: "By distance the first place changes hands at {points}; by dot product it never does.",
    stays: "Where the words stand now, the first place by distance happens to stay; try dragging one.",
    order: "By distance: {distance}. By dot product: {dot}.",
    ahead: ", ", list: ", ", tie: " = ", between: " ",
  },
}

const LEAST = 0.1, MOST = 3 // of the scale
const REACH = 3, UP = 2.4 // of the plane
const WIDE = 260 // of a band

/** Where on the slider's way the first place changes hands: the stretches, each with its leader. */
export function stretches(query, keys, score) {
  const edges = keys.flatMap((one, i) => keys.slice(i + 1).map(other => flipPoint(query, one, other)))
    .filter(edge => edge !== null && edge > LEAST && edge < MOST)
  const cuts = [LEAST, ...edges.sort((a, b) => a - b), MOST]
  const found = []
  for (let i = 1; i < cuts.length; i++) {
    const [from, to] = [cuts[i - 1], cuts[i]], scaled = query.map(value => value * (from + to) / 2)
    const scores = keys.map(key => score(scaled, key)), leader = scores.indexOf(Math.max(...scores))
    if (found.at(-1)?.leader === leader) found.at(-1).to = to
    else if (to > from) found.push({ from, to, leader })
  }
  return found
}

export default function ({ place, start, words, kept, keep }) {
  const names = start.keys.map(key => key.name)
  const given = kept?.length === 3 + 2 * names.length ? kept
    : [...start.query.at, ...start.keys.flatMap(key => key.at), 1]
  const numbers = given.map(value => clamp(value, -REACH, REACH))
  const state = {
    query: numbers.slice(0, 2),
    keys: names.map((_, i) => numbers.slice(2 + 2 * i, 4 + 2 * i)),
    scale: clamp(numbers.at(-1), LEAST, MOST),
  }
  const changed = () => {
    draw()
    keep([...state.query, ...state.keys.flat(), state.scale])
  }

  const field = plane({ reach: REACH, up: UP, label: words.plane })
  const ring = s("circle", { class: "ring" })
  field.below.append(ring)
  const keys = names.map((name, i) => field.arrow({ name, kind: "key", change: at => {
    state.keys[i] = at
    changed()
  } }))
  const query = field.arrow({ name: start.query.name, kind: "query", change: at => {
    state.query = at.map(value => value / state.scale)
    changed()
  } })

  const knob = slider({ label: fill(words.scale, { name: start.query.name }), min: LEAST, max: MOST, step: 0.005,
    value: state.scale, kind: "query", show: value => `λ = ${number(value, 3)}`, change: value => {
      state.scale = value
      changed()
    } })
  const bands = [words.byDistance, words.byDot].map(label => {
    const band = s("svg", { viewBox: `0 0 ${WIDE} 24`, "aria-hidden": "true" })
    return { band, row: h("div", { class: "knit-band" }, h("span", {}, label), band) }
  })

  const cells = names.map(() => [1, 2, 3, 4].map(() => h("td")))
  const table = h("table", { class: "knit-numbers" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.word),
    h("th", { scope: "colgroup", colspan: 2 }, words.distance), h("th", { scope: "colgroup", colspan: 2 }, words.dot))),
  h("tbody", {}, ...names.map((name, i) => h("tr", {}, h("th", { scope: "row" }, name), ...cells[i]))))
  const { line, say } = saying()

  function drawBand(band, found) {
    const x = lambda => WIDE * (lambda - LEAST) / (MOST - LEAST)
    band.replaceChildren(...found.map(({ from, to, leader }) => s("g", { class: `band b${leader % 3}` },
      s("rect", { x: x(from), y: 0, width: x(to) - x(from), height: 24 }),
      ...(x(to) - x(from) > 40 ? [s("text", { x: (x(from) + x(to)) / 2, y: 17 }, names[leader])] : []))),
    s("line", { x1: x(state.scale), x2: x(state.scale), y1: 0, y2: 24, class: "now" }))
  }

  function draw() {
    const scaled = state.query.map(value => value * state.scale)
    const scores = [negativeDistance, dot].map(score => state.keys.map(key => score(scaled, key)))
    const places = scores.map(ranks)
    keys.forEach((key, i) => {
      key.put(state.keys[i])
      key.group.classList.toggle("first", places[0][i] === 1)
    })
    query.put(scaled)
    const [cx, cy] = field.at(scaled)
    set(ring, { cx, cy, r: -Math.max(...scores[0]) * field.unit })
    cells.forEach((row, i) => {
      row.forEach((cell, column) => {
        const which = Math.floor(column / 2), rank = places[which][i]
        cell.textContent = column % 2 ? `#${rank}` : number(scores[which][i])
        cell.classList.toggle("first", column % 2 === 1 && rank === 1)
      })
    })
    const byDistance = stretches(state.query, state.keys, negativeDistance)
    drawBand(bands[0].band, byDistance)
    drawBand(bands[1].band, stretches(state.query, state.keys, dot))
    const points = byDistance.slice(1).map(({ from }) => `λ\u00a0=\u00a0${number(from, 3)}`)
    const order = which => [...names.keys()].sort((a, b) => places[which][a] - places[which][b])
      .map((i, n, all) => (n === 0 ? "" : places[which][i] === places[which][all[n - 1]] ? words.tie : words.ahead) + names[i])
      .join("")
    say(`${fill(words.order, { distance: order(0), dot: order(1) })}${words.between}${
      points.length ? fill(words.flips, { points: points.join(words.list) }) : words.stays}`)
  }

  const leaders = h("div", { class: "knit-bands" }, h("p", {}, fill(words.leads, { least: LEAST, most: MOST })),
    ...bands.map(({ row }) => row))
  place.append(h("p", { class: "knit-hint" }, words.hint), h("div", { class: "knit-sides" },
    field.svg, h("div", {}, knob.root, leaders, table)), line)
  draw()
}
