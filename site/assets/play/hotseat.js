// Hot seat: if information is hidden and several people share the screen, the table is covered between their turns.

import { button, element, mayFocus } from "./elements.js";
import { say } from "./say.js";

export class Hotseat {
  #there = null;
  #lifted = null;

  /** `cover` contains the sheet that hides `table`. */
  constructor(cover, table) {
    this.cover = cover;
    this.table = table;
  }

  /** The seat whose view may be shown; 0 for a spectator. */
  viewer(session) {
    const { people } = session;
    if (people.length === 1) return people[0];
    return this.#there ?? 0;
  }

  /** Covers the table if another person is next. Calls `shown` when they confirm. */
  turn(session, shown) {
    const { asked, people } = session;
    if (asked === null || people.length < 2 || asked.player === this.#there) return false;
    this.#there = null;
    this.#lifted = () => {
      this.#there = asked.player;
      this.lift();
      shown();
    };
    const name = session.name(asked.player);
    const here = button(say("%(name)s is here", { name }), () => this.#lifted(), { class: "rw-play__button rw-play__button--main" });
    this.cover.replaceChildren(
      element("h2", { class: "rw-play__head" }, say("Hand the screen to %(name)s", { name })),
      element("p", {}, say("The table stays covered until they confirm that they are here, so that nobody sees hidden information of others.")),
      element("p", { class: "rw-play__buttons" }, here),
    );
    this.cover.hidden = false;
    this.table.hidden = true;
    if (mayFocus()) here.focus();
    return true;
  }

  /** Forgets the current viewer, for example when a game begins. */
  leave() {
    this.#there = null;
    this.lift();
  }

  lift() {
    this.cover.hidden = true;
    this.table.hidden = false;
    this.cover.replaceChildren();
  }

  get covered() {
    return !this.cover.hidden;
  }
}
