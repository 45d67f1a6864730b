// A game for people and programs: labelled decisions, a log with rules, undo, and saves that Python can load.

import { Generator } from "./chance.js";
import { outcomesOf, rollText, rollWith, totalOf } from "./dice.js";
import { CHANCE, DECISION, OVER } from "./wasm_module.js";
import { GameError, RulesFault, quoted } from "./errors.js";
import { isWhole, plainNumber, readJSON, same, sha256, writeJSON } from "./json.js";
import { PhraseBuilder, capitalTerm, identity, numbered, optionLabels, subsetOf, text } from "./phrases.js";
import { Visibility } from "./visibility.js";
import { NarrationLog } from "./narration_log.js";
import { touchedBy, viewOf } from "./player_view.js";

// Older moments keep only every sixteenth snapshot. Undo replays from the one before.
const MOST_COPIES = 64, BETWEEN_COPIES = 16;
const EVERYTHING = "everything";
const RECORD_FORMAT = 1, SAVE_FORMAT = 2, STATE_FORMAT = 1;
const MEMBERS = ["ruleset", "digest", "players", "options", "seed", "stop_at_chance", "rolled", "state", "record"];
const OF_A_STATE = ["format", "digest", "root", "next", "objects", "frames", "mode", "winners", "given"];

/** A game. Create one with `rules.newGame` or `rules.openGame`. */
export class Game {
  #rules;
  #module;
  #visibility;
  #generator;
  #record = [];
  #past = [];
  #happened = [];
  #first = null;
  #narration = null;
  #decision = null;
  #bytes = null;
  #moves = 0;
  #stage;
  #ends;

  /**
   * Internal: see `Rules`. `stage` is a state with a single procedure about to begin, instead of a whole game. `ends` is
   * the number of events of an example, after which its rules may fail.
   */
  constructor(rules, { players, seed, options, stopAtChance, names = {}, rolled = 0, stage = null, ends = null }) {
    this.#rules = rules;
    this.#module = rules.module;
    this.#visibility = new Visibility(rules.module, (objects, ask) => this.#within(objects, ask));
    this.players = players;
    this.seed = seed;
    this.options = options;
    this.stopAtChance = stopAtChance;
    this.names = names;
    this.#generator = new Generator(seed, "dice", rolled);
    this.#stage = stage;
    this.#ends = ends;
  }

  /** Returns a new game at its first stop. */
  static begun(rules, settings) {
    const game = new Game(rules, settings);
    rules.enter(game);
    game.#begin();
    game.#rollOn();
    return game;
  }

  #begin() {
    const module = this.#module;
    if (this.#stage === null) module.start(this.players, this.options);
    else module.put(module.laidOut(this.#stage));
    this.#first ??= module.objects();
    this.#go(() => module.begin(this.procedure ?? this.#rules.data.start));
  }

  /** The procedure that is run by itself, or null in a whole game. */
  get procedure() { return this.#stage?.root ?? null; }

  // -- state ---------------------------------------------------------------------------------------

  /** Returns the name of the player in a seat. Throws GameError for an invalid seat. */
  nameOf(seat) {
    this.#refuseSeat(seat);
    return text(new PhraseBuilder(this.#module, new Map(), this.names).player(seat));
  }

  /** The current decision, or null at a chance event and at the end. */
  get decision() {
    this.#enter();
    if (this.#module.mode !== DECISION) return null;
    this.#decision ??= this.#asked();
    return this.#decision;
  }

  #asked() {
    const module = this.#module, { step, stop } = module.standing();
    const player = Number(module.get("who"));
    const objects = alive(module.objects()), frames = module.frames(), frame = frames[frames.length - 1];
    const say = new PhraseBuilder(module, this.#visibility.asSeen(objects, player), this.names);
    const values = module.value(module.get("options"), stop.options);
    const own = (value) => (typeof value === "string" ? stop.offers[value] : undefined);
    const nothing = (value) => value === null || (Array.isArray(value) && !value.length);
    const called = optionLabels(values, stop.answer, say, module.procedures.get(step.procedure).called);
    const said = values.map((value, place) => {
      const words = nothing(value) ? step.words.none : own(value);
      const label = (words && text(capitalTerm(say.words(words)))) || called[place];
      const cost = this.#costs(stop, value, say);
      return cost ? `${label} (${cost})` : label;
    });
    const labels = numbered(said, say);
    const options = values.map((value, index) => ({ id: identity(value, stop.answer), label: labels[index], index }));
    const subset = stop.subset ? { subset: subsetOf(values, stop.answer, say, stop.subset === "in_order") } : {};
    return { player, ask: step.ask, rule: step.rule, about: this.#about(step, frame, objects, player, say), options, ...subset };
  }

  /** What each option of the current decision affects, in the order of options. Empty without a decision. */
  get choices() {
    const { decision } = this;
    if (decision === null) return [];
    const { stop } = this.#module.standing();
    const values = this.#module.value(this.#module.get("options"), stop.options);
    return touchedBy(values, stop.answer, decision.options.map((option) => option.label), this.#module);
  }

  /** Returns the view of the player in a seat, from 1, or of a spectator (seat 0). `"everything"` hides nothing. */
  view(seat = 0) {
    const viewer = this.#viewer(seat);
    this.#enter();
    return this.#seen(alive(this.#module.objects()), viewer);
  }

  #viewer(seat) {
    if (seat === EVERYTHING) return seat;
    this.#refuseSeat(seat ?? 0, ', or "everything"');
    return seat ?? 0;
  }

  /** Internal: all objects by number, with null for those that were removed. */
  get objects() {
    this.#enter();
    return this.#module.objects();
  }

  /** Internal: the objects before the first event. */
  get first() { return this.#first; }

  /** Internal: returns the view of `objects` after the events `from` to `to` (exclusive). */
  viewAfter(objects, from, to, seat) {
    const viewer = this.#viewer(seat);
    this.#enter();
    const then = new NarrationLog(this.#module, objects);
    then.read(this.#happened.slice(from, to));
    return this.#seen(then.there, viewer);
  }

  #seen(objects, seat) {
    const seen = seat === EVERYTHING ? objects : this.#visibility.asSeen(objects, seat || null);
    return { seat, ...viewOf(this.#module, seen, new PhraseBuilder(this.#module, seen, this.names)) };
  }

  #about(step, frame, objects, player, say) {
    const told = new Set([player]), found = [];
    for (const [slot, name, type] of step.about) {
      const value = frame[slot];
      if (value === null) continue;
      if (type.row !== undefined) found.push({ name, kind: type.row, id: value, label: text(say.row(type.row, value)) });
      else if (!told.has(value) && objects.has(value)) {
        told.add(value);
        found.push({ name, kind: type.thing, id: identity(value, type), label: text(say.titleOf(type.thing, value)) });
      }
    }
    return found;
  }

  #costs(stop, value, say) {
    const costs = (typeof value === "string" ? stop.costs_of[value] : undefined) ?? stop.costs;
    if (!costs.length || value === null) return "";
    const word = this.#module.word(value, stop.answer);
    return costs
      .map(([name, number]) => [plainNumber(this.#module.ask("cost_of", BigInt(number), word)), name])
      .filter(([amount]) => amount !== 0)
      .map(([amount, name]) => text(say.amount(amount, name)))
      .join(", ");
  }

  /** The current roll or draw, or null. Only in games that stop at chance events. */
  get chance() {
    this.#enter();
    if (this.#module.mode !== CHANCE) return null;
    const { step } = this.#module.standing();
    const { roll, cards } = this.#rolled();
    return {
      rule: step.rule,
      roll: cards === null ? rollText(roll) : "a card",
      /** Every outcome with its exact probability, `ways` of `of`. Computed on access. */
      get outcomes() {
        return outcomes(roll, cards).map(([outcome, ways, of]) => ({ outcome, ways, of, probability: Number(ways) / Number(of) }));
      },
    };
  }

  #rolled() {
    const { stop } = this.#module.standing(), word = this.#module.get("roll");
    if (stop.is === "draw") return { roll: null, cards: this.#module.value(word, stop.among), type: stop.among.list };
    return { roll: this.#module.roll(word), cards: null, type: "number" };
  }

  /** The seats of the winners, from 1, or null if the game is not over. */
  get result() {
    this.#enter();
    if (this.#module.mode !== OVER) return null;
    const winners = this.#module.get("winners");
    return { winners: winners === this.#module.none ? [] : this.#module.block(winners).map(Number) };
  }

  /** All choices and chance results so far. */
  get record() {
    return this.#record.map((entry) => [...entry]);
  }

  /** All events so far, each with the rule that caused it. */
  get log() {
    return this.#readLog().log();
  }

  /** Returns the log without what is hidden from the player in a seat, from 1, or from a spectator (seat 0). */
  logFor(seat) {
    return this.#narrationFor(seat).log();
  }

  /** Returns the game as the player in a seat may know it, without the seed, as JSON data. Hidden entries are null. */
  recordFor(seat) {
    const told = this.#narrationFor(seat), again = this.#again([]);
    const record = this.#record.map(([what, ...came]) => {
      const { unseen } = told.events[again.happened];
      again.#repeat([what, ...came]);
      return [what, ...(unseen ? came.map(() => null) : came)];
    });
    const { reference, digest } = this.#rules;
    return { format: RECORD_FORMAT, ruleset: reference, digest, players: this.players, options: { ...this.options }, seat, record, log: told.log() };
  }

  /** Returns the sentences of important events, from number `since` on. With a seat, events are those of `logFor`. */
  story(settings) {
    return this.lines(settings).map(({ text }) => text);
  }

  /** Returns the lines of the story, each as `{text, pieces, rule, events}`. */
  lines(settings) {
    const { since = 0, seat = null } = settings ?? {};
    return (seat === null ? this.#readLog() : this.#narrationFor(seat)).lines(since);
  }

  /** Internal: returns one event as a line of the story. */
  line(number) { return this.#readLog().line(number); }

  /** Internal: the number of events so far. */
  get happened() {
    this.#remember();
    return this.#happened.length;
  }

  #readLog() {
    this.#remember();
    this.#narration ??= new NarrationLog(this.#module, this.#first, { begun: this.#stage !== null, names: this.names });
    this.#narration.read(this.#happened.slice(this.#narration.events.length));
    return this.#narration;
  }

  #narrationFor(seat) {
    this.#refuseSeat(seat);
    this.#remember();
    const found = new NarrationLog(this.#module, this.#first, { visibility: this.#visibility, viewer: seat, begun: this.#stage !== null, names: this.names });
    found.read(this.#happened);
    return found;
  }

  #refuseSeat(seat, also = "") {
    if (!Number.isInteger(seat) || seat < 0 || seat > this.players) {
      throw new GameError(`\`seat\` must be from 1 to ${this.players}, or 0 for a spectator${also}, not ${quoted(seat)}${typeof seat === "string" ? "; give a number" : ""}`);
    }
  }

  /** Restores the events of a loaded game by replaying its record. */
  #remember() {
    if (this.#first !== null) return;
    this.#enter();
    if (this.#module.root !== this.#rules.data.start) throw new GameError("this save is of a single procedure, so the game cannot be replayed from the start");
    const again = this.#again(this.#record);
    this.#first = again.#first;
    this.#happened = again.#happened;
  }

  /** Returns a game with the same settings after a record. It stops at chance events. */
  #again(record, repeat = (again, entry) => again.#repeat(entry)) {
    const again = Game.begun(this.#rules, { ...this.#settings(), stopAtChance: true });
    for (const entry of record) repeat(again, entry);
    return again;
  }

  // -- actions -------------------------------------------------------------------------------------

  /** Takes an option of the decision: the option itself, its id, or its index from 0. Throws GameError or RulesFault. */
  choose(option) {
    this.#enter();
    if (this.#module.mode !== DECISION) throw new GameError("no decision is pending", "not-pending");
    const index = this.#place(option);
    const id = this.#ids()[index];
    this.#step(() => {
      this.#record.push(["choose", id]);
      this.#go(() => this.#module.call("choose", BigInt(index)));
      this.#rollOn();
    });
  }

  #ids() {
    const { step, stop } = this.#module.standing();
    return this.#module.value(this.#module.get("options"), stop.options).map((value) => identity(value, step.ids));
  }

  #place(option) {
    const ids = this.#ids(), { step } = this.#module.standing();
    const refuse = (what) => {
      throw new GameError(`${this.nameOf(Number(this.#module.get("who")))} cannot choose ${what} at \`${step.rule}\`; the options are: ${ids.slice(0, 12).join(", ")}`, "illegal-choice");
    };
    const id = typeof option === "object" && option !== null ? option.id : option;
    if (typeof id === "string") {
      const numbered = /^#([1-9]\d*)$/.exec(id);
      if (ids.includes(id)) return ids.indexOf(id);
      return numbered && Number(numbered[1]) <= ids.length ? Number(numbered[1]) - 1 : refuse(`\`${id}\``);
    }
    if (typeof id !== "number" && typeof id !== "bigint") throw new GameError(`an option must be given as an option, an id or an index, not ${quoted(id)}`);
    return Number.isInteger(id) && id >= 0 && id < ids.length ? id : refuse(`option number ${String(id)}`);
  }

  /** Resolves the current chance event with the game's own dice. */
  roll() {
    this.#refuseWithoutChance();
    this.#step(() => {
      this.#leave();
      this.#rollOn();
    });
  }

  /** Resolves the chance event with `outcome`: a total, or the id of a card. Throws GameError if impossible. */
  resolve(outcome) {
    this.#refuseWithoutChance();
    const { roll, cards } = this.#rolled();
    if (!outcomes(roll, cards).some(([each]) => same(each, outcome))) {
      throw this.#impossible(outcome);
    }
    this.#step(() => {
      this.#resolve(outcome, null);
      this.#rollOn();
    });
  }

  #impossible(outcome) {
    return new GameError(`${quoted(outcome)} is not a possible outcome of ${this.#module.standing().step.rule}`, "impossible-outcome");
  }

  #refuseWithoutChance() {
    this.#enter();
    if (this.#module.mode !== CHANCE) throw new GameError("no chance event is pending", "not-pending");
  }

  #leave() {
    this.#resolve(...this.#drawn());
  }

  /** Returns the value and the faces that the game's own dice give for the current chance event. */
  #drawn() {
    const { roll, cards } = this.#rolled();
    if (cards !== null) return [cards[this.#generator.below(cards.length)], null];
    const { total, dice } = rollWith(roll, this.#generator);
    return [total, dice.map(({ faces }) => faces)];
  }

  #resolve(value, faces) {
    const { type } = this.#rolled();
    this.#record.push(["chance", value, faces]);
    this.#go(() => this.#module.call("go_on", this.#module.word(value, type)));
  }

  /** Internal: resolves all chance events with the game's own dice from now on. */
  goOn() {
    this.#enter();
    this.stopAtChance = false;
    this.#rollOn();
  }

  #rollOn() {
    while (this.#module.mode === CHANCE && !this.stopAtChance) this.#leave();
  }

  /** Runs the module up to the next stop. If the rules fail after the events of an example, it ends there. */
  #go(call) {
    try {
      call();
    } catch (error) {
      if (this.#ends === null || !(error instanceof RulesFault)) throw error;
      this.#note();
      if (this.#happened.length < this.#ends) throw error;
      return;
    }
    this.#note();
  }

  #note() {
    this.#decision = null;
    for (const each of this.#module.events()) this.#happened.push(each);
  }

  /** Runs an action. If it throws, the game is as it was before. */
  #step(go) {
    this.#moves += 1;
    this.#past.push(this.#moment());
    const old = this.#past.length - 1 - MOST_COPIES;
    if (old > 0 && old % BETWEEN_COPIES) this.#past[old].bytes = null;
    try {
      go();
    } catch (error) {
      this.#back();
      throw error;
    }
  }

  #moment() {
    const { length } = this.#record;
    return { bytes: this.#module.copy(), index: this.#generator.index, record: length, happened: this.#happened.length };
  }

  #back() {
    this.#moves += 1;
    const { bytes, index, record, happened } = this.#past.pop();
    this.#narration?.rewind(this.#happened.slice(happened, this.#narration.events.length));
    if (bytes === null) this.#playOn(this.#record.slice(0, record));
    else this.#module.restore(bytes);
    this.#generator.index = index;
    this.#record.length = record;
    this.#happened.length = happened;
    this.#decision = null;
  }

  /** Replays from the last remaining snapshot to the end of a record. */
  #playOn(record) {
    const { bytes, record: length, happened } = this.#past.findLast((each) => each.bytes !== null);
    this.#module.restore(bytes);
    this.#record.length = length;
    this.#happened.length = happened;
    for (const entry of record.slice(length)) this.#repeat(entry);
  }

  /** Undoes the last choice, roll or result, and the dice that followed it. Returns false if there is none. */
  undo() {
    this.#enter();
    if (!this.#past.length) return false;
    // A loaded game can be undone only to the point where it was loaded.
    this.#remember();
    this.#enter();
    this.#back();
    return true;
  }

  /** Internal: applies an entry of a record. */
  repeat(entry) {
    this.#moves += 1;
    this.#repeat(entry);
  }

  #repeat(entry) {
    this.#enter();
    const [what, value, faces] = entry;
    if (what === "choose" && this.#module.mode === DECISION) {
      const index = this.#place(value);
      this.#record.push(entry);
      this.#go(() => this.#module.call("choose", BigInt(index)));
    } else if (what === "chance" && this.#module.mode === CHANCE) this.#resolve(value, faces);
    else throw new GameError("the record does not fit the rules");
  }

  /** Applies an entry of a record as `repeat` does. Throws GameError for a result that the dice did not or cannot give. */
  #verify(entry, stopAtChance) {
    this.#enter();
    const [what, value, faces] = entry;
    if (entry.length !== 3 && !(what === "choose" && entry.length === 2 && typeof value === "string")) throw new GameError("the record does not fit the rules");
    if (what === "chance" && this.#module.mode === CHANCE) {
      const { roll, cards } = this.#rolled();
      // A host that sets a result leaves the generator as it is.
      const rolled = (faces !== null || cards !== null) && same(this.#drawn(), [value, faces]);
      if (!rolled) {
        const possible = faces === null ? outcomes(roll, cards).some(([each]) => same(each, value)) : cards === null && same(totalOf(roll, faces), value);
        if (!stopAtChance || !possible) throw this.#impossible(value);
      }
    }
    this.#repeat(entry);
  }

  // -- copies and saves ----------------------------------------------------------------------------

  #settings() {
    return { players: this.players, seed: this.seed, options: this.options, stopAtChance: this.stopAtChance, names: this.names, stage: this.#stage };
  }

  /** Returns an independent copy, with its own dice and no undo history. */
  clone() {
    this.#enter();
    this.#remember();
    this.#enter();
    const other = new Game(this.#rules, { ...this.#settings(), rolled: this.#generator.index });
    other.#record = this.record;
    other.#first = this.#first;
    other.#happened = [...this.#happened];
    other.#narration = this.#narration?.copy() ?? null;
    other.#bytes = this.#module.copy();
    return other;
  }

  /** Returns the state as JSON data, the same as Python's `Game.to_json`. */
  toJSON() {
    this.#enter();
    const module = this.#module, { mode } = module, objects = module.objects(), given = module.get("given");
    const plain = (values) => values.map((each) => module.plainValue(each));
    const { gives } = module.procedures.get(module.root);
    return {
      format: STATE_FORMAT,
      digest: this.#rules.data.digest,
      root: module.root,
      next: objects.length,
      objects: Object.fromEntries(
        [...alive(objects)].map(([number, [kind, ...values]]) => [number, [module.data.kinds[kind].id, ...plain(values)]]),
      ),
      frames: module.frames().map(([at, ...values]) => {
        const step = module.steps.get(at);
        return { at: step === undefined ? null : [step.procedure, step.id], values: plain(values) };
      }),
      mode,
      winners: mode === OVER && module.get("winners") !== module.none ? this.result.winners : null,
      given: given === module.none ? [] : plain(module.block(given).map((word, place) => module.value(word, gives[place][1]))),
    };
  }

  /** Returns the text of a save, which `rules.openGame` and Python's `Game.load` accept. */
  save() {
    const body = writeJSON({
      ruleset: this.#rules.data.ruleset,
      digest: this.#rules.data.digest,
      players: this.players,
      options: sorted(this.options),
      seed: this.seed,
      stop_at_chance: this.stopAtChance,
      rolled: this.#generator.index,
      state: this.toJSON(),
      record: this.#record,
    });
    return `${opening(body)}${body}}\n`;
  }

  /** Returns the game of a save. Throws GameError if the save is damaged or of other rules. */
  static opened(rules, saved, { refuse, names, verify }) {
    const found = readSave(saved), { data } = rules;
    if (found.digest !== data.digest) {
      const played = `this save was played under ${found.ruleset}, gameplay digest ${found.digest}, not under ${data.ruleset}, which has ${data.digest}`;
      throw new GameError(`${played}. Open it with an export of ${found.ruleset}, or repeat its choices under other rules with \`migrate_save\` in Python`, "other-gameplay");
    }
    refuse(found.players, found.seed, found.options);
    const { players, seed, options, rolled } = found;
    const game = new Game(rules, { players, seed, options, stopAtChance: found.stop_at_chance, names, rolled });
    if (verify) return game.#verified(found);
    rules.enter(game);
    try {
      game.#put(found.state);
    } catch (error) {
      throw damaged(error.message);
    }
    game.#record = found.record;
    return game;
  }

  /** Returns the game of a save after a replay of its record. Throws GameError if this does not lead to its state. */
  #verified({ record, state, rolled, stop_at_chance: stopAtChance }) {
    let again;
    try {
      again = this.#again(record, (game, entry) => game.#verify(entry, stopAtChance));
    } catch (error) {
      throw damaged(error.message);
    }
    // A host that sets results may have used fewer random words than the replay.
    if (!same(again.toJSON(), state) || (!stopAtChance && again.#generator.index !== rolled)) {
      throw damaged("replaying its moves does not give the saved state");
    }
    again.#generator.index = rolled;
    again.stopAtChance = stopAtChance;
    return again;
  }

  #put(state) {
    const module = this.#module;
    module.put(module.laidOut(state));
    if (state.mode === DECISION || state.mode === CHANCE) {
      module.present();
      return;
    }
    module.set("mode", OVER);
    if (state.winners !== null) module.set("winners", module.newBlock(state.winners));
    else {
      const { gives } = module.procedures.get(state.root);
      module.set("given", module.newBlock(state.given.map((value, place) => module.word(value, gives[place][1]))));
    }
  }

  // -- sharing memory with other games ---------------------------------------------------------------

  #enter() {
    this.#rules.enter(this);
  }

  /** Internal: saves the game's bytes before another game uses the memory. */
  leave() {
    this.#bytes = this.#module.copy();
  }

  /** Internal: puts the game's bytes back into memory. */
  arrive() {
    if (this.#bytes !== null) this.#module.restore(this.#bytes);
    this.#bytes = null;
  }

  /** Replaces the objects in memory while `ask` runs. */
  #within(objects, ask) {
    this.#enter();
    const kept = this.#module.copy();
    const held = Array(Math.max(...objects.keys()) + 1).fill(null);
    for (const [number, thing] of objects) held[number] = thing;
    try {
      this.#module.put({ objects: held, frames: [], root: this.#module.data.start });
      return ask();
    } finally {
      this.#module.restore(kept);
    }
  }

  /** Internal: how many times the game has changed, including undo. */
  get moves() {
    return this.#moves;
  }

  /** Runs a function on the game in memory, then restores it. For bots that look ahead. */
  ahead(look) {
    this.#enter();
    const kept = this.#module.copy();
    try {
      this.#module.set("flags", 0n);
      return look();
    } finally {
      this.#module.restore(kept);
    }
  }
}

function alive(objects) {
  return new Map(objects.flatMap((thing, number) => (thing === null ? [] : [[number, thing]])));
}

/** Returns the outcomes of a roll or of drawing a card, each with its ways and the total number of ways. */
function outcomes(roll, cards) {
  if (cards === null) return outcomesOf(roll);
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0n) + 1n);
  return [...counts].map(([card, count]) => [card, count, BigInt(cards.length)]);
}

function opening(body) {
  return `{"rulewright": ${SAVE_FORMAT}, "check": "${sha256(body)}", "save": `;
}

const damaged = (why) => new GameError(`this save is damaged: ${why}`, "damaged");

function readSave(saved) {
  let found = null;
  try {
    found = readJSON(String(saved).replace(/^\ufeff/, ""));
  } catch {
    if (String(saved).startsWith('{"rulewright": ')) throw damaged("it is not complete JSON");
  }
  if (typeof saved !== "string" || found?.rulewright === undefined) throw new GameError("this is not a Rulewright save", "not-a-save");
  if (found.rulewright !== SAVE_FORMAT) throw new GameError(`this is a save of format ${found.rulewright}; this program reads format ${SAVE_FORMAT}`, "other-format");
  const at = saved.indexOf('"save": ');
  const body = saved.slice(at + '"save": '.length).trimEnd().slice(0, -1);
  if (!saved.startsWith(opening(body)) && !isRewritten(found)) {
    throw new GameError("this save was changed after it was saved. If a program or a database has stored it as JSON, let it store the save as text", "damaged");
  }
  const { save } = found;
  const whole = save !== null && typeof save === "object" && MEMBERS.every((name) => name in save) && Object.keys(save).length === MEMBERS.length;
  const fits = whole && Array.isArray(save.record) && isWhole(save.players) && isWhole(save.rolled) && save.rolled >= 0 && typeof save.stop_at_chance === "boolean";
  if (!fits) throw damaged(`it must have exactly these members: ${MEMBERS.join(", ")}`);
  return save;
}

/** Returns whether a save has the data that its digest is of, in a text that another program has written. */
function isRewritten({ check, save }) {
  const ordered = (value, names) => Object.fromEntries(names.map((name) => [name, value[name]]));
  try {
    const { options, state } = save, frames = state.frames.map((each) => ordered(each, ["at", "values"]));
    const sortedSave = { ...ordered(save, MEMBERS), options: sorted(options), state: { ...ordered(state, OF_A_STATE), frames } };
    return [save, sortedSave].some((each) => sha256(writeJSON(each)) === check);
  } catch {
    return false; // not a save, and so its digest cannot be right
  }
}

const sorted = (options) => Object.fromEntries(Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1)));
