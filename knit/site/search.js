/* Reads what is typed into the search. The build puts this before the theme's own script in the worker that searches.
 *
 * Formulas: √d_k, sqrt(d_k) and \sqrt{d_k} are one thing, and so are QKᵀ and QK^T; W_Q stands in XW^Q too. Chinese is
 * cut into words that the index has. A term of the glossary, by whichever of its names, leads first to the lesson that
 * tells of it, then to its entry. What is asked and answered passes through here; the searching is the theme's.
 */
(() => {
  const SETUP = 0, QUERY = 2, RESULT = 3 // the theme's names of messages
  const post = self.postMessage.bind(self)
  let answered, turn = Promise.resolve()
  self.postMessage = message => answered(message)

  /** Ask the theme's search. */
  const ask = data => new Promise(resolve => {
    answered = resolve
    dispatchEvent(new MessageEvent("message", { data }))
  })

  addEventListener("message", event => {
    if (!event.isTrusted) return // our own, to the theme's search
    event.stopImmediatePropagation()
    const { type, data } = event.data
    turn = turn.then(async () => post(await (type === SETUP ? prepare(data) : found(data))))
  })

  let separator, stopped
  const documents = new Map(), words = new Set(), terms = []

  async function prepare({ config, docs, options }) {
    const others = await Promise.all((config.parts ?? []).map(async part => (await fetch(new URL(part, location))).json()))
    docs = docs.concat(...others)
    separator = new RegExp(config.separator, "g")
    for (const doc of docs) {
      documents.set(doc.location, doc)
      for (const [word] of `${doc.title} ${doc.text}`.matchAll(/\p{sc=Han}+/gu)) words.add(word)
    }
    for (const { names, places } of config.terms ?? []) terms.push({ names: names.map(named), places, name: names[0] })
    // The one function of lunr's that every word passes on its way into the index.
    stopped = lunr.stopWordFilter
    lunr.stopWordFilter = token => {
      const kept = stopped(token)
      return kept && typeof kept !== "string" ? forms(kept) : kept
    }
    lunr.Pipeline.registerFunction(lunr.stopWordFilter, "stopWordFilter of knit")
    return ask({ type: SETUP, data: { config, docs, options } })
  }

  const folded = text => text.normalize("NFKC").toLowerCase().replace(/[⊤⊺]/g, "t").replace(/[\^_{}]/g, "")
  const named = name => folded(name).replace(/[\s-]+/g, " ").trim().replace(/([^s]{3})s$/, "$1")

  /** The words that a token of the index is found by: of a formula, all that begin at one of its factors. */
  function forms(token) {
    const text = token.toString(), whole = folded(text)
    if (whole === text) return token
    const factors = /\p{Ll}{4}/u.test(text) ? [] : text.match(/√?[\p{Ll}\p{N}](?:[_^][\p{L}\p{N}]|[^\p{Ll}√])*/gu) ?? []
    const ends = factors.map((_, place) => folded(factors.slice(place).join("")))
    const all = [whole, ...ends].flatMap(form => form.startsWith("√") ? [form, form.slice(1)] : [form])
    return [...new Set(all)].filter(Boolean).map(form => token.clone(() => form))
  }

  /** A query as the theme is to have it. */
  function read(query) {
    if (/["~]|(^|\s)[+-]\S/.test(query)) return query // the theme's own signs
    const pieces = query.normalize("NFKC")
      .replace(/\\?sqrt|\\surd/gi, "√")
      .replace(/\\(?:top|intercal)(?![a-z])|[⊤⊺]/gi, "T")
      .replace(/\\(?:left|right|text|math[a-z]+|operatorname|frac|[dt]frac)(?![a-z])|[\\$]/gi, " ")
      .replace(/√[\s({]*([\p{L}\p{N}_^{}]+)/gu, " √$1 ")
      .replace(/[{}]/g, "")
      .replace(/\p{sc=Han}+/gu, run => ` ${cut(run).join(" ")} `)
      .split(separator).filter(Boolean)
    const telling = pieces.filter(piece => stopped(piece.toLowerCase()))
    return (telling.length ? telling : pieces).flatMap(word).join(" ")
  }

  /** A word as lunr is to look for it: with whatever follows, but for letters that stand for themselves (`^1`). */
  function word(piece) {
    const plain = piece.replace(/[\^_]/g, ""), letters = [...plain].length
    if (/^√./.test(plain)) return [plain, ...root(plain).map(base => `${base}^1`)]
    if (letters <= (plain === piece ? 1 : 2)) return plain && `${plain}^1`
    // The theme cuts Chinese once more, and would leave out the last character: it gets one that is in no word.
    if (words.has(plain)) return `${plain}〇`
    return plain.replace(/([a-z]{3}[^ius])s$/i, "$1") // a plural is found by its singular
  }

  /** √d_k is also the √d of a lesson that has only one d. */
  const root = word => /^√\p{L}./u.test(word) ? [word.slice(0, 2)] : []

  /** Chinese cut into the longest words that the index has; what it has not stays together. */
  function cut(run) {
    const pieces = [], longest = at => {
      let end = run.length
      while (end > at && !words.has(run.slice(at, end))) end--
      return end
    }
    for (let at = 0; at < run.length;) {
      let end = longest(at)
      if (end === at) do end++; while (end < run.length && longest(end) === end)
      pieces.push(run.slice(at, end))
      at = end
    }
    const long = pieces.filter(piece => piece.length > 1)
    return long.length ? long : pieces
  }

  /** The terms that are meant: one of whose names was typed, or is being typed. */
  function meant(query) {
    const typed = named(query), short = named(query.split(" ").filter(word => stopped(word.toLowerCase())).join(" "))
    const whole = terms.filter(({ names }) => names.includes(typed) || names.includes(short))
    if (whole.length || typed.length < (/\p{sc=Han}/u.test(typed) ? 1 : 3)) return whole
    const begun = terms.filter(({ names }) => names.some(name => name.startsWith(typed)))
    return begun.length > 3 ? [] : begun
  }

  async function search(query) {
    const { items } = (await ask({ type: QUERY, data: read(query) })).data
    // Nobody misses the √d who typed √d_k.
    for (const { terms } of items.flat()) for (const base of Object.keys(terms).flatMap(root)) delete terms[base]
    return items
  }
  const page = ({ location }) => location.split("#")[0]

  async function found(query) {
    const own = await search(query), known = meant(query)
    if (!known.length) return { type: RESULT, data: { items: own } }
    const others = await search(known.map(({ name }) => name).join(" "))
    const lessons = known.flatMap(({ places }) => places.slice(0, -1)), entries = known.map(({ places }) => places.at(-1))
    const groups = new Map()
    for (const place of [...lessons, ...entries]) {
      const here = page({ location: place }), is = group => page(group[0]) === here
      const group = groups.get(here) ?? own.find(is) ?? others.find(is) ?? [{ ...documents.get(here), score: 0, terms: {} }]
      groups.set(here, entries.includes(place) ? led(group, place) : group)
    }
    const rest = own.length ? own : others
    const items = [...groups.values(), ...rest.filter(group => !groups.has(page(group[0])))]
    // Enter leads to the highest score.
    for (let place = groups.size - 1; place >= 0; place--) {
      const least = Math.max(0, ...items.slice(place + 1).map(group => group[0].score)) + 1
      items[place] = items[place].map(item => ({ ...item, score: item.score + least }))
    }
    return { type: RESULT, data: { items } }
  }

  /** A page's results with one of its sections before the others. */
  function led(group, place) {
    const found = group.find(({ location }) => location === place) ?? { ...documents.get(place), terms: {} }
    return [{ ...found, score: group[0].score + 1 }, ...group.filter(({ location }) => location !== place)]
  }
})();
