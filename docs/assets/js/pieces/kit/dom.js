/* Elements for the pieces: h makes HTML, s makes SVG. Looks are a matter of classes: assets/css/pieces.css. */

/** Set attributes; a function listens to the event of its name, null and false take an attribute away. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value)
    else if (value === null || value === false) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? "" : value)
  }
  return element
}

const maker = namespace => (tag, attributes = {}, ...children) => {
  const element = set(document.createElementNS(namespace, tag), attributes)
  element.append(...children)
  return element
}

export const h = maker("http://www.w3.org/1999/xhtml")
export const s = maker("http://www.w3.org/2000/svg")

/** Write a number with so many decimals, as on the rest of the page: with a minus sign, and without −0. */
export function number(value, decimals = 2) {
  const text = Math.abs(value).toFixed(decimals)
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

/** Fill a sentence: {name} is replaced by values.name. */
export const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name])

export const clamp = (value, least, most) => Math.min(Math.max(value, least), most)

/** A line that says what came of the last change, once the reader has stopped changing. */
export function saying() {
  const line = h("p", { class: "knit-says", role: "status" })
  let timer = 0
  const say = text => {
    clearTimeout(timer)
    // Spoken late, seen at once.
    timer = setTimeout(() => line.removeAttribute("aria-busy"), 600)
    line.setAttribute("aria-busy", "true")
    if (line.textContent !== text) line.textContent = text
  }
  return { line, say }
}
