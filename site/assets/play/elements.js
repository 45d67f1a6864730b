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
