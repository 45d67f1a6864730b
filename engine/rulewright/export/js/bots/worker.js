// Bots in a worker, so that whoever looks at the page is never kept waiting by their thinking. Messages to it:
//
//     {kind: "rules", wasm, data}                             once, before all others: answered by {ready, bots}
//     {kind: "think", id, save, bot, seed, seat, asked}       answered by {id, index}
//     {kind: "games", id, bots, games, seed, …}               answered by counts, several times; the last time `over`
//     {kind: "stop"}                                          whatever is under way or waits is answered by {id, stopped}
//
// What cannot be done is answered by {id, error}. What a bot chooses follows from how often it has chosen before
// (`asked`), and how much chance it took to do so. That is known of the bots that have chosen here; where another
// worker, or nobody, has asked one of them, it is asked everything again that it was asked in the game before.

import { GameError, RulesFault, writeJSON } from "../json.js";
import { read } from "../ruleset.js";
import { played } from "./simulation.js";

// Tries between two looks at what came in, and how many questions may wait.
const TRIES = 50, MOST_WAITING = 100;
// Bots whose streams go on from decision to decision.
const MOST_BOTS = 64;

/** The names of the bots that can play by these rules. */
export function offered(rules) {
  return rules.bots().map(({ name }) => name);
}

/**
 * Answer whoever posts such messages to `scope`: a worker's own, or one like it. `more` are further kinds of messages, each
 * with what goes through the answers to it in pieces; the last of them is `over`.
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
  // Counts up whenever somebody says stop: whatever was begun before is over.
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

  /** What thinks, plays or waits is dropped, each with an answer; rules that wait to be loaded are not. */
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
    const game = this.#rules.openGame(asked.save);
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

  /** The bot of that name, seed and seat. */
  #seat(name, seed, seat) {
    const key = [said(name), typeof seed, String(seed), String(seat)].join("\n");
    const found = this.#seated.get(key) ?? new Seated(this.#rules.bot(name, { seed, seat }), seat);
    // The one that was asked last is the last that is forgotten.
    this.#seated.delete(key);
    this.#seated.set(key, found);
    if (this.#seated.size > MOST_BOTS) this.#seated.delete(this.#seated.keys().next().value);
    return found;
  }

  /** Ask a bot again what it was asked in a game before; where it has begun with no such game, it begins now. */
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
      // About a hundred times, however many games there are.
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

  /** What comes of something that pauses, so that others are heard; nothing, where it is stopped. */
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
    // Whatever else goes wrong is told, too: a worker that is silent keeps a page waiting.
    const words = error instanceof GameError || error instanceof RulesFault ? error.message : `this cannot be done: ${said(error?.message ?? error)}`;
    this.#answer(asked, { error: words, ...(error instanceof RulesFault ? { rule: error.rule } : {}) });
  }
}

/** A bot in a seat; where its stream was each time it had chosen, and how long the record of the game was. */
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

  /** Whether it has chosen so often on the way to where a game is; then it is as it was when it had. */
  knows(times, record) {
    const then = this.#past[times];
    if (then === undefined || then.length > record.length) return false;
    if (writeJSON(this.#record.slice(0, then.length)) !== writeJSON(record.slice(0, then.length))) return false;
    this.#bot.position = then.position;
    this.#past.length = times + 1;
    return true;
  }

  /** Whatever it was asked again: it counts as so often. */
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

/** Lets messages come in. A timer would wait for milliseconds, where many were set one after the other. */
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
