// Values of players, objects and the game, each rendered to suit its type.

import { cardsOf, hand } from "./hands.js";
import { die } from "./dice.js";
import { rowKey, thingKey } from "./picks.js";
import { make, present } from "./signs.js";
import { say } from "./say.js";

// The maximum number of drawn steps of a ladder, and of characters of a value.
const MOST_STEPS = 10;
const LONGEST = 90;

/** Returns the fields to show, in the order of the rules. */
export function shownFields(seen, desk) {
  const { show, hide } = desk.kinds[seen.kind];
  const found = seen.fields.filter(({ name }) => !hide.includes(name) && (show === null || show.includes(name)));
  if (show !== null) found.sort((one, other) => show.indexOf(one.name) - show.indexOf(other.name));
  return found;
}

/** Renders the fields of an object as elements. `counted` also shows zeros. */
export function figures(seen, desk, { counted = false } = {}) {
  return shownFields(seen, desk).flatMap((field) => {
    const drawn = figure(seen, field, desk, counted);
    return drawn === null ? [] : [drawn];
  });
}

function figure(seen, field, desk, counted) {
  const { name, title, type, value, text, hidden } = field, kind = present(type);
  const changed = desk.changed.has(`${seen.number} ${name}`);
  if (cardsOf(type, desk) !== null) return name.startsWith("deck.") || (value === null && !hidden) ? null : hand({ ...field, changed }, desk);
  const { kinds } = desk, own = kinds[seen.kind];
  if (own.die === name) return null;
  const term = own.signs[name] ?? "";
  if (hidden) return row(desk, term, title, "hidden", changed, "rw-figure--hidden");
  if (value === null) return null;
  if (kind === "number") return value === 0 && !counted ? null : number(desk, term, title, value, changed);
  if (kind === "truth") return value ? make("span", { class: `rw-tag${changed ? " rw-changed" : ""}` }, desk.signs.icon(term), title) : null;
  if (kind?.row !== undefined) return desk.isDrawn(kind.row) ? null : ofRow(desk, term, title, kind.row, value, text, changed);
  if (kind?.thing !== undefined) return skips(seen, name, kind, desk) ? null : row(desk, term, title, text, changed);
  if (kind?.list !== undefined) return list(desk, term, title, kind, value, text, changed, name, seen.kind);
  if (kind?.map !== undefined) return desk.isDrawn(kind.map) ? null : byRow(desk, title, kind, value, text, changed);
  return text && text.length <= LONGEST ? row(desk, term, title, text, changed) : null;
}

/** Owner, position and side are visible already. */
function skips(seen, name, kind, desk) {
  if (kind.thing === "player") return seen.kind !== "game" && seen.seat !== null && name === desk.ownerField(seen.kind);
  return name === desk.kinds[seen.kind].ranks || desk.under(seen)?.name === name;
}

function number(desk, term, title, value, changed) {
  const said = make("b", {}, String(value));
  return make("span", { class: `rw-figure rw-figure--number${changed ? " rw-changed" : ""}` }, desk.signs.icon(term), make("span", { class: "rw-figure__title" }, title), said);
}

function row(desk, term, title, text, changed, name = "") {
  return make("span", { class: `rw-figure${changed ? " rw-changed" : ""} ${name}`.trim() }, desk.signs.icon(term), make("span", { class: "rw-figure__title" }, title), make("b", {}, text));
}

/** Renders a row. If each row needs the one before it, renders the whole ladder, with the current step. */
function ofRow(desk, term, title, table, value, text, changed) {
  const rows = desk.rows(table), { columns } = desk.data.tables[table];
  const climbs = Object.values(columns).some((type) => present(type)?.row === table) && rows.length <= MOST_STEPS;
  const found = row(desk, desk.table.rows[table]?.[value] ?? term, title, text, changed);
  if (climbs) {
    const at = rows.indexOf(value);
    found.append(make("span", { class: "rw-ladder", "aria-hidden": "true" }, ...rows.map((_, place) => make("i", { class: place <= at ? "rw-ladder__on" : "" }))));
  }
  desk.register(found, [rowKey(table, value)], `${title}: ${text}`);
  return found;
}

function list(desk, term, title, { list: of }, value, text, changed, name, kind) {
  const inner = present(of);
  if (desk.isDrawn(inner?.row) || desk.marks.has(name)) return null;
  if (inner?.row !== undefined && desk.kinds[kind].sheet.includes(name)) return sheet(desk, title, inner.row, value, changed);
  if (inner?.row !== undefined) {
    if (!value.length) return null;
    const chips = value.map((each) => {
      const chip = make("span", { class: "rw-tag" }, desk.row(inner.row, each).title);
      desk.register(chip, [rowKey(inner.row, each)], desk.row(inner.row, each).title);
      return chip;
    });
    return make("span", { class: `rw-figure rw-figure--list${changed ? " rw-changed" : ""}` }, make("span", { class: "rw-figure__title" }, title), ...chips);
  }
  if (inner === "number" || inner?.thing !== undefined) return value.length && text && text.length <= LONGEST ? row(desk, term, title, text, changed) : null;
  return null;
}

/** Renders every row of a table, with the filled ones marked. */
function sheet(desk, title, table, value, changed) {
  const boxes = desk.rows(table).map((each) => {
    const filled = value.includes(each), said = desk.row(table, each).title;
    const box = make("span", { class: `rw-box${filled ? " rw-box--filled" : ""}` }, said, filled ? make("span", { class: "rw-box__tick", role: "img", "aria-label": say("filled") }, "✓") : null);
    desk.register(box, [rowKey(table, each)], said);
    return box;
  });
  return make("div", { class: `rw-sheet${changed ? " rw-changed" : ""}` }, make("span", { class: "rw-figure__title" }, title), ...boxes);
}

function byRow(desk, title, { map, of }, value, text, changed) {
  if (present(of) !== "number") return text.length <= LONGEST ? row(desk, "", title, text, changed) : null;
  const rows = desk.rows(map), chips = rows.flatMap((each, place) => {
    if (!value[place]) return [];
    const said = desk.row(map, each).title;
    const chip = make("span", { class: "rw-tag" }, `${said} `, make("b", {}, String(value[place])));
    desk.register(chip, [rowKey(map, each)], `${said}: ${value[place]}`);
    return [chip];
  });
  if (!chips.length) return null;
  return make("span", { class: `rw-figure rw-figure--list${changed ? " rw-changed" : ""}` }, make("span", { class: "rw-figure__title" }, title), ...chips);
}

/** Renders an object with its values and with the objects attached to it. */
export function thing(seen, desk, kept = []) {
  const kind = desk.kinds[seen.kind], inside = figures(seen, desk);
  const fresh = desk.fresh.has(seen.number) ? " rw-changed" : "";
  const shown = kind.die && seen.fields.find(({ name }) => name === kind.die);
  const head = make("span", { class: "rw-thing__head" });
  if (shown) head.append(die(shown.hidden ? null : shown.value, shown.hidden ? "" : "6", desk.changed.has(`${seen.number} ${kind.die}`) ? " rw-die--new" : ""));
  else head.append(...[desk.signs.icon(desk.signs.termOf(seen))].filter(Boolean));
  head.append(make("span", { class: "rw-thing__label" }, seen.label));
  const element = make("div", { class: `rw-thing${fresh}${shown ? " rw-thing--die" : ""}` }, head, ...inside);
  desk.register(head, [thingKey(seen.number)], seen.label);
  if (kept.length) element.append(make("div", { class: "rw-thing__kept" }, ...kept));
  return element;
}
