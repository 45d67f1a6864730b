// Visibility: who sees which values, by the rules (which the module evaluates) or because they were shown.

import { RulesFault } from "./errors.js";
import { HIDDEN } from "./phrases.js";

export class Visibility {
  /** `within` replaces the objects in memory while it asks the module. */
  constructor(module, within) {
    this.module = module;
    this.within = within;
    this.everything = !module.data.hidden;
  }

  /** Returns whether a viewer sees a field of an object. `viewer` is null for a spectator. */
  maySee(objects, viewer, thing, kind, name) {
    return this.within(objects, () => this.#sees(objects, viewer, thing, kind, name));
  }

  #sees(objects, viewer, thing, kind, name) {
    const { fields } = this.module.kinds.get(kind);
    const field = fields.find((each) => each.name === name);
    if (!field.hidden) return true;
    if (field.viewers === null) return false;
    const shown = objects.get(thing)[fields.findIndex((each) => each.name === `shown.${name}`) + 1];
    if (this.includes(shown, viewer, objects)) return true;
    try {
      const found = this.module.ask("seers_of", BigInt(field.viewers), BigInt(thing));
      return this.includes(this.module.value(found, { list: { thing: "player" } }), viewer, objects);
    } catch (error) {
      if (error instanceof RulesFault || error instanceof WebAssembly.RuntimeError) return false;
      throw error;
    }
  }

  /** Returns whether a viewer is among those who see something. A spectator is if all players are. */
  includes(seers, viewer, objects) {
    if (viewer !== null) return seers.includes(viewer);
    return [...objects].every(([number, thing]) => thing[0] !== 1 || seers.includes(number));
  }

  /** Returns the objects as a viewer sees them. */
  asSeen(objects, viewer) {
    if (this.everything) return objects;
    return this.within(objects, () => {
      const found = new Map();
      for (const [number, thing] of objects) {
        const kind = this.module.data.kinds[thing[0]];
        const held = thing.map((value, place) =>
          place > 0 && kind.fields[place - 1].hidden && !this.#sees(objects, viewer, number, kind.id, kind.fields[place - 1].name)
            ? HIDDEN
            : value,
        );
        found.set(number, held);
      }
      return found;
    });
  }
}
