// The parameters of a module: numbers and rolls that may change, each by its path in the rules.

import { rollText } from "../dice.js";
import { GameError } from "../errors.js";
import { isWhole } from "../json.js";

const MOST_DICE = 100, MOST_SIDES = 1000;
const ROLLS = ["constant", "pool", "keep", "sum", "negation", "product", "maximum", "minimum"];

export class Parameters {
  #module;
  #known;

  constructor(module) {
    this.#module = module;
    this.#known = new Map((module.data.figures ?? []).map((each) => [each.path, { ...each, value: each.published }]));
  }

  /** The parameters: path, published value, current value and bounds. */
  get all() {
    return [...this.#known.values()].map(({ at, ...each }) => each);
  }

  /** Sets these values by path, and resets all others. Throws GameError without changing anything if one is invalid. */
  change(values) {
    const wanted = Object.entries(values).map(([path, value]) => [this.#figure(path), String(value).trim()]);
    const read = wanted.map(([figure, text]) => [figure, figure.dice ? this.#roll(text) : this.#number(figure, text)]);
    const found = new Map(read.map(([figure, value]) => [figure.path, value]));
    const module = this.#module;
    let free = module.layout.free;
    for (const figure of this.#known.values()) {
      const value = found.get(figure.path) ?? (figure.dice ? module.rollFrom(figure.published) : Number(figure.published));
      let word = BigInt(figure.dice ? 0 : value);
      // New rolls are stored after those of the rules.
      if (figure.dice) [word, free] = module.placed(value, free);
      module.write(figure.at, [word]);
      figure.value = figure.dice ? rollText(value) : String(value);
    }
  }

  #figure(path) {
    const figure = this.#known.get(path);
    if (figure === undefined) throw new GameError(`\`${path}\` is not a number that can be changed here`);
    return figure;
  }

  #number({ least, most }, text) {
    const value = /^[-+]?\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!isWhole(value) || value < least || value > most) {
      throw new GameError(`${text || "nothing"} is not a whole number from ${least} to ${most}`);
    }
    return value;
  }

  #roll(text) {
    let roll;
    try {
      roll = this.#module.rollFrom(text.replace(/(^|[^\w)])d(?=\d)/g, "$11d"));
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      roll = null;
    }
    if (roll === null || !sound(roll)) {
      throw new GameError(`${text || "nothing"} is not a roll of up to ${MOST_DICE} dice, such as 2d6 +3`);
    }
    return roll;
  }
}

function sound(roll) {
  if (!ROLLS.includes(roll.is)) return false;
  if (roll.is === "pool") return roll.count >= 1 && roll.count <= MOST_DICE && roll.die.faces.length <= MOST_SIDES;
  if (roll.is === "keep" && (roll.number < 1 || roll.number > roll.pool.count)) return false;
  const inner = roll.rolls ?? [roll.roll ?? roll.pool].filter((each) => each !== undefined);
  const numbers = [roll.value, roll.factor].filter((each) => each !== undefined);
  return numbers.every((each) => Math.abs(each) <= MOST_SIDES) && inner.length <= MOST_DICE && inner.every(sound);
}
