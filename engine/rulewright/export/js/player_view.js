// The view of a game for drawing it: everything that a viewer sees, as text and as data; and what options affect.

import { present } from "./wasm_module.js";
import { HIDDEN, capital, text } from "./phrases.js";

const PLAYER = "player";
const SHOWN = "shown.", SETTING = "options.";
// Longer lists have no text, only data.
const MOST_LISTED = 12;

/** Returns the view of a game. `objects` are the visible objects by number, and `say` names them for the viewer. */
export function viewOf(module, objects, say) {
  const players = [], others = [];
  for (const [number, thing] of [...objects].sort(([one], [other]) => one - other)) {
    const kind = module.data.kinds[thing[0]];
    if (number === 0) continue;
    const seen = {
      number,
      kind: kind.id,
      label: text(say.titleOf(kind.id, number)),
      seat: seatOf(kind, number, thing),
      fields: fieldsOf(module, kind, thing, say),
    };
    (kind.id === PLAYER ? players : others).push(seen);
  }
  return { game: fieldsOf(module, module.data.kinds[0], objects.get(0), say), players, objects: others };
}

/** Returns the owner of an object: the value of its first field of type player. Null if it has none or it is hidden. */
function seatOf(kind, number, thing) {
  if (kind.id === PLAYER) return number;
  const place = kind.fields.findIndex((field) => present(field.type)?.thing === PLAYER);
  const whose = place < 0 ? null : thing[place + 1];
  return typeof whose === "number" ? whose : null;
}

function fieldsOf(module, kind, thing, say) {
  return kind.fields.flatMap(({ name, type }, place) => {
    if (name.startsWith(SHOWN) || name.startsWith(SETTING)) return [];
    const value = thing[place + 1], hidden = value === HIDDEN;
    const listed = Array.isArray(value) && present(type)?.list !== undefined && value.length > MOST_LISTED;
    return [{
      name,
      title: text(capital(say.fieldName(kind.id, name))),
      type,
      hidden,
      value: hidden ? null : module.plainValue(value),
      text: listed ? "" : text(say.value(value, type)),
    }];
  });
}

/**
 * Returns what each option affects: the numbers of objects and the rows of tables, without duplicates. The placement of
 * a piece also affects this piece and the spaces that it covers.
 */
export function touchedBy(values, type, labels, module) {
  return values.map((value, index) => {
    const things = new Set(), rows = new Map();
    walk(value, type, things, rows, module.data.tables);
    const found = [...rows.values()];
    return {
      index,
      things: [...things],
      tiles: found.filter(([table]) => isBoard(module.data.tables[table])),
      rows: found.filter(([table]) => !isBoard(module.data.tables[table])),
      words: labels[index],
    };
  });
}

function walk(value, type, things, rows, tables) {
  const kind = present(type);
  if (value === null || kind === null || typeof kind !== "object") return;
  if (kind.thing !== undefined) things.add(value);
  else if (kind.row !== undefined) {
    rows.set(`${kind.row}\n${value}`, [kind.row, value]);
    const { placements, rows: listed } = tables[kind.row];
    if (placements) {
      const { piece, covers } = listed.find(({ id }) => id === value).cells;
      for (const [table, row] of [[placements.of, piece], ...covers.map((space) => [placements.on, space])]) rows.set(`${table}\n${row}`, [table, row]);
    }
  } else if (kind.list !== undefined) for (const each of value) walk(each, kind.list, things, rows, tables);
  else if (kind.map !== undefined) for (const each of value) walk(each, kind.of, things, rows, tables);
  else if (kind.record !== undefined) value.forEach((each, place) => walk(each, kind.parts[place][1], things, rows, tables));
}

const isBoard = ({ columns }) => ["column", "row", "neighbours"].every((column) => columns[column] !== undefined);
