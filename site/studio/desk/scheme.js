// Light or dark mode: the system's or the user's choice. Frames of the book follow it.

const KEY = "rulewright-studio-scheme";
const night = matchMedia("(prefers-color-scheme: dark)");

/** `default` is light and `slate` is dark, as in the book. */
export function scheme() {
  const chosen = localStorage.getItem(KEY);
  return (chosen ?? (night.matches ? "dark" : "light")) === "dark" ? "slate" : "default";
}

/** Returns whether the mode is dark. */
export const dark = () => scheme() === "slate";

/** Applies the mode to a document. */
export function dress(document) {
  for (const each of [document.documentElement, document.body]) each.dataset.mdColorScheme = scheme();
}

function dressAll() {
  document.documentElement.dataset.mdColorScheme = scheme();
  for (const frame of document.querySelectorAll("iframe")) if (frame.contentDocument?.body) dress(frame.contentDocument);
}

export function follow() {
  dressAll();
  night.addEventListener("change", dressAll);
}

/** Switches the mode. If the new mode is the system's, follows the system from then on. */
export function turn() {
  const other = scheme() === "slate" ? "light" : "dark";
  if ((other === "dark") === night.matches) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, other);
  dressAll();
}
