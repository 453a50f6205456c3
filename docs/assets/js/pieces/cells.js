/* L2: point at a cell of S = QKᵀ and see the row of Q and the column of Kᵀ that make it. */
import { fill, h, number, saying } from "./kit/dom.js"
import { product, transpose } from "./kit/maths.js"

export const words = {
  zh: {
    title: "点 S 的一格，看是 Q 的哪一行、Kᵀ 的哪一列算出了它",
    hint: "把指针移到 S 的一格上，或者点一下；用键盘时按方向键。",
    sum: "{query} 问 {key}：",
    other: "对面那一格是 {key} 问 {query}：{other}，{verdict}。",
    same: "碰巧一样", differs: "不是同一个数", own: "这一格在对角线上：{query} 问自己。",
    table: "S = QKᵀ，一行一个查询，一列一个键", at: "{query} 问 {key}：{score}",
  },
  en: {
    title: "Point at a cell of S and see the row of Q and the column of Kᵀ that make it",
    hint: "Point at a cell of S, or tap it; with a keyboard, use the arrow keys.",
    sum: "{query} asks {key}:",
    other: "In the cell opposite, {key} asks {query}: {other}, {verdict}.",
    same: "the same by chance", differs: "which is another number", own: "This cell is on the diagonal: {query} asks itself.",
    table: "S = QKᵀ, a query a row, a key a column", at: "{query} asks {key}: {score}",
  },
}

const SHOWN = 2 // decimals of a cell
const FACTOR = 3 // of the factors below
const WHOLE = 4 // of their sum

/** The products whose sum is a cell: of each pair of components. */
export const terms = (q, k) => q.map((value, a) => [value, k[a]])

export default function ({ place, start, words, kept, keep }) {
  const { names, Q, K } = start
  const n = names.length, width = Q[0].length
  const S = product(Q, transpose(K))
  const valid = kept?.length === 2 && kept.every(index => Number.isInteger(index) && index >= 0 && index < n)
  const state = valid ? { i: kept[0], j: kept[1] } : { i: start.row, j: start.column }

  const td = (text, attributes = {}) => h("td", attributes, text)
  const query = Q.map(row => row.map(value => td(number(value, SHOWN))))
  const key = K.map(row => row.map(value => td(number(value, SHOWN))))
  const cells = S.map((row, i) => row.map((score, j) => td(number(score, SHOWN), {
    tabindex: -1, "data-at": `${i} ${j}`,
    "aria-label": fill(words.at, { query: names[i], key: names[j], score: number(score, WHOLE) }),
  })))
  const keyNames = names.map(name => h("th", { scope: "col" }, name))
  const queryNames = names.map(name => h("th", { scope: "row" }, name))
  const table = h("table", { class: "knit-numbers knit-cells", "aria-label": words.table },
    h("thead", {}, h("tr", {}, h("td"), h("td", { colspan: width }), ...keyNames),
      ...Array.from({ length: width }, (_, a) => h("tr", {}, h("td"),
        h("td", { colspan: width }, a === 0 ? "Kᵀ →" : a === width - 1 ? "Q ↓" : ""), ...key.map(column => column[a])))),
    h("tbody", {}, ...names.map((_, i) => h("tr", {}, queryNames[i], ...query[i], ...cells[i]))))
  const sum = h("p", { class: "knit-sum" }), { line, say } = saying()

  const choose = (i, j, focus = false) => {
    Object.assign(state, { i, j })
    draw()
    keep([i, j])
    if (focus) cells[i][j].focus()
  }
  const pointed = event => {
    const at = event.target.closest("[data-at]")?.dataset.at.split(" ").map(Number)
    if (at && (at[0] !== state.i || at[1] !== state.j)) choose(...at)
  }
  table.addEventListener("pointerover", pointed)
  table.addEventListener("click", pointed)
  table.addEventListener("focusin", pointed)
  table.addEventListener("keydown", event => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
    if (!step || !event.target.matches("[data-at]")) return
    event.preventDefault()
    choose((state.i + step[0] + n) % n, (state.j + step[1] + n) % n, true)
  })

  function draw() {
    const { i, j } = state, name = { query: names[i], key: names[j] }
    query.forEach((row, at) => row.forEach(cell => cell.classList.toggle("query", at === i)))
    key.forEach((column, at) => column.forEach(cell => cell.classList.toggle("key", at === j)))
    queryNames.forEach((cell, at) => cell.classList.toggle("query", at === i))
    keyNames.forEach((cell, at) => cell.classList.toggle("key", at === j))
    cells.forEach((row, r) => row.forEach((cell, c) => {
      const here = r === i && c === j
      cell.classList.toggle("here", here)
      cell.classList.toggle("row", r === i)
      cell.classList.toggle("column", c === j)
      cell.tabIndex = here ? 0 : -1
    }))
    const made = terms(Q[i], K[j]).flatMap(([q, k], a) => [a ? " + " : "",
      h("span", { class: "query" }, number(q, FACTOR)), " × ", h("span", { class: "key" }, number(k, FACTOR))])
    sum.replaceChildren(fill(words.sum, name), h("br"), ...made, " = ",
      h("strong", { class: "score" }, number(S[i][j], WHOLE)))
    const same = Math.abs(S[i][j] - S[j][i]) < 1e-12
    say(fill(i === j ? words.own : words.other,
      { ...name, other: number(S[j][i], WHOLE), verdict: same ? words.same : words.differs }))
  }

  place.append(h("p", { class: "knit-hint" }, words.hint), h("div", { class: "knit-scrolls" }, table), sum, line)
  draw()
}
