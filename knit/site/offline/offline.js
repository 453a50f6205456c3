/* Has the site kept for reading without network, in the page's language: once the page itself is there and nothing else
 * is to be done, and not over a connection on which every byte counts.
 */
const ROOT = new URL("../../", import.meta.url)
const language = document.documentElement.lang.split("-")[0]
const idle = window.requestIdleCallback ?? (action => setTimeout(action, 1000))

async function keep() {
  try {
    await navigator.serviceWorker.register(new URL("sw.js", ROOT), { updateViaCache: "none" })
    const { active } = await navigator.serviceWorker.ready
    active.postMessage(language)
  } catch { /* a browser that keeps nothing */ }
}

const { saveData, effectiveType = "" } = navigator.connection ?? {}

if (navigator.serviceWorker && !saveData && !effectiveType.endsWith("2g")) {
  if (document.readyState === "complete") idle(keep)
  else addEventListener("load", () => idle(keep))
}
