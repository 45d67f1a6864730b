// Bots think in a worker. What they are called here is what they do.

/** How hard a bot may search: how many games it looks at before it chooses. */
const SEARCHES = [["quickly", 100], ["well", 400], ["deeply", 1600]];

const WORDS = {
  random: [["random", "takes anything"]],
  greedy: [["greedy", "looks ahead"]],
  planner: [["planner", "plans its turn"]],
  rollout: [["rollout", "plays the game out"]],
  mcts: SEARCHES.map(([how, games]) => [`mcts:${games}`, `searches ${how}`]),
  trained: [["trained", "has learned to judge"]],
};

/** The bots that a seat may have, each with its name and what it does; the weakest first. */
export function botsOf(engine, rules) {
  const there = engine.offered(rules);
  return Object.keys(WORDS).filter((kind) => there.includes(kind)).flatMap((kind) => WORDS[kind]);
}

/** The bot that a seat has before anybody says otherwise: one that answers at once, and not without thought. */
export function usualBot(engine, rules) {
  const there = botsOf(engine, rules).map(([name]) => name);
  return ["greedy", `mcts:${SEARCHES[0][1]}`].find((name) => there.includes(name)) ?? there[0];
}

/** What a bot does, in words. */
export function botInWords(bot) {
  return Object.values(WORDS).flat().find(([name]) => name === bot)?.[1] ?? bot;
}

/** The worker, from the program that the page has already. `files` are those of the rules: `{wasm, data}`. */
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
      for (const { refuse } of this.#asked.values()) refuse(new Error("The bots’ part of this page could not be begun."));
      this.#asked.clear();
    };
    worker.postMessage({ kind: "rules", ...this.files });
    this.#worker = worker;
    return worker;
  }

  /** The index of the option that a bot takes. `asked` is how often it has chosen in this game before. */
  think({ save, bot, seed, seat, asked }) {
    const worker = this.#begun(), id = this.#next++;
    return new Promise((done, refuse) => {
      this.#asked.set(id, { done, refuse });
      worker.postMessage({ kind: "think", id, save, bot, seed, seat, asked });
    });
  }

  /** What is still being thought of comes to nothing. */
  stop() {
    if (this.#asked.size) this.#worker.postMessage({ kind: "stop" });
    this.#asked.clear();
  }
}
