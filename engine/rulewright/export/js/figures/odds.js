// The odds of procedures: exactly, by following every branch of chance and merging equal positions; or by sampling with
// confidence intervals if there are too many. Generators, so that callers can interrupt them.

import { Generator } from "../chance.js";
import { outcomesOf, rollWith } from "../dice.js";
import { CHANCE, OVER, present } from "../wasm_module.js";
import { GameError, RulesFault } from "../errors.js";
import { identity } from "../phrases.js";
import { wilson } from "./wilson_interval.js";

const MOST_BRANCHES = 150_000, MOST_TOGETHER = 80, MOST_RUNS = 20_000, MOST_STOPS = 200_000, BATCH = 200, SLICE = 200;

const common = (one, other) => {
  while (other) [one, other] = [other, one % other];
  return one < 0n ? -one : one;
};

/** An exact fraction in lowest terms. */
class Fraction {
  constructor(over, under) {
    const shared = common(over, under) || 1n;
    this.over = over / shared;
    this.under = under / shared;
  }

  plus(other) { return new Fraction(this.over * other.under + other.over * this.under, this.under * other.under); }
  minus(other) { return new Fraction(this.over * other.under - other.over * this.under, this.under * other.under); }
  times(other) { return new Fraction(this.over * other.over, this.under * other.under); }
  by(other) {
    const sign = other.over < 0n ? -1n : 1n;
    return new Fraction(sign * this.over * other.under, sign * this.under * other.over);
  }

  get number() {
    const shift = BigInt(Math.max(0, this.under.toString(2).length - 1000));
    return Number(this.over >> shift) / Number(this.under >> shift);
  }
}

const NOTHING = new Fraction(0n, 1n), WHOLE = new Fraction(1n, 1n);

class TooLarge extends Error {}

/** Policies: the options to take, with their weights, from what is offered. */
const POLICIES = {
  random: (options) => options.map((_, index) => [index, 1n]),
  first: () => [[0, 1n]],
  most: (options) => [[extreme(options, (one, other) => one > other), 1n]],
  least: (options) => [[extreme(options, (one, other) => one < other), 1n]],
  take: (options, type, setting) => [[Math.max(0, options.map((each) => identity(each, type)).indexOf(setting)), 1n]],
};

function extreme(options, better) {
  let found = 0, best = null;
  options.forEach((each, index) => {
    const size = Array.isArray(each) ? each.length : typeof each === "number" ? each : null;
    if (size !== null && (best === null || better(size, best))) [found, best] = [index, size];
  });
  return found;
}

/**
 * Computes the odds of an example. Each `next` does a part of the work and yields the progress; the last one returns the
 * answers. `alone` frees the module's memory of games.
 */
export function weighing(rules, odds, limits) {
  return weighed(new Asking(rules.module, odds, limits.alone), limits);
}

function* weighed(asking, { most = MOST_BRANCHES, runs = MOST_RUNS, precision = 0.02, seed = 0 }) {
  try {
    return yield* asking.exactly(most);
  } catch (error) {
    if (!(error instanceof TooLarge) && !(error instanceof GameError)) throw error;
    return yield* asking.sampled(new Generator(seed, "odds"), runs, precision);
  }
}

class Asking {
  #module;
  #odds;
  #alone;
  #outcomes = new Map();
  #policies = new Map();

  constructor(module, odds, alone) {
    this.#module = module;
    this.#odds = odds;
    this.#alone = alone;
  }

  #begin() {
    const module = this.#module, { of, objects, arguments: given } = this.#odds;
    const { size } = module.procedures.get(of);
    const frame = [0, ...given, ...Array(size - given.length).fill(null)];
    this.#alone();
    module.put({ objects, frames: [frame], root: of }, 0);
    module.begin(of);
  }

  // -- exact odds ------------------------------------------------------------------------------------

  *exactly(most) {
    const module = this.#module, nodes = [], known = new Map(), waiting = [];
    let branches = 0;
    const number = () => {
      const ended = module.mode === OVER, came = ended ? this.#came() : null;
      const key = ended ? `end ${JSON.stringify(came)}` : this.#key();
      let found = known.get(key);
      if (found === undefined) {
        found = nodes.length;
        known.set(key, found);
        nodes.push({ came, edges: new Map(), of: 1n });
        if (!ended) waiting.push([found, module.copy()]);
      }
      return found;
    };
    this.#begin();
    number();
    for (let place = 0; place < waiting.length; place++) {
      const [index, here] = waiting[place], node = nodes[index];
      waiting[place] = null;
      this.#alone();
      module.restore(here);
      const [ways, take] = this.#ways();
      branches += ways.length;
      if (branches > most) throw new TooLarge(`more than ${most} branches`);
      node.of = ways.reduce((sum, [, times]) => sum + times, 0n);
      for (const [answer, times] of ways) {
        module.restore(here);
        take(answer);
        const target = number();
        node.edges.set(target, (node.edges.get(target) ?? 0n) + times);
      }
      if (place % SLICE === SLICE - 1) yield { branches, positions: nodes.length, waiting: waiting.length - place - 1 };
    }
    const ends = arrivals(nodes);
    return { exact: true, branches, positions: nodes.length, samples: null, answers: this.#answers(ends, null) };
  }

  /** Returns what can happen at the current stop: the weight of each outcome, and how to continue with it. */
  #ways() {
    const module = this.#module, { step, stop } = module.standing();
    if (module.mode === CHANCE) {
      const { roll, cards, type } = this.#rolled(stop);
      return [this.#listed(roll, cards), (outcome) => module.call("go_on", module.word(outcome, type))];
    }
    return [this.#settled(step, stop), (index) => module.call("choose", BigInt(index))];
  }

  #rolled(stop) {
    const module = this.#module, word = module.get("roll");
    if (stop.is === "draw") return { roll: null, cards: module.value(word, stop.among), type: stop.among.list, word };
    return { roll: module.roll(word), cards: null, type: "number", word };
  }

  #listed(roll, cards) {
    if (cards !== null) {
      const counts = new Map();
      for (const card of cards) counts.set(card, (counts.get(card) ?? 0n) + 1n);
      return [...counts];
    }
    let found = this.#outcomes.get(roll);
    if (found === undefined) {
      found = outcomesOf(roll).map(([outcome, ways]) => [outcome, ways]);
      this.#outcomes.set(roll, found);
    }
    return found;
  }

  #settled(step, stop) {
    const module = this.#module, seat = String(module.get("who"));
    const key = `${step.rule} ${seat}`;
    let found = this.#policies.get(key);
    if (found === undefined) {
      const whose = [[step.rule, step.id], [seat], [""]];
      const said = whose.map((names) => this.#odds.policies.find((each) => names.includes(each.whose))).find((each) => each);
      found = said ?? { policy: "random", setting: "" };
      this.#policies.set(key, found);
    }
    const values = module.value(module.get("options"), stop.options);
    return POLICIES[found.policy](values, stop.answer, found.setting);
  }

  /** Returns the digest of a position: everything in it except values that no later step reads. */
  #key() {
    const module = this.#module, { layout, memory } = module;
    const top = Number(module.get("frame"));
    for (let at = layout.frames, procedure = module.root; ;) {
      const step = Number(memory[at / 8]), { size } = module.procedures.get(procedure);
      for (const slot of this.#odds.forgotten[step] ?? []) memory[at / 8 + slot] = module.none;
      for (const slot of this.#odds.promised[step] ?? []) if (memory[at / 8 + slot] !== module.none) memory[at / 8 + slot] = 1n;
      if (at >= top) break;
      at += 8 * (size + 1);
      procedure = module.steps.get(step).calls;
    }
    module.set("answer", module.none);
    module.calls.clean_up();
    const own = [[layout.live, layout.kept], [layout.game, Number(module.get("frames_end"))], [layout.heap, Number(module.get("top"))]];
    return `${module.get("made")} ${digest(module.calls.memory.buffer, own)}`;
  }

  // -- sampling --------------------------------------------------------------------------------------

  *sampled(generator, most, precision) {
    const module = this.#module, counts = new Map();
    let samples = 0, stops = 0;
    const answers = () => this.#answers([...counts.values()].map(([came, count]) => [came, new Fraction(BigInt(count), BigInt(samples))]), samples);
    this.#begin();
    const start = module.copy();
    for (;;) {
      this.#alone();
      module.restore(start);
      while (module.mode !== OVER) {
        const { step, stop } = module.standing();
        stops += 1;
        if (module.mode === CHANCE) {
          const { roll, cards, type } = this.#rolled(stop);
          const outcome = cards === null ? rollWith(roll, generator).total : cards[generator.below(cards.length)];
          module.call("go_on", module.word(outcome, type));
        } else {
          const options = this.#settled(step, stop);
          module.call("choose", BigInt(options.length === 1 ? options[0][0] : options[generator.below(options.length)][0]));
        }
        if (stops > MOST_STOPS) break;
      }
      if (module.mode !== OVER && !samples) throw new GameError("with these policies it may never end");
      if (module.mode === OVER) {
        samples += 1;
        const came = this.#came(), key = JSON.stringify(came);
        const found = counts.get(key);
        if (found === undefined) counts.set(key, [came, 1]);
        else found[1] += 1;
      }
      if (samples % BATCH && stops <= MOST_STOPS) continue;
      const found = answers();
      const wide = Math.max(...found.flatMap((each) => each.outcomes.map(({ interval }) => interval[1] - interval[0])));
      if (stops > MOST_STOPS || samples >= most || wide <= precision) return { exact: false, branches: 0, positions: 0, samples, answers: found };
      yield { samples };
    }
  }

  // -- answers ---------------------------------------------------------------------------------------

  /** Returns the answer to every question at the end of the procedure, or null if there is none. */
  #came() {
    const module = this.#module, { none } = module, { of, arguments: given, questions } = this.#odds;
    const { size, gives, slots } = module.procedures.get(of);
    const winners = module.get("winners"), won = winners === none ? null : module.block(winners).map(Number);
    const frame = [0n];
    if (won === null) {
      frame.push(...module.read(module.layout.frames + 8, size), ...(gives.length ? module.block(module.get("given")) : []));
    } else {
      given.forEach((each, place) => frame.push(module.word(each, slots[place + 1])));
      frame.push(...Array(size + gives.length - given.length).fill(none));
    }
    const before = module.get("frame"), at = Number(module.newBlock(frame) & 0xffffffffn) + 8;
    module.set("frame", at);
    try {
      return questions.map((question) => {
        if (question.number === null) return won ?? [];
        if (question.needs.some((slot) => frame[slot] === none)) return null;
        const value = this.#worked(question);
        return question.less !== null && value !== null ? value - question.less : value;
      });
    } finally {
      module.set("frame", before);
    }
  }

  #worked(question) {
    try {
      const word = this.#module.ask("came_of", BigInt(question.number), 0n);
      return this.#module.plainValue(this.#module.value(word, question.type));
    } catch (error) {
      // The question reads a removed object, or a name without a value on this path.
      if (error instanceof RulesFault || error instanceof WebAssembly.RuntimeError) return null;
      throw error;
    }
  }

  #answers(ends, samples) {
    return this.#odds.questions.map((question, place) => {
      const found = new Map();
      for (const [came, chance] of ends) {
        const value = came[place], key = JSON.stringify(value);
        const before = found.get(key);
        found.set(key, { value, chance: before === undefined ? chance : before.chance.plus(chance) });
      }
      const listed = [...found.values()], numbers = listed.every(({ value }) => typeof value === "number" || typeof value === "boolean");
      const order = ({ value }) => (value === null ? -Infinity : Number(value));
      if (question.counts) listed.sort((one, other) => order(one) - order(other));
      else listed.sort((one, other) => other.chance.number - one.chance.number);
      const mean = question.counts && numbers
        ? listed.reduce((sum, { value, chance }) => sum.plus(chance.times(new Fraction(BigInt(value), 1n))), NOTHING)
        : null;
      return {
        asked: question.asked,
        mean: mean === null ? null : mean.number,
        outcomes: listed.map(({ value, chance }) => ({
          id: said(value, question),
          value,
          ways: chance.over,
          of: chance.under,
          probability: chance.number,
          interval: samples === null ? null : wilson(Math.round(chance.number * samples), samples),
        })),
      };
    });
  }
}

/** Returns the id of an answer in the notation of the rules. Booleans are yes or no. */
function said(value, { type }) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return identity(value, present(type));
}

// Four lanes of 32 bits, each mixed like MurmurHash3 (public domain, Austin Appleby). The chance that two of a million
// positions have the same digest is less than 1 in 10 to the 26.
function digest(buffer, parts) {
  const lanes = [0x2f1b, 0x59d3, 0x7a85, 0x3e49];
  let length = 0;
  for (const [from, to] of parts) {
    const words = new Int32Array(buffer, from, (to - from) / 4);
    length += words.length;
    for (let lane = 0; lane < 4; lane++) {
      const [first, second] = CONSTANTS[lane];
      let hash = lanes[lane];
      for (let at = 0; at < words.length; at++) {
        let mixed = Math.imul(words[at], first);
        mixed = Math.imul((mixed << 15) | (mixed >>> 17), second);
        hash ^= mixed;
        hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
      }
      lanes[lane] = hash;
    }
  }
  return [length, ...lanes].join(" ");
}

const CONSTANTS = [[0xcc9e2d51, 0x1b873593], [0x85ebca6b, 0xc2b2ae35], [0x239b961b, 0xab0e9789], [0x38b34ae5, 0xa1e38b93]];

// -- solving ---------------------------------------------------------------------------------------

/**
 * Computes the probability of each end. Positions that can reach each other are solved together as linear equations.
 * Source: Kemeny and Snell, "Finite Markov Chains" (1960), chapter III.
 */
function arrivals(nodes) {
  const inflow = new Map([[0, WHOLE]]), ends = [];
  for (const group of components(nodes).reverse()) {
    const inside = new Set(group);
    const arriving = group.map((index) => inflow.get(index) ?? NOTHING);
    const loops = group.length > 1 || nodes[group[0]].edges.has(group[0]);
    const visits = loops ? solved(nodes, group, inside, arriving) : arriving;
    group.forEach((index, place) => {
      const node = nodes[index], often = visits[place];
      if (node.came !== null) ends.push([node.came, often]);
      for (const [target, ways] of node.edges) {
        if (inside.has(target)) continue;
        const more = often.times(new Fraction(ways, node.of));
        inflow.set(target, (inflow.get(target) ?? NOTHING).plus(more));
      }
    });
  }
  return ends;
}

/** Computes the expected number of visits of each position in a group: arrivals, and returns. */
function solved(nodes, group, inside, arriving) {
  const size = group.length;
  if (size > MOST_TOGETHER) throw new TooLarge(`${size} positions lead to each other`);
  if (!group.some((index) => [...nodes[index].edges.keys()].some((target) => !inside.has(target)))) throw new GameError("this may never end");
  const place = new Map(group.map((index, each) => [index, each]));
  const rows = group.map((_, each) => [...Array.from({ length: size }, (__, other) => (each === other ? WHOLE : NOTHING)), arriving[each]]);
  group.forEach((index, from) => {
    for (const [target, ways] of nodes[index].edges) {
      const to = place.get(target);
      if (to !== undefined) rows[to][from] = rows[to][from].minus(new Fraction(ways, nodes[index].of));
    }
  });
  for (let column = 0; column < size; column++) {
    const pivot = rows.findIndex((row, each) => each >= column && row[column].over !== 0n);
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    const lead = rows[column][column];
    rows[column] = rows[column].map((each) => each.by(lead));
    for (let each = 0; each < size; each++) {
      const factor = rows[each][column];
      if (each === column || factor.over === 0n) continue;
      rows[each] = rows[each].map((value, at) => (rows[column][at].over === 0n ? value : value.minus(factor.times(rows[column][at]))));
    }
  }
  return rows.map((row) => row[size]);
}

/** Returns the strongly connected components, each after those it leads to (Tarjan's algorithm without recursion). */
function components(nodes) {
  const order = new Map(), low = [], open = [], onPath = new Set(), found = [];
  const ahead = [[0, nodes[0].edges.keys()]];
  order.set(0, 0);
  low[0] = 0;
  open.push(0);
  onPath.add(0);
  while (ahead.length) {
    const [index, edges] = ahead[ahead.length - 1], next = edges.next();
    if (!next.done) {
      const target = next.value;
      if (!order.has(target)) {
        order.set(target, order.size);
        low[target] = order.get(target);
        open.push(target);
        onPath.add(target);
        ahead.push([target, nodes[target].edges.keys()]);
      } else if (onPath.has(target)) low[index] = Math.min(low[index], order.get(target));
      continue;
    }
    ahead.pop();
    if (ahead.length) {
      const [parent] = ahead[ahead.length - 1];
      low[parent] = Math.min(low[parent], low[index]);
    }
    if (low[index] !== order.get(index)) continue;
    const group = [];
    let each;
    do {
      each = open.pop();
      onPath.delete(each);
      group.push(each);
    } while (each !== index);
    found.push(group);
  }
  return found;
}
