// Opposing sides: their members, rank by rank.

import { thingKey } from "./picks.js";
import { make, present } from "./signs.js";
import { say } from "./say.js";

/** Creates a section for each line-up with members. */
export function lineups(view, desk) {
  return Object.entries(desk.kinds).flatMap(([kind, { ranks }]) => {
    if (!ranks) return [];
    const members = view.objects.filter((seen) => seen.kind === kind);
    const type = present(desk.data.kinds.find(({ id }) => id === kind).fields.find(({ name }) => name === ranks).type);
    const sides = view.objects.filter((seen) => seen.kind === type.thing);
    const placed = sides.map((side) => ({ side, on: members.filter((each) => each.fields.find(({ name }) => name === ranks).value === side.number) }));
    if (!placed.some(({ on }) => on.length)) return [];
    const title = desk.kinds[type.thing].title || desk.kinds[type.thing].plural;
    return [make("section", { class: "rw-ranks", "aria-label": title }, make("h3", {}, title), ...placed.map((each) => rank(each, desk)))];
  });
}

function rank({ side, on }, desk) {
  const name = make("span", { class: "rw-rank__name" }, ...(side.seat === null ? [] : [desk.signs.seat(side.seat)]), side.seat === null ? side.label : desk.playerLabel(side.seat));
  desk.register(name, [thingKey(side.number)], side.label);
  const members = on.map((seen) => member(seen, side.seat, desk));
  if (!members.length) members.push(make("span", { class: "rw-desk__none" }, say("nobody")));
  return make("div", { class: "rw-rank" }, name, make("div", { class: "rw-rank__members" }, ...members));
}

/** Shows a member by the object that it consists of, if any, and its count. */
function member(seen, seat, desk) {
  const { ranks } = desk.kinds[seen.kind];
  let shown = seen, many = null;
  for (const { name, type, value, hidden } of seen.fields) {
    const kind = present(type);
    if (name === ranks || hidden || value === null || value === 0) continue;
    if (kind?.thing !== undefined && shown === seen) shown = desk.object(value) ?? seen;
    else if (kind === "number" && many === null) many = value;
  }
  const fresh = desk.fresh.has(seen.number) || seen.fields.some(({ name }) => desk.changed.has(`${seen.number} ${name}`));
  const element = make(
    "div", { class: `rw-member${fresh ? " rw-changed" : ""}` },
    desk.signs.icon(desk.signs.termOf(shown)) ?? make("b", { class: "rw-member__letter", "aria-hidden": "true" }, seen.label.slice(0, 1)),
    make("span", {}, seen.label), many === null ? null : make("b", { class: "rw-member__many" }, `× ${many}`),
  );
  if (seat !== null) element.style.setProperty("--seat", desk.signs.colour(seat));
  desk.register(element, [thingKey(seen.number), ...(shown === seen ? [] : [thingKey(shown.number)])], many === null ? seen.label : `${seen.label}, ${many}`);
  return element;
}
