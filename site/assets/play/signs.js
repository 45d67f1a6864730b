// Drawing helpers: elements, pictures of terms, and colours of seats.

const SVG = "http://www.w3.org/2000/svg";

/** Creates an element. Null and empty attributes are left out. */
export function make(name, attributes = {}, ...children) {
  return finished(document.createElement(name), attributes, children);
}

/** Creates an SVG element. */
export function shape(name, attributes = {}, ...children) {
  return finished(document.createElementNS(SVG, name), attributes, children);
}

function finished(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== "") element.setAttribute(key, value);
  }
  element.append(...children.filter((each) => each !== null));
  return element;
}

/** Returns the type inside an optional type. */
export function present(type) {
  return type?.optional === undefined ? type : present(type.optional);
}

/** Pictures of terms, or a letter if a term has none; and the colours of seats. */
export class Signs {
  constructor(table, data) {
    this.table = table;
    this.terms = data.terms;
    this.drawn = new Set(Object.keys(table.pictures));
  }

  /** Returns all pictures as hidden symbols, which drawings refer to. */
  sprite() {
    const held = make("div", { class: "rw-desk__sprite", "aria-hidden": "true" });
    const symbols = Object.entries(this.table.pictures).filter(([term]) => document.getElementById(`i-${term}`) === null);
    held.innerHTML = `<svg width="0" height="0">${symbols.map(([, symbol]) => symbol).join("")}</svg>`;
    return held;
  }

  colour(seat) {
    const { seats } = this.table;
    return seats[(seat - 1) % seats.length];
  }

  /** Returns the term whose picture represents an object: that of a row it holds, or that of its kind. */
  termOf(seen) {
    const kind = this.table.kinds[seen.kind];
    const field = kind.picture && seen.fields.find(({ name }) => name === kind.picture);
    const row = field && !field.hidden && this.table.rows[present(field.type).row]?.[field.value];
    return row || kind.term;
  }

  has(term) {
    return this.drawn.has(term);
  }

  /** Creates a picture for text, or returns null if the term has none. */
  icon(term) {
    if (!this.has(term)) return null;
    return shape("svg", { class: "rw-icon rw-desk__icon", "aria-hidden": "true" }, shape("use", { href: `#i-${term}` }));
  }

  /** Creates a picture for drawings, or the initial of a name. */
  sign(term, name, x, y, size) {
    if (this.has(term)) return shape("use", { class: "rw-desk__sign", href: `#i-${term}`, x, y, width: size, height: size });
    const letter = [...name.trim()][0]?.toUpperCase() ?? "?";
    return words(x + size / 2, y + size * 0.74, letter, size * 0.7, "rw-desk__letter");
  }

  /** Creates the number of a seat in its colour, for text. */
  seat(number) {
    return shape(
      "svg", { class: "rw-desk__seat", viewBox: "0 0 20 20", "aria-hidden": "true" },
      shape("circle", { cx: 10, cy: 10, r: 9.5, fill: this.colour(number) }),
      shape("text", { x: 10, y: 14.4, "text-anchor": "middle", "font-size": 12.5, "font-weight": "bold", fill: "#fff" }, String(number)),
    );
  }
}

/** Creates centred text in a drawing. */
export function words(x, y, said, size, name = "") {
  return shape("text", { class: name, x, y, "font-size": size, "text-anchor": "middle" }, said);
}
