/* Under `mkdocs serve`: a worker that an earlier visit to this address left would stand in the way of the preview. */
addEventListener("install", event => event.waitUntil(skipWaiting()))

addEventListener("activate", event => event.waitUntil((async () => {
  const mine = `offline ${new URL("./", location).pathname} `
  for (const name of await caches.keys()) if (name.startsWith(mine)) await caches.delete(name)
  await registration.unregister()
  for (const client of await clients.matchAll({ type: "window" })) client.navigate(client.url)
})()))
