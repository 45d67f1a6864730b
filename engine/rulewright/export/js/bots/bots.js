// The bots. They take the same options as Python's bots of the same name, with the same seed.

import { Lots } from "../chance.js";
import { GameError } from "../errors.js";

/** Returns the bots for these rules: by name, a description, and the number that may follow the name, as in `mcts:200`. */
export function botsOf({ data }) {
  return Object.entries(data.bots).map(([name, { does, setting, most }]) => ({ name, does, ...(most ? { setting, most } : {}) }));
}

/** Parses the name of a bot: its number in the module, its setting, and its weights. Throws GameError. */
export function thinkerOf({ data }, name) {
  const names = Object.keys(data.bots);
  const there = `there is ${names.join(", ")}`;
  if (typeof name !== "string") throw new GameError(`a bot name must be a string such as "random", not ${String(name)}`);
  const [kind] = name.split(":", 1), found = Object.hasOwn(data.bots, kind) ? data.bots[kind] : undefined;
  if (found === undefined) throw new GameError(`there is no bot \`${kind}\` here; ${there}`);
  const { setting, judge } = partsOf(data, found, name.slice(kind.length + 1));
  return { number: found.number, setting: settingOf(kind, found, setting), ...judged(data, judge) };
}

function partsOf(data, { judges, learned }, rest) {
  const ways = Object.keys(data.weights);
  if (!judges) return { setting: rest, judge: null };
  const at = rest.lastIndexOf(":"), last = rest.slice(at + 1);
  if (ways.includes(last)) return { setting: rest.slice(0, Math.max(at, 0)), judge: last };
  return { setting: rest, judge: ways.length && (learned || !data.judged) ? ways[0] : null };
}

function settingOf(kind, { setting, most }, said) {
  if (said === "") return setting;
  if (!most) throw new GameError(`\`${kind}\` takes no setting, so \`${kind}:${said}\` is not valid`);
  if (/^\d+ms$/.test(said)) throw new GameError(`only bots in Python support a time budget: write ${kind}:${setting} for a number of tries`);
  const number = /^\d+$/.test(said) ? Number(said) : 0;
  if (number < 1 || number > most) throw new GameError(`\`${kind}:${said}\` is not a valid budget: write ${kind}:${setting}, or another number from 1 to ${most}`);
  return number;
}

function judged(data, judge) {
  return judge === null ? { weights: 0, worths: [] } : { weights: Object.keys(data.weights).indexOf(judge), worths: data.weights[judge] };
}

/** Returns the bot with this name for a seat. Throws GameError if it does not exist or the rules lack what it needs. */
export function makeBot(rules, name, seed, seat) {
  const thinker = thinkerOf(rules, name), [, most] = rules.data.players;
  if (!Number.isInteger(seat) || seat < 1 || seat > most) throw new GameError(`the seats are numbered from 1 to ${most}, so ${String(seat)} is not a seat`);
  if (typeof seed !== "string" && typeof seed !== "bigint" && !Number.isSafeInteger(seed)) {
    throw new GameError(`a seed must be a whole number or a string, not ${String(seed)}`);
  }
  // The host draws for `random` itself, so its game need not be in memory.
  const mind = thinker.number === 0 ? new Drawing(seed, seat) : new Mind(rules, thinker, seed, seat);
  const bot = (game) => {
    const thinking = mind.thinking(game);
    for (;;) {
      const { done, value } = thinking.next();
      if (done) return value;
    }
  };
  bot.thinking = (game, tries) => mind.thinking(game, tries);
  Object.defineProperty(bot, "name", { value: name });
  Object.defineProperty(bot, "position", {
    get: () => mind.position,
    set(position) {
      if (!Number.isSafeInteger(position) || position < 0) throw new GameError(`a stream position must be a whole number of 0 or more, not ${String(position)}`);
      mind.position = position;
    },
  });
  return bot;
}

/** Takes a random option. */
class Drawing {
  #lots;

  constructor(seed, seat) {
    this.#lots = new Lots(seed, `bot ${seat}`);
  }

  get position() { return this.#lots.index; }
  set position(position) { this.#lots.index = position; }

  *thinking(game) {
    return this.#lots.below(askedOf(game).options.length);
  }
}

const AT_A_TIME = 20_000;

/** Thinks inside the module. */
class Mind {
  position = 0;

  constructor(rules, thinker, seed, seat) {
    this.arena = rules.arena;
    this.thinker = thinker;
    this.seed = seed;
    this.seat = seat;
  }

  /** Yields after every `tries` tries, and returns the index of an option. */
  *thinking(game, tries = AT_A_TIME) {
    askedOf(game);
    if (!Number.isSafeInteger(tries) || tries < 1) throw new GameError(`a bot must pause after a whole number of tries of 1 or more, not ${String(tries)}`);
    const { arena } = this, held = arena.claim(), { moves } = game;
    for (let begun = false; ; begun = true) {
      arena.refuseOthers(held);
      if (game.moves !== moves) throw new GameError("the game changed while a bot was thinking: ask the bot again");
      const index = game.ahead(() => {
        if (!begun) arena.seat(this.thinker, this.seed, this.seat, this.position);
        const found = arena.think(tries);
        if (found !== null) this.position = arena.position;
        return found;
      });
      if (index !== null) return index;
      yield;
    }
  }
}

function askedOf(game) {
  const { decision } = game;
  if (decision === null) throw new GameError("no decision is pending, so no bot can choose");
  return decision;
}
