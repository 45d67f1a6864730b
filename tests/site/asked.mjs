// Asks the search of a book, without a browser: `node asked.mjs minisearch.js search.js index.js`, questions by line.
import { readFileSync } from "node:fs"
import { runInThisContext } from "node:vm"

const [engine, search, index] = process.argv.slice(2)
globalThis.document = { querySelector: () => null, getElementById: () => null }
let packed = ""
globalThis.rulewrightIndex = said => { packed = said }
for (const file of [engine, search, index]) runInThisContext(readFileSync(file, "utf8"), file)
// `const` of another script is no property of the global object; this reads it by name.
const finding = runInThisContext("rulewrightFinding")
const book = await finding.unpack(packed)
const docs = book.entries.map(([location, number, title, text, hidden, page, ruling], id) => ({ id, location, number, title, text, hidden, page, ruling }))
const words = finding.prepare(docs, book.synonyms)
const asked = JSON.parse(readFileSync(0, "utf8"))
console.log(JSON.stringify(asked.map(query => finding.find(words, query).map(({ doc }) => doc.location))))
