// Bots that think in a worker. Their names describe how they play.

import { say } from "./say.js";

/** The search effort of a bot: how many games it plays before a choice. */
const SEARCHES = [[say("a bot that searches quickly"), 100], [say("a bot that searches well"), 400], [say("a bot that searches deeply"), 1600]];

const WORDS = {
  random: [["random", say("a bot that picks at random")]],
  greedy: [["greedy", say("a bot that looks one decision ahead")]],
  planner: [["planner", say("a bot that plans its turn")]],
  rollout: [["rollout", say("a bot that plays games to the end")]],
  mcts: SEARCHES.map(([how, games]) => [`mcts:${games}`, how]),
  trained: [["trained", say("a bot that learned by self-play")]],
};

/** The bots that a seat can have, each with a name and a description, the weakest first. */
export function botsOf(engine, rules) {
  const there = engine.offered(rules);
  return Object.keys(WORDS).filter((kind) => there.includes(kind)).flatMap((kind) => WORDS[kind]);
}

/** The default bot: one that answers immediately, but not at random. */
export function usualBot(engine, rules) {
  const there = botsOf(engine, rules).map(([name]) => name);
  return ["greedy", `mcts:${SEARCHES[0][1]}`].find((name) => there.includes(name)) ?? there[0];
}

/** Returns the description of a bot. */
export function botInWords(bot) {
  return Object.values(WORDS).flat().find(([name]) => name === bot)?.[1] ?? bot;
}

/** Creates the worker from the engine script of the page. `files` are those of the rules: `{wasm, data}`. */
export class Thinker {
  #worker = null;
  #asked = new Map();
  #next = 1;

  constructor(program, files) {
    this.program = program;
    this.files = files;
  }

  #begun() {
    if (this.#worker !== null) return this.#worker;
    const address = URL.createObjectURL(new Blob([`(${this.program})(self).serveBots(self)`], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.onmessage = ({ data: { id, index, error } }) => {
      const { done, refuse } = this.#asked.get(id) ?? {};
      if (this.#asked.delete(id)) error === undefined ? done(index) : refuse(new Error(error));
    };
    worker.onerror = () => {
      for (const { refuse } of this.#asked.values()) refuse(new Error(say("The part of this page that runs bots could not be started.")));
      this.#asked.clear();
    };
    worker.postMessage({ kind: "rules", ...this.files });
    this.#worker = worker;
    return worker;
  }

  /** Returns the index of a bot's option. `asked` is how often it has chosen in this game before. */
  think({ save, bot, seed, seat, asked }) {
    const worker = this.#begun(), id = this.#next++;
    return new Promise((done, refuse) => {
      this.#asked.set(id, { done, refuse });
      worker.postMessage({ kind: "think", id, save, bot, seed, seat, asked });
    });
  }

  /** Cancels all thinking. */
  stop() {
    if (this.#asked.size) this.#worker.postMessage({ kind: "stop" });
    this.#asked.clear();
  }
}
