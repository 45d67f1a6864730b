// What lies on the table: what each player has, as a table of figures.

import { element, pretty } from "./elements.js";

export class Tabletop {
  constructor(place, { rules, table, pick, point }) {
    Object.assign(this, { place, rules, table, pick, point });
    this.kind = rules.data.kinds.find(({ id }) => id === "player");
  }

  /** Show a game as `seat` may see it: what is hidden is told to nobody here. */
  show({ game, decision }) {
    const state = game.toJSON();
    const players = Object.values(state.objects).filter(([kind]) => kind === "player").slice(0, game.players);
    const shown = this.kind.fields
      .map((field, at) => ({ field, at: at + 1 }))
      .filter(({ field, at }) => !field.hidden && players.every((player) => ["number", "string", "boolean"].includes(typeof player[at])));
    const cell = (value) => (typeof value === "boolean" ? (value ? "yes" : "no") : String(value));
    const body = players.map((player, seat) => element("tr", { class: decision?.player === seat + 1 ? "rw-play__asked" : null },
      element("th", { scope: "row" }, `Player ${seat + 1}`), ...shown.map(({ at }) => element("td", {}, cell(player[at]))),
    ));
    this.place.replaceChildren(element("table", { class: "rw-table" },
      element("caption", {}, "On the table"),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Player"), ...shown.map(({ field }) => element("th", { scope: "col" }, pretty(this.rules.data.terms[this.rules.data.counted[field.name]]?.plural ?? field.name))))),
      element("tbody", {}, ...body),
    ));
  }

  mark() {}
}
