// The "What if" buttons beside sections of the rules with parameters. The drawer is loaded when a button is first used;
// the page only contains the parameters of each section, in #rw-what-if.
{
  const told = document.getElementById("rw-what-if")
  const assets = new URL(".", document.currentScript.src)
  let begun = null

  const script = (src) => new Promise((done, refuse) => {
    const made = document.createElement("script")
    Object.assign(made, { src, onload: done, onerror: () => refuse(new Error(`${src} is missing`)) })
    document.head.append(made)
  })

  function begin() {
    const looks = document.createElement("link")
    Object.assign(looks, { rel: "stylesheet", href: new URL("what-if.css", assets) })
    document.head.append(looks)
    const all = [new URL("what-if.js", assets), ...["play.js", "what-if.js"].map(own => new URL(own, document.baseURI))]
    return all.reduce((before, each) => before.then(() => script(each)), Promise.resolve()).then(() => rulewrightWhatIf.ready)
  }

  const sections = told ? Object.entries(JSON.parse(told.textContent)) : []
  for (const [id, figures] of sections) {
    const heading = document.getElementById(id)
    if (!heading || typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") continue
    const button = document.createElement("button")
    const name = [...heading.childNodes].filter(each => each.nodeType === Node.TEXT_NODE).map(each => each.textContent).join("").trim()
    Object.assign(button, { type: "button", className: "rw-what-if-door", textContent: "What if…" })
    button.setAttribute("aria-haspopup", "dialog")
    button.setAttribute("aria-label", `What if… ${name}`)
    button.addEventListener("click", () => {
      button.disabled = true
      begun ??= begin()
      begun.then(open => open(figures, name, button)).catch(error => {
        begun = null
        button.textContent = `Changes cannot be tried here: ${error.message}`
      }).finally(() => { button.disabled = false })
    })
    heading.after(button)
  }
}
