// Light or dark: as the system has it, or as somebody has chosen here. The frames of the book follow.

const KEY = "rulewright-studio-scheme";
const night = matchMedia("(prefers-color-scheme: dark)");

/** `default` is light, `slate` is dark, as the book calls them. */
export function scheme() {
  const chosen = localStorage.getItem(KEY);
  return (chosen ?? (night.matches ? "dark" : "light")) === "dark" ? "slate" : "default";
}

/** Whether it is dark. */
export const dark = () => scheme() === "slate";

/** Give a document the colours of the page. */
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

/** The other one; and where that is what the system has, whatever the system will have. */
export function turn() {
  const other = scheme() === "slate" ? "light" : "dark";
  if ((other === "dark") === night.matches) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, other);
  dressAll();
}
