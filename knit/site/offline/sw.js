/* The site without network, one language at a time, and never two versions of it on one page.
 *
 * A version of a language is a cache, filled as a whole and only then made current; each file is checked against the
 * digest that the build gave it. A page that comes from a cache gets all that it asks for from that one, however long
 * it stays open: `STATE` notes which. Pages that came from the network get everything from there.
 */
const LANGUAGES = [] // the build puts them here
const HERE = new URL("./", location).href
const MINE = `offline ${new URL(HERE).pathname} ` // other sites on this host have caches too
const STATE = `${MINE}state`
const ANY = { ignoreSearch: true, ignoreVary: true }
const AT_ONCE = 4 // files under way at the same time: what the reader asks for meanwhile comes first
const YOUNG = 60_000 // milliseconds in which a new page may not be known to the browser yet

const noted = async key => (await (await caches.open(STATE)).match(HERE + key))?.text()
const note = async (key, text) => (await caches.open(STATE)).put(HERE + key, new Response(text))

addEventListener("install", event => event.waitUntil(skipWaiting()))

// What a page says when it is done: its language.
addEventListener("message", event => event.waitUntil(update(event.data)))

addEventListener("fetch", event => {
  if (event.request.method === "GET" && event.request.url.startsWith(HERE)) event.respondWith(answer(event))
})

async function answer({ request, clientId, resultingClientId }) {
  const name = request.mode === "navigate" ? await current(request.url) : (await noted(`client/${clientId}`))?.split("\n")[0]
  const cache = name && await caches.has(name) && await caches.open(name)
  const found = cache && await cache.match(request, ANY)
  if (!found) {
    const folder = new URL(request.url)
    folder.pathname += "/"
    if (cache && request.mode === "navigate" && await cache.match(folder, ANY)) return Response.redirect(folder)
    return fetch(request)
  }
  if (resultingClientId) await note(`client/${resultingClientId}`, `${name}\n${Date.now()}`)
  return found
}

/** The cache for a new page: its language's; for pages of no language, any. */
async function current(address) {
  const language = address.slice(HERE.length).split("/")[0]
  if (LANGUAGES.includes(language)) return noted(`current/${language}`)
  const keys = await (await caches.open(STATE)).keys()
  const any = keys.map(({ url }) => url.slice(HERE.length)).find(key => key.startsWith("current/"))
  return any && noted(any)
}

const running = new Map()

/** Bring a language up to date; two pages that ask at once ask once. */
function update(language) {
  if (!LANGUAGES.includes(language)) return undefined
  if (!running.has(language)) running.set(language, renew(language).catch(() => {}).finally(() => running.delete(language)))
  return running.get(language)
}

async function renew(language) {
  const response = await fetch(`${HERE}offline/${language}.json`, { cache: "no-cache" })
  if (!response.ok) return
  const { version, files } = await response.json()
  const name = `${MINE}${language} ${version}`, before = await noted(`current/${language}`)
  if (name !== before) {
    await fill(name, files, before)
    await note(`current/${language}`, name)
  }
  await sweep()
}

/** Fetch a version, but for what is unchanged or was fetched before an earlier attempt was broken off. */
async function fill(name, files, before) {
  const cache = await caches.open(name), old = before && await caches.open(before)
  const fetched = async (address, integrity) => {
    const response = await fetch(address, { integrity, cache: "no-cache", priority: "low" })
    if (!response.ok) throw new Error(address)
    return response
  }
  const same = async (address, integrity) => {
    const found = await old?.match(address)
    return found && await digest(found.clone()) === integrity ? found : null
  }
  const waiting = Object.entries(files)
  const take = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [file, integrity] = next, address = HERE + file
      if (!await cache.match(address)) await cache.put(address, await same(address, integrity) ?? await fetched(address, integrity))
    }
  }
  const takers = Array.from({ length: AT_ONCE }, take)
  try {
    await Promise.all(takers)
  } finally { // a version of which one file cannot be had is not worth the others
    waiting.length = 0
    await Promise.allSettled(takers)
  }
}

async function digest(response) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()))
  return `sha256-${btoa(String.fromCharCode(...bytes))}`
}

/** Drop the versions that are not current and that no open page came from. */
async function sweep() {
  const open = new Set((await clients.matchAll({ type: "all", includeUncontrolled: true })).map(({ id }) => id))
  const state = await caches.open(STATE), used = new Set([STATE])
  for (const request of await state.keys()) {
    const [name, time] = (await (await state.match(request)).text()).split("\n")
    const gone = time && !open.has(request.url.split("/").at(-1)) && Date.now() - time > YOUNG
    if (gone) await state.delete(request)
    else used.add(name)
  }
  for (const name of await caches.keys()) if (name.startsWith(MINE) && !used.has(name)) await caches.delete(name)
}
