// What a reader chose for every book of the site: light or dark, and whether to see the designers' lines. This runs
// before the page is shown, so that nothing is seen to change. Where nothing can be kept, pages look as at first.
(() => {
  const me = document.currentScript
  const root = new URL("../", me.src)
  const KEY = `${root.pathname}.rulewright.view`
  const html = document.documentElement

  function kept(key) {
    try { return JSON.parse(localStorage.getItem(key)) } catch { return null }
  }

  html.dataset.view = kept(KEY) === "designer" ? "designer" : "reader"

  // Pages that are not the theme's follow what was chosen on those that are.
  const color = kept(`${root.pathname}.__palette`)?.color
  if (color?.scheme && color.media !== "(prefers-color-scheme)") html.dataset.scheme = color.scheme

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
