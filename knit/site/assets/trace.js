/* Numbers to trace: pointing at a number, a figure or a badge shows its name, its full value and the lines that made it.
 *
 * The weaving marks each with `data-of`: script.name, or script:claim; a formula with all the names of its values, and
 * their values in `data-value`. The lines come from the script's page, snippets/NAME.html, fetched when first asked for.
 */
const SCRIPTS = new URL("../../snippets/", import.meta.url)
const LINGER = 250 // milliseconds before the window opens under the pointer, and before it closes behind it
const NARROW = 600 // pixels of width below which it is a sheet at the bottom
const LOWEST = 200 // pixels of height that the sheet has at least
const HEADER = 60 // pixels that the page's header covers
const AROUND = 2 // lines shown before the lines that made it

const WORDS = {
  zh: { title: "这个数从哪儿来", figure: "怎么画的", close: "关闭", whole: "整个脚本", run: "重跑", ledger: "在断言总账里",
    claim: "断言 {name}", missing: "读不到脚本。", line: "第 {first} 行" },
  en: { title: "Where this comes from", figure: "How it was drawn", close: "Close", whole: "the whole script", run: "re-run",
    ledger: "in the ledger of claims", claim: "claim {name}", missing: "The script cannot be read.", line: "line {first}" },
}
const language = document.documentElement.lang.split("-")[0]
const words = WORDS[language] ?? WORDS.en
const other = Object.keys(WORDS).filter(each => each !== language).join("|")

const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/* Python, coloured. */

const KEYWORDS = "and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|"
  + "import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|None|True|False"
const TOKENS = new RegExp([
  /(?<s>\b[rbfRBF]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/.source,
  "(?<c1>#.*)", `(?<k>\\b(?:${KEYWORDS})\\b)`, "(?<mi>\\b\\d[\\d_.]*(?:e[-+]?\\d+)?)", "(?<n>[\\p{L}_][\\p{L}\\p{N}_]*)",
].join("|"), "gu")

/** Split a source into lines of pieces: pairs of a text and the class of its colour. */
export function coloured(source) {
  const lines = [[]]
  const add = (text, kind) => text.split("\n").forEach((part, i) => {
    if (i) lines.push([])
    if (part) lines.at(-1).push([part, kind])
  })
  let at = 0
  for (const match of source.matchAll(TOKENS)) {
    add(source.slice(at, match.index), "")
    add(match[0], Object.keys(match.groups).find(kind => match.groups[kind] !== undefined))
    at = match.index + match[0].length
  }
  add(source.slice(at), "")
  return lines
}

const spans = pieces => pieces.map(([text, kind]) => kind ? element("span", { class: kind }, text) : text)

/* Scripts */

const scripts = new Map()

function script(name) {
  if (!scripts.has(name)) {
    const read = async () => {
      const answer = await fetch(new URL(`${name}.html`, SCRIPTS))
      if (!answer.ok) throw new Error(`${answer.status}`)
      const page = new DOMParser().parseFromString(await answer.text(), "text/html")
      const source = [...page.querySelectorAll("[id^=L]")].map(line => line.textContent).join("\n")
      return { name, lines: coloured(source), ...JSON.parse(page.getElementById("made").textContent) }
    }
    scripts.set(name, read().catch(error => {
      scripts.delete(name)
      throw error
    }))
  }
  return scripts.get(name)
}

/** Take `script.name[0].part` or `script:claim` apart. */
export function parts(of) {
  const [, name, mark, path] = /^(\w+)([.:])(.*)$/u.exec(of)
  return { script: name, claim: mark === ":" ? path : null, path, head: /^[\p{L}_][\p{L}\p{N}_]*/u.exec(path)?.[0] }
}

/** Find the script and the lines that make a name, through imports from other scripts. */
export async function found({ script: name, claim, head }) {
  let there = await script(name)
  if (claim) return { there, lines: there.claims[claim] ?? [] }
  while (there.imported[head]) {
    const [module, original] = there.imported[head].split(".")
    there = await script(module)
    head = original
  }
  return { there, lines: there.made[head] ?? [] }
}

/** The lines that made it, marked, with what stands before them; gaps where lines are far apart. */
function excerpt({ lines }, ranges) {
  const shown = new Map()
  for (const [first, last] of ranges) {
    for (let n = Math.max(1, first - AROUND); n <= last; n++) shown.set(n, shown.get(n) || n >= first)
  }
  const code = element("code")
  let before = 0
  for (const n of [...shown.keys()].sort((a, b) => a - b)) {
    const text = lines[n - 1].map(([part]) => part).join("")
    const foreign = new RegExp(`^\\s*#\\s*(?:${other}):`).test(text)
    if (foreign || (!shown.get(n) && /^\s*(#\s*-+8<-.*)?$/.test(text))) continue
    if (before && n > before + 1 + AROUND) code.append(element("span", { class: "knit-gap" }, "⋯\n"))
    before = n
    code.append(element(shown.get(n) ? "mark" : "span", { "data-line": n }, ...spans(lines[n - 1]), "\n"))
  }
  return element("div", { class: "highlight" }, element("pre", { tabindex: 0 }, code))
}

/* The window */

const box = element("div", { class: "knit-trace", role: "dialog", "aria-label": words.title, hidden: "" })
let anchor = null // what it belongs to
let pinned = false // whether it stays when the pointer or the focus goes
let timer = 0
let pointer = "mouse"
let silent = false // the focus that comes back opens nothing

/** What a thing shows: its names, each with its full value if there is one. */
function subjects(target) {
  const names = target.dataset.of.split(" ")
  const values = target.dataset.value ? JSON.parse(target.dataset.value) : [target.value ?? target.querySelector("data")?.value]
  return names.map((of, i) => ({ of, value: values[i] }))
}

/**
 * Which of a formula's values its nth number is. Values come in the formula's order, so each number is taken for the
 * next one that is not yet used up where it is written like it, or else for the first written like it.
 */
export function written(texts, n, values) {
  const numbers = values.flatMap((value, which) =>
    (value?.match(/\d[\d.]*(?:e[-+]?\d+)?/g) ?? []).map(number => ({ number: Number(number), which })))
  const like = (text, { number }) => {
    const shown = text.replaceAll(",", "")
    return number.toFixed(shown.split(".")[1]?.length ?? 0) === shown
  }
  let next = 0, found = -1
  for (const text of texts.slice(0, n + 1)) {
    const ahead = next < numbers.length && like(text, numbers[next])
    found = ahead ? numbers[next++].which : numbers.find(each => like(text, each))?.which ?? -1
  }
  return found
}

async function show(of, value) {
  const subject = parts(of), name = element("code", {}, subject.claim ? words.claim.replace("{name}", subject.claim) : subject.path)
  const parted = [element("p", { class: "knit-trace-name" }, name)]
  if (value !== undefined && value !== "") parted.push(element("p", { class: "knit-trace-value" }, value))
  const place = element("div", { class: "knit-trace-lines" })
  const body = box.querySelector(".knit-trace-body")
  body.replaceChildren(...parted, place)
  try {
    const { there, lines } = await found(subject)
    if (!place.isConnected) return
    const statements = there.stated?.[subject.claim] ?? {}
    const statement = statements[language] ?? statements[""]
    if (statement) {
      const stated = element("p", { class: "knit-trace-stated" })
      stated.innerHTML = statement
      name.parentElement.after(stated)
    }
    const page = new URL(`${there.name}.html#L${lines[0]?.[0] ?? 1}`, SCRIPTS)
    const command = `python snippets/${there.name}.py${subject.claim ? ` --claim ${subject.claim}` : ""}`
    const foot = element("p", { class: "knit-trace-foot" }, element("a", { href: page }, words.whole),
      element("span", {}, `${words.run} `, element("code", {}, command)))
    const ledger = anchor?.closest("a[href]")
    if (ledger) foot.prepend(element("a", { href: ledger.href }, words.ledger))
    place.append(element("p", { class: "knit-trace-place" }, `snippets/${there.name}.py, `
      + words.line.replace("{first}", lines[0]?.[0] ?? 1)), excerpt(there, lines), foot)
  } catch {
    if (place.isConnected) place.append(words.missing)
  }
  stand()
}

/** Put the window below what it belongs to, or above it, and never over it; on a phone it is a sheet. */
function stand() {
  const sheet = innerWidth < NARROW, gap = 6
  box.classList.toggle("knit-sheet", sheet)
  box.style.left = box.style.top = box.style.maxBlockSize = ""
  if (!anchor) return
  const at = anchor.getBoundingClientRect()
  if (sheet) {
    // a formula may be higher than what is left: its beginning stays
    const under = Math.min(at.bottom + gap - box.getBoundingClientRect().top, at.top - HEADER)
    if (under > 0) scrollBy({ top: under, behavior: "instant" })
    // at the end of a page nothing scrolls farther: the sheet is lower then
    const left = innerHeight - anchor.getBoundingClientRect().bottom - gap
    box.style.maxBlockSize = `min(26rem, 60vh, ${Math.max(left, LOWEST)}px)`
    return
  }
  const [over, under] = [at.top, innerHeight - at.bottom].map(room => room - 2 * gap)
  box.style.maxBlockSize = `min(26rem, 60vh, ${Math.max(over, under)}px)`
  const own = box.getBoundingClientRect()
  const top = own.height <= under || under > over ? at.bottom + gap : at.top - gap - own.height
  box.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - own.width - gap))}px`
  box.style.top = `${top}px`
}

function open(target, { pin = false, within = null } = {}) {
  clearTimeout(timer)
  const all = subjects(target)
  const digits = [...target.querySelectorAll("mn")], at = digits.indexOf(within?.closest?.("mn"))
  const which = at < 0 ? 0 : Math.max(0, written(digits.map(each => each.textContent), at, all.map(({ value }) => value)))
  pinned = pin || (pinned && anchor === target)
  if (anchor === target && !box.hidden && box.dataset.which === String(which)) return
  anchor?.removeAttribute("aria-expanded")
  anchor = target
  if (target.matches("[aria-haspopup]")) target.setAttribute("aria-expanded", "true")
  box.dataset.which = which
  const close = element("button", { type: "button", class: "knit-trace-close", "aria-label": words.close }, "×")
  close.addEventListener("click", () => shut({ back: true }))
  const list = element("div", { class: "knit-trace-several", role: "group", "aria-label": words.title })
  if (all.length > 1) {
    list.append(...all.map(({ of, value }, i) => {
      const button = element("button", { type: "button", "aria-pressed": i === which }, parts(of).path)
      button.addEventListener("click", () => {
        pinned = true
        for (const each of list.children) each.setAttribute("aria-pressed", each === button)
        show(of, value)
      })
      return button
    }))
  }
  box.replaceChildren(close, list, element("div", { class: "knit-trace-body" }))
  box.hidden = false
  show(all[which].of, all[which].value)
  stand()
}

function shut({ back = false } = {}) {
  clearTimeout(timer)
  if (box.hidden) return
  const inside = box.contains(document.activeElement), from = anchor
  box.hidden = true
  pinned = false
  anchor = null
  from.removeAttribute("aria-expanded")
  delete box.dataset.which
  if (back || inside) {
    silent = true
    const home = from.closest("a") ?? from
    home.focus({ preventScroll: true })
    silent = false
  }
}

const later = action => {
  clearTimeout(timer)
  timer = setTimeout(action, LINGER)
}

const traced = node => {
  const target = node instanceof Element ? node.closest("[data-of]") : null
  return target && !box.contains(target) ? target : null
}

/** What a click on a traced thing must not take: the click of a fold, a label or another button. */
const taken = target => target.closest("summary, label") || (target.closest("button") && !target.matches("button"))

function follow() {
  addEventListener("pointerdown", event => { pointer = event.pointerType }, true)

  document.addEventListener("pointerover", event => {
    if (event.pointerType !== "mouse") return
    if (box.contains(event.target)) {
      clearTimeout(timer)
      return
    }
    const target = traced(event.target)
    if (target && !target.matches("button")) {
      if (!pinned) later(() => { if (target.matches(":hover")) open(target, { within: event.target }) })
    } else if (!pinned) later(shut)
  })

  document.addEventListener("click", event => {
    const target = traced(event.target)
    if (!target || taken(target)) {
      if (!box.contains(event.target)) shut()
      return
    }
    if (target.closest("a[href]")) {
      // A link leads where it leads; only a finger, which cannot point, sees the lines first.
      if (pointer !== "touch") return
      event.preventDefault()
    }
    if (String(getSelection())) return
    if (pinned && anchor === target && !event.target.closest("mn")) shut()
    else {
      delete box.dataset.which
      open(target, { pin: true, within: event.target })
      if (event.detail === 0) enter()
    }
  })

  document.addEventListener("focusin", event => {
    if (box.contains(event.target)) return
    const target = traced(event.target) ?? event.target.closest("a")?.querySelector("[data-of]")
    if (target && !silent && event.target.matches(":focus-visible") && !target.matches("button")) open(target)
    else if ((!target || target !== anchor) && !pinned) shut()
  })

  document.addEventListener("keydown", event => {
    if (box.hidden || !anchor) return
    if (event.key === "Escape") {
      event.stopPropagation()
      shut({ back: box.contains(document.activeElement) })
      return
    }
    const inside = box.contains(document.activeElement)
    const own = document.activeElement === anchor || document.activeElement === anchor.closest("a")
    if (own && (event.key === "ArrowDown" || (["Enter", " "].includes(event.key) && document.activeElement === anchor))) {
      event.preventDefault()
      enter()
    }
    if (inside && event.key === "Tab") {
      const stops = [...box.querySelectorAll("button, a, pre")]
      if (document.activeElement === (event.shiftKey ? stops[0] : stops.at(-1))) {
        event.preventDefault()
        shut({ back: true })
      }
    }
  }, true)

  addEventListener("scroll", () => {
    if (pinned || box.hidden) return
    // the page also scrolls to what gets the focus
    const at = anchor.getBoundingClientRect(), focused = document.activeElement.contains(anchor)
    if (!focused || document.activeElement === document.body || at.bottom < 0 || at.top > innerHeight) shut()
    else if (innerWidth >= NARROW) stand()
  }, { passive: true })
  addEventListener("resize", () => shut(), { passive: true })
}

/** Go into the window with the keyboard. */
function enter() {
  pinned = true
  box.querySelector("button").focus()
}

/* The keyboard's way to the numbers: one stop a section; the arrow keys lead from number to number. */

/** What scrolls must be reached by itself: seen when the page is laid out, and not asked of each before. */
const sizes = new ResizeObserver(entries => {
  const wide = entries.filter(({ target }) => target.scrollWidth > target.clientWidth + 1)
  for (const { target } of wide) target.tabIndex = 0
})

function stops(article) {
  let section = []
  const sections = [section]
  for (const node of article.querySelectorAll("h1, h2, h3, h4, [data-of]")) {
    if (node.matches("h1, h2, h3, h4")) sections.push(section = [])
    if (node.matches("[data-of]") && !node.closest("a, summary, label, .knit-live") && !node.matches("button")) section.push(node)
  }
  for (const row of sections) {
    row.forEach((node, i) => {
      node.tabIndex = i === 0 ? 0 : -1
      if (node.localName === "data") {
        node.setAttribute("role", "button")
        node.setAttribute("aria-haspopup", "dialog")
      } else sizes.observe(node)
      node.addEventListener("keydown", event => {
        const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: row.length - 1 }[event.key]
        const next = row[to]
        if (!next || event.target !== node) return
        event.preventDefault()
        if (node.scrollWidth <= node.clientWidth + 1) node.tabIndex = -1
        next.tabIndex = 0
        next.focus()
      })
    })
  }
}

/** A figure is large: not pointing at it but a button on it shows how it was drawn. */
function figures(article) {
  for (const figure of article.querySelectorAll("[data-of]:has(> .knit-figure)")) {
    const how = element("button", { type: "button", class: "knit-how", "data-of": figure.dataset.of, "aria-label": words.figure,
      title: words.figure }, "{ }")
    figure.removeAttribute("data-of")
    figure.classList.add("knit-drawn")
    figure.append(how)
  }
}

const article = document.querySelector("article")
if (article) {
  figures(article)
  stops(article)
  document.body.append(box)
  follow()
}

const listing = document.querySelector(".knit-listing pre code")
if (listing) {
  const lines = [...listing.querySelectorAll("[id^=L]")]
  coloured(lines.map(line => line.textContent).join("\n")).forEach((pieces, i) => lines[i].replaceChildren(...spans(pieces)))
}
