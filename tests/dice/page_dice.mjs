// Rolls in Node as a page rolls: one job in each line of the standard input, its answer in a line of the standard output.

import { createInterface } from "node:readline";

import { shake } from "../../engine/rulewright/export/js/chance.js";
import { Generator, roll, seedOf } from "../../site/assets/roller/dice.js";

const numberOf = ([kind, seed]) => (kind === "int" ? BigInt(seed) : seed);
const TASKS = {
  roll: ({ tree, seeds, times }) =>
    seeds.map((seed) => {
      const generator = new Generator(numberOf(seed));
      return Array.from({ length: times }, () => {
        const { total, dice } = roll(tree, generator);
        return [String(total), dice.map(({ faces, kept }) => [faces.map(String), kept]), generator.index];
      });
    }),
  below: ({ number, times }) => {
    const generator = new Generator(7n);
    return [Array.from({ length: times }, () => generator.below(number)), generator.index];
  },
  word: ({ seed, stream }) => new Generator(numberOf(seed), stream).word(),
  typed: ({ typed }) => new Generator(seedOf(typed)).word(),
  shake: ({ bytes }) => shake(Uint8Array.from(bytes)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { task, ...parts } = JSON.parse(line);
  console.log(JSON.stringify(TASKS[task](parts)));
}
