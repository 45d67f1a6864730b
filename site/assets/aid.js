// The player aid fills its paper: before it is printed, its letters grow until what it holds fills one sheet, or both
// sides of one; those of a table, until it is as wide as its column. Without scripts, and where nothing is measured, they
// are as large as its stylesheet says.
{
  const aid = document.querySelector(".rw-aid")
  const PAPERS = {tall: [194, 281], wide: [199.9, 263.4]} // what A4 and Letter leave within the margins, in millimetres
  const LEAST = 8.5, MOST = 22 // in points
  const PACES = [0.8, 0.2, 0.05] // by how much letters grow at a time: in large steps first, as each is laid out anew
  const FULL = 0.965 // of a sheet: boxes that are never cut leave a little at the end of columns

  const tables = aid ? [...aid.querySelectorAll(".rw-scroll")] : []
  const isCut = table => table.scrollWidth > table.clientWidth + 1

  // How high the aid is with letters of that size, and tables that are wider than their column with smaller ones.
  function height(points) {
    aid.style.setProperty("--rw-type", `${points}pt`)
    for (const table of tables) table.style.setProperty("--rw-fit", 1)
    const shares = tables.map(table => isCut(table) ? 0.99 * table.clientWidth / table.scrollWidth : 1)
    if (Math.min(1, ...shares) * points < LEAST) return Infinity
    tables.forEach((table, place) => table.style.setProperty("--rw-fit", shares[place].toFixed(4)))
    return tables.some(isCut) ? Infinity : aid.getBoundingClientRect().height
  }

  // How large letters may be on one paper. They are told as a share of its two sides, so that they fit those like it.
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

  // Nobody says beforehand which paper it will be: the stylesheet chooses.
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
