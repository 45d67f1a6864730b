// Browsers do not let pages opened from disk read files, so the theme must not request the list of versions.
if (location.protocol === "file:") {
  new MutationObserver((_, observer) => {
    const config = document.getElementById("__config")
    if (!config?.nextElementSibling) return // while nothing follows, the configuration may be incomplete
    observer.disconnect()
    config.textContent = JSON.stringify({ ...JSON.parse(config.textContent), version: null })
  }).observe(document, { childList: true, subtree: true })
}
