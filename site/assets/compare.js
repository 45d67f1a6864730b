// Pages that compare two editions: side by side or as sentences, with all changes or only those of the gameplay.
addEventListener("DOMContentLoaded", () => {
  const compare = document.querySelector(".rw-compare")
  const form = compare?.querySelector(".rw-views")
  if (!form) return
  const show = () => {
    compare.dataset.view = form.elements.view.value
    compare.toggleAttribute("data-played", form.elements.played.checked)
  }
  form.addEventListener("change", show)
  show()
  // A link to a rule must work even if the rule is hidden.
  const arrive = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target?.closest("[data-played] .rw-words")) { form.elements.played.checked = false; show(); target.scrollIntoView() }
  }
  addEventListener("hashchange", arrive)
  arrive()
})
