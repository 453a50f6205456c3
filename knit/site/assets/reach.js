/* What the theme leaves out of a keyboard's or a screen reader's reach. */

const WIDE = ".md-typeset__scrollwrap, .knit-maths:not([data-of]), .md-typeset pre, .knit-scrolls"
const REACHED = "a[href], button, input, [tabindex='0']"
const all = selector => document.querySelectorAll(selector)

/* What is wider than its place scrolls inside itself, and so must be reached by a keyboard. */
const sizes = new ResizeObserver(entries => {
  // All are looked at before any is changed: else the page would be laid out once for each.
  const wide = entries.map(({ target }) => target.scrollWidth > target.clientWidth && !target.querySelector(REACHED))
  entries.forEach(({ target }, i) => {
    if (wide[i]) target.tabIndex = 0
    else target.removeAttribute("tabindex")
  })
})

/* A label in the header that opens something gets a button inside, named as what it opens. */
const opens = (id, name, tell = () => {}) => {
  const box = document.getElementById(id)
  const label = document.querySelector(`.md-header__button[for=${id}]`)
  if (!box || !label || !name) return
  const button = document.createElement("button")
  button.type = "button"
  button.ariaLabel = name
  button.ariaExpanded = box.checked
  button.append(...label.childNodes)
  button.addEventListener("click", () => box.click())
  box.addEventListener("change", () => {
    button.ariaExpanded = box.checked
    tell(box.checked)
  })
  addEventListener("keydown", event => {
    if (event.key !== "Escape" || !box.checked) return
    box.click()
    button.focus()
  })
  label.append(button)
}

const mend = () => {
  const search = document.querySelector(".md-search")
  if (search) search.ariaLabel = search.querySelector("input").ariaLabel
  opens("__search", search?.ariaLabel)
  const menu = document.querySelector(".md-sidebar--primary")
  opens("__drawer", menu?.querySelector("nav").ariaLabel, open => {
    for (const each of all(".md-tabs, .md-content, .md-footer")) each.inert = open
    if (open) menu.querySelector("a").focus()
  })
  // the menu's levels: Enter, on a label, is the theme's
  for (const each of all(".md-sidebar--primary label[for]")) each.tabIndex = 0
  // a button that copies is no part of the page to navigate by
  for (const each of all(".md-code__nav")) each.role = "none"
  for (const each of all(WIDE)) sizes.observe(each)
}

if (document.readyState === "complete") mend()
else addEventListener("load", mend)
