// Offline reading of a served site: pages that were opened, and books that the reader saves.
(() => {
  const app = document.querySelector('meta[name="rw-app"]')
  // Pages opened from disk do not need this, and browsers would report errors.
  if (!app || !location.protocol.startsWith("http")) return
  const root = new URL(app.content, location.href)
  const link = document.createElement("link")
  link.rel = "manifest"
  link.href = new URL("manifest.webmanifest", root)
  document.head.append(link)
  if (!isSecureContext || !navigator.serviceWorker) return

  function ask(worker, what, told = () => {}) {
    return new Promise((done, failed) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => {
        if ("ended" in data) done(data.ended)
        else if ("failed" in data) failed(new Error(data.failed))
        else told(data)
      }
      worker.postMessage(what, [port2])
    })
  }

  async function begin() {
    const first = !navigator.serviceWorker.controller
    await navigator.serviceWorker.register(new URL("offline.js", root))
    const { active } = await navigator.serviceWorker.ready
    if (first) {
      const addresses = [location.href, ...performance.getEntriesByType("resource").map(entry => entry.name)]
      ask(active, { ask: "opened", addresses }).catch(() => {})
    }
    const box = document.querySelector(".rw-keep")
    if (box) offer(box)
  }

  const worker = async () => (await navigator.serviceWorker.ready).active
  const size = bytes => bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

  async function offer(box) {
    const button = box.querySelector("button")
    const said = box.querySelector("[role=status]")
    const book = decodeURIComponent(location.pathname.slice(root.pathname.length).split("/")[0])
    let status = await ask(await worker(), { ask: "status", book })
    if (!status.files) return

    function show() {
      button.textContent = status.kept ? rulewrightSay("Remove the book from this device") : rulewrightSay("Keep this book offline")
      said.textContent = status.kept ? rulewrightSay("Saved on this device. Every page opens without a network") : rulewrightSay("%(size)s, to read without a network", { size: size(status.bytes) })
    }

    show()
    box.hidden = false
    button.addEventListener("click", async () => {
      button.disabled = true
      try {
        // Browsers may delete cached pages when space runs out, but not persistent storage.
        if (!status.kept) navigator.storage?.persist?.().catch(() => {})
        const told = ({ done, of }) => { said.textContent = `${done} of ${of} files` }
        status = await ask(await worker(), { ask: status.kept ? "forget" : "keep", book }, told)
        show()
      } catch {
        said.textContent = rulewrightSay("The book could not be saved: there is no network, no space, or a newer version. Reload the page and try again")
      }
      button.disabled = false
      button.focus()
    })
  }

  addEventListener("load", () => begin().catch(() => {})) // without a service worker, the site works as before
})()
