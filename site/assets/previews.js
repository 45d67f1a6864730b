// Previews of links: shown on hover, and on focus for keyboard users.
// They stay while the pointer is on them, and close with Escape (WCAG 2.2, 1.4.13).
(() => {
  const WAIT = 350
  let words = null
  let shown = null
  let timer = 0

  const name = path => decodeURIComponent(path.split("/").pop() || "index.html").replace(/\.html$/, "")

  function load() {
    const island = document.querySelector("script.rw-previews")
    words = island ? JSON.parse(island.textContent) : {}
  }

  // The preview of a step on this page is its sentence without nested steps.
  function step(link) {
    const cited = link.classList.contains("rw-source") && link.pathname === location.pathname
    const target = cited && document.getElementById(decodeURIComponent(link.hash.slice(1)))
    const title = target && target.closest(".rw-procedure")?.querySelector("summary")
    if (!title) return undefined
    const words = target.cloneNode(true)
    for (const inner of words.querySelectorAll("ol.rw-steps, .rw-cite")) inner.remove()
    return [title.lastChild.textContent.trim(), words.textContent.trim()]
  }

  function preview(link) {
    if (words === null) load()
    const file = link.pathname === location.pathname ? "" : name(link.pathname)
    return words[`${file}#${decodeURIComponent(link.hash.slice(1))}`] ?? step(link)
  }

  function hide() {
    clearTimeout(timer)
    if (!shown) return
    shown.link.removeAttribute("aria-describedby")
    shown.card.remove()
    shown = null
  }

  function show(link, [title, text]) {
    hide()
    const card = document.createElement("div")
    card.className = "rw-preview"
    card.id = "rw-preview"
    card.setAttribute("role", "tooltip")
    const heading = document.createElement("strong")
    heading.textContent = title
    const body = document.createElement("span")
    body.textContent = text
    card.append(heading, body)
    document.body.append(card)
    const box = link.getBoundingClientRect()
    const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - card.offsetWidth - 8))
    const above = box.bottom + card.offsetHeight + 12 > innerHeight && box.top > card.offsetHeight + 12
    card.style.left = `${left + scrollX}px`
    card.style.top = `${(above ? box.top - card.offsetHeight - 4 : box.bottom + 4) + scrollY}px`
    link.setAttribute("aria-describedby", card.id)
    card.addEventListener("pointerenter", () => clearTimeout(timer))
    card.addEventListener("pointerleave", later)
    shown = { link, card }
  }

  function later() {
    clearTimeout(timer)
    timer = setTimeout(hide, 200)
  }

  function linkOf(event) {
    const link = event.target instanceof Element && event.target.closest("article a[href]")
    return link && !link.classList.contains("headerlink") ? link : null
  }

  function soon(link, wait) {
    const found = preview(link)
    clearTimeout(timer)
    if (shown && shown.link !== link) later() // the pointer has moved on to another link
    if (!found || shown?.link === link) return
    clearTimeout(timer)
    timer = setTimeout(() => show(link, found), wait)
  }

  addEventListener("pointerover", event => {
    const link = event.pointerType === "mouse" ? linkOf(event) : null
    if (link) soon(link, WAIT)
  })
  addEventListener("pointerout", event => { if (linkOf(event)) later() })
  addEventListener("focusin", event => {
    const link = linkOf(event)
    if (shown && shown.link !== link) hide() // it would cover the element that has focus now
    if (link?.matches(":focus-visible")) soon(link, 0)
  })
  addEventListener("focusout", event => { if (linkOf(event)) later() })
  addEventListener("keydown", event => { if (event.key === "Escape") hide() })
  addEventListener("scroll", () => { if (shown && !document.activeElement?.isSameNode(shown.link)) later() }, { passive: true })
})()
