// Fit the player aid to its paper: before printing, enlarge its text until it fills one sheet or both sides of one. Text
// in tables grows until a table is as wide as its column. Without scripts, or where nothing can be measured, the sizes of
// the stylesheet apply.
{
  const aid = document.querySelector(".rw-aid")
  const PAPERS = {tall: [194, 281], wide: [199.9, 263.4]} // A4 and Letter inside the margins, in millimetres
  const LEAST = 8.5, MOST = 22 // minimum and maximum size of text, in points
  const PACES = [0.8, 0.2, 0.05] // steps of growth: large ones first, because each step needs a new layout
  const FULL = 0.965 // fill ratio of a sheet: boxes that cannot break leave some space at the end of columns

  const tables = aid ? [...aid.querySelectorAll(".rw-scroll")] : []
  const isCut = table => table.scrollWidth > table.clientWidth + 1

  // Return the height of the aid at a text size, and the tables that are too wide for their columns at it.
  function height(points) {
    aid.style.setProperty("--rw-type", `${points}pt`)
    for (const table of tables) table.style.setProperty("--rw-fit", 1)
    const shares = tables.map(table => isCut(table) ? 0.99 * table.clientWidth / table.scrollWidth : 1)
    if (Math.min(1, ...shares) * points < LEAST) return Infinity
    tables.forEach((table, place) => table.style.setProperty("--rw-fit", shares[place].toFixed(4)))
    return tables.some(isCut) ? Infinity : aid.getBoundingClientRect().height
  }

  // Return the largest text size for a paper, from the ratio of its sides, so that it also fits similar papers.
  function fitting(name, [wide, high]) {
    aid.style.width = `${wide}mm`
    height(LEAST)
    const sheet = high * 96 / 25.4
    const sheets = Math.max(1, Math.ceil(aid.getBoundingClientRect().height / (sheet * FULL)))
    let points = LEAST
    for (const pace of PACES)
      while (points + pace <= MOST && height(points + pace) <= sheets * sheet * FULL) points += pace
    height(points)
    for (const table of tables) table.style.setProperty(`--rw-fit-${name}`, table.style.getPropertyValue("--rw-fit"))
    return `max(${LEAST}pt, calc((100vw + 100vh) * ${(points * 25.4 / 72 / (wide + high)).toFixed(6)}))`
  }

  // The paper is not known in advance: the stylesheet decides when printing.
  function fit() {
    document.documentElement.classList.add("rw-sheet")
    for (const [name, paper] of Object.entries(PAPERS)) aid.style.setProperty(`--rw-${name}`, fitting(name, paper))
    for (const table of tables) table.style.removeProperty("--rw-fit")
    aid.style.width = ""
    aid.style.removeProperty("--rw-type")
  }

  if (aid) {
    addEventListener("beforeprint", fit)
    addEventListener("afterprint", () => document.documentElement.classList.remove("rw-sheet"))
  }
}
