// Helpers that create page elements.

/** Creates an element with attributes. Names with `on` are event listeners. Null and false values are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Creates a button that does not submit a form. */
export function button(words, onclick, attributes = {}) {
  return element("button", { type: "button", class: "rw-play__button", onclick, ...attributes }, words);
}

/** Creates dice notation with a drawing of the die, because not every font has a symbol for it. */
export function dice({ dice: notation }) {
  const NS = "http://www.w3.org/2000/svg";
  const drawn = document.createElementNS(NS, "svg");
  for (const [name, value] of Object.entries({ class: "rw-icon", viewBox: "0 0 24 24", "aria-hidden": "true" })) drawn.setAttribute(name, value);
  for (const path of ["M6.5 3.5h11a3 3 0 0 1 3 3v11a3 3 0 0 1-3 3h-11a3 3 0 0 1-3-3v-11a3 3 0 0 1 3-3z", "M8 8h.01M16 8h.01M12 12h.01M8 16h.01M16 16h.01"]) {
    const line = document.createElementNS(NS, "path");
    line.setAttribute("d", path);
    drawn.append(line);
  }
  const made = element("span", { class: "rw-play__dice" });
  made.append(drawn, notation);
  return made;
}

/** Formats an English count with its noun: `1 option`, `2 options`. */
export function counted(number, one, several = `${one}s`) {
  return `${number} ${number === 1 ? one : several}`;
}

/** Makes an id of the rules readable, or returns its name. */
export function pretty(id) {
  const words = id.replaceAll("_", " ").replaceAll(".", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lets the browser render and handle input before the script continues. */
export function breath(milliseconds = 0) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Whether the page may move focus. In a frame, it would receive what the user types elsewhere on the outer page. */
export function mayFocus() {
  const { frameElement } = window; // null outside of a frame, and in a frame of another site
  return frameElement === null || frameElement.ownerDocument.activeElement === frameElement;
}
