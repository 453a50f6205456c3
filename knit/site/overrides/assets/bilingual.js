/* The language switch: keeps the section, remembers the choice; the search: waits. Runs before the theme's script. */
(() => {
  // The theme takes every alternate for a site of its own: it would ask each for a sitemap, and then lead
  // the switch to the top of the page. It looks once, when the document is ready.
  const alternates = document.querySelectorAll("link[rel=alternate][hreflang]")
  for (const link of alternates) link.rel = ""
  addEventListener("load", () => { for (const link of alternates) link.rel = "alternate" })

  // The search's index is as large as the rest of a page: it is fetched when the reader turns to the search, or when
  // she comes from it.
  const asked = new Promise(resolve => {
    const parameters = new URLSearchParams(location.search)
    if (parameters.has("q") || parameters.has("h")) resolve()
    addEventListener("change", event => { if (event.target.id === "__search") resolve() })
  })
  // Of each language's sitemap the theme has no use here, and there is none: it is never asked for.
  const { open, send } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.open = function (method, address, ...others) {
    const { pathname } = new URL(address, location)
    this.until = pathname.endsWith("/search/search_index.json") ? asked
      : pathname.endsWith("/sitemap.xml") ? new Promise(() => {}) : null
    return open.call(this, method, address, ...others)
  }
  XMLHttpRequest.prototype.send = function (...body) {
    if (this.until) this.until.then(() => send.apply(this, body))
    else send.apply(this, body)
  }

  // A change to this element has the browser style the whole page anew, twice while the theme starts: it can wait.
  const { head } = document
  head.appendChild = node => {
    if (node.name !== "color-scheme") return Node.prototype.appendChild.call(head, node)
    delete head.appendChild
    addEventListener("load", () => setTimeout(() => head.append(node)))
    return node
  }

  const choose = event => {
    const link = event.target.closest("a[data-language]")
    if (!link) return
    link.hash = location.hash
    link.search = location.search // where the pieces keep what the reader made of them
    __md_set("__language", link.dataset.language)
  }
  addEventListener("click", choose)
  addEventListener("auxclick", choose)
})()
