// Search in a book, or in all books on the front page. The index loads when the field gets focus. The number of a rule
// finds that rule. Otherwise each meaningful word of the query counts, or a synonym if the word is a term. Sections that
// match more words, or match in their titles, come first.
const rulewrightFinding = (() => {
  const ENOUGH = 3 // with this many exact matches, prefixes and similar spellings are not searched
  const FIELDS = ["title", "hidden", "text"]
  const BOOST = { title: 5, hidden: 5 }
  const LESS = { synonym: 0.8, prefix: 0.4, fuzzy: 0.3 }
  const RULING = 0.2 // relative to a section: what the text of the rules says comes before what it leaves open
  const WEAKEST = 0.15 // relative to the best result: weaker ones are not shown
  // Stop words.
  const IDLE = {
    en: `a about all allowed am an and any anybody anyone are as at be been but by can could did do does doing else for from get
      gets getting give go goes got had happen happens has have how i if in into is it its just know like may me mean means might
      much must my need needs not of on one or other our own possible shall she should so some somebody someone something still
      tell than that the their them then there these they thing things this those to too us use used was we were what when where
      whether which while who whom whose why will with without would yet you your don doesn isn won s t ll re ve`,
    de: `aber alle als am an auch auf aus bei bin da darf dann das dass dein dem den denn der des die dies doch du ein eine einem einen
      einer eines er es für geht gibt habe haben hat ich ihr im in ist ja kann kein man mein meine mich mit muss nach nicht noch nur
      ob oder sein sich sie sind so um und uns unser von vom vor wann war warum was wenn wer wie wird wir wo zu zum zur`,
  }

  function stem(word) {
    const plain = word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
    if (plain.length > 4 && plain.endsWith("ies")) return `${plain.slice(0, -3)}y`
    if (plain.length > 4 && /(ss|sh|ch|x)es$/.test(plain)) return plain.slice(0, -2)
    return plain.length > 3 && /[^su]s$/.test(plain) ? plain.slice(0, -1) : plain
  }

  const tokens = text => text.replace(/[’']s\b/g, "").split(/[\s\p{P}\p{Z}→←↑↓+=<>|~^]+/u).filter(Boolean)
  const stems = text => tokens(text).map(stem)

  const idle = Object.fromEntries(Object.entries(IDLE).map(([language, words]) => [language, new Set(stems(words))]))

  // The index: `docs` with a title, hidden words and a text each, and `[title, synonym, …]` of every term.
  function prepare(docs, synonyms, language = "en") {
    const engine = new MiniSearch({ fields: FIELDS, processTerm: stem, tokenize: tokens })
    engine.addAll(docs)
    const terms = synonyms.flatMap(([title, ...others]) => others.map(other => ({ other: stems(other), title: stems(title) })))
    // Match longer phrases first.
    terms.sort((one, two) => two.other.length - one.other.length)
    return { docs, engine, terms, idle: idle[language.slice(0, 2)] ?? new Set() }
  }

  // The parts of a query: each has one or more alternatives, and each alternative one or more words.
  function parts({ terms, idle }, query) {
    const words = stems(query)
    const found = []
    for (let at = 0; at < words.length;) {
      const starting = terms.filter(({ other }) => other.length && other.every((word, step) => words[at + step] === word))
      const longest = starting.length ? starting[0].other.length : 1
      const own = words.slice(at, at + longest)
      const ways = starting.filter(({ other }) => other.length === longest).map(({ title }) => ({ words: title, worth: LESS.synonym }))
      if (ways.length || !own.every(word => idle.has(word))) found.push([{ words: own, worth: 1 }, ...ways])
      at += longest
    }
    return found.length ? found : words.map(word => [{ words: [word], worth: 1 }])
  }

  // The sections that match an alternative, by number, with their scores and the matched words.
  function having({ engine }, { words, worth }) {
    const ask = (options, less) => engine
      .search(words.join(" "), { boost: BOOST, combineWith: "AND", ...options })
      .map(hit => [hit.id, { score: hit.score * worth * less, terms: hit.terms }])
    const hits = new Map(ask({}, 1))
    const also = (options, less) => ask(options, less).forEach(([id, hit]) => hits.has(id) || hits.set(id, hit))
    if (hits.size < ENOUGH) also({ prefix: true }, LESS.prefix)
    if (!hits.size) also({ fuzzy: word => (word.length < 4 ? false : word.length < 6 ? 1 : 2) }, LESS.fuzzy)
    return hits
  }

  function find(index, query) {
    const sums = new Map()
    let asked = 0
    for (const ways of parts(index, query)) {
      const best = new Map()
      for (const way of ways) {
        for (const [id, hit] of having(index, way)) {
          const before = best.get(id)
          best.set(id, { score: Math.max(hit.score, before?.score ?? 0), terms: [...hit.terms, ...(before?.terms ?? [])] })
        }
      }
      if (!best.size) continue // a part without matches does not lower the score of any section
      asked++
      for (const [id, { score, terms }] of best) {
        const sum = sums.get(id) ?? { score: 0, parts: 0, terms: [] }
        sums.set(id, { score: sum.score + score, parts: sum.parts + 1, terms: [...sum.terms, ...terms] })
      }
    }
    const whole = stems(query).join(" ")
    const found = [...sums].map(([id, { score, parts, terms }]) => {
      const doc = index.docs[id]
      if (doc.ruling && stems(doc.title).join(" ") === whole) return { doc, terms, score: 2 * score } // its exact title
      return { doc, terms, score: score * (parts / asked) ** 2 * (doc.ruling ? RULING : doc.number ? 1 : 0.25) }
    })
    found.sort((one, two) => two.score - one.score)
    return found.filter(({ score }) => score >= WEAKEST * found[0].score)
  }

  // The data of an index file: JSON, with gzip and in base 64.
  function unpack(text) {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json()
  }

  return { stem, tokens, prepare, find, unpack }
})();

(() => {
  const MOST = 30
  const AROUND = 70
  const root = document.querySelector(".rw-search")
  const toggle = document.getElementById("__search")
  if (!root || !toggle) return
  const field = root.querySelector(".md-search__input")
  const output = root.querySelector(".md-search__output")
  const meta = root.querySelector(".md-search-result__meta")
  const list = root.querySelector(".md-search-result__list")
  const say = rulewrightSay
  const base = new URL(root.dataset.base || ".", location.href)
  let ready = null

  // -- loading ------------------------------------------------------------------------------

  function script(url) {
    return new Promise((resolve, reject) => {
      const element = document.createElement("script")
      element.src = url
      element.onload = resolve
      element.onerror = () => reject(new Error(`${url} could not be loaded`))
      document.head.append(element)
    })
  }

  // Each index calls `rulewrightIndex` as it loads, one at a time.
  async function read(url) {
    let data = null
    window.rulewrightIndex = said => { data = said }
    await script(url)
    return unpack(data)
  }

  const { stem, prepare, unpack } = rulewrightFinding

  async function load() {
    await script(root.dataset.engine)
    const url = new URL(root.dataset.index, location.href)
    const own = await read(url)
    const books = [{ ...own, at: base }]
    for (const { title, folder } of own.books) {
      const home = new URL(`${folder}/`, base)
      books.push({ ...(await read(new URL(root.dataset.name, home))), name: title, at: home })
    }
    const docs = []
    const numbers = []
    const synonyms = []
    for (const book of books) {
      const name = own.books.length ? book.name : ""
      for (const [location, number, title, text, hidden, page, ruling] of book.entries) {
        docs.push({ id: docs.length, url: new URL(location, book.at).href, number, title, text, hidden, page, name, ruling })
      }
      synonyms.push(...book.synonyms)
      for (const [number, location, title, text] of book.numbers) {
        numbers.push({ url: new URL(location, book.at).href, number, title, text, page: "", name })
      }
    }
    const words = prepare(docs, synonyms, document.documentElement.lang || "en")
    return { words, numbers: [...docs.filter(doc => doc.number), ...numbers] }
  }

  // -- matching -----------------------------------------------------------------------------

  // "t9", "T 9" and "T.9" are the same number. "T.9.1" is below it.
  function cited(query) {
    const found = query.trim().match(/^([a-z]{1,2})[.\s]?(\d+[a-z]?(?:\.\d+[a-z]?)*)\.?$/i)
    return found && `${found[1].toUpperCase()}.${found[2].toLowerCase()}`
  }

  function find({ words, numbers }, query) {
    const found = new Map()
    const add = (doc, terms) => found.has(doc.url) || found.set(doc.url, { doc, terms })
    const number = cited(query)
    if (number) {
      numbers.filter(doc => doc.number === number).forEach(doc => add(doc, []))
      numbers.filter(doc => doc.number.startsWith(`${number}.`)).forEach(doc => add(doc, []))
      if (found.size) return [...found.values()]
    }
    rulewrightFinding.find(words, query).forEach(({ doc, terms }) => add(doc, terms))
    return [...found.values()]
  }

  // -- results ------------------------------------------------------------------------------

  function element(name, classes, ...children) {
    const made = document.createElement(name)
    if (classes) made.className = classes
    made.append(...children.filter(child => child !== ""))
    return made
  }

  // The words of a text, with matches highlighted.
  function marked(text, terms) {
    const parts = []
    let at = 0
    for (const word of text.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (!terms.has(stem(word[0]))) continue
      parts.push(text.slice(at, word.index), element("mark", "", word[0]))
      at = word.index + word[0].length
    }
    return [...parts, text.slice(at)]
  }

  function excerpt(text, terms) {
    let first = 0
    for (const word of text.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (terms.has(stem(word[0]))) { first = word.index; break }
    }
    const start = first > AROUND ? text.indexOf(" ", first - AROUND) + 1 : 0
    const end = text.length > start + 3 * AROUND ? text.lastIndexOf(" ", start + 3 * AROUND) : text.length
    return `${start ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`
  }

  function shown({ doc, terms }) {
    const words = new Set(terms)
    const title = element("h2", "", doc.number ? element("span", "rw-number", doc.number) : "", ...marked(doc.title || doc.page, words))
    const where = [doc.name, doc.page === doc.title ? "" : doc.page].filter(Boolean).join(" · ")
    const article = element("article", "md-search-result__article md-typeset", title, where ? element("p", "rw-search__where", where) : "")
    const text = excerpt(doc.text, words)
    if (text) article.append(element("p", "rw-search__text", ...marked(text, words)))
    const link = element("a", "md-search-result__link", article)
    link.href = doc.url
    link.tabIndex = -1
    link.addEventListener("click", () => follow(link.href, terms))
    return element("li", "md-search-result__item", link)
  }

  async function show() {
    const query = field.value.trim()
    const index = await ready
    if (query !== field.value.trim()) return
    const found = query ? find(index, query) : []
    list.replaceChildren(...found.slice(0, MOST).map(shown))
    meta.textContent = !query ? meta.dataset.idle : !found.length ? say("No matching rules") : found.length === 1 ? say("1 matching rule") : say("%(count)s matching rules", { count: found.length })
    list.dataset.query = query
    output.firstElementChild.scrollTop = 0
  }

  // -- arriving -----------------------------------------------------------------------------

  const FOLLOWED = "rw-followed"

  // Remember the words that a result has matched, because they may be inside a fold of its section.
  function follow(url, terms) {
    try { sessionStorage.setItem(FOLLOWED, JSON.stringify({ url, terms })) } catch { return }
    setTimeout(unfold)
  }

  // The elements of the section, question or ruling with this id.
  function section(id) {
    const first = document.getElementById(id)
    const parts = first ? [first] : []
    if (first?.matches("h2, h3")) for (let next = first.nextElementSibling; next && !next.matches("h1, h2, h3"); next = next.nextElementSibling) parts.push(next)
    return parts
  }

  // After a result was followed, open the fold of its section that has most of the matched words that readers do not see.
  function unfold() {
    let followed = null
    try { followed = JSON.parse(sessionStorage.getItem(FOLLOWED)) } catch { return }
    if (followed?.url !== location.href) return
    sessionStorage.removeItem(FOLLOWED)
    const parts = section(decodeURIComponent(location.hash.slice(1)))
    const words = text => new Set(rulewrightFinding.tokens(text).map(stem))
    const visible = words(parts.map(part => part.innerText).join(" "))
    const hidden = followed.terms.filter(term => !visible.has(term))
    const folds = parts.flatMap(part => [...(part.matches("details") ? [part] : []), ...part.querySelectorAll("details")])
    let best = null, most = 0
    for (const fold of folds) {
      const within = words(fold.textContent)
      const count = hidden.filter(term => within.has(term)).length
      if (count && count >= most) { best = fold; most = count } // an inner fold comes after the one around it
    }
    for (let fold = best; fold; fold = fold.parentElement.closest("details")) fold.open = true
  }

  addEventListener("hashchange", unfold)
  unfold()

  // -- opening and closing ------------------------------------------------------------------

  function open() {
    if (!toggle.checked) toggle.click()
    meta.dataset.idle ||= meta.textContent
    ready ||= load()
    ready.then(() => { if (!field.value.trim()) meta.textContent = meta.dataset.idle; root.dataset.ready = "" }, () => {
      ready = null
      meta.textContent = say("The index of this book cannot be read")
    })
  }

  function close() {
    if (toggle.checked) toggle.click()
    field.blur()
  }

  field.addEventListener("focus", open)
  field.addEventListener("input", () => { ready && show() })
  root.querySelector("form").addEventListener("submit", event => event.preventDefault())
  root.querySelector("form").addEventListener("reset", () => { field.focus(); setTimeout(show) })
  toggle.addEventListener("change", () => { if (toggle.checked) field.focus() })
  list.addEventListener("click", event => { if (event.target.closest("a")) close() })

  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!toggle.checked) {
      const typing = event.target.closest?.("input, select, textarea, [contenteditable]")
      if (!typing && ["/", "s", "f"].includes(event.key)) { event.preventDefault(); field.focus(); field.select() }
      return
    }
    const links = [...list.querySelectorAll("a")]
    const at = links.indexOf(document.activeElement)
    if (event.key === "Escape" || event.key === "Tab") close()
    else if (event.key === "Enter" && document.activeElement === field) { links[0]?.click(); event.preventDefault() }
    else if (event.key === "ArrowDown") { (links[at + 1] || field).focus(); event.preventDefault() }
    else if (event.key === "ArrowUp") { (at < 0 ? links.at(-1) : links[at - 1] || field)?.focus(); event.preventDefault() }
    else if (at >= 0 && event.key.length === 1) field.focus()
  })

  const asked = new URLSearchParams(location.search).get("q")
  if (asked) { field.value = asked; field.focus(); show() }
})()
