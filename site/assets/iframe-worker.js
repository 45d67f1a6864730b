// Search runs in a worker, and browsers start none for pages opened from disk: there, a hidden frame does its work.
// The theme knows this stand-in by the name IFrameWorker.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.documentElement.append(frame)
      const inside = (this.inside = frame.contentWindow)
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      inside.importScripts = () => Promise.resolve()
      this.ready = new Promise(resolve => {
        const script = inside.document.createElement("script")
        script.src = new URL(url, location.href).href
        script.onload = resolve
        inside.document.body.append(script)
      })
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })))
    }
    terminate() {}
  }
  window.Worker = window.IFrameWorker
}
