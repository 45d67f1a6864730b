// A game at this table: who sits where, what was chosen, and what the bots do meanwhile. It knows nothing of the page.

import { breath } from "./elements.js";

/** So many choices are made again before the page may draw and hear its reader. */
const SLICE = 12;

export class Session {
  #thinker;
  #turn = 0;
  #choices = [];
  #who = [];

  /** `seats` say who sits where, `{name, bot}`; `changed(what)` is called whenever something has. */
  constructor({ rules, thinker, players, seed, options, seats, changed }) {
    this.rules = rules;
    this.#thinker = thinker;
    this.seats = seats;
    this.changed = changed;
    this.pause = 0;
    this.failed = null;
    this.thinking = 0;
    /** Whether all of it follows from its settings, its seed and its choices, so that a link can hold it. */
    this.follows = true;
    thinker.stop();
    /** Names that players gave themselves, by their seats. */
    this.names = Object.fromEntries(seats.flatMap(({ name }, at) => (name === `Player ${at + 1}` ? [] : [[at + 1, name]])));
    this.game = rules.newGame({ players, seed, options, names: this.names });
  }

  /** The game as `keep` keeps it. */
  get kept() {
    const { players, seed, options } = this.game;
    return { digest: this.rules.digest, players, seed, options, seats: this.seats, choices: [...this.#choices] };
  }

  /** How many have chosen so far. */
  get length() {
    return this.#choices.length;
  }

  /** The seats of people, from 1. */
  get people() {
    return this.seats.flatMap(({ bot }, place) => (bot ? [] : [place + 1]));
  }

  bot(seat) {
    return this.seats[seat - 1].bot;
  }

  name(seat) {
    return this.seats[seat - 1].name;
  }

  /** The decision that a person here is asked, or null. */
  get asked() {
    const { decision } = this.game;
    return decision !== null && !this.bot(decision.player) ? decision : null;
  }

  /** Choose all of this, as it was chosen before. Throws GameError for what cannot be. */
  async again(choices) {
    for (const index of choices) {
      this.#choose(index);
      if (this.length % SLICE === 0) await this.#rest();
    }
  }

  /** The game of a save, from its first decision where its dice are its seed's, else from where it was saved. */
  async from(text) {
    const opened = this.rules.openGame(text, { names: this.names });
    try {
      for (const [what, id] of opened.record) {
        if (what !== "choose") continue;
        this.#choose(this.game.decision.options.findIndex((option) => option.id === id));
        if (this.length % SLICE === 0) await this.#rest();
      }
    } catch {
      this.follows = false;
    }
    this.follows &&= this.game.save() === opened.save();
    if (this.follows) return;
    this.game = opened;
    this.#choices = [];
    this.#who = [];
  }

  /** Let the page draw. What happened so far is told by then, so that not all of it is left for the end. */
  async #rest() {
    this.game.lines({ since: Infinity });
    await breath();
  }

  #choose(index) {
    const { player } = this.game.decision;
    this.game.choose(index);
    this.#choices.push(index);
    this.#who.push(player);
  }

  /** Take an option, by its index, and let the bots go on. Throws RulesFault where the rules are at fault. */
  take(index) {
    this.#turn += 1;
    this.#choose(index);
    this.changed("taken");
    return this.go();
  }

  /** Leave the table. */
  leave() {
    this.#turn += 1;
    this.#thinker.stop();
  }

  /** Take back what was chosen last, and further to the last decision of a person. */
  undo() {
    this.#turn += 1;
    this.thinking = 0;
    this.#thinker.stop();
    let back = false;
    while (this.game.undo()) {
      back = true;
      this.#choices.pop();
      this.#who.pop();
      if (!this.people.length || this.asked !== null) break;
    }
    this.failed = null;
    if (back) this.changed("undone");
    return back;
  }

  /** Whether there is something to take back. */
  get canUndo() {
    return this.people.length ? this.#who.some((seat) => !this.bot(seat)) : this.#who.length > 0;
  }

  /** Let bots choose for as long as they are asked. */
  async go() {
    const turn = ++this.#turn;
    this.failed = null;
    while (turn === this.#turn) {
      const { decision } = this.game;
      if (decision === null || !this.bot(decision.player)) break;
      const seat = decision.player;
      if (this.thinking !== seat) {
        this.thinking = seat;
        this.changed("thinking");
      }
      let index;
      try {
        const asked = this.#who.filter((each) => each === seat).length;
        const think = this.#thinker.think({ save: this.game.save(), bot: this.bot(seat), seed: this.game.seed, seat, asked });
        [index] = await Promise.all([think, this.pause ? breath(this.pause) : null]);
        if (turn !== this.#turn) return;
        this.#choose(index);
      } catch (error) {
        if (turn !== this.#turn) return;
        this.failed = error;
        break;
      }
      this.changed("taken");
    }
    if (turn !== this.#turn) return;
    this.thinking = 0;
    this.changed("waiting");
  }
}
