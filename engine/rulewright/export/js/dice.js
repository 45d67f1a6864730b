// Rolls: formatting, rolling with a record of every die, distributions, and conversion from and to memory.

import { GameError } from "./errors.js";

const COMPARISONS = [">", ">=", "<", "<=", "==", "!="];
const ROUNDINGS = ["down", "up", "nearest", "truncate"];
const MATCHES = ["alike", "sets", "different", "run"];
const TOGETHER = ["pool", "keep", "trim", "group"];

const holds = (operator, left, right) =>
  [left > right, left >= right, left < right, left <= right, left === right, left !== right][COMPARISONS.indexOf(operator)];
const added = (values) => values.reduce((total, each) => total + each, 0);

/** Returns a kind of die from its words in memory. `at` reads a number of words from an address. */
export function dieFrom(words, name, at) {
  const [count, first, step, listed, ladder, together] = words;
  const faces = listed ? at(listed, count) : Array.from({ length: count }, (_, place) => first + place * step);
  return { name, faces, ladder: ladder ? at(ladder, count) : null, together };
}

const GROUP_OUTCOMES = 1296;

/** Returns how many dice with this number of faces are drawn together. */
export function groupSize(faces) {
  let size = 1;
  while (faces > 1 && faces ** (size + 1) <= GROUP_OUTCOMES) size += 1;
  return size;
}

/** Returns a die with the sides 1 to `sides`. */
export function plainDie(name, sides) {
  return { name, faces: Array.from({ length: sides }, (_, place) => 1 + place), ladder: null, together: groupSize(sides) };
}

const PARTS = {
  constant: ([value]) => ({ value }),
  pool: ([count, die], node, dice) => ({ count, die: dice(die) }),
  keep: ([pool, number, highest], node) => ({ pool: node(pool), number, highest: highest !== 0 }),
  sum: (parts, node) => ({ rolls: parts.map(node) }),
  negation: ([inner], node) => ({ roll: node(inner) }),
  product: ([factor, inner], node) => ({ factor, roll: node(inner) }),
  maximum: (parts, node) => ({ rolls: parts.map(node) }),
  minimum: (parts, node) => ({ rolls: parts.map(node) }),
  comparison: ([operator, left, right], node) => ({ operator: COMPARISONS[operator], left: node(left), right: node(right) }),
  absolute: ([inner], node) => ({ roll: node(inner) }),
  multiplied: (parts, node) => ({ rolls: parts.map(node) }),
  quotient: ([left, right, rounding], node) => ({ left: node(left), right: node(right), rounding: ROUNDINGS[rounding] }),
  either: ([condition, then, otherwise], node) => ({ condition: node(condition), then: node(then), otherwise: node(otherwise) }),
  variable: ([name], node, dice, word) => ({ name: word(name) }),
  named: ([source, body, ...names], node, dice, word) => ({ names: names.map(word), source: node(source), body: node(body) }),
  several: ([count, inner], node) => ({ count: node(count), roll: node(inner) }),
  group: (parts, node) => ({
    members: parts.filter((_, place) => place % 2 === 0).map((times, place) => [times, node(parts[2 * place + 1])]),
  }),
  trim: ([pool, low, high], node) => ({ pool: node(pool), low, high }),
  count: ([operator, pool, threshold], node) => ({ operator: COMPARISONS[operator], pool: node(pool), threshold: node(threshold) }),
  matching: ([what, pool, number], node) => ({ what: MATCHES[what], pool: node(pool), number }),
};

/** Returns the roll in a memory block, from its kind and its parts, which follow its mean and its dice. */
export function rollFrom(kind, parts, node, dice, word) {
  return { is: kind, ...PARTS[kind](parts, node, dice, word) };
}

/** Returns the parts of the memory block for a roll: the inverse of `rollFrom`. */
export function partsOf(roll, node, die, word) {
  switch (roll.is) {
    case "constant": return [roll.value];
    case "pool": return [roll.count, die(roll.die)];
    case "keep": return [node(roll.pool), roll.number, Number(roll.highest)];
    case "negation": case "absolute": return [node(roll.roll)];
    case "product": return [roll.factor, node(roll.roll)];
    case "comparison": return [COMPARISONS.indexOf(roll.operator), node(roll.left), node(roll.right)];
    case "quotient": return [node(roll.left), node(roll.right), ROUNDINGS.indexOf(roll.rounding)];
    case "either": return [node(roll.condition), node(roll.then), node(roll.otherwise)];
    case "variable": return [word(roll.name)];
    case "named": return [node(roll.source), node(roll.body), ...roll.names.map(word)];
    case "several": return [node(roll.count), node(roll.roll)];
    case "group": return roll.members.flatMap(([times, inner]) => [times, node(inner)]);
    case "trim": return [node(roll.pool), roll.low, roll.high];
    case "count": return [COMPARISONS.indexOf(roll.operator), node(roll.pool), node(roll.threshold)];
    case "matching": return [MATCHES.indexOf(roll.what), node(roll.pool), roll.number];
  }
  return roll.rolls.map(node);
}

// -- text ----------------------------------------------------------------------------------------

const countOf = (pool) => (pool.is === "pool" ? pool.count : added(pool.members.map(([times]) => times)));
const braced = (group) => group.members.length > 1 || group.members[0][0] === 1;
const isDie = (roll) => roll.is === "pool" && roll.count === 1;

/** Formats a roll in dice notation: `2d6 +6`. */
export function rollText(roll) {
  switch (roll.is) {
    case "constant": return String(roll.value);
    case "pool": return `${roll.count}${roll.die.name}`;
    case "keep": return `${rollText(roll.pool)}${roll.highest ? "kh" : "kl"}${roll.number}`;
    case "sum": return term(roll.rolls[0]) + roll.rolls.slice(1).map(signed).join("");
    case "negation": return `-${operand(roll.roll)}`;
    case "product": return `${roll.factor} * ${operand(roll.roll)}`;
    case "maximum": return `max(${roll.rolls.map(rollText).join(", ")})`;
    case "minimum": return `min(${roll.rolls.map(rollText).join(", ")})`;
    case "comparison": return `${side(roll.left)} ${roll.operator} ${side(roll.right)}`;
    case "absolute": return `abs(${rollText(roll.roll)})`;
    case "multiplied": return roll.rolls.map(operand).join(" * ");
    case "quotient": return `${roll.rounding}(${operand(roll.left)} / ${operand(roll.right)})`;
    case "either": return `${bare(roll.then)} if ${bare(roll.condition)} else ${rollText(roll.otherwise)}`;
    case "variable": return roll.name;
    case "named": {
      const sides = sidedText(roll);
      if (sides !== null) return sides;
      const one = oneName(roll.names, roll.body);
      if (one !== null) return `${bare(roll.source)} as ${one}: ${byOneName(roll.names, one, roll.body)}`;
      return `${bare(roll.source)} as ${roll.names.join(", ")}: ${rollText(roll.body)}`;
    }
    case "several":
      return isDie(roll.roll)
        ? `(${rollText(roll.count)})${roll.roll.die.name}`
        : `${operand(roll.count)} times ${operand(roll.roll)}`;
    case "group": return groupText(roll.members);
    case "trim": {
      const chosen = roll.pool.is === "pool" || braced(roll.pool) ? rollText(roll.pool) : `{${rollText(roll.pool)}}`;
      if (roll.low && roll.high) return `${chosen}dl${roll.low}dh${roll.high}`;
      return `${chosen}${roll.low ? "kh" : "kl"}${countOf(roll.pool) - roll.low - roll.high}`;
    }
    case "count": return `count(${rollText(roll.pool)} ${roll.operator} ${rollText(roll.threshold)})`;
    case "matching": return `${roll.what}(${rollText(roll.pool)}${roll.number ? `, ${roll.number}` : ""})`;
  }
  throw new TypeError(`${roll.is} is not a roll`);
}

// Returns the form of dice whose number of sides is rolled: a case for each number. Null for other rolls.
function sidedText({ names, source, body }) {
  if (names.length > 1 || names[0] !== "sides" || !isDie(source)) return null;
  const faces = facesOf(source.die), said = new Set();
  for (const face of faces.slice(0, -1)) {
    const { is, condition, then, otherwise } = body;
    if (is !== "either" || condition.is !== "comparison" || condition.operator !== "==") return null;
    if (condition.left.is !== "variable" || condition.left.name !== "sides" || condition.right.value !== face) return null;
    said.add(withSides(then, face, source));
    body = otherwise;
  }
  said.add(withSides(body, faces[faces.length - 1], source));
  return said.size === 1 && faces.length > 1 ? [...said][0] : null;
}

function withSides(roll, sides, source) {
  let pool = ["count", "matching"].includes(roll.is) ? roll.pool : roll;
  pool = ["keep", "trim"].includes(pool.is) ? pool.pool : pool;
  if (pool.is !== "pool" || pool.die.name !== `d${sides}`) return null;
  return rollText(roll).replace(`d${sides}`, () => `d(${rollText(source)})`);
}

/** Returns the different faces of a die in ascending order. */
export const facesOf = (die) => [...new Set(die.faces)].sort((one, other) => one - other);

// Returns the common name of dice with these names if the body only uses all of them together, or null.
function oneName(names, body) {
  const one = names[0].replace(/_1$/, "");
  if (names.length < 2 || !names.every((name, place) => name === `${one}_${place + 1}`)) return null;
  const inner = summed(names, one, body);
  const used = inner === null ? [...names, one] : names;
  return looks(inner ?? body, names, used, [...names, one]) ? one : null;
}

// Returns what the body does with the sum of all names, if it first binds that sum to the one name, or null.
function summed(names, one, body) {
  const { is, source } = body;
  const sums = is === "named" && body.names.length === 1 && body.names[0] === one && source.is === "sum";
  return sums && isAll(source.rolls, names) ? body.body : null;
}

const isAll = (rolls, names) => rolls.length === names.length && rolls.every((each, place) => each.is === "variable" && each.name === names[place]);
const isTogether = (pool, names) =>
  pool.is === "group" && pool.members.every(([times]) => times === 1) && isAll(pool.members.map(([, each]) => each), names);

// Returns how often a roll uses these dice, or null if it uses one of them in another way or binds it again.
function looks(roll, names, used, named) {
  if (roll.is === "variable") return used.includes(roll.name) ? null : 0;
  if (roll.is === "named" && roll.names.some((name) => named.includes(name))) return null;
  if (["count", "trim", "matching"].includes(roll.is) && isTogether(roll.pool, names)) {
    const rest = roll.is === "count" ? looks(roll.threshold, names, used, named) : 0;
    return rest === null ? null : 1 + rest;
  }
  let found = 0;
  for (const part of partsIn(roll)) {
    const more = looks(part, names, used, named);
    if (more === null) return null;
    found += more;
  }
  return found;
}

// Returns the direct parts of a roll.
const partsIn = (roll) => [
  ...(roll.rolls ?? []),
  ...(roll.members ?? []).map(([, each]) => each),
  ...["roll", "left", "right", "condition", "then", "otherwise", "source", "body", "pool", "threshold"].map((name) => roll[name]),
  ...(typeof roll.count === "object" ? [roll.count] : []),
].filter((part) => part !== undefined);

function byOneName(names, one, body) {
  const listed = `{${names.join(", ")}}`;
  const written = rollText(summed(names, one, body) ?? body);
  return written.replaceAll(`${listed}k`, `{${one}}k`).replaceAll(`${listed}d`, `{${one}}d`).replaceAll(listed, one);
}

function groupText(members) {
  if (members.length > 1 && members.every(([, roll]) => isDie(roll))) {
    return `{${members.map(([times, roll]) => `${times}${roll.die.name}`).join(" + ")}}`;
  }
  const several = members.map(([times, roll]) => (times === 1 ? rollText(roll) : `${times} times ${operand(roll)}`));
  return members[0][0] > 1 && members.length === 1 ? several[0] : `{${several.join(", ")}}`;
}

function signed(roll) {
  if (roll.is === "constant") return roll.value >= 0 ? ` +${roll.value}` : ` -${-roll.value}`;
  return roll.is === "negation" ? ` - ${operand(roll.roll)}` : ` + ${term(roll)}`;
}

function isLoose(roll) {
  if (roll.is === "group") return !braced(roll);
  if (roll.is === "several") return !isDie(roll.roll);
  return ["sum", "product", "multiplied", "comparison", "either", "named"].includes(roll.is);
}

const inBrackets = (roll, are) => (are ? `(${rollText(roll)})` : rollText(roll));
const term = (roll) => inBrackets(roll, isLoose(roll));
const operand = (roll) => inBrackets(roll, roll.is === "negation" || (roll.is === "constant" && roll.value < 0) || isLoose(roll));
const side = (roll) => inBrackets(roll, ["comparison", "either", "named"].includes(roll.is));
const bare = (roll) => inBrackets(roll, ["either", "named"].includes(roll.is));

// -- rolling -------------------------------------------------------------------------------------

/**
 * Rolls the dice. Returns the `total` and the `dice` of each pool in the order rolled, as `{ die, faces, kept }`.
 * `number` converts constants: `Number`, or `BigInt` for rolls with BigInt faces, which have no upper limit.
 */
export function rollWith(roll, generator, number = Number) {
  const rolling = new Rolling(generator, number);
  return { total: rolling.roll(roll), dice: rolling.dice };
}

/** Returns the total of a roll whose dice, pool by pool, show these faces, or null if they cannot. */
export function totalOf(roll, pools, number = Number) {
  const rolling = new Rolling(null, number, [...pools]);
  try {
    const total = rolling.roll(roll);
    return rolling.pools.length ? null : total;
  } catch (error) {
    if (error instanceof GameError) return null;
    throw error;
  }
}

class Rolling {
  dice = [];
  names = [];

  /** `pools` are faces to use in place of those of the generator. */
  constructor(generator, number, pools = null) {
    this.generator = generator;
    this.number = number;
    this.pools = pools;
  }

  #given(die, count) {
    const faces = this.pools.shift();
    if (!Array.isArray(faces) || faces.length !== count || !faces.every((face) => die.faces.includes(face))) throw new GameError("the dice cannot show this");
    return faces;
  }

  #draw(die, count) {
    const faces = this.pools === null ? [] : this.#given(die, count);
    while (faces.length < count) {
      if (die.ladder || die.together === 1) {
        const way = this.generator.below(die.ladder ? die.ladder[die.ladder.length - 1] : die.faces.length);
        faces.push(die.faces.at(die.ladder ? die.ladder.findIndex((upTo) => way < upTo) : way));
        continue;
      }
      const group = Math.min(die.together, count - faces.length);
      let drawn = this.generator.below(die.faces.length ** group);
      for (let each = 0; each < group; each++) {
        faces.push(die.faces.at(drawn % die.faces.length));
        drawn = Math.floor(drawn / die.faces.length);
      }
    }
    this.dice.push({ die: die.name, faces, kept: faces.map(() => true) });
    return faces;
  }

  #sum(values) {
    return values.reduce((total, each) => total + each, this.number(0));
  }

  #known(name) {
    return this.names.findLast(([each]) => each === name);
  }

  /** Returns whether a roll has a fixed result. */
  #settled(roll) {
    switch (roll.is) {
      case "constant": return true;
      case "variable": return this.#known(roll.name) !== undefined;
      case "sum": case "maximum": case "minimum": case "multiplied": return roll.rolls.every((each) => this.#settled(each));
      case "negation": case "absolute": case "product": return this.#settled(roll.roll);
      case "comparison": case "quotient": return this.#settled(roll.left) && this.#settled(roll.right);
      case "either":
        return this.#settled(roll.condition) && this.#settled(this.roll(roll.condition) ? roll.then : roll.otherwise);
      case "several": return this.#settled(roll.count) && (this.roll(roll.count) < 1 || this.#settled(roll.roll));
    }
    return false;
  }

  roll(roll) {
    const all = () => roll.rolls.map((each) => this.roll(each));
    switch (roll.is) {
      case "constant": return this.number(roll.value);
      case "pool": return this.#sum(this.#draw(roll.die, roll.count));
      case "sum": return this.#sum(all());
      case "negation": return this.number(0) - this.roll(roll.roll);
      case "product": return this.number(roll.factor) * this.roll(roll.roll);
      case "maximum": return all().reduce((one, other) => (other > one ? other : one));
      case "minimum": return all().reduce((one, other) => (other < one ? other : one));
      case "comparison": {
        const left = this.roll(roll.left);
        return this.number(holds(roll.operator, left, this.roll(roll.right)));
      }
      case "absolute": {
        const value = this.roll(roll.roll);
        return value < 0 ? -value : value;
      }
      case "multiplied": return all().reduce((product, each) => product * each);
      case "quotient": {
        const over = this.roll(roll.left);
        return divided(over, this.roll(roll.right), roll.rounding);
      }
      case "either": return this.roll(this.roll(roll.condition) ? roll.then : roll.otherwise);
      case "variable": return this.#known(roll.name)[1];
      case "named": return this.#named(roll);
      case "several": return this.#several(roll);
      case "count": {
        const results = this.results(roll.pool);
        return this.number(results.filter((each) => holds(roll.operator, each, this.roll(roll.threshold))).length);
      }
      case "matching": return this.number(matched(roll.what, this.results(roll.pool), roll.number));
    }
    return this.#sum(this.results(roll));
  }

  #named(roll) {
    const values = roll.names.length === 1 ? [this.roll(roll.source)] : this.results(roll.source).sort(descending);
    roll.names.forEach((name, place) => this.names.push([name, values[place]]));
    const result = this.roll(roll.body);
    this.names.length -= roll.names.length;
    return result;
  }

  #several(roll) {
    const known = this.names.length > 0 && this.#settled(roll.count);
    const count = Number(this.roll(roll.count));
    if (count < 1) return this.number(0);
    if (roll.roll.is === "pool" && (!known || roll.roll.count === 1)) {
      return this.#sum(this.#draw(roll.roll.die, count * roll.roll.count));
    }
    return this.#sum(Array.from({ length: count }, () => this.roll(roll.roll)));
  }

  /** Returns the kept results of a pool or a group, and marks the other dice in `dice` as dropped. */
  results(roll) {
    const [pool, low, high] = trimmed(roll), values = [], dice = [];
    const draw = (die, count) => {
      const at = this.dice.length;
      this.#draw(die, count).forEach((face, place) => {
        values.push(face);
        dice.push([at, at + 1, place]);
      });
    };
    if (pool.is === "pool") draw(pool.die, pool.count);
    for (const [times, inner] of pool.members ?? []) {
      if (isDie(inner)) draw(inner.die, times);
      else {
        for (let time = 0; time < times; time++) {
          const before = this.dice.length;
          values.push(this.roll(inner));
          dice.push([before, this.dice.length, null]);
        }
      }
    }
    if (!low && !high) return values;
    const kept = keptPlaces(values, low, high, roll.is === "keep" && !roll.highest);
    dice.forEach(([from, to, place], at) => {
      if (kept.has(at)) return;
      for (const each of this.dice.slice(from, to)) each.kept = each.kept.map((stays, die) => stays && place !== null && die !== place);
    });
    return values.filter((_, at) => kept.has(at));
  }
}

const descending = (one, other) => (one < other ? 1 : one > other ? -1 : 0);

/** Returns the indexes of the values left after dropping the lowest and the highest. Of equal values, the first stays. */
function keptPlaces(values, low, high, lowest) {
  const order = values.map((_, place) => place);
  order.sort((one, other) => (lowest ? descending(values[other], values[one]) : descending(values[one], values[other])) || one - other);
  return new Set(lowest ? order.slice(low, order.length - high) : order.slice(high, order.length - low));
}

function trimmed(roll) {
  if (roll.is === "keep") {
    const dropped = roll.pool.count - roll.number;
    return roll.highest ? [roll.pool, dropped, 0] : [roll.pool, 0, dropped];
  }
  return roll.is === "trim" ? [roll.pool, roll.low, roll.high] : [roll, 0, 0];
}

/** Divides two Numbers or two BigInts, rounded as asked. */
function divided(over, under, rounding) {
  const integer = typeof over === "bigint" ? BigInt : Number, zero = integer(0), unit = integer(1), two = integer(2);
  if (under === zero) throw new GameError("a roll is divided by 0");
  const [one, other] = under < 0 ? [-over, -under] : [over, under];
  const left = ((one % other) + other) % other, down = (one - left) / other;
  if (rounding === "down" || left === zero) return down + zero;
  if (rounding === "up") return down + unit;
  if (rounding === "truncate") return one < 0 ? down + unit : down;
  return two * left > other || (two * left === other && down >= 0) ? down + unit : down;
}

function matched(what, values, number) {
  const counts = new Map();
  for (const each of values) counts.set(each, (counts.get(each) ?? 0) + 1);
  if (what === "alike") return Math.max(...counts.values());
  if (what === "sets") return [...counts.values()].filter((count) => count >= number).length;
  if (what === "different") return counts.size;
  let longest = 0;
  for (const value of counts.keys()) {
    const unit = typeof value === "bigint" ? 1n : 1;
    if (counts.has(value - unit)) continue;
    let [length, next] = [0, value];
    for (; counts.has(next); next += unit) length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

// -- odds ----------------------------------------------------------------------------------------

const MOST_WAYS = 200_000;

/** Returns each outcome of a roll with its number of equally likely ways, as `[outcome, ways]`, in ascending order. */
export function outcomesOf(roll) {
  const found = new Odds().of(roll);
  const total = [...found.values()].reduce((sum, ways) => sum + ways, 0n);
  return [...found].sort(([one], [other]) => one - other).map(([outcome, ways]) => [outcome, ways, total]);
}

class Odds {
  names = new Map();
  spent = 0;

  #joined(one, other, join) {
    const found = new Map();
    this.spent += one.size * other.size;
    if (this.spent > MOST_WAYS) throw new GameError("this roll has too many ways to list its outcomes");
    for (const [a, ways] of one) {
      for (const [b, more] of other) {
        const made = join(a, b);
        found.set(made, (found.get(made) ?? 0n) + ways * more);
      }
    }
    return found;
  }

  #mapped(found, map) {
    return this.#joined(found, new Map([[0, 1n]]), map);
  }

  #all(rolls, join) {
    return rolls.map((each) => this.of(each)).reduce((one, other) => this.#joined(one, other, join));
  }

  /** Combines the outcomes that follow each outcome of a roll, weighted so that all ways are equally likely. */
  #followed(found, follow) {
    const parts = [...found].map(([outcome, ways]) => [ways, follow(outcome)]);
    const sums = parts.map(([, after]) => [...after.values()].reduce((sum, ways) => sum + ways, 0n));
    const whole = sums.reduce((product, sum) => (product * sum) / common(product, sum), 1n);
    const all = new Map();
    parts.forEach(([ways, after], place) => {
      for (const [outcome, more] of after) {
        all.set(outcome, (all.get(outcome) ?? 0n) + ways * more * (whole / sums[place]));
      }
    });
    return all;
  }

  #named(names, values, then) {
    const before = this.names;
    this.names = new Map([...before, ...names.map((name, place) => [name, values[place]])]);
    const found = then();
    this.names = before;
    return found;
  }

  #die(die) {
    const found = new Map();
    die.faces.forEach((face, place) => {
      const ways = die.ladder ? die.ladder[place] - (place ? die.ladder[place - 1] : 0) : 1;
      found.set(face, (found.get(face) ?? 0n) + BigInt(ways));
    });
    return found;
  }

  of(roll) {
    switch (roll.is) {
      case "constant": return new Map([[roll.value, 1n]]);
      case "variable": return new Map([[this.names.get(roll.name), 1n]]);
      case "pool": return this.#repeated(this.#die(roll.die), roll.count);
      case "sum": return this.#all(roll.rolls, (a, b) => a + b);
      case "multiplied": return this.#all(roll.rolls, (a, b) => a * b);
      case "maximum": return this.#all(roll.rolls, Math.max);
      case "minimum": return this.#all(roll.rolls, Math.min);
      case "negation": return this.#mapped(this.of(roll.roll), (a) => 0 - a);
      case "product": return this.#mapped(this.of(roll.roll), (a) => roll.factor * a);
      case "absolute": return this.#mapped(this.of(roll.roll), Math.abs);
      case "comparison": return this.#joined(this.of(roll.left), this.of(roll.right), (a, b) => Number(holds(roll.operator, a, b)));
      case "quotient": return this.#joined(this.of(roll.left), this.of(roll.right), (a, b) => divided(a, b, roll.rounding));
      case "either": return this.#followed(this.of(roll.condition), (a) => this.of(a ? roll.then : roll.otherwise));
      case "several": return this.#followed(this.of(roll.count), (a) => (a < 1 ? new Map([[0, 1n]]) : this.#repeated(this.of(roll.roll), a)));
      case "named":
        return roll.names.length === 1
          ? this.#followed(this.of(roll.source), (a) => this.#named(roll.names, [a], () => this.of(roll.body)))
          : this.#followed(this.#results(roll.source), (key) => {
              const values = JSON.parse(key).sort((one, other) => other - one);
              return this.#named(roll.names, values, () => this.of(roll.body));
            });
      case "group": return roll.members.map(([times, inner]) => this.#repeated(this.of(inner), times)).reduce((one, other) => this.#joined(one, other, (a, b) => a + b));
      case "matching": return this.#mapped(this.#results(roll.pool), (key) => matched(roll.what, JSON.parse(key), roll.number));
      case "count": {
        const [[threshold]] = this.of(roll.threshold), meets = (each) => Number(holds(roll.operator, each, threshold));
        const [, low, high] = trimmed(roll.pool);
        // If no die is dropped, the dice are independent.
        if (!low && !high) return this.#singles(roll.pool).map((each) => this.#mapped(each, meets)).reduce((one, other) => this.#joined(one, other, (a, b) => a + b), new Map([[0, 1n]]));
        return this.#mapped(this.#results(roll.pool), (key) => JSON.parse(key).filter(meets).length);
      }
    }
    return this.#mapped(this.#results(roll), (key) => added(JSON.parse(key)));
  }

  #repeated(one, times) {
    let found = new Map([[0, 1n]]);
    for (let each = 0; each < times; each++) found = this.#joined(found, one, (a, b) => a + b);
    return found;
  }

  /** Returns the distribution of each separate result. */
  #singles(roll) {
    const [dice] = trimmed(roll);
    return dice.is === "pool"
      ? Array(dice.count).fill(this.#die(dice.die))
      : dice.members.flatMap(([times, inner]) => Array(times).fill(this.of(inner)));
  }

  /** Returns the distribution of the kept separate results, each as text in ascending order. */
  #results(roll) {
    const [, low, high] = trimmed(roll), singles = this.#singles(roll);
    let found = new Map([["[]", 1n]]);
    for (const single of singles) {
      found = this.#joined(found, single, (key, face) => JSON.stringify([...JSON.parse(key), face].sort((a, b) => a - b)));
    }
    return this.#mapped(found, (key) => JSON.stringify(JSON.parse(key).slice(low, singles.length - high)));
  }
}

function common(one, other) {
  while (other) [one, other] = [other, one % other];
  return one;
}
