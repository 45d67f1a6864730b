// Bots in a web worker, so that their thinking does not block the page. Messages:
//
//     {kind: "rules", wasm, data}                             first, once: answered with {ready, bots}
//     {kind: "think", id, save, bot, seed, seat, asked}       answered with {id, index}
//     {kind: "games", id, bots, games, seed, …}               answered with counts several times, at last with `over`
//     {kind: "stop"}                                          cancels everything: each is answered with {id, stopped}
//
// Errors are answered with {id, error}. A choice depends on how often the bot has chosen before (`asked`) and on the
// random words it has used. The worker keeps these for its recent bots. For other bots, it asks again every earlier
// decision of the game.

import { GameError, RulesFault } from "../errors.js";
import { writeJSON } from "../json.js";
import { read } from "../ruleset.js";
import { played } from "./simulation.js";

// The number of tries between two checks for messages, and the maximum length of the queue.
const TRIES = 50, MOST_WAITING = 100;
// The number of bots to keep.
const MOST_BOTS = 64;

/** Returns the bots that can play these rules. */
export function offered(rules) {
  return rules.bots().map(({ name }) => name);
}

/**
 * Answers messages posted to `scope`, such as a worker's `self`. `more` adds kinds of messages, each with a generator
 * function whose values are sent as answers. The last answer has `over`.
 */
export function serveBots(scope, more = {}) {
  const server = new Server(scope, more);
  scope.onmessage = ({ data }) => server.hear(data);
}

class Server {
  #scope;
  #more;
  #rules = null;
  #seated = new Map();
  #waiting = [];
  #works = false;
  // Increases with each stop. Work that began earlier is cancelled.
  #stopped = 0;

  constructor(scope, more) {
    this.#scope = scope;
    this.#more = more;
  }

  hear(message) {
    const asked = message !== null && typeof message === "object" ? message : {};
    if (asked.kind === "stop") this.#stop();
    else if (!["rules", "think", "games", ...Object.keys(this.#more)].includes(asked.kind)) {
      this.#refuse(asked, new GameError(`the kind of a message must be rules, think, games or stop, not ${said(asked.kind)}`));
    } else if (this.#waiting.length >= MOST_WAITING) this.#refuse(asked, new GameError("too many requests are waiting"));
    else {
      this.#waiting.push(asked);
      if (!this.#works) this.#work();
    }
  }

  /** Cancels all work except loading the rules, with an answer for each request. */
  #stop() {
    this.#stopped += 1;
    const waited = this.#waiting;
    this.#waiting = waited.filter(({ kind }) => kind === "rules");
    for (const asked of waited) if (asked.kind !== "rules") this.#answer(asked, { stopped: true });
  }

  async #work() {
    this.#works = true;
    while (this.#waiting.length) {
      const asked = this.#waiting.shift(), { kind } = asked;
      try {
        if (kind === "rules") await this.#take(asked);
        else if (this.#rules === null) throw new GameError("no rules have been sent yet");
        else if (Object.hasOwn(this.#more, kind)) await this.#also(asked);
        else await (kind === "think" ? this.#think(asked) : this.#play(asked));
      } catch (error) {
        this.#refuse(asked, error);
      }
    }
    this.#works = false;
  }

  async #take(asked) {
    this.#rules = null;
    this.#seated.clear();
    if (asked.wasm === undefined || asked.data === undefined) throw new GameError("send rules as `wasm`, a module or its bytes, and `data`, the text of rules.json");
    this.#rules = await read({ wasm: asked.wasm, data: asked.data });
    this.#answer(asked, { ready: this.#rules.reference, bots: this.#rules.bots() });
  }

  async #think(asked) {
    const game = this.#rules.openGame(asked.save, { verify: false });
    const { decision } = game, { bot: name, seed = 0, seat = decision?.player ?? 1, asked: times } = asked;
    if (times !== undefined && (!Number.isSafeInteger(times) || times < 0)) throw new GameError(`\`asked\` must be the number of earlier choices of the bot, not ${said(times)}`);
    const sits = this.#seat(name, seed, seat);
    if (times !== undefined && !sits.knows(times, game.record)) {
      const again = this.#again(sits, game, times);
      if ((await this.#through(asked, again)) === undefined) return;
      sits.choseSoOften(times);
    }
    const index = await this.#through(asked, sits.thinking(game));
    if (index !== undefined) this.#answer(asked, { index });
  }

  /** Returns the bot with this name, seed and seat. */
  #seat(name, seed, seat) {
    const key = [said(name), typeof seed, String(seed), String(seat)].join("\n");
    const found = this.#seated.get(key) ?? new Seated(this.#rules.bot(name, { seed, seat }), seat);
    // The bot used last is the last to be dropped.
    this.#seated.delete(key);
    this.#seated.set(key, found);
    if (this.#seated.size > MOST_BOTS) this.#seated.delete(this.#seated.keys().next().value);
    return found;
  }

  /** Asks a bot again what it was asked earlier in a game. A bot of another game starts anew. */
  *#again(sits, game, times) {
    sits.begin();
    if (!times) return true;
    const { players, options, seed } = game;
    const past = this.#rules.newGame({ players, options, seed, stopAtChance: true });
    for (const entry of game.record) {
      if (entry[0] === "choose" && past.decision?.player === sits.seat) yield* sits.thinking(past);
      past.repeat(entry);
    }
    return true;
  }

  async #play(asked) {
    const { bots, players, games, seed, options, most } = asked;
    let told = 0;
    const counts = await this.#through(asked, played(this.#rules, { bots, players, games, seed, options, most, tries: TRIES }), (sofar) => {
      // About a hundred reports, however many games there are.
      if (sofar.done - told < sofar.games / 100) return;
      told = sofar.done;
      this.#answer(asked, sofar.counts());
    });
    if (counts !== undefined) this.#answer(asked, { ...counts, over: true });
  }

  async #also(asked) {
    const last = await this.#through(asked, this.#more[asked.kind](this.#rules, asked), (sofar) => this.#answer(asked, sofar));
    this.#seated.clear();
    if (last !== undefined) this.#answer(asked, { ...last, over: true });
  }

  /** Runs a generator, with pauses for messages. Returns nothing if it is cancelled. */
  async #through(asked, pieces, tell = () => {}) {
    const begun = this.#stopped;
    for (;;) {
      const { done, value } = pieces.next();
      if (done) return value;
      tell(value);
      await pause();
      if (this.#stopped === begun) continue;
      this.#answer(asked, { stopped: true });
      return undefined;
    }
  }

  #answer(asked, answer) {
    this.#scope.postMessage(asked.id === undefined ? answer : { id: asked.id, ...answer });
  }

  #refuse(asked, error) {
    // Every failure is answered, because a silent worker would block the page for ever.
    const words = error instanceof GameError || error instanceof RulesFault ? error.message : `this cannot be done: ${said(error?.message ?? error)}`;
    this.#answer(asked, { error: words, ...(error instanceof RulesFault ? { rule: error.rule } : {}) });
  }
}

/** A bot in a seat, with its position in the stream and the length of the record after each of its choices. */
class Seated {
  #bot;
  #past = [];
  #record = [];

  constructor(bot, seat) {
    this.#bot = bot;
    this.seat = seat;
    this.begin();
  }

  begin() {
    this.#bot.position = 0;
    this.#past = [{ position: 0, length: 0 }];
    this.#record = [];
  }

  /** Returns whether the bot has made this many choices on the way to a game's position, and rewinds it to that point. */
  knows(times, record) {
    const then = this.#past[times];
    if (then === undefined || then.length > record.length) return false;
    if (writeJSON(this.#record.slice(0, then.length)) !== writeJSON(record.slice(0, then.length))) return false;
    this.#bot.position = then.position;
    this.#past.length = times + 1;
    return true;
  }

  /** Sets the number of choices made, after asking the bot again. */
  choseSoOften(times) {
    const last = this.#past[this.#past.length - 1];
    this.#past.length = times;
    this.#past[times] = last;
  }

  *thinking(game) {
    const index = yield* this.#bot.thinking(game, TRIES);
    this.#record = game.record;
    this.#past.push({ position: this.#bot.position, length: this.#record.length });
    return index;
  }
}

function said(value) {
  try {
    return String(value);
  } catch {
    return "something that has no words";
  }
}

/** Lets messages arrive. A timer would add milliseconds if it was set many times. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
