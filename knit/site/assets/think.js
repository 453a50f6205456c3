/* Stop and think: a prompt asks for the reader's own answer before it unfolds, and then shows both.
 *
 * `??? question` and `??? success` ask for words, `??? question number` for a number, `??? question choice` for one of
 * the items of the list with which the answer begins. What the reader wrote stays in her browser. Without script, and
 * wherever a fold is opened otherwise than by its title (a search, a print), the answer is simply there.
 */
const ROOT = new URL("../../", import.meta.url).pathname
const language = document.documentElement.lang.split("-")[0]

const WORDS = {
  zh: { guess: "你的答案", number: "你猜的数", choice: "选一个", send: "写下来，看答案", skip: "不猜，直接看",
    yours: "你的答案：", none: "这一题你没有猜。", change: "改一改", late: "现在补一个",
    progress: "想过 {done} / {all} 题", list: "这一页的思考题", left: "还没想", guessed: "想过", skipped: "直接看了答案",
    forget: "忘掉我在这一页写的", kept: "你写的只存在这台设备的浏览器里。" },
  en: { guess: "Your answer", number: "Your number", choice: "Choose one", send: "Write it down and see", skip: "Just show me",
    yours: "Your answer: ", none: "You did not guess here.", change: "Change it", late: "Guess after all",
    progress: "Thought about {done} of {all}", list: "Questions on this page", left: "not yet", guessed: "thought about",
    skipped: "looked it up", forget: "Forget what I wrote on this page", kept: "What you write stays in this device's browser." },
}
const words = WORDS[language] ?? WORDS.en

const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value)
    else element.setAttribute(name, value)
  }
  element.append(...children)
  return element
}

/* What was written, by prompt: null where the reader looked without guessing. The languages of a page share it. */

const page = address => address.pathname.slice(ROOT.length).replace(`${language}/`, "")
const store = address => `${ROOT}.think:${page(address)}`
const total = address => `${ROOT}.prompts:${page(address)}` // how many prompts a page has on which something was written

function read(address) {
  try {
    const kept = JSON.parse(localStorage.getItem(store(address)))
    return kept && typeof kept === "object" ? kept : {}
  } catch {
    return {}
  }
}

const notes = read(location)

function write() {
  try {
    if (Object.keys(notes).length) {
      localStorage.setItem(store(location), JSON.stringify(notes))
      localStorage.setItem(total(location), all.length)
    } else for (const key of [store(location), total(location)]) localStorage.removeItem(key)
  } catch { /* a browser that keeps nothing */ }
}

/* Prompts */

/** The prompts of an article, each with a name that stays: the section's, and which of the section's it is. */
function prompts(article) {
  const found = []
  let heading = null, count = 0
  for (const node of article.querySelectorAll(":is(h1, h2, h3, h4)[id], details:is(.question, .success)")) {
    if (node.matches("details")) {
      const title = node.matches(".question") ? node.querySelector("summary") : heading
      found.push({ fold: node, name: `${heading?.id}/${++count}`, title: title?.textContent.replace("¶", "").trim() })
    } else [heading, count] = [node, 0]
  }
  return found
}

/** The field in which the reader answers. */
function field(fold, id) {
  if (fold.matches(".choice")) {
    const items = [...fold.querySelector(":scope > :is(ul, ol)")?.children ?? []]
    return h("fieldset", {}, h("legend", {}, words.choice), ...items.map(item => h("label", {},
      h("input", { type: "radio", name: id, value: item.textContent.trim(), required: "" }), " ", ...item.cloneNode(true).childNodes)))
  }
  const label = h("label", { for: id }, fold.matches(".number") ? words.number : words.guess)
  const input = fold.matches(".number") ? h("input", { id, name: id, inputmode: "decimal", autocomplete: "off", required: "" })
    : h("textarea", { id, name: id, rows: 2, required: "" })
  return h("div", {}, label, input)
}

function enliven(prompt, told) {
  const { fold, name } = prompt, summary = fold.querySelector("summary"), id = `think-${name.replace(/\W+/g, "-")}`
  const place = h("div", { class: "knit-guess" })

  const ask = () => {
    const form = h("form", { submit: event => {
      event.preventDefault()
      done(String(new FormData(form).get(id)).trim() || null)
    } }, field(fold, id), h("p", {}, h("button", { type: "submit" }, words.send), " ",
      h("button", { type: "button", click: () => done(null) }, words.skip)))
    const before = notes[name]
    if (before) for (const each of form.querySelectorAll("textarea, input:not([type=radio])")) each.value = before
    place.replaceChildren(form)
    fold.classList.add("knit-asked", "knit-asking")
  }
  const done = guess => {
    notes[name] = guess
    write()
    answer()
    told()
    place.querySelector("button").focus({ preventScroll: true })
  }
  const answer = () => {
    fold.classList.add("knit-asked")
    fold.classList.remove("knit-asking")
    const guess = notes[name]
    place.replaceChildren(h("p", { role: "status" }, ...guess ? [words.yours, h("strong", {}, guess)] : [words.none], " ",
      h("button", { type: "button", click: () => {
        ask()
        place.querySelector("textarea, input").focus()
      } }, guess ? words.change : words.late)))
  }

  summary.after(place)
  if (name in notes) answer()
  summary.addEventListener("click", () => { if (!fold.open && !(name in notes)) ask() })
  prompt.forget = () => {
    place.replaceChildren()
    fold.classList.remove("knit-asked", "knit-asking")
  }
}

/* Progress: a line below the title, which leads to the list of what is left, at the end. */

function progress(article, all) {
  const count = h("a", { href: "#knit-progress", class: "knit-count" })
  const bar = h("progress", { max: all.length, "aria-label": words.list })
  const list = h("ol")
  const text = h("span")
  const section = h("details", { class: "knit-progress", id: "knit-progress" },
    h("summary", {}, text, " ", bar), list, h("p", {}, words.kept, " ", h("button", { type: "button", click: () => {
      for (const name of Object.keys(notes)) delete notes[name]
      for (const prompt of all) prompt.forget()
      write()
      tell()
    } }, words.forget)))
  const items = all.map(({ fold, name, title }) => {
    fold.id ||= `prompt-${name.replace(/\W+/g, "-")}`
    const state = h("span")
    list.append(h("li", {}, h("a", { href: `#${fold.id}` }, title), " ", state))
    return { name, state }
  })
  const tell = () => {
    const done = all.filter(({ name }) => notes[name]).length
    count.textContent = text.textContent = sentence(done, all.length)
    bar.value = done
    for (const { name, state } of items) {
      state.textContent = name in notes ? (notes[name] ? `✓ ${words.guessed}` : words.skipped) : words.left
    }
    for (const { fold, name } of all) fold.classList.toggle("knit-thought", Boolean(notes[name]))
  }
  count.addEventListener("click", () => { section.open = true })
  if (all.length > 1) {
    article.querySelector("h1")?.after(count)
    article.append(section)
  }
  return tell
}

const sentence = (done, of) => words.progress.replace("{done}", done).replace("{all}", of)

/** Behind a link to another page that asks for it, `{ .knit-follow }`: how far she has come there. */
function follow(link) {
  const there = new URL(link.href), done = Object.values(read(there)).filter(Boolean).length
  let of = 0
  try {
    of = Number(localStorage.getItem(total(there)))
  } catch { /* a browser that keeps nothing */ }
  if (done && of >= done) link.after(h("span", { class: "knit-followed" }, sentence(done, of)))
}

const article = document.querySelector("article")
const all = article ? prompts(article) : []
if (all.length) {
  const tell = progress(article, all)
  for (const prompt of all) enliven(prompt, tell)
  tell()
}
document.querySelectorAll("a.knit-follow").forEach(follow)
