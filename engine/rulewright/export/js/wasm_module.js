// The WebAssembly module: its memory, conversion of values, and running a game to its next stop.

import { dieFrom, partsOf, plainDie, rollFrom, rollText } from "./dice.js";
import { rollOf } from "./notation.js";
import { GameError, RulesFault } from "./errors.js";
import { isWhole, plainNumber } from "./json.js";

export const RUNNING = 0, DECISION = 1, CHANCE = 2, OVER = 3;
const RECORDING = 1, PRESENTING = 8;
const ADDRESS = 0xffffffffn;
// The maximum number of bytes of a running game. A browser tab has less memory than a computer.
const MOST_OF_A_GAME = 1 << 26;
const FIRST_PLAYER = 1;

/** Returns the type inside an optional type. */
export function present(type) {
  return type?.optional === undefined ? type : present(type.optional);
}

/** Returns what the rules have under a name. Throws GameError if it is undefined or a place below 0. */
function requireKnown(name, found) {
  if (found === undefined || found < 0) throw new GameError(`these rules do not know \`${name}\``);
  return found;
}

export class Module {
  #names = new Map();
  #rolls = new Map();
  #rollsByText = new Map();
  #dice = new Map();
  #diceByName = new Map();
  #view = null;

  constructor(instance, data) {
    this.data = data;
    this.layout = data.layout;
    this.at = data.layout.at;
    this.calls = instance.exports;
    // Modules of older versions lack this function.
    this.calls.keep_heap_below?.(MOST_OF_A_GAME);
    this.none = BigInt(data.layout.none);
    this.blockBit = BigInt(data.layout.block);
    this.procedures = new Map(data.procedures.map((each) => [each.id, each]));
    this.kinds = new Map(data.kinds.map((each, number) => [each.id, { ...each, number }]));
    this.rows = new Map(Object.entries(data.tables).map(([id, table]) => [id, table.rows.map((row) => row.id)]));
    this.steps = new Map(Object.entries(data.steps).map(([number, step]) => [Number(number), step]));
    this.stepNumbers = new Map([...this.steps].map(([number, step]) => [`${step.procedure}\n${step.id}`, number]));
    for (const [number, word] of data.words.entries()) this.#names.set(word, number);
    for (const [at, name] of Object.entries(data.dice)) {
      const die = dieFrom(this.#plain(Number(at), 7), name, (address, count) => this.#plain(address, count));
      this.#dice.set(Number(at), die);
      this.#diceByName.set(name, { die, at: Number(at) });
    }
    for (const [at, text] of Object.entries(data.rolls)) this.#rollsByText.set(text, Number(at));
  }

  // -- memory --------------------------------------------------------------------------------------

  get memory() {
    const { buffer } = this.calls.memory;
    if (this.#view === null || this.#view.buffer !== buffer) this.#view = new BigInt64Array(buffer);
    return this.#view;
  }

  read(address, count) {
    return [...this.memory.subarray(address / 8, address / 8 + count)];
  }

  write(address, words) {
    const { memory } = this;
    words.forEach((word, place) => { memory[address / 8 + place] = BigInt(word); });
  }

  #plain(address, count) {
    return this.read(address, count).map(plainNumber);
  }

  get(name) {
    return this.memory[this.at[name] / 8];
  }

  set(name, word) {
    this.memory[this.at[name] / 8] = BigInt(word);
  }

  /** Returns the words of a block. */
  block(word) {
    const at = Number(word & ADDRESS);
    return this.read(at + 8, Number(this.memory[at / 8]));
  }

  newBlock(words) {
    const made = this.calls.new_block(BigInt(words.length));
    this.write(Number(made & ADDRESS) + 8, words);
    return made;
  }

  // -- values --------------------------------------------------------------------------------------

  /** Returns the value of a word of a type. Types without a value give a number. */
  value(word, type) {
    if (word === this.none) return null;
    if (type === null || type === undefined || type === "number" || type === "nothing") return plainNumber(word);
    if (type === "truth") return word !== 0n;
    if (type === "choice" || type === "text") return this.data.words[Number(word)];
    if (type === "dice") return word & this.blockBit && word > 0n ? this.roll(word) : plainNumber(word);
    if (type === "ratio") return this.block(word).map(plainNumber);
    if (type.optional !== undefined) return this.value(word, type.optional);
    if (type.row !== undefined) return this.rows.get(type.row)[Number(word)];
    if (type.list !== undefined) return this.block(word).map((each) => this.value(each, type.list));
    if (type.map !== undefined) return this.block(word).map((each) => this.value(each, type.of));
    if (type.record !== undefined) return this.block(word).map((each, place) => this.value(each, type.parts[place][1]));
    if (type.whole !== undefined) {
      const [number, ...fields] = this.block(word);
      const declared = this.kinds.get(type.whole).fields;
      return [Number(number), ...fields.map((each, place) => this.value(each, declared[place].type))];
    }
    return plainNumber(word);
  }

  roll(word) {
    const at = Number(word & ADDRESS);
    const known = this.#rolls.get(at);
    if (known !== undefined) return known;
    const [kind, , , ...parts] = this.block(word);
    const found = rollFrom(
      this.data.kinds_of_roll[Number(kind)],
      parts.map((each) => (each > 0n && each & this.blockBit ? each : plainNumber(each))),
      (each) => this.roll(each),
      (each) => this.#dice.get(each),
      (each) => this.data.words[each],
    );
    // Blocks of the rules are permanent. Only others are reused.
    if (at < this.layout.free) this.#rolls.set(at, found);
    return found;
  }

  /** Returns the word for a value of a type. */
  word(value, type) {
    if (value === null) return this.none;
    if (typeof value === "boolean") return value ? 1n : 0n;
    if (isWhole(value)) return BigInt(value);
    const kind = present(type);
    if (typeof value === "string") {
      return BigInt(requireKnown(value, kind?.row === undefined ? this.#names.get(value) : this.rows.get(kind.row).indexOf(value)));
    }
    if (Array.isArray(value)) {
      const inner = (place) => kind?.list ?? kind?.of ?? kind?.parts?.[place]?.[1] ?? null;
      return this.newBlock(value.map((each, place) => this.word(each, inner(place))));
    }
    return this.rollWord(value.is === undefined ? this.rollFrom(value.dice) : value);
  }

  rollFrom(text) {
    const at = this.#rollsByText.get(text);
    if (at !== undefined) return this.roll(this.blockBit | BigInt(at));
    const dice = new Map([...this.#diceByName].map(([name, { die }]) => [name, die]));
    for (const [name, sides] of text.matchAll(/(?<=\d)d(\d{1,4})/g)) {
      if (!dice.has(name) && Number(sides) > 0) dice.set(name, plainDie(name, Number(sides)));
    }
    return rollOf(text, dice);
  }

  /** Writes a roll to memory outside of the game. Returns its word and the address after it. */
  placed(roll, free) {
    const at = this.#rollsByText.get(rollText(roll));
    if (at !== undefined) return [this.blockBit | BigInt(at), free];
    const put = (words) => {
      const address = free;
      free += 8 * words.length;
      if (free > this.layout.state) throw new GameError("too many dice");
      this.write(address, words);
      return address;
    };
    const place = (each) => {
      const [word, end] = this.placed(each, free);
      free = end;
      return word;
    };
    const die = (each) => {
      const known = this.#diceByName.get(each.name);
      if (known !== undefined) return known.at;
      const { faces, together } = each;
      const middle = put([2, faces.length + 1, 2]);
      const address = put([faces.length, 1, 1, 0, 0, together, this.blockBit | BigInt(middle)]);
      this.#dice.set(address, each);
      return address;
    };
    const parts = partsOf(roll, place, die, (name) => requireKnown(name, this.#names.get(name)));
    const made = put([3 + parts.length, this.data.kinds_of_roll.indexOf(roll.is), this.none, this.none, ...parts]);
    return [this.blockBit | BigInt(made), free];
  }

  rollWord(roll) {
    const at = this.#rollsByText.get(rollText(roll));
    if (at !== undefined) return this.blockBit | BigInt(at);
    const parts = partsOf(
      roll,
      (each) => this.rollWord(each),
      (die) => requireKnown(die.name, this.#diceByName.get(die.name)).at,
      (name) => requireKnown(name, this.#names.get(name)),
    );
    return this.newBlock([this.data.kinds_of_roll.indexOf(roll.is), this.none, this.none, ...parts]);
  }

  /** Returns a value as in the JSON of a state. */
  plainValue(value) {
    if (Array.isArray(value)) return value.map((each) => this.plainValue(each));
    return value !== null && typeof value === "object" ? { dice: rollText(value) } : value;
  }

  // -- running -------------------------------------------------------------------------------------

  /** Calls a function of the module. Throws RulesFault if the rules fail. */
  call(name, ...words) {
    try {
      return this.calls[name](...words);
    } catch (trap) {
      const [reason, value, text, row] = this.read(this.at.fault, 4);
      this.set("fault", 0n);
      if (!reason) throw trap;
      const rule = Number(this.get("rule"));
      // Fused functions have no stops.
      const where = rule > 0 ? this.steps.get(rule).rule : this.data.procedures[-1 - rule]?.id;
      throw new RulesFault(where, this.#fault(Number(reason), value, Number(text), row));
    }
  }

  #fault(reason, value, text, row) {
    const { words, faults } = this.data;
    const said = {
      text: words[text] ?? "",
      value: String(value),
      row: "",
    };
    if (faults[reason]?.includes("{row}")) said.row = this.rows.get(words[Number(row >> 32n)])[Number(row & ADDRESS)];
    return (faults[reason] ?? "the rules are at fault").replace(/\{(\w+)\}/g, (_, name) => said[name]);
  }

  /** Evaluates a question without changing the game's work budget. */
  ask(name, ...words) {
    const before = [this.get("work"), this.get("crowd"), this.get("rule")];
    this.set("work", BigInt(this.data.limits.work));
    try {
      return this.call(name, ...words);
    } finally {
      ["work", "crowd", "rule"].forEach((each, place) => this.set(each, before[place]));
    }
  }

  get mode() {
    return Number(this.get("mode"));
  }

  /** Writes a state to memory: objects by number, frames, and the root procedure. */
  put({ objects, frames, root, work = null }, flags = RECORDING) {
    const { layout, none } = this;
    const live = this.data.kinds.map(() => []);
    objects.forEach((thing, number) => { if (thing && number) live[thing[0]].push(number); });
    this.write(layout.state, Array(58).fill(0n));
    const crowd = Math.max(1, ...live.map((each) => Math.ceil(each.length / this.data.limits.crowd)));
    const seats = live[1].length;
    const words = {
      top: layout.heap, clean: layout.heap, limit: layout.heap + 65536, made: objects.length, seats,
      work: work ?? this.data.limits.work, crowd, root: this.data.procedures.findIndex((each) => each.id === root), flags,
    };
    for (const [name, word] of Object.entries(words)) this.set(name, word);
    for (const name of ["options", "roll", "answer", "winners", "given", "events"]) this.set(name, none);
    this.write(layout.kept, Array(layout.kept_words).fill(0n));
    live.forEach((each, kind) => this.write(layout.live + 8 * kind, [this.newBlock(each)]));
    const values = (thing) => {
      const { fields } = this.data.kinds[thing[0]];
      return thing.slice(1).map((each, place) => this.word(each, fields[place].type));
    };
    this.write(layout.game + 8, values(objects[0]));
    const table = Array(Math.max(objects.length, 16)).fill(none);
    objects.forEach((thing, number) => {
      if (!thing || number === 0) return;
      if (number >= FIRST_PLAYER && number < FIRST_PLAYER + seats) {
        this.write(layout.players + 8 * layout.player_size * (number - FIRST_PLAYER) + 8, values(thing));
      } else {
        table[number] = this.newBlock([thing[0], ...values(thing)]);
      }
    });
    this.set("objects", this.newBlock(table));
    this.set("events", this.newBlock(Array(64).fill(0n)));
    let at = layout.frames, procedure = root;
    frames.forEach((frame, place) => {
      const { slots } = this.procedures.get(procedure);
      this.write(at, [frame[0], ...frame.slice(1).map((each, slot) => this.word(each, slots[slot + 1]))]);
      this.set("frame", at);
      at += 8 * frame.length;
      if (place + 1 < frames.length) procedure = this.steps.get(frame[0]).calls;
    });
    this.set("frames_end", at);
  }

  /** Converts a state from JSON to the arguments of `put`. */
  laidOut({ next, objects, frames, root }) {
    const found = Array(next).fill(null);
    for (const [number, [kind, ...values]] of Object.entries(objects)) found[number] = [this.kinds.get(kind).number, ...values];
    return { objects: found, frames: frames.map(({ at, values }) => [at === null ? 0 : this.stepNumbers.get(at.join("\n")), ...values]), root };
  }

  /** Starts a new game before its first step. */
  start(players, options) {
    this.write(this.layout.state, this.data.fresh[players].map(BigInt));
    this.set("flags", RECORDING);
    const [{ fields }] = this.data.kinds;
    for (const [name, choice] of Object.entries(options)) {
      const place = 1 + fields.findIndex((field) => field.name === `options.${name}`);
      this.write(this.layout.game + 8 * place, [this.word(choice, "choice")]);
    }
  }

  begin(root) {
    this.call("begin", BigInt(this.data.procedures.findIndex((each) => each.id === root)));
  }

  /** Sets the decision of frames in memory: the player who decides, and the word of the options. */
  stand(who, options) {
    for (const [name, word] of [["mode", DECISION], ["who", who], ["options", options]]) this.set(name, word);
  }

  /** Computes the stop of frames in memory. */
  present() {
    this.set("flags", BigInt(PRESENTING));
    this.call("go_on", 0n);
    this.set("flags", BigInt(RECORDING));
  }

  /** Returns the objects by number, each with its kind first; null for removed ones. */
  objects() {
    const { layout } = this;
    const made = Number(this.get("made")), seats = Number(this.get("seats"));
    const values = (kind, words) => [kind, ...words.map((each, place) => this.value(each, this.data.kinds[kind].fields[place].type))];
    const found = Array(made).fill(null);
    found[0] = values(0, this.read(layout.game + 8, layout.game_size - 1));
    for (let seat = 0; seat < seats; seat++) {
      const at = layout.players + 8 * layout.player_size * seat;
      found[FIRST_PLAYER + seat] = values(1, this.read(at + 8, layout.player_size - 1));
    }
    this.block(this.get("objects")).slice(0, made).forEach((each, number) => {
      if (each === this.none) return;
      const [kind, ...fields] = this.block(each);
      found[number] = values(Number(kind), fields);
    });
    return found;
  }

  get root() {
    return this.data.procedures[Number(this.get("root"))].id;
  }

  /** Returns the frames of running procedures, the outermost first, each with its step number first. */
  frames() {
    if (this.mode === OVER && this.get("winners") !== this.none) return [];
    const top = Number(this.get("frame")), found = [];
    let at = this.layout.frames, procedure = this.root;
    for (;;) {
      const { size, slots } = this.procedures.get(procedure);
      const [step, ...words] = this.read(at, size + 1);
      found.push([Number(step), ...words.map((each, place) => this.value(each, slots[place + 1]))]);
      if (at >= top) return found;
      at += 8 * (size + 1);
      procedure = this.steps.get(Number(step)).calls;
    }
  }

  /** Returns the current step and its stop. */
  standing() {
    const at = Number(this.get("frame"));
    const step = this.steps.get(Number(this.memory[at / 8]));
    const stage = step.hidden !== null && step.stops.length > 1 ? this.memory[at / 8 + step.hidden] : 0n;
    return { step, stop: step.stops[stage === this.none ? 0 : Number(stage)] };
  }

  /** Returns the new events, each as (site, details), and frees their memory. */
  events() {
    const told = Number(this.get("told")), found = [];
    const words = this.block(this.get("events"));
    for (let at = 0; at < told;) {
      const site = this.data.events[Number(words[at])];
      const details = site.details.map((type, place) => this.value(words[at + 1 + place], type));
      found.push({ site, details });
      at += 1 + details.length;
    }
    this.set("told", 0n);
    return found;
  }

  // -- copies --------------------------------------------------------------------------------------

  /** Returns the bytes of the game. */
  copy() {
    const size = this.calls.size_of_game();
    return new Uint8Array(this.calls.memory.buffer).slice(this.layout.state, this.layout.state + size);
  }

  /** Writes the bytes of a game back to memory. */
  restore(bytes) {
    const end = this.layout.state + bytes.length;
    const pages = Math.ceil((end - this.calls.memory.buffer.byteLength) / 65536);
    if (pages > 0) this.calls.memory.grow(pages);
    new Uint8Array(this.calls.memory.buffer).set(bytes, this.layout.state);
  }
}
