// Cards: in a hand or a deck, face up or face down.

import { rowKey } from "./picks.js";
import { make, present } from "./signs.js";
import { figure, say } from "./say.js";

/** Returns the table of the cards in a field, or null if it is not the table of a deck. */
export function cardsOf(type, desk) {
  const kind = present(type), table = kind?.row ?? present(kind?.list)?.row;
  return table !== undefined && desk.cardTables.has(table) ? table : null;
}

/** Returns the cards of a field: face up, or a single back for a hidden value. */
export function hand({ title, type, value, hidden, changed }, desk) {
  const table = cardsOf(type, desk);
  const cards = hidden ? [back(title)] : (Array.isArray(value) ? value : value === null ? [] : [value]).map((row) => card(table, row, desk));
  if (!cards.length) cards.push(make("span", { class: "rw-desk__none" }, say("none")));
  return make("div", { class: `rw-hand${changed ? " rw-changed" : ""}` }, make("span", { class: "rw-hand__title" }, title), make("span", { class: "rw-hand__cards" }, ...cards));
}

/** Creates a card face up: its title and the numbers of its row. */
export function card(table, row, desk) {
  const { title, cells } = desk.row(table, row);
  const term = desk.table.rows[table]?.[row];
  const figures = Object.entries(cells)
    .map(([, value]) => value)
    .filter((value) => typeof value === "number" || (value !== null && typeof value === "object" && typeof value.dice === "string"))
    .map((value) => (typeof value === "number" ? figure(value) : value.dice))
    .filter((said) => said !== title);
  const element = make(
    "span", { class: "rw-desk__card" },
    desk.signs.icon(term ?? ""), make("b", {}, title), figures.length ? make("small", {}, figures.slice(0, 3).join(" · ")) : null,
  );
  desk.register(element, [rowKey(table, row)], title);
  return element;
}

/** Creates the back of a card. */
export function back(title) {
  return make("span", { class: "rw-desk__card rw-desk__card--back", role: "img", "aria-label": say("%(title)s, face down", { title }) });
}

/** Creates a deck: its back, its name, and its number of cards if visible. */
export function deck({ name, value, hidden }, desk) {
  const { title } = desk.table.decks[name];
  const left = hidden || value === null ? "" : say("%(count)s left", { count: value.length });
  return make("div", { class: "rw-desk__deck" }, back(title), make("span", {}, title, left ? make("small", {}, left) : null));
}
