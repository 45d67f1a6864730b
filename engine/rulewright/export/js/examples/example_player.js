// What was played before, to be gone through again: a game or one procedure alone, told step by step, and left wherever
// somebody would rather choose or roll otherwise. It asks the rules alone, and so can be read long after them.

/** What was played before, to be gone through again: a game, or one procedure from a state of its own. Throws GameError. */
export function openExample(rules, data) {
  const opening = openingExample(rules, data);
  for (;;) {
    const { done, value } = opening.next();
    if (done) return value;
  }
}

/** Opens it in pieces, with a pause after each choice and each result: what it comes to is the example. Throws GameError. */
export function* openingExample(rules, data) {
  const example = new Example(rules, data);
  yield* example.opening();
  return example;
}

class Example {
  #rules;
  #data;
  #played;
  #marks;
  #objects;
  #stops;
  #chosen;

  constructor(rules, data) {
    this.#rules = rules;
    this.#data = data;
  }

  /** Not for others: go through all of it. */
  *opening() {
    const data = this.#data, rules = this.#rules, game = this.#played = rules.begun({ ...this.#settings(), stopAtChance: true });
    const standing = () => ({ decision: game.decision, choices: game.choices, chance: game.chance });
    this.#stops = [standing()];
    // How many events had happened at each stop, from the first one on.
    this.#marks = [game.happened];
    this.#objects = [game.objects];
    for (const entry of data.record) {
      game.repeat(entry);
      this.#marks.push(game.happened);
      this.#objects.push(game.objects);
      this.#stops.push(standing());
      // What happened so far is told by then, so that not all of it is left for the end.
      game.lines({ since: Infinity });
      yield;
    }
    if (game.happened < data.events) throw rules.fault("this example tells more than happens by these rules");
    const lines = data.shown === undefined ? game.lines() : data.shown.map((number) => game.line(number));
    this.steps = [];
    this.#chosen = [];
    const add = (step, chosen) => {
      this.steps.push(step);
      this.#chosen.push(chosen);
    };
    this.#marks.forEach((mark, stop) => {
      const here = lines.filter(({ events }) => events <= Math.min(mark, data.events) && (stop === 0 || events > this.#marks[stop - 1]));
      here.forEach((step) => add(step, stop));
      // Where several choose at once, nothing is told before the last of them has chosen.
      const question = this.#stops[stop - 1]?.decision;
      if (question && !here.length && mark <= data.events) add({ ...this.#silent(question), events: mark }, stop);
    });
  }

  #silent({ player, rule }) {
    const said = `Player ${player} has chosen.`;
    return { text: said, pieces: [said], rule };
  }

  #settings() {
    const { players, seed = 0, options = {}, state = null } = this.#data;
    return { players, seed, options, stage: state };
  }

  get players() {
    return this.#data.players;
  }

  /** The procedure that is carried out alone; null for a whole game. */
  get procedure() {
    return this.#data.state?.root ?? null;
  }

  /** How it stands when so many steps have been told: `{events, chosen, entry, decision, choices, chance}`. */
  at(place) {
    const { steps } = this, end = this.#data.events;
    if (!Number.isInteger(place) || place < 0 || place > steps.length) throw this.#rules.fault(`this example has ${steps.length} steps; ${String(place)} is none of them`);
    const last = place === steps.length;
    const chosen = place === 0 ? 0 : this.#chosen[place - 1], next = last ? this.#marks.length : this.#chosen[place];
    const stop = next - 1;
    // In the middle of what follows from a choice or a roll, nobody is asked anything.
    if (next <= chosen || (last && this.#marks[stop] !== end)) {
      return { events: last ? end : steps[place - 1]?.events ?? 0, chosen, entry: null, decision: null, choices: [], chance: null };
    }
    return { events: this.#marks[stop], chosen: stop, entry: this.#data.record[stop] ?? null, ...this.#stops[stop] };
  }

  /** What somebody saw when so many steps were told, as `view` of a game tells it. */
  view(place, seat = 0) {
    const { events, chosen } = this.at(place);
    if (this.#marks[chosen] === events) return this.#played.viewAfter(this.#objects[chosen], events, events, seat);
    // Before the first stop, what lies there is as it began.
    if (chosen === 0) return this.#played.viewAfter(this.#played.first, 0, events, seat);
    const objects = this.#objects[chosen - 1].map((thing) => thing && [...thing]);
    // A card that is drawn leaves its deck without a word.
    if (this.#data.record[chosen - 1][0] === "chance") {
      const { fields } = this.#rules.data.kinds[0];
      fields.forEach(({ name }, at) => { if (name.startsWith("deck.")) objects[0][at + 1] = this.#objects[chosen][0][at + 1]; });
    }
    return this.#played.viewAfter(objects, this.#marks[chosen - 1], events, seat);
  }

  /** The first so many choices and results. */
  record(chosen) {
    return this.#data.record.slice(0, chosen).map((entry) => [...entry]);
  }

  /** The events from one number on, up to another that is not among them. */
  events(from, to) {
    return this.#played.log.slice(from, to);
  }

  /**
   * A game of one's own that stands there, or at the next stop after it. Of a whole game, its own dice go on; where one
   * procedure is carried out alone, those of `seed`, with which a roll that stands is made, too.
   */
  leave(place, { seed = 0 } = {}) {
    const { chosen } = this.at(place);
    if (this.procedure === null) {
      const game = this.#rules.newGame(this.#settings());
      for (const [what, id] of this.#data.record.slice(0, chosen)) if (what === "choose") game.choose(id);
      return game;
    }
    const game = this.#rules.begun({ ...this.#settings(), seed, stopAtChance: true });
    for (const entry of this.#data.record.slice(0, chosen)) game.repeat(entry);
    game.goOn();
    return game;
  }
}
