/* Native controls, so that touch, mouse, keyboard and screen readers all work: sliders, choices, buttons. */
import { clamp, h } from "./dom.js"

let count = 0

/**
 * A slider with its name and what it stands at.
 * `to` and `from` lead from the slider's own scale to the value's and back, for scales that are not even.
 */
export function slider({ label, min, max, step, value, show, change, kind = "", to = x => x, from = x => x }) {
  const id = `knit-control-${++count}`
  const output = h("output", { for: id })
  const [least, most] = [from(min), from(max)]
  // As many steps as lead right to the end, which is no multiple of the step where the scale is not even.
  const even = (most - least) / Math.round((most - least) / step)
  const input = h("input", { type: "range", id, min: least, max: most, step: even, input: () => {
    tell()
    change(to(Number(input.value)))
  } })
  const tell = () => {
    const text = show(to(Number(input.value)))
    output.textContent = text
    input.setAttribute("aria-valuetext", text)
  }
  const put = now => {
    input.value = from(clamp(now, min, max))
    tell()
  }
  put(value)
  return { root: h("div", { class: `knit-slider ${kind}` }, h("label", { for: id }, label), output, input), put }
}

/** One of a few: radio buttons that look like one row of buttons. `options` are pairs of value and text. */
export function choice({ label, options, value, change }) {
  const name = `knit-control-${++count}`
  const inputs = options.map(([each]) =>
    h("input", { type: "radio", name, value: each, checked: each === value, change: () => change(each) }))
  const labels = options.map(([, text], i) => h("label", {}, inputs[i], h("span", {}, text)))
  const put = now => inputs.forEach((input, i) => { input.checked = options[i][0] === now })
  return { root: h("fieldset", { class: "knit-choice" }, h("legend", {}, label), ...labels), put }
}

export const button = (text, action) => h("button", { type: "button", click: action }, text)
