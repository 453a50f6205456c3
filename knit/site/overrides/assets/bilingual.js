/* The language switch: keeps the section, remembers the choice. Runs before the theme's script. */
(() => {
  // The theme takes every alternate for a site of its own: it would ask each for a sitemap, and then lead
  // the switch to the top of the page. It looks once, when the document is ready.
  const alternates = document.querySelectorAll("link[rel=alternate][hreflang]")
  for (const link of alternates) link.rel = ""
  addEventListener("load", () => { for (const link of alternates) link.rel = "alternate" })

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
