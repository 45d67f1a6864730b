// Rules with parameters, and their odds. For modules that were compiled for it.

import { Parameters } from "./parameters.js";
import { weighing } from "./odds.js";
import { GameError } from "../errors.js";
import { serveBots } from "../bots/worker.js";

export class Trial {
  #rules;
  #figures;

  constructor(rules) {
    this.#rules = rules;
    this.#figures = new Parameters(rules.module);
  }

  /** The parameters with their current values. */
  get figures() { return this.#figures.all; }

  /** Sets these values by path and resets all others, for games that begin later. Throws GameError. */
  change(values) {
    this.#rules.alone();
    this.#figures.change(values);
  }

  /** The odds that can be computed, each with its id, its procedure and its questions. */
  get odds() {
    return this.#rules.data.odds.map(({ id, of, questions }) => ({ id, of, asked: questions.map(({ asked }) => asked) }));
  }

  /**
   * Computes odds: a generator that yields the progress and returns the answers. `options` replaces the settings of the
   * example. Throws GameError.
   */
  weigh(id, limits = {}) {
    const rules = this.#rules, odds = rules.data.odds.find((each) => each.id === id);
    if (odds === undefined) throw new GameError(`there are no odds \`${id}\` here`);
    const { options = {} } = limits, [{ fields }] = rules.data.kinds, [game, ...others] = odds.objects;
    const chosen = (name = "") => (name.startsWith("options.") ? options[name.slice("options.".length)] : undefined);
    const set = game.map((value, place) => chosen(fields[place - 1]?.name) ?? value);
    return weighing(rules, { ...odds, objects: [set, ...others] }, { ...limits, alone: () => rules.alone() });
  }
}

const trials = new WeakMap();

function trialOf(rules) {
  if (!trials.has(rules)) trials.set(rules, new Trial(rules));
  return trials.get(rules);
}

function* changed(rules, { values = {} }) {
  trialOf(rules).change(values);
  return { figures: trialOf(rules).figures };
}

/**
 * Answers the messages of `serveBots`, and: {kind: "change", id, values} sets these parameters and resets all others;
 * {kind: "odds", id, of, options, limits} is answered with the progress, and at last with the odds.
 */
export function serveTrials(scope) {
  serveBots(scope, { change: changed, odds: (rules, { of, options, limits }) => trialOf(rules).weigh(of, { ...limits, options }) });
}
