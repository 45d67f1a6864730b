// Elements of the studio, created like those on the Play page.

import { element } from "/assets/play/elements.js";

export { counted, element } from "/assets/play/elements.js";

/** Creates a button that does not submit a form. */
export function button(words, onclick, attributes = {}) {
  return element("button", { type: "button", class: "st-button", onclick, ...attributes }, words);
}

const SAID = 6000; // milliseconds that a message stays if reduced motion prevents it from fading out
let ending = 0;

/** Announces a message to screen readers, and shows it at the bottom of the page. */
export function say(words) {
  const place = document.getElementById("st-say");
  place.textContent = words;
  clearTimeout(ending);
  ending = setTimeout(() => (place.textContent = ""), SAID);
  // Restart the fade-out, so that a repeated message is shown again.
  place.style.animationName = "none";
  void place.offsetWidth;
  place.style.animationName = "";
}

/** Shows that something is being done: what it is, and a bar that moves until its `value` is set. */
export function waiting(words) {
  return element("div", { class: "st-waiting", role: "status" }, element("p", {}, words), element("progress", { "aria-label": words }));
}

/** Renders a message, with text between backticks as code. */
export function worded(words) {
  return words.split(/`([^`\n]*)`/).map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

/** Shows an error where a form has room for one. */
export function refuse(place, { message }) {
  place.replaceChildren(...worded(message));
}

/** Returns a message as plain text, without backticks and fences. */
export const plain = (words) => words.replace(/^```\w*\n?/gm, "").replace(/`([^`\n]*)`/g, "$1").trim();

/** The names of modifier keys on this system. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** Makes a list a single tab stop with arrow keys. `items` returns the current elements. */
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
