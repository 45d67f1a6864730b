// Elements of the studio, made in the way that the Play page makes its own.

import { element } from "/assets/play/elements.js";

export { counted, element } from "/assets/play/elements.js";

/** A button that sends no form. */
export function button(words, onclick, attributes = {}) {
  return element("button", { type: "button", class: "st-button", onclick, ...attributes }, words);
}

/** Say something to whoever listens rather than looks, and to whoever looks at the foot of the page. */
export function say(words) {
  document.getElementById("st-say").textContent = words;
}

/** Words of a message, with what stands between backticks as code. */
export function worded(words) {
  return words.split(/`([^`\n]*)`/).map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

/** The same where only letters can be shown, and of a fence its lines alone. */
export const plain = (words) => words.replace(/^```\w*\n?/gm, "").replace(/`([^`\n]*)`/g, "$1").trim();

/** What keys are called on this machine. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** A list that one tab stop enters and arrows walk: `items` answers the elements, as they are then. */
export function roving(host, items, { vertical = true, onmove = () => {} } = {}) {
  const keys = vertical ? { ArrowDown: 1, ArrowUp: -1 } : { ArrowRight: 1, ArrowLeft: -1 };
  const go = (to) => {
    for (const each of items()) each.tabIndex = each === to ? 0 : -1;
    to.focus();
    onmove(to);
  };
  host.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = event.key in keys ? (at + keys[event.key] + all.length) % all.length : { Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    go(all[next]);
  });
  return go;
}
