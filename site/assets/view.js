// What a reader chose for every book of the site: light or dark, and whether to see the designers' lines. This runs
// before the page is shown, so that nothing is seen to change. Where nothing can be kept, pages look as at first.
// The theme would write what its own script goes by, and what puts its colours on, into every page; they are here, so
// that no page needs leave to run a script of its own.
(() => {
  const me = document.currentScript
  const root = new URL("../", me.src)
  const KEY = `${root.pathname}.rulewright.view`
  const html = document.documentElement

  // Rules that came behind the # of any page are shown on a page of their own. That one says so itself: some hosts drop
  // `.html` from addresses, and a page that is known by its address would then lead to itself without end.
  if (location.hash.startsWith("#rules=") && me.dataset.shows !== "rules") location.replace(new URL(`shared.html${location.hash}`, root))

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

  // Pages that are not the theme's follow what was chosen on those that are.
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
