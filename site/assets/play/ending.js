// The end of a game: the winner, the rule that ended it, the final values, and the next actions.

import { button, element } from "./elements.js";
import { figure, say } from "./say.js";

/** Returns the numeric values of players as columns of a table, without columns that are empty for all. */
function figuresOf(game, shown) {
  const { players } = game.view("everything"), columns = new Map();
  for (const { seat, fields } of players) {
    for (const { name, title, type, value } of fields) {
      if (type !== "number" || shown.hide.includes(name) || (shown.show !== null && !shown.show.includes(name))) continue;
      if (!columns.has(name)) columns.set(name, { title, values: new Map() });
      columns.get(name).values.set(seat, value);
    }
  }
  return { players, columns: [...columns.values()].filter(({ values }) => [...values.values()].some((value) => value !== 0)) };
}

/** Returns a sentence that names the winners. */
export function wonBy(game) {
  const names = game.result.winners.map((seat) => game.nameOf(seat));
  if (!names.length) return say("The game is over, and nobody has won.");
  const who = names.join(` ${say("and")} `);
  return names.length > 1 ? say("The game is over: %(who)s win.", { who }) : say("The game is over: %(who)s wins.", { who });
}

/** Creates the sheet. `home(rule)` links to a rule. `again(same)` starts a new game with the same seed or another. */
export function ending(game, { table, home, again, link, another }) {
  const choices = game.record.filter(([what]) => what === "choose").length, rolls = game.record.length - choices;
  const last = game.log.findLast(({ data }) => "winners" in data);
  const where = last === undefined ? null : home(last.rule);
  const { players, columns } = figuresOf(game, table.kinds.player);
  return [
    element("p", {}, say("Choices: %(choices)s. Rolls and cards: %(rolls)s.", { choices, rolls }), ...(where === null ? [] : [" ", say("What ended it:"), " ", where, "."])),
    columns.length
      ? element("table", { class: "rw-play__figures" },
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, say("Player")), ...columns.map(({ title }) => element("th", { scope: "col" }, title)))),
        element("tbody", {}, ...players.map(({ seat, label }) => element("tr", { class: game.result.winners.includes(seat) ? "rw-play__won" : null },
          element("th", { scope: "row" }, label), ...columns.map(({ values }) => element("td", {}, figure(values.get(seat) ?? "")))))))
      : null,
    element("p", { class: "rw-play__buttons" },
      button(say("Play again"), () => again(false), { class: "rw-play__button rw-play__button--main" }),
      button(say("Play again with the same dice"), () => again(true)),
      button(say("Share this game"), link),
      button(say("New game"), another),
    ),
  ].filter((each) => each !== null);
}
