// Rules whose figures may be others, with the odds that can be asked of them: for modules that were made for it.

import { Parameters } from "./parameters.js";
import { weighing } from "./odds.js";
import { GameError } from "../json.js";
import { serveBots } from "../bots/worker.js";

export class Trial {
  #rules;
  #figures;

  constructor(rules) {
    this.#rules = rules;
    this.#figures = new Parameters(rules.module);
  }

  /** The figures that may be others than are published. */
  get figures() { return this.#figures.all; }

  /** Have these figures, by path, and all others as they are published: in games that begin from now on. Throws GameError. */
  change(values) {
    this.#rules.alone();
    this.#figures.change(values);
  }

  /** The odds that can be asked here: each by its id, with the procedure it is of and what is asked of its end. */
  get odds() {
    return this.#rules.data.odds.map(({ id, of, questions }) => ({ id, of, asked: questions.map(({ asked }) => asked) }));
  }

  /**
   * Works odds out, bit by bit: a generator, which tells how far it is, and returns the answers. `options` are settings
   * that are to be other ones than where the procedure starts. Throws GameError.
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
 * What `serveBots` answers, and besides {kind: "change", id, values}, which has these figures and all others as published,
 * and {kind: "odds", id, of, options, limits}, which is answered by how far it is, and by the odds at last.
 */
export function serveTrials(scope) {
  serveBots(scope, { change: changed, odds: (rules, { of, options, limits }) => trialOf(rules).weigh(of, { ...limits, options }) });
}
