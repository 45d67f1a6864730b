// Sorts tables by columns of numbers and dice: ascending, descending, original order. Roll tables keep the order of the
// roll. Without this script, tables have the order of the rules.
(() => {
  const FEWEST = 3
  const STATES = ["none", "ascending", "descending"]
  const SIGNS = { none: "↕", ascending: "↑", descending: "↓" }

  // The sort key of a cell: the mean of its dice, or the number at its start; none for other cells.
  function figure(cell) {
    const mean = cell && cell.querySelector(".rw-mean")
    const found = (mean || cell || { textContent: "" }).textContent.replace("−", "-").replace(/(\d),(\d)/, "$1.$2").match(/[+-]?\d+(\.\d+)?/)
    return found ? Number(found[0]) : null
  }

  // Cells without a key come last in both directions. The sort is stable.
  function compare(a, b, way) {
    if (a === null || b === null) return (a === null) - (b === null)
    return way === "ascending" ? a - b : b - a
  }

  function make(table) {
    const body = table.tBodies[0]
    const head = table.tHead && table.tHead.rows[0]
    if (!head || !body || body.rows.length < FEWEST || table.querySelector("tbody [rowspan], tbody [colspan]")) return
    const rows = [...body.rows]
    for (const th of head.cells) {
      if (!th.classList.contains("rw-num")) continue
      const figures = rows.map(row => figure(row.cells[th.cellIndex]))
      if (new Set(figures.filter(value => value !== null)).size < 2) continue
      const button = document.createElement("button")
      button.type = "button"
      button.className = "rw-sort"
      button.setAttribute("aria-label", rulewrightSay("Sort by %(column)s", { column: th.textContent.trim() }))
      button.textContent = SIGNS.none
      button.addEventListener("click", () => {
        const now = th.getAttribute("aria-sort") || "none"
        const next = STATES[(STATES.indexOf(now) + 1) % STATES.length]
        for (const other of head.cells) {
          other.removeAttribute("aria-sort")
          const sign = other.querySelector(".rw-sort")
          if (sign) sign.textContent = SIGNS.none
        }
        if (next !== "none") th.setAttribute("aria-sort", next)
        button.textContent = SIGNS[next]
        const order = rows.map((row, place) => [row, figures[place]])
        if (next !== "none") order.sort((a, b) => compare(a[1], b[1], next))
        body.append(...order.map(([row]) => row))
      })
      th.append(" ", button)
    }
  }

  document.querySelectorAll("table.rw-table:not(.rw-table--roll)").forEach(make)
})()
