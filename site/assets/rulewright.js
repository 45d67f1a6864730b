// Links to a step inside a folded procedure: unfold everything that hides the target, then go there.
function reveal() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  let hidden = false
  for (let node = target; node; node = node.parentElement?.closest("details")) {
    if (node.matches("details") && !node.open) { node.open = true; hidden = true }
  }
  if (hidden) target.scrollIntoView()
}
addEventListener("hashchange", reveal)
addEventListener("DOMContentLoaded", reveal)

// Nothing can be unfolded on paper.
addEventListener("beforeprint", () => document.querySelectorAll("details:is(.rw-more, .rw-procedure, .rw-why, .rw-long)").forEach(d => (d.open = true)))

// Only a browser that runs scripts can print by itself.
addEventListener("DOMContentLoaded", () =>
  document.querySelectorAll(".rw-print").forEach(button => {
    button.hidden = false
    button.addEventListener("click", () => print())
  }),
)
