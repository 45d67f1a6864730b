// Choosing another edition keeps the page, and the position on it, if that edition has them. The theme would need a
// sitemap for this, which is empty if the address of the site is unknown.
(() => {
  const config = document.getElementById("__config")
  if (!config) return
  // On the 404 page, which a host shows at any depth, it is the root of the host and ends in a slash.
  const home = new URL(JSON.parse(config.textContent).base.replace(/\/*$/, "/"), location.href)

  document.addEventListener("click", event => {
    const link = event.target.closest(".md-version__link")
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (!location.pathname.startsWith(home.pathname)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const edition = new URL(link.href.endsWith("/") ? link.href : `${link.href}/`)
    const page = new URL(location.pathname.slice(home.pathname.length), edition)
    fetch(page, { method: "HEAD" })
      .then(answer => { location.href = answer.ok ? `${page}${location.hash}` : edition }, () => { location.href = edition })
  }, true)
})()
