// Cards: in a hand, in a deck, face up or with their backs.

import { rowKey } from "./picks.js";
import { make, present } from "./signs.js";

/** The table whose rows a field holds as cards, if it is one of a deck; null else. */
export function cardsOf(type, desk) {
  const kind = present(type), table = kind?.row ?? present(kind?.list)?.row;
  return table !== undefined && desk.cardTables.has(table) ? table : null;
}

/** The cards of a field: each open, or one back for what is hidden. */
export function hand({ title, type, value, hidden, changed }, desk) {
  const table = cardsOf(type, desk);
  const cards = hidden ? [back(title)] : (Array.isArray(value) ? value : value === null ? [] : [value]).map((row) => card(table, row, desk));
  if (!cards.length) cards.push(make("span", { class: "rw-desk__none" }, "none"));
  return make("div", { class: `rw-hand${changed ? " rw-changed" : ""}` }, make("span", { class: "rw-hand__title" }, title), make("span", { class: "rw-hand__cards" }, ...cards));
}

/** A card, face up: its title, and what its row says in figures. */
export function card(table, row, desk) {
  const { title, cells } = desk.row(table, row);
  const term = desk.table.rows[table]?.[row];
  const figures = Object.entries(cells)
    .map(([, value]) => value)
    .filter((value) => typeof value === "number" || (value !== null && typeof value === "object" && typeof value.dice === "string"))
    .map((value) => (typeof value === "number" ? String(value) : value.dice))
    .filter((said) => said !== title);
  const element = make(
    "span", { class: "rw-desk__card" },
    desk.signs.icon(term ?? ""), make("b", {}, title), figures.length ? make("small", {}, figures.slice(0, 3).join(" · ")) : null,
  );
  desk.register(element, [rowKey(table, row)], title);
  return element;
}

/** The back of a card. */
export function back(title) {
  return make("span", { class: "rw-desk__card rw-desk__card--back", role: "img", "aria-label": `${title}, face down` });
}

/** A deck: its back, what it is called, and how many cards it has, where that is for whoever looks. */
export function deck({ name, value, hidden }, desk) {
  const { title } = desk.table.decks[name];
  const left = hidden || value === null ? "" : `${value.length} left`;
  return make("div", { class: "rw-desk__deck" }, back(title), make("span", {}, title, left ? make("small", {}, left) : null));
}
