// What scripts say is said in the language of the page. Its words come with it, in script.rw-words; without, in English.
globalThis.rulewrightSay = (() => {
  const island = document.querySelector("script.rw-words")
  const words = island ? JSON.parse(island.textContent) : {}
  return (message, values = {}) => (words[message] ?? message).replace(/%\((\w+)\)s/g, (_, name) => values[name])
})()
