// Searching a book, or on the front page all of them. The index is read when the field is first entered. A rule's
// number finds that rule; otherwise what has the very words, then words that begin so, then what is spelt much like them.
(() => {
  const MOST = 30
  const ENOUGH = 3  // of what has the words, so that nobody needs what is spelt much like them
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

  // -- reading ------------------------------------------------------------------------------

  function script(url) {
    return new Promise((resolve, reject) => {
      const element = document.createElement("script")
      element.src = url
      element.onload = resolve
      element.onerror = () => reject(new Error(`${url} cannot be read`))
      document.head.append(element)
    })
  }

  // An index says itself to `rulewrightIndex` as it is loaded, one after the other.
  async function read(url) {
    let data = null
    window.rulewrightIndex = said => { data = said }
    await script(url)
    return data
  }

  function stem(word) {
    const plain = word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
    if (plain.length > 4 && plain.endsWith("ies")) return `${plain.slice(0, -3)}y`
    if (plain.length > 4 && /(ss|sh|ch|x)es$/.test(plain)) return plain.slice(0, -2)
    return plain.length > 3 && /[^su]s$/.test(plain) ? plain.slice(0, -1) : plain
  }

  const tokens = text => text.replace(/[’']s\b/g, "").split(/[\s\p{P}\p{Z}→←↑↓+=<>|~^]+/u).filter(Boolean)

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
    for (const book of books) {
      const name = own.books.length ? book.name : ""
      for (const [location, number, title, text, hidden, page] of book.entries) {
        docs.push({ id: docs.length, url: new URL(location, book.at).href, number, title, text, hidden, page, name })
      }
      for (const [number, location, title, text] of book.numbers) {
        numbers.push({ url: new URL(location, book.at).href, number, title, text, page: "", name })
      }
    }
    const engine = new MiniSearch({ fields: ["title", "hidden", "text"], processTerm: stem, tokenize: tokens })
    engine.addAll(docs)
    return { docs, numbers: [...docs.filter(doc => doc.number), ...numbers], engine }
  }

  // -- finding ------------------------------------------------------------------------------

  // "t9", "T 9" and "T.9" are one number; "T.9.1" lies below it.
  function cited(query) {
    const found = query.trim().match(/^([a-z]{1,2})[.\s]?(\d+[a-z]?(?:\.\d+[a-z]?)*)\.?$/i)
    return found && `${found[1].toUpperCase()}.${found[2].toLowerCase()}`
  }

  const WAYS = [
    { combineWith: "AND" },
    { combineWith: "AND", prefix: true },
    { combineWith: "AND", prefix: true, fuzzy: word => (word.length < 4 ? false : word.length < 6 ? 1 : 2) },
    { combineWith: "OR", prefix: true, fuzzy: word => (word.length < 4 ? false : word.length < 6 ? 1 : 2) },
  ]

  function find({ docs, numbers, engine }, query) {
    const found = new Map()
    const add = (doc, terms) => found.has(doc.url) || found.set(doc.url, { doc, terms })
    const number = cited(query)
    if (number) {
      numbers.filter(doc => doc.number === number).forEach(doc => add(doc, []))
      numbers.filter(doc => doc.number.startsWith(`${number}.`)).forEach(doc => add(doc, []))
      if (found.size) return [...found.values()]
    }
    for (const way of WAYS) {
      if (way.fuzzy && found.size >= ENOUGH) break
      for (const hit of engine.search(query, { boost: { title: 6, hidden: 4 }, ...way })) add(docs[hit.id], hit.terms)
    }
    return [...found.values()]
  }

  // -- showing ------------------------------------------------------------------------------

  function element(name, classes, ...children) {
    const made = document.createElement(name)
    if (classes) made.className = classes
    made.append(...children.filter(child => child !== ""))
    return made
  }

  // The words of a text, those that were found marked.
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
