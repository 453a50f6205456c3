/* The plane with words as arrows whose tips can be dragged, or moved by the arrow keys, or sent to where one taps. */
import { clamp, number, s, set } from "./dom.js"

const WIDTH = 340 // of the drawing, in its own units; about a phone's column in pixels
const STEP = 0.1
const HEAD = 11

/** Points of an arrow's head. */
function head([x0, y0], [x1, y1]) {
  const far = Math.hypot(x1 - x0, y1 - y0)
  if (far < 1e-6) return ""
  const along = [(x1 - x0) / far, (y1 - y0) / far], size = Math.min(HEAD, far)
  const back = [x1 - along[0] * size, y1 - along[1] * size], wide = size * 0.42
  return [[x1, y1], [back[0] - along[1] * wide, back[1] + along[0] * wide],
    [back[0] + along[1] * wide, back[1] - along[0] * wide]].map(point => point.join()).join(" ")
}

/**
 * A stretch of the plane, from -reach to reach across and from -up to up.
 * `below` and `above` are layers to draw on, beneath and over the arrows.
 */
export function plane({ reach, up = reach, label }) {
  const unit = WIDTH / (2 * reach), height = 2 * up * unit
  const at = ([x, y]) => [WIDTH / 2 + x * unit, height / 2 - y * unit]
  const below = s("g"), above = s("g"), grid = s("g", { class: "grid" })
  for (let line = -Math.floor(reach); line <= reach; line++) {
    const [x, y] = at([line, line]), kind = line === 0 ? "axis" : ""
    grid.append(s("line", { x1: x, x2: x, y1: 0, y2: height, class: kind }))
    if (Math.abs(line) < up) grid.append(s("line", { x1: 0, x2: WIDTH, y1: y, y2: y, class: kind }))
    if (line > 0 && line < reach) grid.append(s("text", { x, y: height / 2 + 14, class: "tick" }, String(line)))
    if (line > 0 && line < up) grid.append(s("text", { x: WIDTH / 2 - 9, y: y + 4, class: "tick" }, String(line)))
  }
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "knit-plane", role: "group", "aria-label": label },
    grid, below, above)
  const point = event => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse())
    return [(x - WIDTH / 2) / unit, (height / 2 - y) / unit]
  }
  const within = v => v.map((value, i) => {
    const limit = 0.97 * (i === 0 ? reach : up)
    return clamp(Math.round(value * 100) / 100, -limit, limit)
  })
  let chosen = null

  /**
   * An arrow from the origin. With `change` its tip can be moved; `change` gets where to.
   * `nudge`, where given, takes the arrow keys' steps, and `says` what a screen reader says of the tip.
   */
  function arrow({ name, kind, change = null, nudge = null, says = null }) {
    const shaft = s("line", { class: "shaft" }), tip = s("polygon", { class: "tip" })
    const text = s("text", { class: "name" }, name)
    const group = s("g", { class: `arrow ${kind}` }, shaft, tip, text)
    let now = [0, 0]
    if (change) {
      const grip = s("circle", { r: 22, class: "grip" })
      const handle = s("g", { class: "handle", tabindex: 0, role: "slider", "aria-label": name,
        "aria-valuemin": -reach, "aria-valuemax": reach }, grip, s("circle", { r: 7, class: "knob" }))
      const choose = () => { chosen = { change, handle } }
      const drag = event => change(within(point(event)))
      set(handle, {
        focus: choose,
        pointerdown: event => {
          choose()
          handle.setPointerCapture(event.pointerId)
          handle.addEventListener("pointermove", drag)
          handle.focus({ preventScroll: true })
          event.preventDefault()
        },
        lostpointercapture: () => handle.removeEventListener("pointermove", drag),
        keydown: event => {
          const [across, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? []
          if (across === undefined) return
          event.preventDefault()
          if (nudge) {
            nudge((across + up) * (event.shiftKey ? 5 : 1))
            return
          }
          const step = event.shiftKey ? 5 * STEP : STEP
          change(within([now[0] + across * step, now[1] + up * step]))
        },
      })
      group.append(handle)
    }
    above.append(group)

    /** Draw the arrow to `v`. */
    const put = v => {
      now = v
      const start = at([0, 0]), end = at(v), far = Math.hypot(v[0], v[1])
      set(shaft, { x1: start[0], y1: start[1], x2: end[0], y2: end[1] })
      tip.setAttribute("points", head(start, end))
      // The name stands beyond the tip, inside the drawing.
      const beyond = far > 1e-6 ? [v[0] / far, v[1] / far] : [0, 1]
      const x = clamp(end[0] + beyond[0] * 26, 22, WIDTH - 22), y = clamp(end[1] - beyond[1] * 19 + 5, 14, height - 6)
      set(text, { x, y })
      const handle = group.querySelector(".handle")
      if (handle) {
        set(handle, { transform: `translate(${end})`, "aria-valuenow": v[0],
          "aria-valuetext": says?.() ?? `(${number(v[0], 1)}, ${number(v[1], 1)})` })
      }
    }
    return { group, put }
  }

  // Without dragging: choose a tip, then tap where it shall go.
  svg.addEventListener("click", event => {
    if (chosen && !event.target.closest(".handle")) chosen.change(within(point(event)))
  })
  return { svg, below, above, at, unit, arrow }
}
