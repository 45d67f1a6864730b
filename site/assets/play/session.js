// A running game: seats, choices and bots. Independent of the page.

import { breath } from "./elements.js";
import { say } from "./say.js";

/** The number of choices to replay before the page may render and handle input. */
const SLICE = 12;

export class Session {
  #thinker;
  #turn = 0;
  #choices = [];
  #who = [];

  /** `seats` are `{name, bot}` each. `changed(what)` is called after every change. */
  constructor({ rules, thinker, players, seed, options, seats, changed }) {
    this.rules = rules;
    this.#thinker = thinker;
    this.seats = seats;
    this.changed = changed;
    this.pause = 0;
    this.failed = null;
    this.thinking = 0;
    /** Whether settings, seed and choices determine the game, so that a link can contain it. */
    this.follows = true;
    thinker.stop();
    /** The players' own names, by seat. */
    this.names = Object.fromEntries(seats.flatMap(({ name }, at) => (name === say("Player %(seat)s", { seat: at + 1 }) ? [] : [[at + 1, name]])));
    this.game = rules.newGame({ players, seed, options, names: this.names });
  }

  /** The game as data for `keep`. */
  get kept() {
    const { players, seed, options } = this.game;
    return { digest: this.rules.digest, players, seed, options, seats: this.seats, choices: [...this.#choices] };
  }

  /** The number of choices so far. */
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

  /** The decision of a person at this screen, or null. */
  get asked() {
    const { decision } = this.game;
    return decision !== null && !this.bot(decision.player) ? decision : null;
  }

  /** Repeats choices. Throws GameError if one is impossible. */
  async again(choices) {
    for (const index of choices) {
      this.#choose(index);
      if (this.length % SLICE === 0) await this.#rest();
    }
  }

  /** Opens a save: from its first decision if its seed determines it, otherwise from the saved position. */
  async from(text) {
    const opened = this.rules.openGame(text, { names: this.names, verify: false });
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

  /** Lets the page render. Narrate as we go, so that this does not take long at the end. */
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

  /** Takes an option by index, and lets the bots continue. Throws RulesFault if the rules fail. */
  take(index) {
    this.#turn += 1;
    this.#choose(index);
    this.changed("taken");
    return this.go();
  }

  /** Leaves the game. */
  leave() {
    this.#turn += 1;
    this.#thinker.stop();
  }

  /** Undoes the last choice, and others back to the last decision of a person. */
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

  /** Whether there is anything to undo. */
  get canUndo() {
    return this.people.length ? this.#who.some((seat) => !this.bot(seat)) : this.#who.length > 0;
  }

  /** Lets bots choose as long as it is their turn. */
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
