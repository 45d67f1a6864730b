// Games between bots, played and counted inside the module. Game number n has the seed `seed`/n, as in Python.

import { thinkerOf } from "./bots.js";
import { GameError, RulesFault } from "../errors.js";
import { plainNumber } from "../json.js";

const SAMPLING = 2, PLAYING = 4, STEP_BY_STEP = 64;
const END = 0, LENGTH = 1, FIGURE = 2;
const MOST_DECISIONS = 1_000_000;
const AT_A_TIME = 20_000;
// Games of random bots run one at a time, with this many decisions between two pauses.
const DECISIONS_A_TRY = 20;

/** Plays games in parts. Yields the progress, and returns the counts of all games. Throws GameError. */
export function played(rules, { bots, players, games = 1000, seed = 0, options = {}, most = MOST_DECISIONS, tries = AT_A_TIME } = {}) {
  for (const [what, number] of [["games", games], ["decisions", most], ["tries", tries]]) {
    if (!Number.isSafeInteger(number) || number < 1) throw new GameError(`the number of ${what} must be a whole number of 1 or more, not ${String(number)}`);
  }
  if (bots !== undefined && !Array.isArray(bots)) throw new GameError(`\`bots\` must be a list with a bot name for each seat, not ${String(bots)}`);
  const count = bots?.length || (players ?? rules.data.players[0]);
  rules.refuse(count, seed, options);
  if (players !== undefined && players !== count) throw new GameError(`there are ${count} bots for ${String(players)} players`);
  const thinkers = (bots?.length ? bots : Array(count).fill("random")).map((name) => thinkerOf(rules, name));
  return pieces(rules, { thinkers, games, seed, most, options: { ...rules.data.simulations, ...options } }, tries);
}

function* pieces(rules, settings, tries) {
  const series = new Series(rules, settings);
  while (!series.goOn(tries)) yield { done: series.done, games: series.games, counts: () => series.counts() };
  return series.counts();
}

class Series {
  #rules;
  #module;
  #held;
  #bytes = null;
  #waits = false;
  #next = 0;

  constructor(rules, { thinkers, games, seed, most, options }) {
    this.#rules = rules;
    this.#module = rules.module;
    this.games = games;
    this.most = most;
    this.places = thinkers.length;
    this.#held = rules.arena.claim();
    rules.enter(this);
    this.#lay(seed, options);
    // Bots other than `random` are asked one by one.
    this.thinks = thinkers.some(({ number }) => number !== 0);
    if (this.thinks) thinkers.forEach((thinker, place) => rules.arena.place(thinker, place));
  }

  /** Stores the common initial state of all games outside of them. */
  #lay(seed, options) {
    const { arena } = this.#rules, module = this.#module, { layout, data } = module;
    module.start(this.places, options);
    const size = 8 * data.fresh[this.places].length;
    const image = new Uint8Array(module.calls.memory.buffer).slice(layout.state, layout.state + size);
    arena.clear();
    module.call("clear_counts", 1);
    const written = new TextEncoder().encode(`s${seed}/`), dice = new TextEncoder().encode("dice");
    this.start = BigInt(data.procedures.findIndex((each) => each.id === data.start));
    this.laid = [arena.put(image), size, this.start, arena.put(written), written.length, arena.put(dice)];
  }

  /** Plays until the share of work is used up. Returns whether all games are over. */
  goOn(tries) {
    const { arena } = this.#rules, module = this.#module;
    arena.refuseOthers(this.#held);
    this.#rules.enter(this);
    module.call("pause_after", BigInt(tries));
    for (let left = tries * DECISIONS_A_TRY; left > 0 && this.#next < this.games;) {
      if (this.thinks) {
        const waits = arena.tried(() => (this.#waits ? module.call("play_on") : this.#play(this.games, SAMPLING)));
        this.#waits = waits !== 0;
        if (waits === 1 && !arena.hear()) return false;
        if (!this.#waits) this.#next = this.games;
      } else {
        this.#play(this.#next + 1, PLAYING);
        this.#next += 1;
        left -= Number(module.get("decisions")) + 1;
      }
    }
    return this.#next >= this.games;
  }

  #play(last, flags) {
    const module = this.#module;
    const play = (first, end, how) => module.call("play_games", ...this.laid, BigInt(first), BigInt(end), BigInt(this.most), BigInt(how));
    try {
      return play(this.#next, last, flags);
    } catch (error) {
      // A fused game does not record where it fails, so it is replayed with the rules recorded.
      if (error instanceof RulesFault && flags === PLAYING) play(this.#next, last, flags | STEP_BY_STEP);
      throw error;
    }
  }

  /** Returns how many games are over. */
  get done() {
    return this.#next === this.games || !this.thinks ? this.#next : Number(this.#module.call("playing", -1n));
  }

  /** Returns their counts. */
  counts() {
    this.#rules.arena.refuseOthers(this.#held);
    const module = this.#module, { places } = this, { data } = module;
    const found = {
      done: this.done,
      games: this.games,
      wins: Array(places).fill(0),
      wins_by_seat: Array(places).fill(0),
      draws: 0,
      unfinished: 0,
      decisions: 0,
      lengths: [],
      decided: [],
      measures: Object.fromEntries(data.measures.map((name) => [name, []])),
      series: Object.fromEntries(data.clocked.map((name) => [name, []])),
    };
    const decided = new Map(), moments = new Map(data.clocked.map((name) => [name, new Map()]));
    for (const [what, one, two, three, times] of this.#rows()) {
      if (what === END) this.#end(found, decided, Number(one), two, three, times);
      else if (what === LENGTH) {
        found.lengths.push([Number(one), times]);
        found.decisions += Number(one) * times;
      } else if (what === FIGURE) found.measures[data.measures[Number(one)]].push([plainNumber(two), times]);
      else {
        const at = moments.get(data.clocked[Number(one)]), [sum, count, squares] = at.get(two) ?? [0n, 0, 0n];
        at.set(two, [sum + three * BigInt(times), count + times, squares + three * three * BigInt(times)]);
      }
    }
    for (const [name, each] of moments) {
      found.series[name] = [...each].map(([moment, [sum, count, squares]]) => [plainNumber(moment), [plainNumber(sum), count, plainNumber(squares)]]);
    }
    found.decided = [...decided].sort(([one], [other]) => one - other).map(([step, times]) => [data.steps[step]?.rule ?? null, times]);
    for (const each of [found.lengths, ...Object.values(found.measures), ...Object.values(found.series)]) {
      each.sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
    }
    return found;
  }

  #end(found, decided, turn, winners, step, times) {
    if (winners < 0n) {
      found.unfinished += times;
      return;
    }
    if (winners === 0n) found.draws += times;
    for (let seat = 0; seat < this.places; seat++) {
      if (!(winners & (1n << BigInt(seat)))) continue;
      found.wins_by_seat[seat] += times;
      // All bots move one seat on with every game.
      found.wins[(turn + seat) % this.places] += times;
    }
    decided.set(Number(step), (decided.get(Number(step)) ?? 0) + times);
  }

  *#rows() {
    const { calls } = this.#module, words = this.#module.read(calls.counts_address(), 5 * Number(calls.counts_rows()));
    for (let at = 0; at < words.length; at += 5) {
      const times = Number(words[at + 4]);
      if (times) yield [Number(words[at]), words[at + 1], words[at + 2], words[at + 3], times];
    }
  }

  // -- sharing memory with other games: see `Game` -------------------------------------------------

  leave() {
    this.#bytes = this.#module.copy();
  }

  arrive() {
    if (this.#bytes !== null) this.#module.restore(this.#bytes);
    this.#bytes = null;
  }
}
