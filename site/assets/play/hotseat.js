// Where something is hidden and several people share the screen, it covers itself when the one before it changes.

import { button, element } from "./elements.js";

export class Hotseat {
  #there = null;
  #lifted = null;

  /** `cover` holds the sheet, `table` is what it covers. */
  constructor(cover, table) {
    this.cover = cover;
    this.table = table;
  }

  /** The seat that the screen may show everything to: 0 for whoever looks on. */
  viewer(session) {
    const { people } = session;
    if (people.length === 1) return people[0];
    return this.#there ?? 0;
  }

  /** Cover the table if somebody else is to look at it now; `shown` is called when they say they are there. */
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
    const here = button(`${name} is here`, () => this.#lifted(), { class: "rw-play__button rw-play__button--main" });
    this.cover.replaceChildren(
      element("h2", { class: "rw-play__head" }, `Hand the screen to ${name}`),
      element("p", {}, "What the others hold is not for them to see. The table is covered until they say that they are there."),
      element("p", { class: "rw-play__buttons" }, here),
    );
    this.cover.hidden = false;
    this.table.hidden = true;
    here.focus();
    return true;
  }

  /** Nobody is there any more, as when a game begins. */
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
