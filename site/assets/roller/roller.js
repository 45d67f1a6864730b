// Dice in the page: each roll and each roll table can be rolled, and each roll opens its odds. The page contains the
// rolls in #rw-rolls; see `engine/rulewright/book/parts/odds_charts.py`. Without scripts, the links lead to the odds page,
// which shows the same.

import { Generator, roll, seedOf } from "./dice.js"

const tell = (...said) => rulewrightSay(...said)
const decimal = number => number.replace(".", tell("."))
const minus = number => String(number).replace("-", "\u2212")


const [WIDTH, HEIGHT, MOST_LABELS, MOST_DICE] = [480, 120, 9, 60]
const SVG = "http://www.w3.org/2000/svg"

function element(name, attributes = {}, ...children) {
  const made = name === "svg" || attributes.xmlns ? document.createElementNS(SVG, name) : document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value)
    else if (key !== "xmlns") made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}
const shape = (name, attributes, ...children) => element(name, { ...attributes, xmlns: SVG }, ...children)
const button = (name, label, onclick, attributes = {}) => element("button", { type: "button", class: name, onclick, ...attributes }, label)

// -- odds: the same numbers as on the odds page -----------------------------------------------

function oddsOf([leasts, counts, denominator, greatests = leasts]) {
  const all = BigInt(denominator)
  let left = all
  return leasts.map((least, place) => {
    const [count, orMore] = [BigInt(counts[place]), left]
    left -= count
    const greatest = greatests[place]
    return { least, label: String(least) === String(greatest) ? minus(least) : `${minus(least)}–${minus(greatest)}`, count, orMore, all }
  })
}

function percent(count, all) {
  const hundredths = (count * 20000n + all) / (2n * all)
  if (hundredths === 0n && count > 0n) return tell("under %(chance)s %%", { chance: decimal("0.01") })
  if (hundredths === 10000n && count < all) return tell("over %(chance)s %%", { chance: decimal("99.99") })
  return `${decimal(`${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`)} %`
}

const divisor = (a, b) => (b ? divisor(b, a % b) : a)
function fraction(count, all) {
  const by = divisor(count, all)
  return all === by ? String(count / by) : `${count / by}/${all / by}`
}

function chart(entry) {
  const slot = WIDTH / entry.odds.length
  const most = entry.odds.reduce((found, { count }) => (count > found ? count : found), 0n)
  const stride = Math.ceil(entry.odds.length / MOST_LABELS)
  const drawn = shape("svg", { class: "rw-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT + 22}`, role: "img", "aria-label": tell("How likely each total of %(dice)s is", { dice: entry.text }) })
  const bars = entry.odds.map(({ count, least, label, all }, place) => {
    const height = HEIGHT * (Number((count * 1000000n) / most) / 1000000)
    if (place % stride === 0) drawn.append(shape("text", { x: (place + 0.5) * slot, y: HEIGHT + 17 }, minus(least)))
    const bar = shape("rect", { x: (place + 0.1) * slot, y: HEIGHT - height, width: slot * 0.8, height }, shape("title", {}, `${label}: ${percent(count, all)}`))
    drawn.append(bar)
    return bar
  })
  drawn.append(shape("path", { d: `M0 ${HEIGHT}h${WIDTH}` }))
  return { drawn, bars }
}

function table({ odds }) {
  const exact = odds[0].all < 10n ** 9n
  const cell = (name, text) => element(name, name === "th" ? { scope: "row", class: "rw-num" } : { class: "rw-num" }, text)
  const titles = [tell("Total"), ...(exact ? [tell("Exactly")] : []), tell("Chance"), tell("At least")]
  return element("table", { class: "rw-table" },
    element("thead", {}, element("tr", {}, ...titles.map(title => element("th", { scope: "col", class: "rw-num" }, title)))),
    element("tbody", {}, ...odds.map(({ label, count, orMore, all }) => element("tr", {},
      cell("th", label), ...(exact ? [cell("td", fraction(count, all))] : []), cell("td", percent(count, all)), cell("td", percent(orMore, all))))))
}

// The chance of n or more, with n chosen on a slider below the bars.
function atLeast({ odds }, bars) {
  const middle = Math.max(odds.findLastIndex(({ orMore, all }) => 2n * orMore >= all), 0)
  const said = element("span")
  const slider = element("input", { type: "range", min: 0, max: odds.length - 1, value: middle, "aria-label": tell("At least"), oninput: show })
  function show() {
    const place = Number(slider.value)
    const { least, orMore, all } = odds[place]
    const chance = percent(orMore, all)
    said.replaceChildren(`${tell("At least")} ${minus(least)}: `, element("b", {}, chance))
    slider.setAttribute("aria-valuetext", tell("%(least)s or more: %(chance)s", { least: minus(least), chance }))
    bars.forEach((bar, at) => bar.classList.toggle("rw-more", at >= place))
  }
  show()
  return element("div", { class: "rw-roller__least" }, slider, said)
}

// -- rolling ------------------------------------------------------------------------------------

const entries = new Map()
const live = element("div", { class: "rw-sr", "aria-live": "polite" })

// One stream of dice for each roll of the page, so that the seed determines all later results.
function begin(entry, seed = "") {
  entry.seed = seed.trim() || String(crypto.getRandomValues(new Uint32Array(1))[0])
  entry.generator = new Generator(seedOf(entry.seed))
  entry.times = 0
}

function rolled(entry) {
  entry.times++
  return roll(entry.tree, entry.generator)
}

function dice({ dice: pools }) {
  const found = element("span", { class: "rw-rolled__dice" })
  const several = pools.length > 1
  let left = MOST_DICE
  for (const { die, faces, kept } of pools) {
    if (several && faces.length) found.append(element("small", {}, die))
    faces.slice(0, left).forEach((face, place) => found.append(element(kept[place] ? "span" : "s", { class: "rw-face" }, String(face))))
    if (faces.length > left) found.append(` ${tell("… and %(count)s more", { count: faces.length - left })}`)
    left = Math.max(left - faces.length, 0)
  }
  return found
}

// A single die needs no sum.
const isAlone = ({ total, dice: pools }) => pools.length === 1 && pools[0].faces.length === 1 && pools[0].faces[0] === total
const total = result => (isAlone(result) ? [] : [element("b", {}, `= ${minus(result.total)}`)])

const spoken = ({ dice: pools }) => pools.flatMap(({ faces, kept }) => faces.map((face, place) => (kept[place] ? String(face) : tell("%(face)s dropped", { face })))).slice(0, MOST_DICE).join(", ")

function say(text) {
  // Repeating the same words is a change too.
  live.replaceChildren(element("p", {}, text))
}

// -- tables ---------------------------------------------------------------------------------------

const isOn = (cell, total) => cell.dataset.on.split(" ").some(run => {
  const [first, last] = run.split(":").map(BigInt)
  return first <= total && total <= last
})

/** Highlights a result in its table, and returns the words of the row. */
function place(table, result) {
  const caption = table.caption
  const hit = [...table.querySelectorAll("td[data-on]")].find(cell => isOn(cell, result.total))?.parentElement
  for (const row of table.querySelectorAll("tr[aria-current]")) row.removeAttribute("aria-current")
  hit?.setAttribute("aria-current", "true")
  const words = hit?.querySelector("th")?.textContent.trim() ?? ""
  const line = caption.querySelector(".rw-rolled") ?? caption.appendChild(element("span", { class: "rw-rolled" }))
  line.replaceChildren(dice(result), ...total(result), element("span", {}, words))
  return words
}

function offerTable(link) {
  const entry = entryOf(link)
  const table = link.closest("caption")?.parentElement
  if (!entry || !table?.querySelector("td[data-on]")) return
  const name = [...table.caption.childNodes].find(node => node.textContent.trim())?.textContent.trim() ?? ""
  link.parentElement.after(button("rw-button rw-button--small", tell("Roll it"), () => {
    const result = rolled(entry)
    say(`${name}: ${result.total}, ${place(table, result)}`)
  }, { "aria-label": tell("Roll it: %(table)s", { table: name }) }))
}

// -- the popover ------------------------------------------------------------------------------------

const entryOf = link => entries.get(decodeURIComponent(link.hash.slice(1)))
const box = element("div", { id: "rw-roller", class: "rw-roller md-typeset", popover: "auto", role: "dialog", "aria-labelledby": "rw-roller-name" })
let opener = null

function seedForm(entry, go) {
  const input = element("input", { id: "rw-roller-seed", name: "seed", autocomplete: "off", spellcheck: "false", "aria-describedby": "rw-roller-same" })
  input.value = entry.seed
  input.addEventListener("change", () => {
    begin(entry, input.value)
    input.value = entry.seed
  })
  return element("form", { class: "rw-roller__seed", onsubmit: event => {
    event.preventDefault()
    begin(entry, input.value)
    input.value = entry.seed
    go()
  } },
  element("label", { for: "rw-roller-seed" }, tell("Seed")), input,
  element("button", { class: "rw-button rw-button--small" }, tell("From the start")),
  element("small", { id: "rw-roller-same" }, tell("The same seed rolls the same dice, here and in the engine.")))
}

function fill(entry, link) {
  const { drawn, bars } = chart(entry)
  const result = element("p", { class: "rw-rolled rw-roller__result" })
  const again = button("rw-button", tell("Roll it"), go)
  const home = link.closest("table:has(td[data-on]) caption")?.parentElement
  function go() {
    const found = rolled(entry)
    const words = home ? place(home, found) : ""
    result.replaceChildren(dice(found), ...total(found), ...(words ? [element("span", {}, words)] : []), element("small", {}, tell("roll %(count)s", { count: entry.times })))
    again.textContent = tell("Roll again")
    say(tell("%(dice)s comes to %(total)s. Dice: %(faces)s.", { dice: entry.text, total: `${minus(found.total)}${words ? ` (${words})` : ""}`, faces: spoken(found) }))
  }
  box.replaceChildren(
    element("div", { class: "rw-roller__head" },
      element("strong", { id: "rw-roller-name" }, entry.text), button("rw-roller__close", "×", () => box.hidePopover(), { "aria-label": tell("Close") })),
    element("div", { class: "rw-roller__roll" }, again, result),
    element("p", { class: "rw-odds__figures" }, tell("%(range)s · mean %(mean)s · deviation %(deviation)s", entry)),
    drawn,
    ...(bars.length > 1 ? [atLeast(entry, bars)] : []),
    element("details", { class: "rw-why", ontoggle: () => settle(link) }, element("summary", {}, tell("Every total")), table(entry)),
    seedForm(entry, go),
    element("a", { class: "rw-roller__all", href: link.href, onclick: () => box.hidePopover() }, tell("All odds of this book")),
  )
  return again
}

// Place the popover below the link if there is space, otherwise above it. On phones, the stylesheet puts it at the bottom.
function settle(link) {
  if (!box.matches(":popover-open")) return
  const [at, size] = [link.getBoundingClientRect(), box.getBoundingClientRect()]
  const left = Math.min(Math.max(at.left, 8), document.documentElement.clientWidth - size.width - 8)
  const below = at.bottom + 6
  const above = at.top - size.height - 6
  const top = below + size.height <= innerHeight || above < 0 ? below : above
  box.style.setProperty("--left", `${left + scrollX}px`)
  box.style.setProperty("--top", `${Math.max(Math.min(top, innerHeight - size.height - 8), 8) + scrollY}px`)
}

function open(link) {
  const first = fill(entryOf(link), link)
  if (!box.isConnected) document.body.append(box)
  opener?.setAttribute("aria-expanded", "false")
  opener = link
  box.showPopover({ source: link })
  settle(link)
  first.focus({ preventScroll: true })
  link.setAttribute("aria-expanded", "true")
}

function offerLink(link) {
  if (!entryOf(link)) return
  for (const [name, value] of Object.entries({ role: "button", "aria-haspopup": "dialog", "aria-expanded": "false" })) link.setAttribute(name, value)
  link.addEventListener("click", event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open(link)
  })
  link.addEventListener("keydown", event => {
    if (event.key !== " ") return
    event.preventDefault()
    open(link)
  })
}

function offer() {
  const island = document.getElementById("rw-rolls")
  if (!island) return
  for (const [id, text, tree, range, mean, deviation, odds] of JSON.parse(island.textContent)) {
    const entry = { text: text.replaceAll("*", "×"), tree, range, mean, deviation, odds: oddsOf(odds) }
    begin(entry)
    entries.set(id, entry)
  }
  const links = [...document.querySelectorAll("a.rw-dice")]
  document.body.append(live)
  links.forEach(offerTable)
  if (!("popover" in HTMLElement.prototype)) return
  box.addEventListener("toggle", event => event.newState === "closed" && opener?.setAttribute("aria-expanded", "false"))
  // Close the popover when focus leaves it.
  box.addEventListener("focusout", event => event.relatedTarget && !box.contains(event.relatedTarget) && event.relatedTarget !== opener && box.hidePopover())
  links.forEach(offerLink)
}
addEventListener("DOMContentLoaded", offer)
