// One version of a ruleset, from which games are made.

import { BotMemory } from "./bots/bot_memory.js";
import { botsOf, makeBot } from "./bots/bots.js";
import { Game } from "./game.js";
import { Module } from "./wasm_module.js";
import { GameError, quoted } from "./errors.js";
import { readJSON } from "./json.js";
import { PhraseBuilder, text } from "./phrases.js";
import { played } from "./bots/simulation.js";

const FORMAT = 3;

/** Reads rules: `wasm` as bytes or a module, `data` as text or parsed. Throws GameError for another format, and for a damaged file. */
export async function read({ wasm, data }) {
  const held = await intact("rules.json", () => (typeof data === "string" ? readJSON(data) : data));
  if (held?.format !== FORMAT) throw new GameError(`rules.json is of format ${String(held?.format)}; this program reads format ${FORMAT}`, "other-format");
  const instance = await intact("rules.wasm", async () =>
    WebAssembly.instantiate(wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm)));
  return new Rules(instance, held);
}

async function intact(name, open) {
  try {
    return await open();
  } catch (error) {
    throw new GameError(`${name} is damaged: ${error.message}`, "damaged");
  }
}

/** One version of a ruleset. All its games share one memory, which holds one game at a time. */
export class Rules {
  #current = null;

  constructor(instance, data) {
    this.data = data;
    this.module = new Module(instance, data);
    /** Internal. */
    this.arena = new BotMemory(this.module);
  }

  get reference() { return this.data.ruleset; }
  get title() { return this.data.title; }
  get digest() { return this.data.digest; }
  /** The minimum and maximum number of players. */
  get players() { return [...this.data.players]; }
  /** The settings, each with its title, its default and the labels of its choices. */
  get options() {
    return Object.fromEntries(
      Object.entries(this.data.options).map(([id, each]) => [id, {
        title: this.words(each.title),
        default: each.default,
        choices: Object.fromEntries(Object.entries(each.choices).map(([choice, words]) => [choice, this.words(words)])),
      }]),
    );
  }

  /** Returns a text of `data` with its placeholders filled in. */
  words(written) {
    return text(new PhraseBuilder(this.module, new Map()).words(written));
  }

  /** Returns a new game at its first stop. Throws GameError for an invalid number of players or setting. */
  newGame({ players = this.data.players[0], seed = 0, options = {}, stopAtChance = false, names = {} } = {}) {
    this.refuse(players, seed, options);
    return Game.begun(this, { players, seed, options: { ...options }, stopAtChance, names: called(names, players) });
  }

  /**
   * Returns the game of a save, from here or from Python. Its record is replayed to verify it; with `verify` as false,
   * only accidental damage is detected. Throws GameError.
   */
  openGame(text, { names = {}, verify = true } = {}) {
    return Game.opened(this, text, { refuse: (players, seed, options) => this.refuse(players, seed, options), names: called(names), verify });
  }

  /** Internal: returns a game with these settings, or of a single procedure from a `stage`. */
  begun(settings) {
    return Game.begun(this, settings);
  }

  /** Internal: returns the error for a record that does not fit these rules. */
  fault(said) {
    return new GameError(said);
  }

  /** The bots for these rules, each with a sentence about what it does. */
  bots() {
    return botsOf(this);
  }

  /** Returns a bot by name, such as `mcts:200`: a function from a game to the index of an option. Throws GameError. */
  bot(name, { seed = 0, seat = 1 } = {}) {
    return makeBot(this, name, seed, seat);
  }

  /** Plays games between bots. Yields the progress, and returns all counts. Throws GameError. */
  simulate(settings = {}) {
    return played(this, settings);
  }

  /** Internal: throws GameError for an invalid setting. */
  refuse(players, seed, options) {
    const [fewest, most] = this.data.players;
    if (this.data.start === null) throw new GameError(`${this.reference} has no \`start:\`, so there is no whole game to play`, "invalid-setting");
    if (!Number.isInteger(players) || players < fewest || players > most) {
      const allowed = fewest < most ? `${fewest} to ${most} players` : most === 1 ? "1 player" : `${most} players`;
      const hint = typeof players === "string" ? `; give a whole number such as ${fewest}` : "";
      throw new GameError(`${this.title} is for ${allowed}, not ${quoted(players)}${hint}`, "invalid-setting");
    }
    if (typeof seed !== "string" && typeof seed !== "bigint" && !Number.isSafeInteger(seed)) {
      throw new GameError(`a seed must be a whole number or a string, not ${String(seed)}`, "invalid-setting");
    }
    for (const [name, choice] of Object.entries(options)) {
      const option = this.data.options[name];
      if (option === undefined) throw new GameError(`there is no option ${name}; there is ${Object.keys(this.data.options).join(", ") || "none at all"}`, "invalid-setting");
      if (option.choices[choice] === undefined) {
        throw new GameError(`the option ${name} has no choice ${choice}; there is ${Object.keys(option.choices).join(", ")}`, "invalid-setting");
      }
    }
  }

  /** Internal: frees the memory for another use. */
  alone() {
    this.#current?.leave();
    this.#current = null;
  }

  /** Internal: puts this game into memory. */
  enter(game) {
    if (this.#current === game) return;
    this.#current?.leave();
    this.#current = game;
    game.arrive();
  }
}

/** Checks the players' own names by seat. They are not part of rules or saves. Throws GameError. */
function called(names, players = Infinity) {
  for (const [seat, name] of Object.entries(names)) {
    const fits = /^[1-9]\d*$/.test(seat) && Number(seat) <= players && typeof name === "string" && name.trim() !== "";
    if (!fits) throw new GameError(`names must be strings by seat, such as {1: "Ann"}, not ${seat}: ${String(name)}`, "invalid-setting");
  }
  return { ...names };
}
