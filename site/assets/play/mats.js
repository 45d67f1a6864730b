// What is whose: a mat for every player, and what belongs to nobody in the middle.

import { deck } from "./hands.js";
import { thingKey } from "./picks.js";
import { make } from "./signs.js";
import { figures, shownFields, thing } from "./tracks.js";

/** A mat for every player, in the order of their seats. `asked` is the seat of who is asked, `own` that of who looks. */
export function mats(view, desk, { asked, own }) {
  return view.players.map((player) => {
    const kind = desk.kinds.player;
    const name = make("h3", { class: "rw-mat__name" }, desk.signs.seat(player.seat), kind.title && kind.title !== kind.name ? `${kind.title}: ${player.label}` : player.label);
    desk.register(name, [thingKey(player.number)], player.label);
    const told = [player.seat === own ? "you" : "", player.seat === asked ? "to decide" : ""].filter(Boolean).join(", ");
    if (told) name.append(make("small", {}, told));
    const mine = view.objects.filter((seen) => seen.seat === player.seat && lies(seen, desk));
    const mat = make(
      "section", { class: `rw-mat${player.seat === asked ? " rw-mat--asked" : ""}`, "aria-label": player.label },
      name, make("div", { class: "rw-mat__figures" }, ...figures(player, desk, { counted: true })), ...heaps(mine, view, desk),
    );
    mat.style.setProperty("--seat", desk.signs.colour(player.seat));
    return mat;
  });
}

/** What the game itself holds, its decks, and things that are nobody's and lie on no board. */
export function middle(view, desk) {
  const game = { number: 0, kind: "game", seat: null, fields: view.game };
  const decks = shownFields(game, desk).filter(({ name }) => desk.table.decks[name] !== undefined).map((field) => deck(field, desk));
  const loose = view.objects.filter((seen) => seen.seat === null && lies(seen, desk) && !desk.onBoard(seen));
  const held = figures(game, desk, { counted: true });
  if (!decks.length && !loose.length && !held.length) return null;
  const title = desk.kinds.game.title || "On the table";
  return make("section", { class: "rw-middle", "aria-label": title }, ...(held.length ? [make("div", { class: "rw-middle__figures" }, ...held)] : []), ...decks, ...heaps(loose, view, desk));
}

/** Whether a thing lies by itself: not under another, in no rank, and not left out by the rules. */
function lies(seen, desk) {
  return !desk.kinds[seen.kind].absent && !desk.stands(seen.kind) && desk.under(seen) === null && !desk.columns.has(seen.kind);
}

/** Things by kind, in the order of the rules. */
function heaps(things, view, desk) {
  const kinds = [...new Set(things.map(({ kind }) => kind))].sort((one, other) => desk.rank(one) - desk.rank(other));
  return kinds.map((kind) => {
    const these = things.filter((seen) => seen.kind === kind);
    const { name, plural, title } = desk.kinds[kind];
    const heading = make("h4", {}, title || (these.length === 1 ? name : plural));
    const drawn = these.map((seen) => thing(seen, desk, view.objects.filter((each) => desk.under(each)?.value === seen.number && !desk.kinds[each.kind].absent).map((each) => thing(each, desk))));
    return make("div", { class: "rw-heap" }, heading, make("div", { class: "rw-heap__things" }, ...drawn));
  });
}
