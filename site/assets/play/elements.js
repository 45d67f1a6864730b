// Elements of the page, made in one way.

/** An element with attributes; those that begin with `on` are what it does, and a value of null or false is left out. */
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

/** A button of the program's, which sends no form. */
export function button(words, onclick, attributes = {}) {
  return element("button", { type: "button", class: "rw-play__button", onclick, ...attributes }, words);
}

/** Dice by their notation, with the drawing of a die: not every system has a letter for it. */
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

/** `1 option`, `2 options`. */
export function counted(number, one, several = `${one}s`) {
  return `${number} ${number === 1 ? one : several}`;
}

/** A word of the rules as people read it: its own name, or its id without what ids have. */
export function pretty(id) {
  const words = id.replaceAll("_", " ").replaceAll(".", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Let the browser draw and hear its reader before the program goes on. */
export function breath(milliseconds = 0) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
