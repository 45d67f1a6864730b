// Choosing another edition keeps the page, and the place on it, wherever that edition has them. The theme asks a sitemap
// for this, which says nothing as long as nobody knows where the site will be.
(() => {
  const config = document.getElementById("__config")
  if (!config) return
  // On the page for what is not found, which a host shows at any depth, it is the root of the host and ends in a slash.
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
