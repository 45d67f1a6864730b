// Ownership: a mat for each player, and shared things in the middle.

import { card, deck } from "./hands.js";
import { thingKey } from "./picks.js";
import { make } from "./signs.js";
import { figures, shownFields, thing } from "./tracks.js";
import { say } from "./say.js";

// The maximum number of identical plain objects to draw separately.
const MOST_ALIKE = 3;

/** Creates the players' mats by seat. `asked` is the seat that decides, and `own` the seat of the viewer. */
export function mats(view, desk, { asked, own }) {
  return view.players.map((player) => {
    const kind = desk.kinds.player;
    desk.holder = player.seat;
    const who = make("span", { class: "rw-mat__who" }, desk.signs.seat(player.seat), kind.title ? `${kind.title}: ${player.label}` : player.label);
    const name = make("h3", { class: "rw-mat__name" }, who);
    desk.register(who, [thingKey(player.number)], player.label);
    const told = [player.seat === own ? say("you") : "", player.seat === asked ? say("deciding") : ""].filter(Boolean).join(", ");
    if (told) name.append(make("small", {}, told));
    const mine = view.objects.filter((seen) => seen.seat === player.seat && lies(seen, desk));
    const mat = make(
      "section", { class: `rw-mat${player.seat === asked ? " rw-mat--asked" : ""}`, "aria-label": player.label },
      name, make("div", { class: "rw-mat__figures" }, ...figures(player, desk, { counted: true })), ...heaps(mine, view, desk),
    );
    mat.style.setProperty("--seat", desk.signs.colour(player.seat));
    desk.holder = null;
    return mat;
  });
}

/** Creates the middle: the fields of the game, its decks, and objects without an owner that are on no board. */
export function middle(view, desk) {
  const game = { number: 0, kind: "game", seat: null, fields: view.game };
  const decks = shownFields(game, desk).filter(({ name }) => desk.table.decks[name] !== undefined).map((field) => deck(field, desk));
  const loose = view.objects.filter((seen) => seen.seat === null && lies(seen, desk) && !desk.onBoard(seen));
  const held = figures(game, desk, { counted: true });
  // Revealed cards are not in the hand of the player who decides.
  desk.holder = 0;
  const open = desk.about.map(({ table, row, title }) => make("div", { class: "rw-hand rw-hand--open" }, make("span", { class: "rw-hand__title" }, title), card(table, row, desk)));
  desk.holder = null;
  if (!decks.length && !open.length && !loose.length && !held.length) return null;
  const title = desk.kinds.game.title || say("On the table");
  return make("section", { class: "rw-middle", "aria-label": title }, ...(held.length ? [make("div", { class: "rw-middle__figures" }, ...held)] : []), ...decks, ...open, ...heaps(loose, view, desk));
}

/** Returns whether an object is shown separately: not below another, in no rank, and not left out by the rules. */
function lies(seen, desk) {
  return !desk.kinds[seen.kind].absent && !desk.stands(seen.kind) && desk.under(seen) === null && !desk.columns.has(seen.kind);
}

/** Groups objects by kind, in the order of the rules. */
function heaps(things, view, desk) {
  const kinds = [...new Set(things.map(({ kind }) => kind))].sort((one, other) => desk.rank(one) - desk.rank(other));
  return kinds.map((kind) => {
    const these = things.filter((seen) => seen.kind === kind);
    const { name, plural, title } = desk.kinds[kind];
    const heading = make("p", { class: "rw-heap__title" }, title || (these.length === 1 ? name : plural));
    const drawn = alike(these.map((seen) => ({ seen, kept: keptWith(seen, view, desk) })), view, desk);
    return drawn.length ? make("div", { class: "rw-heap" }, heading, make("div", { class: "rw-heap__things" }, ...drawn)) : null;
  }).filter((each) => each !== null);
}

function keptWith(seen, view, desk) {
  return view.objects.filter((each) => desk.under(each)?.value === seen.number && !desk.kinds[each.kind].absent);
}

/** Draws objects separately. Many plain ones that only have a position are counted, because a board shows them. */
function alike(things, view, desk) {
  const isBare = ({ seen, kept }) => !kept.length && !desk.kinds[seen.kind].die && !figures(seen, desk).length;
  const drawn = ({ seen, kept }) => thing(seen, desk, kept.map((each) => drawn({ seen: each, kept: keptWith(each, view, desk) })));
  const bare = things.filter(isBare), groups = new Map();
  if (bare.length <= MOST_ALIKE) return things.map(drawn);
  for (const each of bare.filter(({ seen }) => !desk.onBoard(seen))) groups.set(each.seen.label, [...(groups.get(each.seen.label) ?? []), each]);
  const counted = [...groups.values()].map(([first, ...more]) => {
    const element = drawn(first);
    if (more.length) element.append(make("b", { class: "rw-thing__many" }, `× ${more.length + 1}`));
    return element;
  });
  return [...things.filter((each) => !isBare(each)).map(drawn), ...counted];
}
