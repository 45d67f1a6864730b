// The service worker for offline reading. The build writes above: BUILD, its digest; FILES, path → size and digest; BOOKS,
// the folders of the editions.
//
// All cached files are of one build. A file is cached and served only if its digest is that of this build. Newer files on
// the host belong to the next build, which has its own worker. That worker takes over unchanged files, fetches the others,
// and waits until the page being left is the only open page of the old build. Until then, a page that only the host has is
// of the new build, and gets all its files from there. So a page and its files are always of the same build.

const SCOPE = new URL(registration.scope)
const PREFIX = `rulewright ${SCOPE.pathname} `
const CACHE = PREFIX + BUILD
const KEPT = ".kept" // not a file of the site: the books that a reader has saved
const PASSING = ".passing" // nor this: open pages of another build, whose files must come from the host
const AT_ONCE = 6

const addressOf = path => new URL(path.split("/").map(encodeURIComponent).join("/"), SCOPE).href
const belongs = (path, book) => path.startsWith(`${book}/`)
const shared = path => !/^(compare|source)\//.test(path) && !BOOKS.some(book => belongs(path, book))
const filesOf = book => Object.keys(FILES).filter(path => belongs(path, book) || shared(path))

function pathOf(address) {
  const url = new URL(address)
  if (url.origin !== SCOPE.origin || !url.pathname.startsWith(SCOPE.pathname)) return null
  let path
  try { path = decodeURIComponent(url.pathname.slice(SCOPE.pathname.length)) } catch { return null }
  if (path === "" || path.endsWith("/")) return `${path}index.html`
  // Some hosts remove the extension of pages.
  return !Object.hasOwn(FILES, path) && Object.hasOwn(FILES, `${path}.html`) ? `${path}.html` : path
}

async function digest(bytes) {
  const made = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return [...made.slice(0, 8)].map(byte => byte.toString(16).padStart(2, "0")).join("")
}

async function fetched(path, cache) {
  const answer = await fetch(addressOf(path), { cache, credentials: "same-origin" })
  const bytes = await answer.arrayBuffer()
  const headers = new Headers(answer.headers)
  // The bytes are those before compression for transfer.
  for (const name of ["content-encoding", "content-length"]) headers.delete(name)
  const response = new Response(bytes, { status: answer.status, statusText: answer.statusText, headers })
  return { response, ours: answer.ok && (await digest(bytes)) === FILES[path][1] }
}

// The browser's HTTP cache may have the previous build.
async function sought(path) {
  const found = await fetched(path, "default")
  return found.ours ? found : fetched(path, "reload")
}

async function fill(cache, paths, told = () => {}) {
  const left = [...paths]
  let done = 0
  async function some() {
    for (let path; (path = left.pop()) !== undefined; told(++done)) {
      if (await cache.match(addressOf(path))) continue
      const found = await sought(path)
      if (!found.ours) throw new Error(`${path} is of another build`)
      await cache.put(addressOf(path), found.response)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, some))
}

const caching = async () => (await caches.keys()).filter(name => name.startsWith(PREFIX))

async function keptIn(cache) {
  const found = await cache.match(addressOf(KEPT))
  return found ? (await found.json()).filter(book => BOOKS.includes(book)) : []
}

const keepIn = (cache, books) => cache.put(addressOf(KEPT), new Response(JSON.stringify([...new Set(books)])))

// Books that were saved in other builds are saved in this one too.
async function inherit() {
  const cache = await caches.open(CACHE)
  const books = await keptIn(cache)
  const wanted = []
  for (const name of await caching()) {
    if (name === CACHE) continue
    const before = await caches.open(name)
    books.push(...(await keptIn(before)))
    for (const request of await before.keys()) {
      const path = pathOf(request.url)
      if (!Object.hasOwn(FILES, path)) continue
      wanted.push(path)
      const answer = await before.match(request)
      if ((await digest(await answer.clone().arrayBuffer())) === FILES[path][1]) await cache.put(addressOf(path), answer)
    }
  }
  await fill(cache, new Set([...wanted, ...books.flatMap(filesOf)]))
  await keepIn(cache, books)
}

addEventListener("install", event => event.waitUntil(inherit()))

addEventListener("activate", event => {
  async function begin() {
    // Again for files opened since. Without a network, they are fetched on demand.
    await inherit().catch(() => {})
    for (const name of await caching()) if (name !== CACHE) await caches.delete(name)
    await clients.claim()
  }
  event.waitUntil(begin())
})

addEventListener("fetch", event => {
  const { request } = event
  if (request.method !== "GET" || request.headers.has("range")) return
  const path = pathOf(request.url)
  if (path === null) return
  const page = request.mode === "navigate"
  if (Object.hasOwn(FILES, path)) event.respondWith(answered(event, path, page).catch(() => missing(page)))
  else if (page) event.respondWith(fetch(request).catch(() => missing(page)))
})

// Returns whether the page being left is the only open page.
const alone = async () => (await clients.matchAll({ type: "window" })).length < 2

// Browsers stop idle workers and start them again.
let passed = null
const passing = () => passed ??= caches.open(CACHE)
  .then(cache => cache.match(addressOf(PASSING)))
  .then(found => found ? found.json() : [])
  .then(ids => new Set(ids), () => new Set())

async function letPass(id) {
  const ids = await passing()
  ids.add(id)
  const open = (await clients.matchAll({ type: "window", includeUncontrolled: true })).map(client => client.id)
  const left = [...ids].filter(each => each === id || open.includes(each))
  await (await caches.open(CACHE)).put(addressOf(PASSING), new Response(JSON.stringify(left)))
}

async function answered(event, path, page) {
  if (page && registration.waiting && (await alone())) return turned(registration.waiting)
  // The browser's HTTP cache may have either build.
  if (!page && (await passing()).has(event.clientId)) return fetch(event.request, { cache: "no-cache" })
  const cache = await caches.open(CACHE)
  const kept = await cache.match(addressOf(path))
  if (kept) return kept
  const found = await sought(path)
  if (found.ours) {
    const copy = found.response.clone()
    event.waitUntil(cache.put(addressOf(path), copy).catch(() => {})) // a full disk must not prevent reading
    return found.response
  }
  if (!found.response.ok) return found.response
  // The file is of a newer build, or the host modifies files.
  const next = await renewed()
  if (!page) return next ? Response.error() : found.response
  if (next && (await alone())) return turned(next)
  await letPass(event.resultingClientId).catch(() => {})
  return found.response
}

// The worker of a newer build if it is ready, or null.
async function renewed() {
  try { await registration.update() } catch { return null }
  const coming = registration.installing
  if (coming) await new Promise(done => coming.addEventListener("statechange", done, { once: true }))
  return registration.waiting
}

// Redirects to the same page, which the next worker serves as soon as this one is idle.
function turned(next) {
  next.postMessage({ ask: "begin" })
  const again = `navigator.serviceWorker.getRegistration().then(({ waiting }) => {
    if (!waiting) location.reload()
    else waiting.addEventListener("statechange", () => location.reload(), { once: true })
  })`
  const policy = "default-src 'none'; script-src 'unsafe-inline'"
  return new Response(`<!doctype html><title>…</title><script>${again}</script>`, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
  })
}

function missing(page) {
  if (!page) return Response.error()
  const words = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>Not kept here</title><style>:root { color-scheme: light dark } body { max-width: 32em; margin: 15vh auto; padding: 0 1em; font: 1.1em/1.5 sans-serif }</style></head>
<body><main><h1>This page is not kept here</h1><p>There is no network, and you have not opened this page before. <a href="${addressOf("index.html")}">All rulebooks</a></p></main></body></html>`
  return new Response(words, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } })
}

const ASKED = {
  begin: () => skipWaiting(),

  // Files that the page requested before there was a worker.
  async opened({ addresses }) {
    const paths = addresses.map(pathOf).filter(path => Object.hasOwn(FILES, path))
    await fill(await caches.open(CACHE), new Set(paths))
  },

  async status({ book }) {
    const files = filesOf(book)
    const bytes = files.reduce((sum, path) => sum + FILES[path][0], 0)
    const kept = (await keptIn(await caches.open(CACHE))).includes(book)
    return { files: BOOKS.includes(book) ? files.length : 0, bytes, kept }
  },

  async keep({ book }, tell) {
    const cache = await caches.open(CACHE)
    const files = filesOf(book)
    await fill(cache, files, done => tell({ done, of: files.length }))
    await keepIn(cache, [...(await keptIn(cache)), book])
    return ASKED.status({ book })
  },

  async forget({ book }) {
    for (const name of await caching()) {
      const cache = await caches.open(name)
      await keepIn(cache, (await keptIn(cache)).filter(other => other !== book))
      for (const path of Object.keys(FILES)) if (belongs(path, book)) await cache.delete(addressOf(path))
    }
    return ASKED.status({ book })
  },
}

addEventListener("message", event => {
  const { ask, ...what } = event.data
  const tell = said => event.ports[0]?.postMessage(said)
  const work = async () => tell({ ended: await ASKED[ask](what, tell) })
  event.waitUntil(work().catch(error => tell({ failed: String(error) })))
})
