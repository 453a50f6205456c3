/* L2: the four stations for any number of words and components: every shape, every cell, every multiply-add. */
import { slider } from "./kit/controls.js"
import { clamp, fill, h, s, saying, set } from "./kit/dom.js"

export const words = {
  zh: {
    title: "改词数和分量个数，看四站里每张表的形状",
    hint: "拖动 n、d、dₖ。画得越大，格子越多。",
    n: "词数 n", d: "分量个数 d", dk: "查询、键、值的分量个数 dₖ",
    station: "站", cells: "格子数", work: "乘加次数", none: "（只归一）",
    stations: ["1 投影", "2 打分", "3 归一", "4 取回"], each: "各 {shape}", list: "、",
    drawing: "四站：{all}",
    says: "进去 {n} 行，出来 {n} 行。路上最大的是 {largest}，{cells} 格。{most}的乘加次数最多。",
  },
  en: {
    title: "Change the number of words and components and see the shape of every table",
    hint: "Move n, d and dₖ. The larger it is drawn, the more cells it has.",
    n: "Words n", d: "Components d", dk: "Components of queries, keys and values dₖ",
    station: "station", cells: "cells", work: "multiply-adds", none: "(only normalises)",
    stations: ["1 project", "2 score", "3 normalise", "4 fetch"], each: "{shape} each", list: ", ",
    drawing: "Four stations: {all}",
    says: "Rows in: {n}; rows out: {n}. The largest thing on the way is {largest}, with {cells} cells. Most multiply-adds: {most}.",
  },
}

const SIDE = 54 // of the longest side, in the drawing's own units
const LEAST = 4 // of the shortest
const ROW = 92 // of a station
const WIDE = 340

/**
 * What goes into each station and what comes out, as names with shapes, and the multiply-adds that it takes.
 * `d` are the components of a word, `dk` those of its query, key and value.
 */
export const stations = (n, d, dk) => [
  { into: [["X", [n, d]], ["W", [d, dk]]], out: [["Q", [n, dk]], ["K", [n, dk]], ["V", [n, dk]]], work: 3 * n * d * dk },
  { into: [["Q", [n, dk]], ["Kᵀ", [dk, n]]], out: [["S", [n, n]]], work: n * dk * n },
  { into: [["S", [n, n]]], out: [["A", [n, n]]], work: 0 },
  { into: [["A", [n, n]], ["V", [n, dk]]], out: [["Z", [n, dk]]], work: n * n * dk },
]

const KINDS = { Q: "query", K: "key", "Kᵀ": "key", V: "value", S: "score", A: "weight" }
const counted = number => number.toLocaleString("en-US")
const shaped = ([rows, columns]) => `${counted(rows)} × ${counted(columns)}`

export default function ({ place, start, words, kept, keep }) {
  const { most } = start
  const numbers = kept?.length === 3 ? kept : [start.n, start.d, start.dk]
  const state = Object.fromEntries(["n", "d", "dk"].map((name, i) => [name, clamp(Math.round(numbers[i]), 1, most[name])]))
  const knobs = ["n", "d", "dk"].map(name => slider({ label: words[name], min: 1, max: most[name], step: 0.01,
    value: state[name], kind: { n: "score", d: "", dk: "query" }[name], from: Math.log2, to: x => Math.round(2 ** x),
    show: counted, change: value => {
      state[name] = value
      draw()
      keep([state.n, state.d, state.dk])
    } }))

  const svg = s("svg", { viewBox: `0 0 ${WIDE} ${4 * ROW}`, class: "knit-stations", role: "img" })
  const cells = words.stations.map(() => [h("td"), h("td")])
  const table = h("table", { class: "knit-numbers" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.station),
    h("th", { scope: "col" }, words.cells), h("th", { scope: "col" }, words.work))),
  h("tbody", {}, ...words.stations.map((name, i) => h("tr", {}, h("th", { scope: "row" }, name), ...cells[i]))))
  const { line, say } = saying()

  function draw() {
    const { n, d, dk } = state, all = stations(n, d, dk), longest = Math.max(n, d, dk)
    const side = size => Math.max(LEAST, SIDE * Math.sqrt(size / longest))
    const write = (x, y, kind, text) => s("text", { x, y, class: kind }, text)
    svg.replaceChildren(...all.flatMap(({ into, out }, i) => {
      const top = i * ROW, middle = top + 16 + SIDE / 2, parts = [write(0, top + 11, "start", words.stations[i])]
      const box = (x, [name, [rows, columns]], label = shaped([rows, columns])) => {
        const [across, down] = [side(columns), side(rows)]
        parts.push(s("rect", { x: x - across / 2, y: middle - down / 2, width: across, height: down, class: KINDS[name] ?? "" }),
          write(x, middle + 4, "name", name))
        if (label) parts.push(write(x, middle + SIDE / 2 + 15, "tick", label))
      }
      into.forEach((each, j) => box(into.length === 1 ? 88 : 48 + 80 * j, each))
      if (into.length > 1) parts.push(write(88, middle + 4, "", "·"))
      parts.push(write(180, middle + 4, "", "→"))
      out.forEach((each, j) => box(out.length === 1 ? 270 : 212 + 58 * j, each,
        out.length === 1 ? undefined : j === 1 ? fill(words.each, { shape: shaped(each[1]) }) : ""))
      return parts
    }))
    const things = all.flatMap(({ out }) => out).concat([["X", [n, d]]])
    const size = ([, [rows, columns]]) => rows * columns, largest = Math.max(...things.map(size))
    const names = [...new Set(things.filter(each => size(each) === largest).map(([name]) => name))]
    all.forEach(({ out, work }, i) => {
      cells[i][0].textContent = counted(out.reduce((sum, each) => sum + size(each), 0))
      cells[i][1].textContent = work ? counted(work) : words.none
    })
    const busiest = all.map(({ work }) => work), top = Math.max(...busiest)
    const most = words.stations.filter((_, i) => busiest[i] === top)
    set(svg, { "aria-label": fill(words.drawing, { all: things.map(([name, shape]) => `${name} ${shaped(shape)}`).join(words.list) }) })
    say(fill(words.says, { n: counted(n), largest: names.join(words.list), cells: counted(largest), most: most.join(words.list) }))
  }

  place.append(h("p", { class: "knit-hint" }, words.hint), h("div", { class: "knit-sides" }, svg,
    h("div", {}, ...knobs.map(({ root }) => root), table, line)))
  draw()
}
