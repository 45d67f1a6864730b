// Keyboard and screen-reader access to parts of the theme that only work with a mouse.
{
  const find = selector => document.querySelector(selector)
  const say = rulewrightSay

  // Turn labels that open and close into buttons. Keep the attributes that the theme's styles use.
  function asButton(label, toggle, name) {
    const button = document.createElement("button")
    for (const { name, value } of label.attributes) button.setAttribute(name, value)
    button.type = "button"
    if (name) button.setAttribute("aria-label", name)
    button.append(...label.childNodes)
    label.replaceWith(button)
    const tell = () => button.setAttribute("aria-expanded", String(toggle.checked))
    toggle.addEventListener("change", tell)
    tell()
    button.addEventListener("click", () => toggle.click())
    return button
  }

  function offer() {
    const drawer = find("#__drawer")
    const label = find(".md-header label[for=__drawer]")
    const menu = find(".md-sidebar--primary")
    if (drawer && label && menu) {
      const opener = asButton(label, drawer, say("Menu"))
      const close = () => drawer.checked && drawer.click()
      drawer.addEventListener("change", () => {
        if (drawer.checked) menu.querySelector("a:not([hidden])")?.focus()
      })
      // Close the menu when focus leaves it, so that it never covers the page.
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
    const folded = find(".md-nav__link[for=__toc]")
    const title = find(".md-sidebar--primary .md-nav__title[for=__toc]")
    if (contents && folded && title) {
      const inMenu = asButton(folded, contents)
      const back = asButton(title, contents)
      contents.addEventListener("change", () => (contents.checked ? back : inMenu).focus())
    }

    // The theme labels the version selector "Select version", which hides the selected version from screen readers.
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
