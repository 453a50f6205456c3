/* A small chart: lines and points over two axes, in the figures' look. */
import { s, set } from "./dom.js"

const MARGIN = { left: 34, right: 16, top: 22, bottom: 34 }

/**
 * `x` and `y` are ranges, `xs` and `ys` the ticks, as pairs of a value and its text. Ranges of y may change later.
 * `scale` leads from a value of x to where it is drawn, such as Math.log2.
 */
export function chart({ x, y, xs, ys, across, up, width = 340, height = 190, scale = value => value }) {
  const [least, most] = x.map(scale)
  const right = width - MARGIN.right, bottom = height - MARGIN.bottom
  const toX = value => MARGIN.left + (right - MARGIN.left) * (scale(value) - least) / (most - least)
  let range = y
  const toY = value => bottom - (bottom - MARGIN.top) * (value - range[0]) / (range[1] - range[0])
  const axes = s("g", { class: "grid" }), layer = s("g")
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "knit-chart", "aria-hidden": "true" }, axes, layer,
    s("text", { x: (MARGIN.left + right) / 2, y: height - 4, class: "tick" }, across),
    s("text", { x: MARGIN.left, y: 11, class: "tick of" }, up))

  /** Set the range of y, with its ticks. */
  const measure = (now, ticks) => {
    range = now
    axes.replaceChildren(
      ...ticks.flatMap(([value, text]) => [
        s("line", { x1: MARGIN.left, x2: right, y1: toY(value), y2: toY(value), class: value === 0 ? "axis" : "" }),
        s("text", { x: MARGIN.left - 5, y: toY(value) + 4, class: "tick end" }, text)]),
      ...xs.map(([value, text]) => s("text", { x: toX(value), y: bottom + 14, class: "tick" }, text)))
  }
  measure(y, ys)

  /** A line whose points can be set again and again. */
  const line = kind => {
    const path = s("polyline", { class: `line ${kind}` })
    layer.append(path)
    return points => path.setAttribute("points", points.map(([a, b]) => `${toX(a).toFixed(1)},${toY(b).toFixed(1)}`).join(" "))
  }
  const point = kind => {
    const circle = s("circle", { class: `point ${kind}`, r: 6 })
    layer.append(circle)
    return (a, b) => set(circle, { cx: toX(a), cy: toY(b) })
  }
  const upright = kind => {
    const path = s("line", { class: `upright ${kind}`, y1: MARGIN.top, y2: bottom })
    layer.append(path)
    return a => set(path, { x1: toX(a), x2: toX(a) })
  }
  const text = (kind, words) => {
    const element = s("text", { class: kind }, words)
    layer.append(element)
    return (a, b) => set(element, { x: toX(a), y: toY(b) })
  }
  return { svg, layer, measure, line, point, upright, text }
}
