// Messages of scripts in the language of the page. Translations are in script.rw-words of the page; without it, English.
globalThis.rulewrightSay = (() => {
  const island = document.querySelector("script.rw-words")
  const words = island ? JSON.parse(island.textContent) : {}
  return (message, values = {}) => (words[message] ?? message).replace(/%\((\w+)\)s/g, (_, name) => values[name])
})()
