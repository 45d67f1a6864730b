// Replays examples: a recorded game or a single procedure, step by step, from where the viewer can continue otherwise. It
// runs the rules, so the data stays valid as long as the gameplay does.

/** Opens the data of an example. Throws GameError if it does not fit the rules. */
export function openExample(rules, data) {
  const opening = openingExample(rules, data);
  for (;;) {
    const { done, value } = opening.next();
    if (done) return value;
  }
}

/** Opens an example in parts, with a pause after each entry, and returns it. Throws GameError. */
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

  /** Internal: plays the whole example. */
  *opening() {
    const data = this.#data, rules = this.#rules, game = this.#played = rules.begun({ ...this.#settings(), stopAtChance: true, ends: data.events });
    const standing = () => ({ decision: game.decision, choices: game.choices, chance: game.chance });
    this.#stops = [standing()];
    // The number of events at each stop, starting with the first one.
    this.#marks = [game.happened];
    this.#objects = [game.objects];
    for (const entry of data.record) {
      game.repeat(entry);
      this.#marks.push(game.happened);
      this.#objects.push(game.objects);
      this.#stops.push(standing());
      // Narrate as we go, so that this does not take long at the end.
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
      // After simultaneous choices, lines appear only when the last player has chosen.
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

  /** The procedure that is run by itself, or null for a whole game. */
  get procedure() {
    return this.#data.state?.root ?? null;
  }

  /** Returns the moment after `place` steps: `{events, chosen, entry, decision, choices, chance}`. */
  at(place) {
    const { steps } = this, end = this.#data.events;
    if (!Number.isInteger(place) || place < 0 || place > steps.length) throw this.#rules.fault(`this example has ${steps.length} steps; ${String(place)} is none of them`);
    const last = place === steps.length;
    const chosen = place === 0 ? 0 : this.#chosen[place - 1], next = last ? this.#marks.length : this.#chosen[place];
    const stop = next - 1;
    // Between two stops, there is no decision.
    if (next <= chosen || (last && this.#marks[stop] !== end)) {
      return { events: last ? end : steps[place - 1]?.events ?? 0, chosen, entry: null, decision: null, choices: [], chance: null };
    }
    return { events: this.#marks[stop], chosen: stop, entry: this.#data.record[stop] ?? null, ...this.#stops[stop] };
  }

  /** Returns the view of a seat after `place` steps, as `view` of a game does. */
  view(place, seat = 0) {
    const { events, chosen } = this.at(place);
    if (this.#marks[chosen] === events) return this.#played.viewAfter(this.#objects[chosen], events, events, seat);
    // Before the first stop, objects are as they began.
    if (chosen === 0) return this.#played.viewAfter(this.#played.first, 0, events, seat);
    const objects = this.#objects[chosen - 1].map((thing) => thing && [...thing]);
    // No event reports that a drawn card leaves its deck.
    if (this.#data.record[chosen - 1][0] === "chance") {
      objects.forEach((thing, number) => {
        const after = this.#objects[chosen][number];
        if (!thing || !after) return;
        const { fields } = this.#rules.data.kinds[thing[0]];
        fields.forEach(({ name }, at) => { if (name.startsWith("deck.")) thing[at + 1] = after[at + 1]; });
      });
    }
    return this.#played.viewAfter(objects, this.#marks[chosen - 1], events, seat);
  }

  /** Returns the first `chosen` entries of the record. */
  record(chosen) {
    return this.#data.record.slice(0, chosen).map((entry) => [...entry]);
  }

  /** Returns the events from one number up to another, exclusive. */
  events(from, to) {
    return this.#played.log.slice(from, to);
  }

  /**
   * Returns a new game from this moment, or from the next stop. A whole game continues with its own dice; a single
   * procedure uses the dice of `seed`, also for a roll that is due.
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
