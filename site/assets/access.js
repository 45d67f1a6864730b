// What the theme offers to the mouse alone, offered to the keyboard and to screen readers too.
{
  const find = selector => document.querySelector(selector)
  const all = selector => [...document.querySelectorAll(selector)]

  // Labels that open and close: the menu, and the contents of this page inside the menu.
  function asButton(label, name, toggle) {
    if (name) label.setAttribute("aria-label", name)
    label.setAttribute("role", "button")
    label.tabIndex = 0
    const say = () => label.setAttribute("aria-expanded", String(toggle.checked))
    toggle.addEventListener("change", say)
    say()
    label.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      toggle.click()
    })
  }

  function offer() {
    const drawer = find("#__drawer")
    const opener = find(".md-header label[for=__drawer]")
    const menu = find(".md-sidebar--primary")
    if (drawer && opener && menu) {
      asButton(opener, "Menu", drawer)
      const close = () => drawer.checked && drawer.click()
      drawer.addEventListener("change", () => {
        if (drawer.checked) menu.querySelector("a:not([hidden])")?.focus()
      })
      // Whoever leaves the menu is done with it, so that the page is never behind it.
      menu.addEventListener("focusout", event => {
        if (event.relatedTarget && !menu.contains(event.relatedTarget)) close()
      })
      addEventListener("keydown", event => {
        if (event.key !== "Escape" || !drawer.checked) return
        close()
        opener.focus()
      })
    }

    const contents = find("#__toc")
    const [inMenu] = all(".md-nav__link[for=__toc]")
    const [back] = all(".md-sidebar--primary .md-nav__title[for=__toc]")
    if (contents && inMenu && back) {
      asButton(inMenu, "", contents)
      asButton(back, "Back to the menu", contents)
      contents.addEventListener("change", () => (contents.checked ? back : inMenu).focus())
    }

    const finder = find("#__search")
    const magnifier = find(".md-header__button[for=__search]")
    if (finder && magnifier) asButton(magnifier, "Search", finder)

    // The theme names the selector of versions "Select version", and so keeps from listeners what is selected.
    const topic = find(".md-header__topic")
    if (topic) {
      const name = () => {
        const current = topic.querySelector(".md-version__current")
        if (current) current.setAttribute("aria-label", `${current.textContent.trim()}: select version`)
        return current
      }
      if (!name()) new MutationObserver((_, observer) => name() && observer.disconnect()).observe(topic, { childList: true, subtree: true })
    }
  }
  addEventListener("DOMContentLoaded", offer)
}
