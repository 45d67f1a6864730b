// Reads texts of rolls, and gives each again with what it comes to by some seeds, and its odds.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { parts, sides, texts, seeds } = JSON.parse(readFileSync(0, "utf8"));
const part = (name) => import(pathToFileURL(`${parts}/${name}.js`));
const [{ Generator }, { outcomesOf, rollText, rollWith }, { rollOf }] = await Promise.all(["chance", "dice", "notation"].map(part));

function die([count, together]) {
  return [`d${count}`, { name: `d${count}`, faces: Array.from({ length: count }, (_, place) => place + 1), ladder: null, together }];
}

const dice = new Map(sides.map(die));
const found = texts.map((text) => {
  const roll = rollOf(text, dice);
  const made = seeds.map((seed) => rollWith(roll, new Generator(seed, "dice"))).map(({ total, faces }) => [total, faces]);
  return { text: rollText(roll), made, odds: outcomesOf(roll).map(([outcome, ways, of]) => [outcome, String(ways), String(of)]) };
});
console.log(JSON.stringify(found));
