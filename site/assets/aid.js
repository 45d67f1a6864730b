// The player aid fills its paper: before it is printed, its letters grow until what it holds fills one sheet, or both
// sides of one. Without scripts, and where nothing is measured, they are as large as its stylesheet says.
{
  const aid = document.querySelector(".rw-aid")
  const PAPER = [194, 281] // what A4 leaves within the margins, in millimetres
  const LEAST = 8.5, MOST = 22, PACE = 0.05 // in points
  const FULL = 0.965 // of a sheet: boxes that are never cut leave a little at the end of columns

  function height(points) {
    aid.style.setProperty("--rw-type", `${points}pt`)
    return aid.getBoundingClientRect().height
  }

  // Letters are measured against both sides of the paper, so that they fit Letter as they fit A4.
  function fit() {
    const root = document.documentElement
    root.classList.add("rw-sheet")
    aid.style.width = `${PAPER[0]}mm`
    const sheet = PAPER[1] * 96 / 25.4
    const sheets = Math.max(1, Math.ceil(height(LEAST) / (sheet * FULL)))
    let points = LEAST
    while (points + PACE <= MOST && height(points + PACE) <= sheets * sheet * FULL) points += PACE
    aid.style.width = ""
    const share = points * 25.4 / 72 / (PAPER[0] + PAPER[1])
    aid.style.setProperty("--rw-type", `max(${LEAST}pt, calc((100vw + 100vh) * ${share.toFixed(6)}))`)
  }

  if (aid) {
    addEventListener("beforeprint", fit)
    addEventListener("afterprint", () => document.documentElement.classList.remove("rw-sheet"))
  }
}
