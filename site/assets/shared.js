// Rules that came behind the # of a link: shown as text, and had as a zip. Nothing in them is trusted, run or sent; whatever
// the link says becomes text of the page, and never anything else.
(() => {
  const KEY = "rules", VERSION = "1.", MOST_BYTES = 8 * 1024 * 1024, MOST_FILES = 500, MANIFEST = "ruleset.yaml"
  const KINDS = [".yaml", ".yml", ".svg", ".md", ".txt"]
  const DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i
  const DAMAGED = "This link is damaged: it was probably cut off when it was copied."
  const byId = id => document.getElementById(id)
  const utf8 = new TextEncoder()
  let offered = ""

  class Refused extends Error {}

  // What a zip is unpacked to must lie where it is unpacked, on every system.
  function isName(path) {
    if (path.length > 1000 || path.isWellFormed?.() === false || /[\x00-\x1f\x7f<>:"|?*\\]/.test(path)) return false
    const sound = part => part !== "" && !part.startsWith(".") && part === part.trim() && !part.endsWith(".") && !DEVICES.test(part) && utf8.encode(part).length <= 200
    return KINDS.some(kind => path.endsWith(kind)) && path.split("/").every(sound)
  }

  // At most so many bytes are unpacked, whatever the stream would come to.
  async function unpacked(packed) {
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader()
    const parts = []
    for (let size = 0; ;) {
      const { done, value } = await reader.read()
      if (done) return new Blob(parts).text()
      size += value.length
      if (size > MOST_BYTES) {
        reader.cancel().catch(() => {})
        throw new Refused("The rules in this link are larger than any that are shown here.")
      }
      parts.push(value)
    }
  }

  async function read(fragment) {
    const coded = new Map(fragment.split("&").map(part => [part.split("=", 1)[0], part.slice(part.indexOf("=") + 1)])).get(KEY) ?? ""
    if (!coded.startsWith(VERSION)) throw new Refused("There are no rules in this link.")
    let said
    try {
      const binary = atob(coded.slice(VERSION.length).replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/"))
      said = JSON.parse(await unpacked(Uint8Array.from(binary, each => each.charCodeAt(0))))
    } catch (error) {
      throw error instanceof Refused ? error : new Refused(DAMAGED)
    }
    const isMapping = value => typeof value === "object" && value !== null && !Array.isArray(value)
    if (!isMapping(said) || !isMapping(said.files)) throw new Refused("This link holds something else than rules.")
    const files = Object.entries(said.files).sort(([a], [b]) => (a < b ? -1 : 1))
    if (files.length > MOST_FILES) throw new Refused("There are more files in this link than are shown here.")
    if (!files.every(([path, text]) => isName(path) && typeof text === "string")) throw new Refused("This link names files that no folder of rules holds.")
    if (new Set(files.map(([path]) => path.toLowerCase())).size < files.length) throw new Refused("Two of the files in this link have the same name.")
    if (!files.some(([path]) => path.split("/").at(-1) === MANIFEST)) throw new Refused("This link holds something else than rules.")
    const word = value => (typeof value === "string" ? value.slice(0, 200) : "")
    return { files, ref: word(said.ref), title: word(said.title), base: word(said.base) }
  }

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
    made.append(...children)
    return made
  }

  function shown([path, text], at) {
    const lines = text.replace(/\n$/, "").split("\n").map(line => element("span", line.trimStart().startsWith("#") ? { class: "note" } : {}, `${line}\n`))
    const code = element("code", {})
    for (const line of lines) code.append(line)
    return element("section", {}, element("h2", { id: `file-${at}` }, path), element("pre", { tabindex: "0", role: "region", "aria-label": path }, code))
  }

  // Its day is the first that a zip can name, so that the same link makes the same zip.
  function zipped(files) {
    const bytes = Object.fromEntries(files.map(([path, text]) => [path, utf8.encode(text)]))
    return new Blob([fflate.zipSync(bytes, { mtime: new Date(1980, 0, 1) })], { type: "application/zip" })
  }

  async function open() {
    const fragment = location.hash.slice(1)
    if (!fragment.includes(`${KEY}=`)) return
    byId("shared-files").replaceChildren()
    byId("shared-list").replaceChildren()
    for (const id of ["shared-nav", "shared-zip"]) byId(id).hidden = true
    byId("shared-base").replaceChildren()
    URL.revokeObjectURL(offered)
    let rules
    try {
      rules = await read(fragment)
    } catch (error) {
      byId("shared-title").textContent = "Rules from a link"
      byId("shared-said").textContent = error instanceof Refused ? error.message : "This browser cannot unpack the link."
      return
    }
    if (fragment !== location.hash.slice(1)) return  // another link was opened meanwhile
    byId("shared-title").textContent = rules.title || rules.ref || "Rules from a link"
    byId("shared-said").textContent = `These rules${rules.ref && ` (${rules.ref})`} came with the link that you opened, in ${rules.files.length === 1 ? "one file" : `${rules.files.length} files`}. Nobody here has checked them, and they are no part of the books on this site.`
    const book = [...document.querySelectorAll("#shared-books a")].find(each => each.dataset.ref === rules.base)
    if (book) byId("shared-base").append("They change ", element("a", { href: book.getAttribute("href") }, book.textContent), ", which has its book here.")
    else if (rules.base) byId("shared-base").append(`They change ${rules.base}, which has no book on this site.`)
    byId("shared-files").append(...rules.files.map(shown))
    byId("shared-list").append(...rules.files.map(([path], at) => element("li", {}, element("button", { type: "button", "data-at": String(at) }, path))))
    byId("shared-nav").hidden = false
    offered = URL.createObjectURL(zipped(rules.files))
    byId("shared-zip").href = offered
    byId("shared-zip").hidden = false
  }

  // The # holds the rules, and so no link within the page may change it.
  document.querySelector(".rw-skip").addEventListener("click", event => {
    event.preventDefault()
    byId("shared-main").focus()
  })
  byId("shared-list").addEventListener("click", ({ target }) => {
    if (target.dataset.at === undefined) return
    const pre = document.querySelectorAll("#shared-files pre")[Number(target.dataset.at)]
    pre.previousElementSibling.scrollIntoView()
    pre.focus({ preventScroll: true })
  })
  byId("shared-form").addEventListener("submit", event => {
    event.preventDefault()
    const link = byId("shared-link").value
    location.hash = link.includes(`#${KEY}=`) ? link.slice(link.indexOf("#")) : `#${KEY}=${link.trim().slice(0, 100)}`
  })
  addEventListener("hashchange", open)
  open()
})()
