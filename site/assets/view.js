// The reader's settings for all books of the site: light or dark mode, and lines for designers. Runs before the page is
// shown, so that it does not flicker. If storage is unavailable, pages use the defaults.
// By default, the theme writes its configuration and colours into every page as inline scripts. They are here instead,
// so that pages need no permission for such scripts.
(() => {
  const me = document.currentScript
  const root = new URL("../", me.src)
  const KEY = `${root.pathname}.rulewright.view`
  const html = document.documentElement

  // Rules in the fragment of any page are shown on a page of their own. That page marks itself: some hosts remove `.html`
  // from addresses, so a check of the address could redirect it to itself for ever.
  if (location.hash.startsWith("#rules=") && me.dataset.shows !== "rules") location.replace(new URL(`shared.html${location.hash}`, root))

  // The letters of the first line are on their way before the styles ask for them. Files on disk cannot be preloaded.
  if (location.protocol !== "file:") {
    for (const letters of ["sans", "serif"]) {
      const link = Object.assign(document.createElement("link"), { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" })
      link.href = new URL(`fonts/${letters}.woff2`, me.src)
      document.head.append(link)
    }
  }

  function kept(key) {
    try { return JSON.parse(localStorage.getItem(key)) } catch { return null }
  }

  window.__md_scope = root
  window.__md_hash = text => [...text].reduce((hash, letter) => (hash << 5) - hash + letter.charCodeAt(0), 0)
  window.__md_get = (key, storage = localStorage, scope = root) => JSON.parse(storage.getItem(`${scope.pathname}.${key}`))
  window.__md_set = (key, value, storage = localStorage, scope = root) => {
    try { storage.setItem(`${scope.pathname}.${key}`, JSON.stringify(value)) } catch { /* it holds for this page alone */ }
  }

  html.dataset.view = kept(KEY) === "designer" ? "designer" : "reader"

  // Pages without the theme follow the colours chosen on pages that have it.
  const color = kept(`${root.pathname}.__palette`)?.color
  if (color?.scheme && color.media !== "(prefers-color-scheme)") {
    html.dataset.scheme = color.scheme
    new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      for (const [key, value] of Object.entries(color)) document.body.setAttribute(`data-md-color-${key}`, value)
    }).observe(html, { childList: true })
  }

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector(".rw-view")
    if (!button || !document.querySelector(".rw-workshop, .rw-beside")) return
    const say = () => button.setAttribute("aria-pressed", String(html.dataset.view === "designer"))
    say()
    button.hidden = false
    button.addEventListener("click", () => {
      html.dataset.view = html.dataset.view === "designer" ? "reader" : "designer"
      try { localStorage.setItem(KEY, JSON.stringify(html.dataset.view)) } catch { /* it holds for this page alone */ }
      say()
    })
  })
})()
