// Animated dice: the results since the table was last drawn.

import { make, shape, words } from "./signs.js";
import { figure, say } from "./say.js";

// The maximum number of rolls on the table, and of dice per roll.
const MOST_ROLLS = 4;
const MOST_DICE = 24, FEW_DICE = 6;
const SIZE = 40;
// Matches the dice in a notation: `2d6`, or `dP` for custom dice.
const SIDES = /d(\d+|[A-Z]\w*)/g;

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/**
 * Returns the rolls among events, with their faces if the viewer may see them. `record` is the game's record. `draws` are
 * the steps that draw cards: the event of a hidden card only has its step.
 */
export function rollsIn(events, record, draws) {
  const chances = record.filter(([what]) => what === "chance");
  const happened = events.filter(({ data, rule }) => isRoll(data) || "card" in data || (draws.has(rule) && !Object.keys(data).length));
  return happened.flatMap(({ data, rule }, place) => {
    // Events and record end at the same moment, so count backwards.
    const [, total, groups] = chances[chances.length - happened.length + place] ?? [];
    if (!isRoll(data)) return [];
    const open = "total" in data && String(data.total) === String(total);
    const sides = [...data.roll.matchAll(SIDES)].map((found) => found[1]);
    // Examples may only give the total.
    const dice = open && groups ? groups.flatMap((faces, group) => faces.map((face) => ({ face, side: sides[Math.min(group, sides.length - 1)] ?? "" }))) : [];
    return [{ dice, roll: data.roll, total: open ? data.total : null, row: open ? (data.row ?? null) : null, rule }];
  });
}

const isRoll = (data) => typeof data.roll === "string";

/** Draws a die: with pips if it has six sides, otherwise with its number and shape. */
export function die(face, side, name = "") {
  const six = side === "6" && PIPS[face] !== undefined;
  const svg = shape("svg", { class: `rw-die${six ? "" : " rw-die--other"}${name}`, viewBox: "-20 -20 40 40", width: SIZE, height: SIZE, "aria-hidden": "true" });
  if (six) {
    svg.append(shape("rect", { x: -17, y: -17, width: 34, height: 34, rx: 7 }));
    svg.append(...PIPS[face].map(([x, y]) => shape("circle", { cx: x * 9, cy: y * 9, r: 3.4 })));
    return svg;
  }
  svg.append(shape("polygon", { points: "0,-19 17.5,-8 17.5,8 0,19 -17.5,8 -17.5,-8" }));
  svg.append(words(0, side === "" ? 5 : 3.5, face === null ? "?" : String(face), 14));
  if (side !== "") svg.append(words(0, 12.5, `d${side}`, 7, "rw-die__side"));
  return svg;
}

/** The tray of recent rolls, the newest first. New rolls are animated. Shown if the rules have any roll. */
export class Tray {
  constructor(rolls) {
    this.element = make("ul", { class: "rw-desk__dice", "aria-label": say("Dice"), "data-empty": say("No dice have been rolled yet.") });
    this.element.hidden = !rolls;
  }

  clear() {
    this.element.replaceChildren();
  }

  /** `named` describes the result of a roll, and `cause` what it was for. */
  fall(rolls, { named, cause }) {
    if (!rolls.length) return;
    const items = rolls.slice(-MOST_ROLLS).map(({ dice, roll, total, row, rule }) => {
      const shown = dice.slice(0, MOST_DICE).map(({ face, side }) => die(face, side));
      if (!dice.length && total === null) shown.push(die(null, ""));
      shown.forEach((each, place) => each.style.setProperty("--turn", place % 12));
      const sum = total === null ? null : make("b", { class: "rw-desk__total" }, make("span", { "aria-hidden": "true" }, "= "), figure(total));
      const more = dice.length > MOST_DICE ? make("span", { "aria-hidden": "true" }, say("… and %(count)s more", { count: dice.length - MOST_DICE })) : null;
      const faces = make("span", { class: `rw-desk__faces${shown.length > FEW_DICE ? " rw-desk__faces--many" : ""}` }, ...shown, more, sum);
      const came = total === null ? `: ${say("face down")}` : row === null ? "" : `: ${named(rule, row)}`;
      const told = make("span", { class: "rw-desk__rolled" }, make("span", {}, `${roll}${came}`), make("small", {}, cause(rule)));
      return make("li", {}, faces, told);
    });
    this.element.replaceChildren(...items.reverse());
  }
}
