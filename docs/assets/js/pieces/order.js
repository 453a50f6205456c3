/* L4: move the words of a sentence about and see whose output changes, with four ways of telling places. */
import { choice } from "./kit/controls.js"
import { clamp, fill, h, number, saying } from "./kit/dom.js"
import { attention, length, product, rope, sinusoid } from "./kit/maths.js"

export const words = {
  zh: {
    title: "挪动句子里的词，看谁的输出变了",
    hint: "拖动一个词，或者选中它再按左右箭头键、点 ◂ ▸，给它换地方。",
    idea: "怎么告诉机器谁在哪儿", sentence: "句子", left: "往左挪", right: "往右挪",
    ideas: { nothing: "什么也不说", sinusoids: "加上正弦", rope: "RoPE", alibi: "ALiBi" },
    word: "词", output: "输出", change: "相差", weights: "听谁，听多少",
    same: "次序变了，可是没有一个词的输出变了：机器看不见次序。",
    changed: "次序变了，{count} 个词的输出变了，变得最多的是 {word}，差 {most}。",
    original: "这是原来的句子。挪一个词试试。", place: "{word}，第 {at} 个，共 {all} 个",
    weight: "{word} 听 {other}：{weight}",
  },
  en: {
    title: "Move the words of the sentence and see whose output changes",
    hint: "Drag a word, or choose it and press the left and right arrow keys, or tap ◂ ▸, to move it.",
    idea: "How the machine is told who stands where", sentence: "The sentence", left: "Move left", right: "Move right",
    ideas: { nothing: "say nothing", sinusoids: "sinusoids", rope: "RoPE", alibi: "ALiBi" },
    word: "word", output: "output", change: "apart", weights: "whom it listens to, and how much",
    same: "The order has changed, and not one word's output: the machine does not see order.",
    changed: "The order has changed, and the outputs of {count} words with it; most of all that of {word}, by {most}.",
    original: "This is the sentence as it was. Move a word.", place: "{word}, {at} of {all}",
    weight: "{word} listens to {other}: {weight}",
  },
}

const IDEAS = ["nothing", "sinusoids", "rope", "alibi"]
const STILL = 1e-9

/** L2's machine with L4's ideas: what each word comes out as, in the order in which they stand. */
export function machine(X, { WQ, WK, WV }, idea, slope) {
  const told = idea === "sinusoids" ? X.map((word, i) => sinusoid(i, word.length).map((value, a) => value + word[a])) : X
  const [Q, K, V] = [WQ, WK, WV].map(table => product(told, table))
  const turn = idea === "rope" ? (row, i) => rope(row, i) : row => row
  const bias = idea === "alibi" ? X.map((_, i) => X.map((_, j) => -slope * Math.abs(i - j))) : null
  return attention(Q.map(turn), K.map(turn), V, bias)
}

export default function ({ place, start, words, kept, keep }) {
  const { sentence, vectors, slope } = start
  const n = sentence.length
  const order = kept?.slice(0, n)
  const valid = kept?.length === n + 1 && new Set(order).size === n && order.every(at => Number.isInteger(at) && at >= 0 && at < n)
  const state = { order: valid ? order : sentence.map((_, i) => i), idea: IDEAS[valid ? kept[n] : 0] ?? IDEAS[0], chosen: null }
  const changed = () => {
    draw()
    keep([...state.order, IDEAS.indexOf(state.idea)])
  }

  /** Put a word where another stands; the ones between make room. */
  const move = (word, to, focus = true) => {
    const from = state.order.indexOf(word), there = clamp(to, 0, n - 1)
    if (from === there) return
    state.order.splice(from, 1)
    state.order.splice(there, 0, word)
    state.chosen = word
    changed()
    if (focus) chips[word].focus()
  }
  const chips = sentence.map((text, word) => {
    const chip = h("button", { type: "button", class: "knit-chip", click: () => choose(word), keydown: event => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (!step) return
      event.preventDefault()
      move(word, state.order.indexOf(word) + step)
    }, pointerdown: event => {
      choose(word)
      const follow = ({ clientX, clientY }) => {
        const under = chips.findIndex(other => {
          const box = other.getBoundingClientRect()
          return clientX > box.left && clientX < box.right && clientY > box.top - 20 && clientY < box.bottom + 20
        })
        if (under >= 0 && under !== word) move(word, state.order.indexOf(under), false)
      }
      chip.setPointerCapture(event.pointerId)
      chip.addEventListener("pointermove", follow)
      chip.addEventListener("lostpointercapture", () => chip.removeEventListener("pointermove", follow), { once: true })
    } }, text)
    return chip
  })
  const choose = word => {
    state.chosen = word
    draw()
  }
  const step = (text, label, by) => h("button", { type: "button", "aria-label": label, click: () => {
    if (state.chosen !== null) move(state.chosen, state.order.indexOf(state.chosen) + by, false)
  } }, text)
  const row = h("div", { class: "knit-chips" })
  const line = h("div", { class: "knit-line", role: "group", "aria-label": words.sentence },
    row, h("span", {}, step("◂", words.left, -1), step("▸", words.right, 1)))
  const ideas = choice({ label: words.idea, options: IDEAS.map(idea => [idea, words.ideas[idea]]), value: state.idea,
    change: idea => {
      state.idea = idea
      changed()
    } })
  const body = h("tbody")
  const heads = h("tr")
  const table = h("table", { class: "knit-numbers knit-heat" }, h("thead", {}, heads), body)
  const { line: said, say } = saying()

  function draw() {
    const run = order => machine(order.map(word => vectors[word]), start, state.idea, slope)
    const before = run(sentence.map((_, i) => i)), now = run(state.order)
    const change = state.order.map((word, i) => {
      const old = before.output[word]
      return length(now.output[i].map((value, a) => value - old[a])) / length(old)
    })
    // Elements are moved, not made anew: the word being dragged keeps the pointer.
    state.order.forEach((word, i) => {
      if (row.children[i] !== chips[word]) row.insertBefore(chips[word], row.children[i] ?? null)
      chips[word].setAttribute("aria-label", fill(words.place, { word: sentence[word], at: i + 1, all: n }))
      chips[word].setAttribute("aria-pressed", String(state.chosen === word))
    })
    const shown = state.order.map(word => sentence[word])
    heads.replaceChildren(h("th", { scope: "col" }, words.word),
      ...shown.map(text => h("th", { scope: "col" }, text)),
      h("th", { scope: "col" }, words.change), h("th", { scope: "col" }, words.output))
    body.replaceChildren(...shown.map((text, i) => h("tr", {}, h("th", { scope: "row" }, text),
      ...now.weights[i].map((weight, j) => h("td", { class: `w${Math.round(weight * 10)}`,
        title: fill(words.weight, { word: text, other: shown[j], weight: number(weight) }) }, number(weight))),
      h("td", { class: change[i] < STILL ? "" : "bad" }, `${number(100 * change[i], 0)}%`),
      h("td", {}, now.output[i].map(value => number(value)).join(", ")))))
    const moved = state.order.some((word, i) => word !== i), count = change.filter(each => each >= STILL).length
    const most = Math.max(...change)
    say(!moved ? words.original : count === 0 ? words.same
      : fill(words.changed, { count, word: shown[change.indexOf(most)], most: `${number(100 * most, 0)}%` }))
  }

  place.append(h("p", { class: "knit-hint" }, words.hint), line, ideas.root,
    h("div", { class: "knit-scrolls", tabindex: 0, role: "group", "aria-label": words.weights },
      h("p", {}, words.weights), table), said)
  draw()
}
