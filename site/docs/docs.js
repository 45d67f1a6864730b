// Keyboard and screen-reader access to what the theme adds to pages: copy buttons, and tables that scroll.
{
  const improve = () => {
    // The theme makes a navigation landmark of each copy button, all without a name.
    for (const buttons of document.querySelectorAll("nav.md-code__nav:not([role])")) buttons.setAttribute("role", "presentation")
    for (const box of document.querySelectorAll(".md-typeset__scrollwrap")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
      else box.removeAttribute("tabindex")
    }
  }
  addEventListener("DOMContentLoaded", () => {
    improve()
    new MutationObserver(improve).observe(document.body, { childList: true, subtree: true })
    addEventListener("resize", improve)
  })
}
