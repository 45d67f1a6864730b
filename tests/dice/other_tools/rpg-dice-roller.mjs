// The exact odds of rolls by `@dice-roller/rpg-dice-roller`, from every way in which its dice can fall.
//
// Given a JSON list of [roll, most dice], prints a list of {rest, odds}: chances as [numerator, denominator] in text, the
// rest being all ways that take more dice.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const { DiceRoll, NumberGenerator } = createRequire(new URL("../../site/package.json", import.meta.url))("@dice-roller/rpg-dice-roller");

class TooLong extends Error {}

function odds(written, most) {
  const found = new Map(), way = [];
  let taken = 0, rest = [0n, 1n];
  NumberGenerator.generator.integer = (least, greatest) => {
    if (taken === way.length) {
      if (taken === most) throw new TooLong();
      way.push([0, greatest - least + 1]);
    }
    return least + way[taken++][0];
  };
  const plus = ([a, b], ways) => (b % ways === 0n ? [a + b / ways, b] : ways % b === 0n ? [a * (ways / b) + 1n, ways] : [a * ways + b, b * ways]);
  for (;;) {
    taken = 0;
    let total = null;
    try {
      total = new DiceRoll(written).total;
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
    }
    const ways = way.reduce((product, [, number]) => product * BigInt(number), 1n);
    if (total === null) rest = plus(rest, ways);
    else found.set(total, plus(found.get(total) ?? [0n, 1n], ways));
    while (way.length && way[way.length - 1][0] === way[way.length - 1][1] - 1) way.pop();
    if (!way.length) break;
    way[way.length - 1][0] += 1;
  }
  return { rest: rest.map(String), odds: [...found].map(([total, chance]) => [total, ...chance.map(String)]) };
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(([written, most]) => odds(written, most))));
