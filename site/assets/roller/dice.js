// Converts the rolls of a page, which are trees (see `engine/rulewright/dice/serialize.py`), to rolls of the engine. Values
// are BigInts, because Python's integers have no upper limit.

import { Generator } from "../../../engine/rulewright/export/js/chance.js";
import { groupSize, rollWith } from "../../../engine/rulewright/export/js/dice.js";

export { Generator };

// Equally spaced faces are computed, so that dice with many sides need no memory.
function facesOf(first, last, step) {
  if (Array.isArray(first)) return first.map(BigInt);
  const [low, high, by] = [first, last, step].map(BigInt);
  return { length: Number((high - low) / by) + 1, at: (place) => low + BigInt(place) * by };
}

function dieOf(name, first, last, step) {
  const faces = facesOf(first, last, step), weights = Array.isArray(last) ? last.map(BigInt) : null;
  let ways = 0n;
  return { name, faces, ladder: weights?.map((weight) => (ways += weight)) ?? null, together: groupSize(faces.length) };
}

const PARTS = {
  pool: ([count, name, ...faces]) => ({ count, die: dieOf(name, ...faces) }),
  keep: ([pool, number, end]) => ({ pool: rollOf(pool), number, highest: end === "highest" }),
  negation: ([roll]) => ({ roll: rollOf(roll) }),
  absolute: ([roll]) => ({ roll: rollOf(roll) }),
  product: ([factor, roll]) => ({ factor, roll: rollOf(roll) }),
  comparison: ([operator, left, right]) => ({ operator, left: rollOf(left), right: rollOf(right) }),
  quotient: ([rounding, left, right]) => ({ rounding, left: rollOf(left), right: rollOf(right) }),
  either: ([condition, then, otherwise]) => ({ condition: rollOf(condition), then: rollOf(then), otherwise: rollOf(otherwise) }),
  named: ([names, source, body]) => ({ names, source: rollOf(source), body: rollOf(body) }),
  variable: ([name]) => ({ name }),
  several: ([count, roll]) => ({ count: rollOf(count), roll: rollOf(roll) }),
  group: (members) => ({ members: members.map(([times, roll]) => [times, rollOf(roll)]) }),
  trim: ([pool, low, high]) => ({ pool: rollOf(pool), low, high }),
  count: ([pool, operator, threshold]) => ({ pool: rollOf(pool), operator, threshold: rollOf(threshold) }),
  matching: ([what, pool, number]) => ({ what, pool: rollOf(pool), number }),
};

function rollOf(tree) {
  if (!Array.isArray(tree)) return { is: "constant", value: tree };
  const [is, ...parts] = tree;
  return { is, ...(PARTS[is]?.(parts) ?? { rolls: parts.map(rollOf) }) };
}

/** Rolls a tree. Returns the `total` and the `dice` of each pool in the order rolled. */
export const roll = (tree, generator) => rollWith(rollOf(tree), generator, BigInt);

/** Parses a seed: an integer if it looks like one, otherwise the text. */
export const seedOf = (text) => (/^[+-]?\d+$/.test(text.trim()) ? BigInt(text.trim().replace("+", "")) : text);
