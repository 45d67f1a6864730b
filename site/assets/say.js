// Messages of scripts in the language of the page. Translations are in script.rw-words of the page; without it, English.
globalThis.rulewrightSay ??= (() => {
  const island = globalThis.document?.querySelector("script.rw-words")
  const words = island ? JSON.parse(island.textContent) : {}
  return (message, values = {}) =>
    (words[message] ?? message).replace(/%\((\w+)\)s|%%/g, (written, name) => (name === undefined ? "%" : (values[name] ?? written)))
})()
