// Browsers deny pages opened from disk the reading of files: the list of versions, so the theme must not ask for it.
if (location.protocol === "file:") {
  new MutationObserver((_, observer) => {
    const config = document.getElementById("__config")
    if (!config?.nextElementSibling) return  // as long as nothing follows it, it may not have been read to its end
    observer.disconnect()
    config.textContent = JSON.stringify({ ...JSON.parse(config.textContent), version: null })
  }).observe(document, { childList: true, subtree: true })
}
