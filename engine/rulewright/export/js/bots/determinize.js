// Determinization: random values for everything that a player cannot see, consistent with what the player knows. The same
// as in Python (`engine/narration/determinize.py`), from the same random words.

import { rollWith } from "../dice.js";
import { HIDDEN } from "../phrases.js";
import { Visibility } from "../visibility.js";

/** Determinizes the game in memory for the player who decides. */
export class Determinizer {
  #module;
  #visibility;
  #below;

  constructor(module) {
    this.#module = module;
    // The objects in memory are the ones to ask about.
    this.#visibility = new Visibility(module, (_, ask) => ask());
    this.#below = { below: (number) => Number(module.call("bot_below", BigInt(number))) };
    ({ fields: this.fields, procedures: this.procedures, decks: this.decks } = module.data.guesses);
  }

  /** Reads the game in memory, and what the deciding player knows of it. */
  look() {
    const module = this.#module, { stop } = module.standing();
    this.objects = module.objects();
    this.frames = module.frames();
    this.root = module.root;
    this.offered = stop.options;
    this.options = module.value(module.get("options"), stop.options);
    this.player = Number(module.get("who"));
    const there = new Map(this.objects.flatMap((thing, number) => (thing === null ? [] : [[number, thing]])));
    this.known = this.#visibility.asSeen(there, this.player);
    this.unseen = this.decks.map((deck) => this.#unseen(deck));
  }

  /** Replaces the game in memory with a determinized state. Throws RulesFault if that state is impossible. */
  make() {
    const module = this.#module;
    this.packs = new Map(this.decks.map(({ table }, place) => [table, [...this.unseen[place]]]));
    this.made = this.objects.map((thing) => (thing === null ? null : [...thing]));
    for (const [number, thing] of this.known) if (thing.includes(HIDDEN)) this.#object(number, thing);
    this.#piles();
    const frames = this.#names();
    module.put({ objects: this.made, frames, root: this.root });
    // Who decides and what may be chosen is public, and stays: computed from random values, it could differ.
    module.stand(this.player, module.word(this.options, this.offered));
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

  /** Returns a random total of one of these rolls. */
  #rolled(rolls) {
    return rollWith(this.#module.rollFrom(this.#any(rolls)), this.#below).total;
  }

  /** Returns a random value of a type. Of `held`, only its presence and its length are used. */
  #anew(may, held, alike) {
    if (held === null) return null;
    if (may?.list !== undefined) return held.map((each) => this.#anew(may.list, each, alike));
    if (may?.row !== undefined) {
      const pack = this.packs.get(may.row);
      return pack?.length ? this.#drawn(pack) : this.#any(this.#module.rows.get(may.row));
    }
    if (may?.map !== undefined) {
      return held.map((each, place) => this.#anew(may.map, each, alike.flatMap((other) => (Array.isArray(other) ? [other[place]] : []))));
    }
    if (may?.ratio) return [0, 1];
    if (may?.parts !== undefined) return held.map((each, place) => this.#anew(may.parts[place], each, []));
    if (may?.any !== undefined) return this.#any(may.any);
    if (may?.thing !== undefined) {
      const there = this.#all(may.thing);
      return this.#any(there.length ? there : [held]);
    }
    const likely = alike.filter((value) => value !== null && !Array.isArray(value));
    if (likely.length) return this.#any(likely);
    if (typeof held === "number" || typeof held === "bigint") return 0;
    if (typeof held === "string") return "";
    return may?.dice === undefined ? held : this.#module.rollFrom(may.dice);
  }

  /** Returns the cards of a deck that the player sees nowhere. */
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

  /** Fills each hidden deck with random unseen cards, as many as it has. */
  #piles() {
    const [{ fields }] = this.#module.data.kinds, [game] = this.made;
    for (const deck of this.decks) {
      for (const name of deck.fields) {
        const place = fields.findIndex((each) => each.name === name) + 1;
        if (this.known.get(0)[place] !== HIDDEN) continue;
        const pack = this.packs.get(deck.table);
        const drawn = game[place].slice(0, pack.length).map(() => this.#drawn(pack));
        // Cards in unknown positions are in the order of the table.
        if (name === deck.fields[0]) drawn.sort((one, other) => deck.cards.indexOf(one) - deck.cards.indexOf(other));
        game[place] = drawn;
      }
    }
  }

  /** Replaces, in the frames of running procedures, the secret values that the player does not know. */
  #names() {
    let procedure = this.root;
    const underWay = this.frames.map((held) => {
      const frame = [...held], told = this.procedures[procedure] ?? {}, { always = [], sealed = [], known = {}, passed = {} } = told;
      const open = sealed.filter(([, hidden]) => frame[hidden] !== null).map(([slot]) => slot);
      const hidden = [...new Set([...always, ...open])].sort((one, other) => one - other);
      const knows = (slot) => known[slot]?.[frame[0]]?.every((source) => this.#hasSeen(source, frame)) ?? false;
      procedure = this.#module.steps.get(frame[0])?.calls ?? "";
      return { frame, told, hidden, known: new Set(hidden.filter(knows)), passed: passed[frame[0]] ?? [] };
    });
    // A value passed between procedures is known in both or in neither, and equal in both.
    for (let at = underWay.length - 2; at >= 0; at--) {
      for (const [slot, place] of underWay[at].passed) if (underWay[at + 1].known.has(place)) underWay[at].known.add(slot);
    }
    let handed = new Map(), given = [];
    for (const { frame, told, hidden, known, passed } of underWay) {
      for (const slot of given) known.add(slot);
      for (const slot of hidden) if (!known.has(slot)) frame[slot] = handed.has(slot) ? handed.get(slot) : this.#name(told, slot, frame);
      handed = new Map(passed.map(([slot, place]) => [place, frame[slot]]));
      given = passed.flatMap(([slot, place]) => (known.has(slot) ? [place] : []));
    }
    return underWay.map(({ frame }) => frame);
  }

  /** Returns a random value for a name that the player does not know. */
  #name({ slots, always, own }, slot, frame) {
    const { may, rolls } = slots[slot], held = frame[slot];
    if (!always.includes(slot)) return (held ?? []).map(() => this.#any(this.options));
    if (rolls !== undefined && held !== null) return this.#rolled(rolls);
    const found = this.#anew(may, held, []);
    // All players know their own choices.
    if (held?.length && own?.includes(slot)) held.slice(this.player - 1, this.player).forEach((each) => { found[this.player - 1] = each; });
    return found;
  }

  /** Returns whether the player has seen the sources of a name. */
  #hasSeen([what, ...rest], frame) {
    if (what === "told") return rest[0].some((path) => [this.#reach(path, frame)].flat().includes(this.player));
    const [kind, name, path] = rest;
    if (what === "every") return this.#all(kind).every((thing) => this.#sees(thing, kind, name));
    const thing = path === null ? 0 : this.#reach(path, frame);
    return thing !== null && this.#sees(thing, kind, name);
  }

  #sees(thing, kind, name) {
    const seen = this.known.get(thing);
    return seen !== undefined && seen[this.#place(kind, name)] !== HIDDEN;
  }

  /** Returns the value at a path in the actual game, or null if there is none. */
  #reach([what, ...rest], frame) {
    if (what === "slot") return frame[rest[0]];
    if (what === "players") return this.#all("player");
    const [kind, name, base] = rest, thing = base === null ? 0 : this.#reach(base, frame);
    return (thing === null ? null : this.objects[thing]?.[this.#place(kind, name)]) ?? null;
  }

  #place(kind, name) {
    return this.#module.kinds.get(kind).fields.findIndex((field) => field.name === name) + 1;
  }

  #all(kind) {
    const { number } = this.#module.kinds.get(kind);
    return this.objects.flatMap((thing, at) => (at && thing !== null && thing[0] === number ? [at] : []));
  }
}
