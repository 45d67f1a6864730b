// What might be: a state in which all that a player may not see is made up anew, from what that player knows. It is the
// guess of Python's bots (`telling/guess.py`, which says what may be guessed), by the same words of a bot.

import { rollWith } from "../dice.js";
import { HIDDEN } from "../saying.js";
import { Sight } from "../sight.js";

/** Guesses for whoever decides in the game that lies in memory. */
export class Guesses {
  #module;
  #sight;
  #below;

  constructor(module) {
    this.#module = module;
    // What is asked of objects is asked of those that lie there already.
    this.#sight = new Sight(module, (_, ask) => ask());
    this.#below = { below: (number) => Number(module.call("bot_below", BigInt(number))) };
    ({ fields: this.fields, procedures: this.procedures, decks: this.decks } = module.data.guesses);
  }

  /** Look at the game that lies in memory, of which a player decides: what it is, and what that player knows of it. */
  look() {
    const module = this.#module, { stop } = module.standing();
    this.objects = module.objects();
    this.frames = module.frames();
    this.root = module.root;
    this.offered = stop.options;
    this.options = module.value(module.get("options"), stop.options);
    const there = new Map(this.objects.flatMap((thing, number) => (thing === null ? [] : [[number, thing]])));
    this.known = this.#sight.asSeen(there, Number(module.get("who")));
    this.unseen = this.decks.map((deck) => this.#unseen(deck));
  }

  /** Put a guess in the place of the game. Throws RulesFault where it cannot be. */
  make() {
    const module = this.#module;
    this.packs = new Map(this.decks.map(({ table }, place) => [table, [...this.unseen[place]]]));
    this.made = this.objects.map((thing) => (thing === null ? null : [...thing]));
    for (const [number, thing] of this.known) if (thing.includes(HIDDEN)) this.#object(number, thing);
    this.#piles();
    const frames = this.#names();
    module.put({ objects: this.made, frames, root: this.root });
    module.present();
    // What there is to choose is no secret, and stays.
    module.set("options", module.word(this.options, this.offered));
  }

  #any(values) {
    return values[this.#below.below(values.length)];
  }

  #drawn(pack) {
    return pack.splice(this.#below.below(pack.length), 1)[0];
  }

  #object(number, seen) {
    const kind = this.#module.data.kinds[seen[0]];
    kind.fields.forEach(({ name, default: first }, at) => {
      const place = at + 1;
      if (seen[place] !== HIDDEN || name.startsWith("deck.")) return;
      const { may, rolls } = this.fields[kind.id][name], values = this.made[number];
      const alike = [...this.known.values()].flatMap((other) => (other[0] === seen[0] && other[place] !== HIDDEN ? [other[place]] : []));
      if (rolls !== undefined && values[place] !== null) values[place] = this.#rolled(rolls);
      else values[place] = this.#anew(may, values[place], alike.length ? alike : [first]);
    });
  }

  /** What one of these rolls may come to. */
  #rolled(rolls) {
    return rollWith(this.#module.rollFrom(this.#any(rolls)), this.#below).total;
  }

  /** A value of a type. `held` says no more than that there is one, or how many there are. */
  #anew(may, held, alike) {
    if (held === null) return null;
    if (may?.list !== undefined) return held.map((each) => this.#anew(may.list, each, alike));
    if (may?.row !== undefined) {
      const pack = this.packs.get(may.row);
      return pack?.length ? this.#drawn(pack) : this.#any(this.#module.rows.get(may.row));
    }
    if (may?.parts !== undefined) return held.map((each, place) => this.#anew(may.parts[place], each, []));
    if (may?.any !== undefined) return this.#any(may.any);
    if (may?.thing !== undefined) {
      const { number } = this.#module.kinds.get(may.thing);
      const there = this.objects.flatMap((thing, at) => (at && thing !== null && thing[0] === number ? [at] : []));
      return this.#any(there.length ? there : [held]);
    }
    const likely = alike.filter((value) => value !== null && !Array.isArray(value));
    if (likely.length) return this.#any(likely);
    return typeof held === "number" || typeof held === "bigint" ? 0 : held;
  }

  /** The cards of a deck that the player sees nowhere. */
  #unseen({ table, cards }) {
    const seen = new Map(), { kinds } = this.#module.data;
    const note = (card) => seen.set(card, (seen.get(card) ?? 0) + 1);
    for (const thing of this.known.values()) {
      kinds[thing[0]].fields.forEach(({ name, type }, at) => {
        const value = thing[at + 1], kind = type?.optional ?? type;
        if (value === null || value === HIDDEN || name.startsWith("deck.")) return;
        if (kind?.list?.row === table) value.forEach(note);
        else if (kind?.row === table) note(value);
      });
    }
    return cards.filter((card) => {
      const left = seen.get(card) ?? 0;
      if (left) seen.set(card, left - 1);
      return !left;
    });
  }

  /** Put into each deck that is a secret as many of the cards left over as there are in it. */
  #piles() {
    const [{ fields }] = this.#module.data.kinds, [game] = this.made;
    for (const deck of this.decks) {
      for (const name of deck.fields) {
        const place = fields.findIndex((each) => each.name === name) + 1;
        if (this.known.get(0)[place] !== HIDDEN) continue;
        const pack = this.packs.get(deck.table);
        const drawn = game[place].slice(0, pack.length).map(() => this.#drawn(pack));
        // Cards of which nobody knows the place stand in the order of the table.
        if (name === deck.fields[0]) drawn.sort((one, other) => deck.cards.indexOf(one) - deck.cards.indexOf(other));
        game[place] = drawn;
      }
    }
  }

  /** The frames, with what procedures under way keep under names of their own, where it comes from a secret. */
  #names() {
    let procedure = this.root;
    return this.frames.map((held) => {
      const frame = [...held], { slots = {}, always = [], sealed = [] } = this.procedures[procedure] ?? {};
      const open = sealed.filter(([, hidden]) => frame[hidden] !== null).map(([slot]) => slot);
      for (const slot of Object.keys(slots).map(Number)) {
        if (!always.includes(slot) && !open.includes(slot)) continue;
        const { may, rolls } = slots[slot];
        if (!always.includes(slot)) frame[slot] = (frame[slot] ?? []).map(() => this.#any(this.options));
        else if (rolls !== undefined && frame[slot] !== null) frame[slot] = this.#rolled(rolls);
        else frame[slot] = this.#anew(may, frame[slot], []);
      }
      procedure = this.#module.steps.get(frame[0])?.calls ?? "";
      return frame;
    });
  }
}
