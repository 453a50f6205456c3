/* <knit-piece>: a figure that comes alive when the reader comes near it. Without script she sees the figure.
 *
 * The piece's module gives `words` by language and, as its default, a function that fills a place:
 *
 *   export default function ({ place, start, words, kept, keep }) {}
 *
 * `start` are the numbers that the lesson's script wove in, `kept` the numbers of the address (or null), and
 * `keep(numbers)` puts them there, so that a link leads to what the reader sees.
 */
const MODULES = new URL("../js/pieces/", import.meta.url)
const DIGITS = 3 // decimals of the numbers in an address
const PAUSE = 300 // milliseconds after the last change: browsers limit how often an address may change

const WORDS = {
  zh: { reset: "恢复原样", link: "复制链接", code: "画图的代码", copied: "已复制", here: "链接在地址栏里" },
  en: { reset: "Start again", link: "Copy a link to this", code: "Code of the figure", copied: "Copied", here: "It is in the address bar" },
}
const language = document.documentElement.lang.split("-")[0]
const words = WORDS[language] ?? WORDS.en

const near = new IntersectionObserver(
  entries => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) target.wake()
  },
  { rootMargin: "100% 0px" },
)

class Piece extends HTMLElement {
  #timer = 0
  #waking = null

  connectedCallback() {
    near.observe(this)
  }

  disconnectedCallback() {
    near.unobserve(this)
  }

  get #parameter() {
    return this.id.replace(/^piece-/, "")
  }

  wake() {
    near.unobserve(this)
    return this.#waking ??= this.#wake()
  }

  async #wake() {
    const module = await import(new URL(`${this.getAttribute("name")}.js`, MODULES))
    const place = document.createElement("div")
    place.className = "knit-live"
    place.setAttribute("role", "group")
    const build = kept => {
      const whole = document.createElement("div")
      module.default({
        place: whole,
        start: JSON.parse(this.getAttribute("from")),
        words: module.words[language] ?? module.words.en,
        kept,
        keep: numbers => this.#keep(numbers),
      })
      place.replaceChildren(whole, this.#foot(() => this.#again(place, build)))
    }
    build(this.#kept())
    place.setAttribute("aria-label", (module.words[language] ?? module.words.en).title)
    this.append(place)
    this.classList.add("knit-awake")
  }

  #again(place, build) {
    clearTimeout(this.#timer)
    this.#address(null)
    build(null)
    place.querySelector(".knit-foot button").focus()
  }

  #kept() {
    const text = new URL(location).searchParams.get(this.#parameter)
    const numbers = text?.split("_").map(Number) ?? []
    return numbers.length && numbers.every(Number.isFinite) ? numbers : null
  }

  #keep(numbers) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#address(numbers), PAUSE)
  }

  #address(numbers) {
    const address = new URL(location)
    if (numbers) address.searchParams.set(this.#parameter, numbers.map(each => +each.toFixed(DIGITS)).join("_"))
    else address.searchParams.delete(this.#parameter)
    history.replaceState(history.state, "", address)
  }

  #foot(again) {
    const foot = document.createElement("div")
    foot.className = "knit-foot"
    const add = (text, action) => {
      const button = document.createElement("button")
      button.type = "button"
      button.textContent = text
      button.addEventListener("click", () => action(button))
      foot.append(button)
      return button
    }
    add(words.reset, again)
    const how = this.querySelector("[data-of]")?.dataset.of
    if (how) add(words.code, () => {}).dataset.of = how // trace.js listens to it
    add(words.link, async button => {
      const address = new URL(location)
      address.hash = this.id
      try {
        await navigator.clipboard.writeText(address)
        button.textContent = words.copied
      } catch {
        history.replaceState(history.state, "", address)
        button.textContent = words.here
      }
      setTimeout(() => { button.textContent = words.link }, 3000)
    })
    foot.setAttribute("aria-live", "polite")
    return foot
  }
}

customElements.define("knit-piece", Piece)
