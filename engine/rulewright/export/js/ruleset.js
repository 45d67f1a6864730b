// One version of a ruleset, read and ready: what makes games of it.

import { BotMemory } from "./bots/bot_memory.js";
import { botsOf, makeBot } from "./bots/bots.js";
import { Game } from "./game.js";
import { Module } from "./wasm_module.js";
import { GameError, readJSON } from "./json.js";
import { PhraseBuilder, text } from "./phrases.js";
import { played } from "./bots/simulation.js";

const FORMAT = 2;

/** The rules of these files: `wasm` as bytes or a module, `data` as text or read already. Throws GameError. */
export async function read({ wasm, data }) {
  const held = typeof data === "string" ? readJSON(data) : data;
  if (held.format !== FORMAT) throw new GameError(`rules.json is of format ${held.format}; this program reads format ${FORMAT}`);
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  return new Rules(await WebAssembly.instantiate(module), held);
}

/** One version of a ruleset. All of its games share one memory, in which one at a time is carried out. */
export class Rules {
  #current = null;

  constructor(instance, data) {
    this.data = data;
    this.module = new Module(instance, data);
    /** Not for others. */
    this.arena = new BotMemory(this.module);
  }

  get reference() { return this.data.ruleset; }
  get title() { return this.data.title; }
  get digest() { return this.data.digest; }
  /** The fewest and the most who may play. */
  get players() { return [...this.data.players]; }
  /** The settings: each with its title, its default and the words of its choices. */
  get options() {
    return Object.fromEntries(
      Object.entries(this.data.options).map(([id, each]) => [id, {
        title: this.words(each.title),
        default: each.default,
        choices: Object.fromEntries(Object.entries(each.choices).map(([choice, words]) => [choice, this.words(words)])),
      }]),
    );
  }

  /** Words of `data`, with what stands in braces said as players call it. */
  words(written) {
    return text(new PhraseBuilder(this.module, new Map()).words(written));
  }

  /** A new game at its first stop. Throws GameError for a number of players or an option that there is not. */
  newGame({ players = this.data.players[0], seed = 0, options = {}, stopAtChance = false, names = {} } = {}) {
    this.refuse(players, seed, options);
    return Game.begun(this, { players, seed, options: { ...options }, stopAtChance, names: called(names, players) });
  }

  /** The game that was saved as this text, here or by Python. Throws GameError. */
  openGame(text, { names = {} } = {}) {
    return Game.opened(this, text, (players, seed, options) => this.refuse(players, seed, options), called(names));
  }

  /** Not for others: a game of these settings, or of one procedure from a `stage`. */
  begun(settings) {
    return Game.begun(this, settings);
  }

  /** Not for others: what to throw for what these rules do not lead to. */
  fault(said) {
    return new GameError(said);
  }

  /** The bots that these rules can have, each with what it does in a sentence. */
  bots() {
    return botsOf(this);
  }

  /** A bot by its name, such as `mcts:200`: given a game at a decision, the index of the option it takes. Throws GameError. */
  bot(name, { seed = 0, seat = 1 } = {}) {
    return makeBot(this, name, seed, seat);
  }

  /** Whole games between bots: goes through them in pieces, and comes to the counts of all. Throws GameError. */
  simulate(settings = {}) {
    return played(this, settings);
  }

  /** Not for others: throws GameError for settings that there are not. */
  refuse(players, seed, options) {
    const [fewest, most] = this.data.players;
    if (this.data.start === null) throw new GameError(`${this.reference} has no \`start:\`, so there is no whole game to play`);
    if (!Number.isInteger(players) || players < fewest || players > most) {
      throw new GameError(`${this.title} is for ${fewest} to ${most} players, not ${String(players)}`);
    }
    if (typeof seed !== "string" && typeof seed !== "bigint" && !Number.isSafeInteger(seed)) {
      throw new GameError(`a seed must be a whole number or a string, not ${String(seed)}`);
    }
    for (const [name, choice] of Object.entries(options)) {
      const option = this.data.options[name];
      if (option === undefined) throw new GameError(`there is no option ${name}; there is ${Object.keys(this.data.options).join(", ") || "none at all"}`);
      if (option.choices[choice] === undefined) {
        throw new GameError(`the option ${name} has no choice ${choice}; there is ${Object.keys(option.choices).join(", ")}`);
      }
    }
  }

  /** Not for others: have the memory hold no game, for whoever needs it otherwise. */
  alone() {
    this.#current?.leave();
    this.#current = null;
  }

  /** Not for others: have the memory hold this game. */
  enter(game) {
    if (this.#current === game) return;
    this.#current?.leave();
    this.#current = game;
    game.arrive();
  }
}

/** What players want to be called, by their seats: words alone, which no rule and no save knows of. Throws GameError. */
function called(names, players = Infinity) {
  for (const [seat, name] of Object.entries(names)) {
    const fits = /^[1-9]\d*$/.test(seat) && Number(seat) <= players && typeof name === "string" && name.trim() !== "";
    if (!fits) throw new GameError(`names must be strings by seat, such as {1: "Ann"}, not ${seat}: ${String(name)}`);
  }
  return { ...names };
}
