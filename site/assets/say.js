// Messages of scripts in the language of the page. Translations are in words.js of the book; without it, English.
globalThis.rulewrightSay ??= (() => {
  const words = globalThis.rulewrightWords ?? {}
  return (message, values = {}) =>
    (words[message] ?? message).replace(/%\((\w+)\)s|%%/g, (written, name) => (name === undefined ? "%" : (values[name] ?? written)))
})()
