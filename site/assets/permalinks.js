// The number of a rule links to it. Clicking copies the address and says so. Without this script it is a normal link.
(() => {
  let status = null
  let timer = 0

  function say(words) {
    if (!status) {
      status = document.createElement("div")
      status.className = "rw-copied"
      status.setAttribute("role", "status")
      document.body.append(status)
    }
    clearTimeout(timer)
    // Screen readers do not announce text that is already there.
    status.textContent = ""
    timer = setTimeout(() => {
      status.textContent = words
      timer = setTimeout(() => { status.textContent = "" }, 4000)
    }, 50)
  }

  for (const number of document.querySelectorAll("h2[id] > span.rw-number, h3[id] > span.rw-number")) {
    const link = document.createElement("a")
    link.href = `#${number.parentElement.id}`
    link.className = "rw-number rw-permalink"
    link.title = rulewrightSay("Copy the address of this rule")
    link.textContent = number.textContent
    number.replaceWith(link)
  }

  document.querySelectorAll("a.rw-cite").forEach(link => { link.title = rulewrightSay("Copy the address of this step") })

  document.addEventListener("click", event => {
    const link = event.target.closest("a.rw-permalink, a.rw-cite, a.headerlink")
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !navigator.clipboard) return
    const heading = link.closest("h1, h2, h3, h4")
    const number = link.matches(".headerlink") && heading ? heading.querySelector(".rw-number") : link
    const name = number && !number.matches(".headerlink") ? number.textContent.trim() : rulewrightSay("this section")
    navigator.clipboard.writeText(link.href).then(() => say(rulewrightSay("The link to %(name)s is copied.", { name })), () => {})
  })
})()
