// Parses the notation of a roll that a saved state contains.

import { facesOf, plainDie } from "./dice.js";
import { GameError } from "./errors.js";

/** Parses a roll. `dice` are the named dice of the rules. Throws GameError for invalid text. */
export function rollOf(text, dice) {
  const reading = new Reading(text, dice);
  const found = reading.whole();
  reading.space();
  if (reading.at < text.length) reading.refuse();
  return found;
}

const NUMBER = /\d+/y;
const NAME = /[A-Za-z_]\w*/y;

class Reading {
  at = 0;
  bindings = [];
  sided = new Set();

  constructor(text, dice) {
    this.text = text;
    this.dice = dice;
    this.names = [...dice.keys()].sort((one, other) => other.length - one.length);
  }

  refuse() {
    throw new GameError(`the roll ${this.text} cannot be read here`);
  }

  space() {
    while (this.text[this.at] === " ") this.at += 1;
  }

  took(symbol) {
    this.space();
    if (!this.text.startsWith(symbol, this.at)) return false;
    this.at += symbol.length;
    return true;
  }

  need(symbol) {
    if (!this.took(symbol)) this.refuse();
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  number() {
    this.space();
    const found = this.match(NUMBER);
    return found === null ? this.refuse() : Number(found);
  }

  whole() {
    const first = this.compared();
    if (this.took("as ")) {
      const names = [];
      do {
        this.space();
        names.push(this.match(NAME) ?? this.refuse());
      } while (this.took(","));
      this.need(":");
      return this.named(names, first);
    }
    if (!this.took("if ")) return first;
    const condition = this.compared();
    this.need("else ");
    return { is: "either", condition, then: first, otherwise: this.whole() };
  }

  // Where separate dice are used, a name of several dice stands for `x_1`, `x_2` and so on, the highest first.
  named(names, source) {
    const binding = { names, count: names.length === 1 ? resultCount(source) : 0, dice: [] };
    this.bindings.push(binding);
    let body = this.whole();
    this.bindings.pop();
    if (!binding.dice.length) return { is: "named", names, source, body };
    if (uses(body, names[0])) body = { is: "named", names, source: { is: "sum", rolls: binding.dice.map(variable) }, body };
    return { is: "named", names: binding.dice, source, body };
  }

  diceOf(roll) {
    const name = roll.is === "variable" ? roll.name : roll.is === "group" && isVariable(roll) ? roll.members[0][1].name : null;
    const binding = this.bindings.findLast((each) => each.names.includes(name));
    if (!binding?.count) return roll;
    if (!binding.dice.length && binding.count > 1) {
      const used = this.bindings.flatMap((each) => [...each.names, ...each.dice]);
      const named = (between) => Array.from({ length: binding.count }, (_, place) => `${name}${between}${place + 1}`);
      let between = "_";
      while (named(between).some((each) => used.includes(each))) between += "_";
      binding.dice = named(between);
    }
    const dice = binding.dice.length ? binding.dice : binding.names;
    return { is: "group", members: dice.map((each) => [1, variable(each)]) };
  }

  compared() {
    const left = this.sum();
    for (const operator of [">=", "<=", "==", "!=", ">", "<"]) {
      if (this.took(operator)) return { is: "comparison", operator, left, right: this.sum() };
    }
    return left;
  }

  sum() {
    const rolls = [this.product()];
    for (;;) {
      if (this.took("+")) rolls.push(this.product());
      else if (this.took("-")) rolls.push(negated(this.product()));
      else return rolls.length === 1 ? rolls[0] : { is: "sum", rolls: rolls.flatMap((each) => (each.is === "sum" ? each.rolls : [each])) };
    }
  }

  product() {
    const rolls = [this.times()];
    while (this.took("*")) rolls.push(this.times());
    if (rolls.length === 1) return rolls[0];
    const [first, ...others] = rolls;
    if (first.is !== "constant") return { is: "multiplied", rolls };
    const roll = others.length === 1 ? others[0] : { is: "multiplied", rolls: others };
    return roll.is === "constant" ? { is: "constant", value: first.value * roll.value } : { is: "product", factor: first.value, roll };
  }

  times() {
    const count = this.signed();
    if (!this.took("times ")) return count;
    const roll = this.signed();
    return count.is === "constant" ? { is: "group", members: [[count.value, roll]] } : { is: "several", count, roll };
  }

  signed() {
    return this.took("-") ? negated(this.signed()) : this.kept(this.atom());
  }

  // Dice with a rolled number of sides: a case for each number.
  ofSides(count) {
    const source = this.whole();
    this.need(")");
    if (source.is !== "pool" || source.count !== 1) this.refuse();
    const used = this.bindings.flatMap((each) => [...each.names, ...each.dice]);
    let name = "sides";
    while (used.includes(name)) name += "_";
    const pool = (sides) => ({ is: "pool", count, die: this.dice.get(`d${sides}`) ?? plainDie(`d${sides}`, sides) });
    const faces = facesOf(source.die);
    const body = faces.slice(0, -1).reduceRight((otherwise, face) => {
      const condition = { is: "comparison", operator: "==", left: variable(name), right: { is: "constant", value: face } };
      return { is: "either", condition, then: pool(face), otherwise };
    }, pool(faces[faces.length - 1]));
    return this.#marked({ is: "named", names: [name], source, body });
  }

  #marked(roll) {
    this.sided.add(roll);
    return roll;
  }

  // Applies a function to each case of dice with rolled sides, or to any other roll itself.
  bySides(roll, make) {
    if (!this.sided.has(roll)) return make(roll);
    const inside = (each) => (each.is === "either" ? { ...each, then: make(each.then), otherwise: inside(each.otherwise) } : make(each));
    return this.#marked({ ...roll, body: inside(roll.body) });
  }

  kept(roll) {
    if (!this.sided.has(roll)) return this.keptOf(roll);
    const before = this.at;
    let after = before;
    const found = this.bySides(roll, (each) => {
      this.at = before;
      const made = this.keptOf(each);
      after = this.at;
      return made;
    });
    this.at = after;
    return found;
  }

  keptOf(roll) {
    if (roll.is === "group" && isVariable(roll) && /^ ?[kd][hlm]/.test(this.text.slice(this.at))) roll = this.diceOf(roll);
    const total = roll.is === "pool" ? roll.count : roll.is === "group" ? roll.members.reduce((sum, [times]) => sum + times, 0) : 0;
    let low = 0, high = 0;
    for (;;) {
      if (!total) break;
      if (this.took("kh")) low = total - high - this.number();
      else if (this.took("kl")) high = total - low - this.number();
      else if (this.took("dl")) low += this.number();
      else if (this.took("dh")) high += this.number();
      else break;
    }
    if (!low && !high) return roll;
    if (roll.is === "pool" && !(low && high)) return { is: "keep", pool: roll, number: total - low - high, highest: low > 0 };
    return { is: "trim", pool: roll, low, high };
  }

  die() {
    const name = this.names.find((each) => this.text.startsWith(each, this.at));
    if (name === undefined) return null;
    this.at += name.length;
    return this.dice.get(name);
  }

  atom() {
    this.space();
    const digits = this.match(NUMBER);
    if (digits !== null && this.text.startsWith("d(", this.at)) {
      this.at += 2;
      return this.ofSides(Number(digits));
    }
    if (digits !== null) {
      const die = this.die();
      return die === null ? { is: "constant", value: Number(digits) } : { is: "pool", count: Number(digits), die };
    }
    if (this.took("(")) {
      const inside = this.whole();
      this.need(")");
      const die = this.die();
      return die === null ? inside : { is: "several", count: inside, roll: { is: "pool", count: 1, die } };
    }
    if (this.took("{")) return this.group();
    const name = this.match(NAME) ?? this.refuse();
    return this.took("(") ? this.call(name) : { is: "variable", name };
  }

  group() {
    const members = [];
    const add = (each) => {
      if (each.is === "group" && each.members.length === 1 && each.members[0][0] > 1) members.push(each.members[0]);
      else if (each.is === "pool") members.push([each.count, { ...each, count: 1 }]);
      else members.push([1, each]);
    };
    const first = this.whole();
    const plain = first.is === "sum" && first.rolls.every((each) => each.is === "pool");
    if (plain) first.rolls.forEach(add);
    else if (first.is === "pool") members.push([1, first]);
    else add(first);
    while (this.took(",")) {
      const each = this.whole();
      if (each.is === "pool") members.push([1, each]);
      else add(each);
    }
    this.need("}");
    return { is: "group", members };
  }

  call(name) {
    const rolls = [this.divided()];
    let number = 0;
    if (name === "sets" && this.took(",")) number = this.number();
    else while (this.took(",")) rolls.push(this.whole());
    this.need(")");
    const [roll] = rolls;
    if (name === "max") return { is: "maximum", rolls };
    if (name === "min") return { is: "minimum", rolls };
    if (name === "abs") return { is: "absolute", roll };
    if (["alike", "sets", "different", "run"].includes(name)) return this.bySides(roll, (each) => ({ is: "matching", what: name, pool: this.diceOf(each), number }));
    if (name === "count" && roll.is === "comparison") {
      const { operator, right: threshold } = roll;
      return this.bySides(roll.left, (each) => ({ is: "count", operator, pool: this.diceOf(each), threshold }));
    }
    if (roll.is === "over") return { is: "quotient", left: roll.left, right: roll.right, rounding: name };
    return this.refuse();
  }

  divided() {
    const left = this.whole();
    return this.took("/") ? { is: "over", left, right: this.whole() } : left;
  }
}

const variable = (name) => ({ is: "variable", name });
const isVariable = (group) => group.members.length === 1 && group.members[0][0] === 1 && group.members[0][1].is === "variable";

/** Returns how many separate results a roll has; 0 for a single result. */
function resultCount(roll) {
  if (roll.is === "pool") return roll.count;
  if (roll.is === "keep") return roll.number;
  if (roll.is === "group") return roll.members.reduce((sum, [times]) => sum + times, 0);
  return roll.is === "trim" ? resultCount(roll.pool) - roll.low - roll.high : 0;
}

/** Returns whether a roll uses a name that it does not bind. */
function uses(roll, name) {
  if (roll.is === "variable") return roll.name === name;
  if (roll.is === "named" && roll.names.includes(name)) return uses(roll.source, name);
  return Object.values(roll).flat(2).some((part) => part !== null && typeof part === "object" && part.is !== undefined && uses(part, name));
}

function negated(roll) {
  if (roll.is === "constant") return { is: "constant", value: -roll.value };
  if (roll.is === "negation") return roll.roll;
  return roll.is === "product" ? { ...roll, factor: -roll.factor } : { is: "negation", roll };
}
