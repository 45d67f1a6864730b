// The module's memory for bots, outside of all games: their seats, their state, and the distributions of rolls.

import { outcomesOf } from "../dice.js";
import { GameError, RulesFault } from "../errors.js";

// The maximum number of outcomes that bots evaluate one by one. They sample larger distributions.
const MOST_OUTCOMES = 12;
const MOST_PLACES = 64;
// After this many bytes, all of them are freed, and distributions are sent again when a bot asks for them.
const MOST_BYTES = 1 << 22;

/** The memory for all bots of a module. One bot thinks, or one simulation runs, at a time. */
export class BotMemory {
  #module;
  #places = new Map();
  #seeds = new Map();
  #taken = 0;
  #holder = null;

  constructor(module) {
    this.#module = module;
  }

  /** Takes the memory over. It belongs to the caller until somebody else claims it. */
  claim() {
    this.#holder = {};
    return this.#holder;
  }

  /** Throws GameError if somebody else has claimed the memory since. */
  refuseOthers(held) {
    if (this.#holder !== held) throw new GameError("another bot started thinking in the meantime: the bots of one `load()` must think one at a time");
  }

  /** Frees everything. */
  clear() {
    this.#module.calls.free_space();
    this.#places.clear();
    this.#seeds.clear();
    this.#taken = 0;
  }

  /** Copies bytes to memory outside of all games, and returns their address. */
  put(bytes) {
    const { calls } = this.#module, at = calls.take_space(Math.max(bytes.length, 1));
    new Uint8Array(calls.memory.buffer).set(bytes, at);
    this.#taken += bytes.length + 16;
    return at;
  }

  putWords(words) {
    return this.put(new Uint8Array(BigInt64Array.from(words).buffer));
  }

  // -- seats ---------------------------------------------------------------------------------------

  /** Seats a bot. Place 0 begins a new table. */
  place({ number, setting, weights, worths }, place) {
    this.#module.call("seat_bot", BigInt(place), BigInt(number), BigInt(setting));
    if (!worths.length) return;
    const at = this.put(new Uint8Array(Float64Array.from(worths).buffer));
    this.#module.call("tell_worths", BigInt(place), BigInt(weights), BigInt(worths.length), at);
  }

  /** Lets a bot think about the decision in memory. */
  seat(thinker, seed, seat, position) {
    // Distributions of rolls stay from one decision to the next, as long as nobody else uses the memory.
    if (!this.#places.size || this.#places.size >= MOST_PLACES || this.#taken > MOST_BYTES) this.clear();
    const key = `${thinker.number} ${thinker.setting} ${thinker.worths.length ? thinker.weights : ""}`;
    if (!this.#places.has(key)) {
      this.place(thinker, this.#places.size);
      this.#places.set(key, this.#places.size);
    }
    const [at, length] = this.#seed(typeof seed === "string" ? `s${seed}` : `i${seed}`);
    this.#module.call("seat_asked", BigInt(this.#places.get(key)), BigInt(seat), at, length, BigInt(position));
  }

  #seed(written) {
    if (!this.#seeds.has(written)) {
      const bytes = new TextEncoder().encode(written);
      this.#seeds.set(written, [this.put(bytes), bytes.length]);
    }
    return this.#seeds.get(written);
  }

  /** Returns the bot's option, or null if it pauses after its share of work. */
  think(tries) {
    const module = this.#module;
    module.call("pause_after", BigInt(tries));
    for (;;) {
      const found = this.tried(() => module.call("think"));
      if (found !== null && found >= 0n) return Number(found);
      if (found !== null && !this.hear()) return null;
    }
  }

  /** Returns the result of a call in which bots think, or null if the rules fail in a determinized state. */
  tried(call) {
    const { calls } = this.#module, stack = calls.stack_at();
    try {
      return call();
    } catch (error) {
      if (!(error instanceof RulesFault)) throw error;
      calls.stack_back(stack);
      if (!this.#module.call("give_up")) throw error;
      return null;
    }
  }

  /** Returns how many words of its stream the bot has used. */
  get position() {
    return Number(this.#module.call("words_used"));
  }

  // -- distributions -------------------------------------------------------------------------------

  /** Sends the bot the distribution it asks for. Returns whether it asked for one. */
  hear() {
    const module = this.#module, word = module.call("asked_roll");
    if (word === 0n) return false;
    const told = weighed(module.roll(word));
    const bytes = new ArrayBuffer(16 * told.length), view = new DataView(bytes);
    told.forEach(([outcome, chance], place) => {
      view.setBigInt64(16 * place, BigInt(outcome), true);
      view.setFloat64(16 * place + 8, chance, true);
    });
    module.call("tell_outcomes", this.#copied(word), this.put(new Uint8Array(bytes)), BigInt(told.length));
    return true;
  }

  /** Copies a roll, with all its parts, to memory that is not freed. */
  #copied(word) {
    const module = this.#module;
    if (word <= 0n || !(word & module.blockBit)) return word;
    const [kind, , , ...parts] = module.block(word);
    const copied = [kind, module.none, module.none, ...parts.map((each) => this.#copied(each))];
    return module.blockBit | BigInt(this.putWords([BigInt(copied.length), ...copied]));
  }
}

/** Returns the outcomes of a roll with their probabilities, or an empty list if there are too many. */
function weighed(roll) {
  try {
    const found = outcomesOf(roll);
    return found.length > MOST_OUTCOMES ? [] : found.map(([outcome, ways, of]) => [outcome, ratio(ways, of)]);
  } catch (error) {
    if (error instanceof GameError) return [];
    throw error;
  }
}

/** Returns the float nearest to a fraction from 0 to 1, rounded as Python does. */
function ratio(ways, of) {
  if (of <= Number.MAX_SAFE_INTEGER) return Number(ways) / Number(of);
  // At least 64 bits, the last of which says whether others follow, so that rounding happens only once.
  const bits = of.toString(2).length - ways.toString(2).length + 64;
  const scaled = ways << BigInt(bits), found = scaled / of;
  return Number(found | (scaled % of ? 1n : 0n)) / 2 ** bits;
}
