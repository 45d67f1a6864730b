// Reads texts of rolls, and gives each again with what it comes to by some seeds, and its odds.

import { readFileSync } from "node:fs";
import { Generator } from "../../../engine/rulewright/export/js/chance.js";
import { outcomesOf, rollText, rollWith } from "../../../engine/rulewright/export/js/dice.js";
import { rollOf } from "../../../engine/rulewright/export/js/notation.js";

const { sides, texts, seeds } = JSON.parse(readFileSync(0, "utf8"));

function die([count, together]) {
  return [`d${count}`, { name: `d${count}`, faces: Array.from({ length: count }, (_, place) => place + 1), ladder: null, together }];
}

const dice = new Map(sides.map(die));
const found = texts.map((text) => {
  const roll = rollOf(text, dice);
  const made = seeds.map((seed) => rollWith(roll, new Generator(seed, "dice"))).map(({ total, dice }) => [total, dice.map(({ faces }) => faces)]);
  return { text: rollText(roll), made, odds: outcomesOf(roll).map(([outcome, ways, of]) => [outcome, String(ways), String(of)]) };
});
console.log(JSON.stringify(found));
