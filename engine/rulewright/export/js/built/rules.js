/* Made by editors/studio/build.js; not written by hand. */
// engine/rulewright/export/js/examples/example_player.js
function openExample(rules, data) {
  const opening2 = openingExample(rules, data);
  for (; ; ) {
    const { done, value } = opening2.next();
    if (done) return value;
  }
}
function* openingExample(rules, data) {
  const example = new Example(rules, data);
  yield* example.opening();
  return example;
}
var Example = class {
  #rules;
  #data;
  #played;
  #marks;
  #objects;
  #stops;
  #chosen;
  constructor(rules, data) {
    this.#rules = rules;
    this.#data = data;
  }
  /** Internal: plays the whole example. */
  *opening() {
    const data = this.#data, rules = this.#rules, game = this.#played = rules.begun({ ...this.#settings(), stopAtChance: true, ends: data.events });
    const standing = () => ({ decision: game.decision, choices: game.choices, chance: game.chance });
    this.#stops = [standing()];
    this.#marks = [game.happened];
    this.#objects = [game.objects];
    for (const entry2 of data.record) {
      game.repeat(entry2);
      this.#marks.push(game.happened);
      this.#objects.push(game.objects);
      this.#stops.push(standing());
      game.lines({ since: Infinity });
      yield;
    }
    if (game.happened < data.events) throw rules.fault("this example tells more than happens by these rules");
    const lines = data.shown === void 0 ? game.lines() : data.shown.map((number) => game.line(number));
    this.steps = [];
    this.#chosen = [];
    const add = (step, chosen) => {
      this.steps.push(step);
      this.#chosen.push(chosen);
    };
    this.#marks.forEach((mark, stop) => {
      const here = lines.filter(({ events }) => events <= Math.min(mark, data.events) && (stop === 0 || events > this.#marks[stop - 1]));
      here.forEach((step) => add(step, stop));
      const question2 = this.#stops[stop - 1]?.decision;
      if (question2 && !here.length && mark <= data.events) add({ ...this.#silent(question2), events: mark }, stop);
    });
  }
  #silent({ player, rule }) {
    const said2 = `Player ${player} has chosen.`;
    return { text: said2, pieces: [said2], rule };
  }
  #settings() {
    const { players, seed = 0, options = {}, state = null } = this.#data;
    return { players, seed, options, stage: state };
  }
  get players() {
    return this.#data.players;
  }
  /** The procedure that is run by itself, or null for a whole game. */
  get procedure() {
    return this.#data.state?.root ?? null;
  }
  /** Returns the moment after `place` steps: `{events, chosen, entry, decision, choices, chance}`. */
  at(place) {
    const { steps } = this, end = this.#data.events;
    if (!Number.isInteger(place) || place < 0 || place > steps.length) throw this.#rules.fault(`this example has ${steps.length} steps; ${String(place)} is none of them`);
    const last = place === steps.length;
    const chosen = place === 0 ? 0 : this.#chosen[place - 1], next = last ? this.#marks.length : this.#chosen[place];
    const stop = next - 1;
    if (next <= chosen || last && this.#marks[stop] !== end) {
      return { events: last ? end : steps[place - 1]?.events ?? 0, chosen, entry: null, decision: null, choices: [], chance: null };
    }
    return { events: this.#marks[stop], chosen: stop, entry: this.#data.record[stop] ?? null, ...this.#stops[stop] };
  }
  /** Returns the view of a seat after `place` steps, as `view` of a game does. */
  view(place, seat = 0) {
    const { events, chosen } = this.at(place);
    if (this.#marks[chosen] === events) return this.#played.viewAfter(this.#objects[chosen], events, events, seat);
    if (chosen === 0) return this.#played.viewAfter(this.#played.first, 0, events, seat);
    const objects = this.#objects[chosen - 1].map((thing) => thing && [...thing]);
    if (this.#data.record[chosen - 1][0] === "chance") {
      objects.forEach((thing, number) => {
        const after = this.#objects[chosen][number];
        if (!thing || !after) return;
        const { fields } = this.#rules.data.kinds[thing[0]];
        fields.forEach(({ name }, at) => {
          if (name.startsWith("deck.")) thing[at + 1] = after[at + 1];
        });
      });
    }
    return this.#played.viewAfter(objects, this.#marks[chosen - 1], events, seat);
  }
  /** Returns the first `chosen` entries of the record. */
  record(chosen) {
    return this.#data.record.slice(0, chosen).map((entry2) => [...entry2]);
  }
  /** Returns the events from one number up to another, exclusive. */
  events(from, to) {
    return this.#played.log.slice(from, to);
  }
  /**
   * Returns a new game from this moment, or from the next stop. A whole game continues with its own dice; a single
   * procedure uses the dice of `seed`, also for a roll that is due.
   */
  leave(place, { seed = 0 } = {}) {
    const { chosen } = this.at(place);
    if (this.procedure === null) {
      const game2 = this.#rules.newGame(this.#settings());
      for (const [what, id] of this.#data.record.slice(0, chosen)) if (what === "choose") game2.choose(id);
      return game2;
    }
    const game = this.#rules.begun({ ...this.#settings(), seed, stopAtChance: true });
    for (const entry2 of this.#data.record.slice(0, chosen)) game.repeat(entry2);
    game.goOn();
    return game;
  }
};

// engine/rulewright/export/js/chance.js
var MASK = (1n << 64n) - 1n;
var left = (word, by) => (word << by | word >> 64n - by) & MASK;
var WORD_VALUES = 4294967296;
var KECCAK_ROUNDS = [
  0x0000000000000001n,
  0x0000000000008082n,
  0x800000000000808an,
  0x8000000080008000n,
  0x000000000000808bn,
  0x0000000080000001n,
  0x8000000080008081n,
  0x8000000000008009n,
  0x000000000000008an,
  0x0000000000000088n,
  0x0000000080008009n,
  0x000000008000000an,
  0x000000008000808bn,
  0x800000000000008bn,
  0x8000000000008089n,
  0x8000000000008003n,
  0x8000000000008002n,
  0x8000000000000080n,
  0x000000000000800an,
  0x800000008000000an,
  0x8000000080008081n,
  0x8000000000008080n,
  0x0000000080000001n,
  0x8000000080008008n
];
function permute(lanes) {
  for (const constant of KECCAK_ROUNDS) {
    const column = [0, 1, 2, 3, 4].map((x2) => lanes[x2] ^ lanes[x2 + 5] ^ lanes[x2 + 10] ^ lanes[x2 + 15] ^ lanes[x2 + 20]);
    for (let x2 = 0; x2 < 5; x2++) {
      const mixed = column[(x2 + 4) % 5] ^ left(column[(x2 + 1) % 5], 1n);
      for (let y2 = 0; y2 < 25; y2 += 5) lanes[x2 + y2] ^= mixed;
    }
    let x = 1, y = 0, held = lanes[1];
    for (let step = 0; step < 24; step++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = lanes[x + 5 * y];
      lanes[x + 5 * y] = left(held, BigInt((step + 1) * (step + 2) / 2 % 64));
      held = next;
    }
    for (let row = 0; row < 25; row += 5) {
      const line = lanes.slice(row, row + 5);
      for (let each = 0; each < 5; each++) lanes[row + each] = line[each] ^ ~line[(each + 1) % 5] & MASK & line[(each + 2) % 5];
    }
    lanes[0] ^= constant;
  }
}
function shake(key) {
  const lanes = Array(25).fill(0n);
  const padded = new Uint8Array((Math.floor(key.length / 168) + 1) * 168);
  padded.set(key);
  padded[key.length] ^= 31;
  padded[padded.length - 1] ^= 128;
  const view = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += 168) {
    for (let lane = 0; lane < 21; lane++) lanes[lane] ^= view.getBigUint64(at + 8 * lane, true);
    permute(lanes);
  }
  return lanes.slice(0, 21).flatMap((lane) => [Number(lane & 0xffffffffn), Number(lane >> 32n)]);
}
function keyOf(beginning, seed, stream) {
  const bytes = (text2) => new TextEncoder().encode(text2);
  const written2 = bytes(typeof seed === "string" ? `s${seed}` : `i${seed}`), name = bytes(stream);
  return [...bytes(`${beginning}${written2.length}:`), ...written2, ...bytes(`${name.length}:`), ...name];
}
var Generator = class {
  #key;
  #block = -1;
  #words = [];
  constructor(seed, stream = "dice", index = 0) {
    this.seed = seed;
    this.stream = stream;
    this.#key = keyOf("rulewright:1:", seed, stream);
    this.index = index;
  }
  /** The number of words used. Setting it moves the generator to that position. */
  get index() {
    return (this.#block + 1) * 42 - this.#words.length;
  }
  set index(index) {
    if (index === this.index) return;
    this.#block = Math.floor(index / 42) - 1;
    this.#words = [];
    if (index % 42) {
      this.#fill();
      this.#words.length = 42 - index % 42;
    }
  }
  #fill() {
    this.#block += 1;
    const digits = [...String(this.#block)].map((digit) => digit.charCodeAt(0));
    this.#words = shake(Uint8Array.from([...this.#key, ...digits])).reverse();
  }
  /** Returns the next word, from 0 to 2**32 - 1. */
  word() {
    if (!this.#words.length) this.#fill();
    return this.#words.pop();
  }
  /** Returns a uniformly distributed number from 0 to `number` - 1; a BigInt if `number` is one. */
  below(number) {
    if (typeof number === "bigint") return number > WORD_VALUES ? this.#belowLarge(number) : BigInt(this.below(Number(number)));
    if (number > WORD_VALUES) return Number(this.#belowLarge(BigInt(number)));
    const limit = WORD_VALUES - WORD_VALUES % number;
    let found = this.word();
    while (found >= limit) found = this.word();
    return found % number;
  }
  #belowLarge(number) {
    const count = Math.ceil((number - 1n).toString(2).length / 32);
    const values = 1n << BigInt(32 * count), limit = values - values % number;
    for (; ; ) {
      let found = 0n;
      for (let place = 0; place < count; place++) found |= BigInt(this.word()) << BigInt(32 * place);
      if (found < limit) return found % number;
    }
  }
};
var BLAKE_START = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n
];
var BLAKE_ORDER = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0]
];
var BLAKE_MIXED = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14]
];
function blake(key) {
  const hash = [...BLAKE_START];
  hash[0] ^= 0x01010040n;
  const blocks = Math.max(1, Math.ceil(key.length / 128));
  const padded = new Uint8Array(blocks * 128);
  padded.set(key);
  const view = new DataView(padded.buffer);
  for (let block = 0; block < blocks; block++) {
    const last = block === blocks - 1;
    const message = [...Array(16).keys()].map((each) => view.getBigUint64(block * 128 + 8 * each, true));
    const v = [...hash, ...BLAKE_START];
    v[12] ^= BigInt(last ? key.length : (block + 1) * 128);
    if (last) v[14] ^= MASK;
    for (let round = 0; round < 12; round++) {
      BLAKE_MIXED.forEach(([a, b, c, d], each) => {
        const order = BLAKE_ORDER[round % 10];
        for (const [place, first, second] of [[0, 32n, 40n], [1, 48n, 1n]]) {
          v[a] = v[a] + v[b] + message[order[2 * each + place]] & MASK;
          v[d] = left(v[d] ^ v[a], first);
          v[c] = v[c] + v[d] & MASK;
          v[b] = left(v[b] ^ v[c], second);
        }
      });
    }
    for (let each = 0; each < 8; each++) hash[each] ^= v[each] ^ v[each + 8];
  }
  const out = new DataView(new ArrayBuffer(64));
  hash.forEach((each, place) => out.setBigUint64(8 * place, each, true));
  return new Uint8Array(out.buffer);
}
var LOT_BYTES = 64;
var Lots = class {
  #key;
  #block = 0;
  #bytes = [];
  #at = 0;
  constructor(seed, stream) {
    this.#key = keyOf("rulewright:lots:1:", seed, stream);
  }
  /** The number of bytes used. Setting it moves the generator to that position. */
  get index() {
    return this.#block * LOT_BYTES - (this.#bytes.length - this.#at);
  }
  set index(index) {
    if (index === this.index) return;
    this.#block = Math.floor(index / LOT_BYTES);
    this.#bytes = [];
    this.#at = 0;
    if (index % LOT_BYTES) {
      this.#fill();
      this.#at = index % LOT_BYTES;
    }
  }
  #fill() {
    const digits = [...String(this.#block++)].map((digit) => digit.charCodeAt(0));
    this.#bytes = blake(Uint8Array.from([...this.#key, ...digits]));
    this.#at = 0;
  }
  #byte() {
    if (this.#at === this.#bytes.length) this.#fill();
    return this.#bytes[this.#at++];
  }
  /** Returns a uniformly distributed number from 0 to `number` - 1. */
  below(number) {
    const size = number <= 256 ? 1 : Math.ceil((number - 1).toString(2).length / 8);
    const values = 256 ** size, limit = values - values % number;
    for (; ; ) {
      let found = 0;
      for (let place = 0; place < size; place++) found += this.#byte() * 256 ** place;
      if (found < limit) return found % number;
    }
  }
};

// engine/rulewright/export/js/errors.js
var GameError = class extends Error {
  constructor(message, code = "invalid-argument") {
    super(message);
    this.name = "GameError";
    this.code = code;
  }
};
var quoted = (value) => typeof value === "string" ? `'${value}'` : String(value);
var RulesFault = class extends Error {
  constructor(rule, said2) {
    super(rule ? `\`${rule}\`: ${said2}` : said2);
    this.name = "RulesFault";
    this.rule = rule ?? "";
  }
};

// engine/rulewright/export/js/dice.js
var COMPARISONS = [">", ">=", "<", "<=", "==", "!="];
var ROUNDINGS = ["down", "up", "nearest", "truncate"];
var MATCHES = ["alike", "sets", "different", "run"];
var holds = (operator, left2, right) => [left2 > right, left2 >= right, left2 < right, left2 <= right, left2 === right, left2 !== right][COMPARISONS.indexOf(operator)];
var added = (values) => values.reduce((total, each) => total + each, 0);
function dieFrom(words, name, at) {
  const [count, first, step, listed2, ladder, together] = words;
  const faces = listed2 ? at(listed2, count) : Array.from({ length: count }, (_, place) => first + place * step);
  return { name, faces, ladder: ladder ? at(ladder, count) : null, together };
}
var GROUP_OUTCOMES = 1296;
function groupSize(faces) {
  let size = 1;
  while (faces > 1 && faces ** (size + 1) <= GROUP_OUTCOMES) size += 1;
  return size;
}
function plainDie(name, sides) {
  return { name, faces: Array.from({ length: sides }, (_, place) => 1 + place), ladder: null, together: groupSize(sides) };
}
var PARTS = {
  constant: ([value]) => ({ value }),
  pool: ([count, die], node, dice) => ({ count, die: dice(die) }),
  keep: ([pool, number, highest], node) => ({ pool: node(pool), number, highest: highest !== 0 }),
  sum: (parts, node) => ({ rolls: parts.map(node) }),
  negation: ([inner], node) => ({ roll: node(inner) }),
  product: ([factor, inner], node) => ({ factor, roll: node(inner) }),
  maximum: (parts, node) => ({ rolls: parts.map(node) }),
  minimum: (parts, node) => ({ rolls: parts.map(node) }),
  comparison: ([operator, left2, right], node) => ({ operator: COMPARISONS[operator], left: node(left2), right: node(right) }),
  absolute: ([inner], node) => ({ roll: node(inner) }),
  multiplied: (parts, node) => ({ rolls: parts.map(node) }),
  quotient: ([left2, right, rounding], node) => ({ left: node(left2), right: node(right), rounding: ROUNDINGS[rounding] }),
  either: ([condition, then, otherwise], node) => ({ condition: node(condition), then: node(then), otherwise: node(otherwise) }),
  variable: ([name], node, dice, word) => ({ name: word(name) }),
  named: ([source, body, ...names], node, dice, word) => ({ names: names.map(word), source: node(source), body: node(body) }),
  several: ([count, inner], node) => ({ count: node(count), roll: node(inner) }),
  group: (parts, node) => ({
    members: parts.filter((_, place) => place % 2 === 0).map((times, place) => [times, node(parts[2 * place + 1])])
  }),
  trim: ([pool, low, high], node) => ({ pool: node(pool), low, high }),
  count: ([operator, pool, threshold], node) => ({ operator: COMPARISONS[operator], pool: node(pool), threshold: node(threshold) }),
  matching: ([what, pool, number], node) => ({ what: MATCHES[what], pool: node(pool), number })
};
function rollFrom(kind, parts, node, dice, word) {
  return { is: kind, ...PARTS[kind](parts, node, dice, word) };
}
function partsOf(roll, node, die, word) {
  switch (roll.is) {
    case "constant":
      return [roll.value];
    case "pool":
      return [roll.count, die(roll.die)];
    case "keep":
      return [node(roll.pool), roll.number, Number(roll.highest)];
    case "negation":
    case "absolute":
      return [node(roll.roll)];
    case "product":
      return [roll.factor, node(roll.roll)];
    case "comparison":
      return [COMPARISONS.indexOf(roll.operator), node(roll.left), node(roll.right)];
    case "quotient":
      return [node(roll.left), node(roll.right), ROUNDINGS.indexOf(roll.rounding)];
    case "either":
      return [node(roll.condition), node(roll.then), node(roll.otherwise)];
    case "variable":
      return [word(roll.name)];
    case "named":
      return [node(roll.source), node(roll.body), ...roll.names.map(word)];
    case "several":
      return [node(roll.count), node(roll.roll)];
    case "group":
      return roll.members.flatMap(([times, inner]) => [times, node(inner)]);
    case "trim":
      return [node(roll.pool), roll.low, roll.high];
    case "count":
      return [COMPARISONS.indexOf(roll.operator), node(roll.pool), node(roll.threshold)];
    case "matching":
      return [MATCHES.indexOf(roll.what), node(roll.pool), roll.number];
  }
  return roll.rolls.map(node);
}
var countOf = (pool) => pool.is === "pool" ? pool.count : added(pool.members.map(([times]) => times));
var braced = (group) => group.members.length > 1 || group.members[0][0] === 1;
var isDie = (roll) => roll.is === "pool" && roll.count === 1;
function rollText(roll) {
  switch (roll.is) {
    case "constant":
      return String(roll.value);
    case "pool":
      return `${roll.count}${roll.die.name}`;
    case "keep":
      return `${rollText(roll.pool)}${roll.highest ? "kh" : "kl"}${roll.number}`;
    case "sum":
      return term(roll.rolls[0]) + roll.rolls.slice(1).map(signed).join("");
    case "negation":
      return `-${operand(roll.roll)}`;
    case "product":
      return `${roll.factor} * ${operand(roll.roll)}`;
    case "maximum":
      return `max(${roll.rolls.map(rollText).join(", ")})`;
    case "minimum":
      return `min(${roll.rolls.map(rollText).join(", ")})`;
    case "comparison":
      return `${side(roll.left)} ${roll.operator} ${side(roll.right)}`;
    case "absolute":
      return `abs(${rollText(roll.roll)})`;
    case "multiplied":
      return roll.rolls.map(operand).join(" * ");
    case "quotient":
      return `${roll.rounding}(${operand(roll.left)} / ${operand(roll.right)})`;
    case "either":
      return `${bare(roll.then)} if ${bare(roll.condition)} else ${rollText(roll.otherwise)}`;
    case "variable":
      return roll.name;
    case "named": {
      const sides = sidedText(roll);
      if (sides !== null) return sides;
      const one2 = oneName(roll.names, roll.body);
      if (one2 !== null) return `${bare(roll.source)} as ${one2}: ${byOneName(roll.names, one2, roll.body)}`;
      return `${bare(roll.source)} as ${roll.names.join(", ")}: ${rollText(roll.body)}`;
    }
    case "several":
      return isDie(roll.roll) ? `(${rollText(roll.count)})${roll.roll.die.name}` : `${operand(roll.count)} times ${operand(roll.roll)}`;
    case "group":
      return groupText(roll.members);
    case "trim": {
      const chosen = roll.pool.is === "pool" || braced(roll.pool) ? rollText(roll.pool) : `{${rollText(roll.pool)}}`;
      if (roll.low && roll.high) return `${chosen}dl${roll.low}dh${roll.high}`;
      return `${chosen}${roll.low ? "kh" : "kl"}${countOf(roll.pool) - roll.low - roll.high}`;
    }
    case "count":
      return `count(${rollText(roll.pool)} ${roll.operator} ${rollText(roll.threshold)})`;
    case "matching":
      return `${roll.what}(${rollText(roll.pool)}${roll.number ? `, ${roll.number}` : ""})`;
  }
  throw new TypeError(`${roll.is} is not a roll`);
}
function sidedText({ names, source, body }) {
  if (names.length > 1 || names[0] !== "sides" || !isDie(source)) return null;
  const faces = facesOf(source.die), said2 = /* @__PURE__ */ new Set();
  for (const face of faces.slice(0, -1)) {
    const { is, condition, then, otherwise } = body;
    if (is !== "either" || condition.is !== "comparison" || condition.operator !== "==") return null;
    if (condition.left.is !== "variable" || condition.left.name !== "sides" || condition.right.value !== face) return null;
    said2.add(withSides(then, face, source));
    body = otherwise;
  }
  said2.add(withSides(body, faces[faces.length - 1], source));
  return said2.size === 1 && faces.length > 1 ? [...said2][0] : null;
}
function withSides(roll, sides, source) {
  let pool = ["count", "matching"].includes(roll.is) ? roll.pool : roll;
  pool = ["keep", "trim"].includes(pool.is) ? pool.pool : pool;
  if (pool.is !== "pool" || pool.die.name !== `d${sides}`) return null;
  return rollText(roll).replace(`d${sides}`, () => `d(${rollText(source)})`);
}
var facesOf = (die) => [...new Set(die.faces)].sort((one2, other) => one2 - other);
function oneName(names, body) {
  const one2 = names[0].replace(/_1$/, "");
  if (names.length < 2 || !names.every((name, place) => name === `${one2}_${place + 1}`)) return null;
  const inner = summed(names, one2, body);
  const used = inner === null ? [...names, one2] : names;
  return looks(inner ?? body, names, used, [...names, one2]) ? one2 : null;
}
function summed(names, one2, body) {
  const { is, source } = body;
  const sums = is === "named" && body.names.length === 1 && body.names[0] === one2 && source.is === "sum";
  return sums && isAll(source.rolls, names) ? body.body : null;
}
var isAll = (rolls, names) => rolls.length === names.length && rolls.every((each, place) => each.is === "variable" && each.name === names[place]);
var isTogether = (pool, names) => pool.is === "group" && pool.members.every(([times]) => times === 1) && isAll(pool.members.map(([, each]) => each), names);
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
var partsIn = (roll) => [
  ...roll.rolls ?? [],
  ...(roll.members ?? []).map(([, each]) => each),
  ...["roll", "left", "right", "condition", "then", "otherwise", "source", "body", "pool", "threshold"].map((name) => roll[name]),
  ...typeof roll.count === "object" ? [roll.count] : []
].filter((part) => part !== void 0);
function byOneName(names, one2, body) {
  const listed2 = `{${names.join(", ")}}`;
  const written2 = rollText(summed(names, one2, body) ?? body);
  return written2.replaceAll(`${listed2}k`, `{${one2}}k`).replaceAll(`${listed2}d`, `{${one2}}d`).replaceAll(listed2, one2);
}
function groupText(members) {
  if (members.length > 1 && members.every(([, roll]) => isDie(roll))) {
    return `{${members.map(([times, roll]) => `${times}${roll.die.name}`).join(" + ")}}`;
  }
  const several = members.map(([times, roll]) => times === 1 ? rollText(roll) : `${times} times ${operand(roll)}`);
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
var inBrackets = (roll, are) => are ? `(${rollText(roll)})` : rollText(roll);
var term = (roll) => inBrackets(roll, isLoose(roll));
var operand = (roll) => inBrackets(roll, roll.is === "negation" || roll.is === "constant" && roll.value < 0 || isLoose(roll));
var side = (roll) => inBrackets(roll, ["comparison", "either", "named"].includes(roll.is));
var bare = (roll) => inBrackets(roll, ["either", "named"].includes(roll.is));
function rollWith(roll, generator, number = Number) {
  const rolling = new Rolling(generator, number);
  return { total: rolling.roll(roll), dice: rolling.dice };
}
function totalOf(roll, pools, number = Number) {
  const rolling = new Rolling(null, number, [...pools]);
  try {
    const total = rolling.roll(roll);
    return rolling.pools.length ? null : total;
  } catch (error) {
    if (error instanceof GameError) return null;
    throw error;
  }
}
var Rolling = class {
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
      let drawn2 = this.generator.below(die.faces.length ** group);
      for (let each = 0; each < group; each++) {
        faces.push(die.faces.at(drawn2 % die.faces.length));
        drawn2 = Math.floor(drawn2 / die.faces.length);
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
      case "constant":
        return true;
      case "variable":
        return this.#known(roll.name) !== void 0;
      case "sum":
      case "maximum":
      case "minimum":
      case "multiplied":
        return roll.rolls.every((each) => this.#settled(each));
      case "negation":
      case "absolute":
      case "product":
        return this.#settled(roll.roll);
      case "comparison":
      case "quotient":
        return this.#settled(roll.left) && this.#settled(roll.right);
      case "either":
        return this.#settled(roll.condition) && this.#settled(this.roll(roll.condition) ? roll.then : roll.otherwise);
      case "several":
        return this.#settled(roll.count) && (this.roll(roll.count) < 1 || this.#settled(roll.roll));
    }
    return false;
  }
  roll(roll) {
    const all = () => roll.rolls.map((each) => this.roll(each));
    switch (roll.is) {
      case "constant":
        return this.number(roll.value);
      case "pool":
        return this.#sum(this.#draw(roll.die, roll.count));
      case "sum":
        return this.#sum(all());
      case "negation":
        return this.number(0) - this.roll(roll.roll);
      case "product":
        return this.number(roll.factor) * this.roll(roll.roll);
      case "maximum":
        return all().reduce((one2, other) => other > one2 ? other : one2);
      case "minimum":
        return all().reduce((one2, other) => other < one2 ? other : one2);
      case "comparison": {
        const left2 = this.roll(roll.left);
        return this.number(holds(roll.operator, left2, this.roll(roll.right)));
      }
      case "absolute": {
        const value = this.roll(roll.roll);
        return value < 0 ? -value : value;
      }
      case "multiplied":
        return all().reduce((product, each) => product * each);
      case "quotient": {
        const over = this.roll(roll.left);
        return divided(over, this.roll(roll.right), roll.rounding);
      }
      case "either":
        return this.roll(this.roll(roll.condition) ? roll.then : roll.otherwise);
      case "variable":
        return this.#known(roll.name)[1];
      case "named":
        return this.#named(roll);
      case "several":
        return this.#several(roll);
      case "count": {
        const results = this.results(roll.pool);
        return this.number(results.filter((each) => holds(roll.operator, each, this.roll(roll.threshold))).length);
      }
      case "matching":
        return this.number(matched(roll.what, this.results(roll.pool), roll.number));
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
};
var descending = (one2, other) => one2 < other ? 1 : one2 > other ? -1 : 0;
function keptPlaces(values, low, high, lowest) {
  const order = values.map((_, place) => place);
  order.sort((one2, other) => (lowest ? descending(values[other], values[one2]) : descending(values[one2], values[other])) || one2 - other);
  return new Set(lowest ? order.slice(low, order.length - high) : order.slice(high, order.length - low));
}
function trimmed(roll) {
  if (roll.is === "keep") {
    const dropped = roll.pool.count - roll.number;
    return roll.highest ? [roll.pool, dropped, 0] : [roll.pool, 0, dropped];
  }
  return roll.is === "trim" ? [roll.pool, roll.low, roll.high] : [roll, 0, 0];
}
function divided(over, under, rounding) {
  const integer = typeof over === "bigint" ? BigInt : Number, zero = integer(0), unit = integer(1), two = integer(2);
  if (under === zero) throw new GameError("a roll is divided by 0");
  const [one2, other] = under < 0 ? [-over, -under] : [over, under];
  const left2 = (one2 % other + other) % other, down = (one2 - left2) / other;
  if (rounding === "down" || left2 === zero) return down + zero;
  if (rounding === "up") return down + unit;
  if (rounding === "truncate") return one2 < 0 ? down + unit : down;
  return two * left2 > other || two * left2 === other && down >= 0 ? down + unit : down;
}
function matched(what, values, number) {
  const counts = /* @__PURE__ */ new Map();
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
var MOST_WAYS = 2e5;
function outcomesOf(roll) {
  const found = new Odds().of(roll);
  const total = [...found.values()].reduce((sum, ways) => sum + ways, 0n);
  return [...found].sort(([one2], [other]) => one2 - other).map(([outcome, ways]) => [outcome, ways, total]);
}
var Odds = class {
  names = /* @__PURE__ */ new Map();
  spent = 0;
  #joined(one2, other, join) {
    const found = /* @__PURE__ */ new Map();
    this.spent += one2.size * other.size;
    if (this.spent > MOST_WAYS) throw new GameError("this roll has too many ways to list its outcomes");
    for (const [a, ways] of one2) {
      for (const [b, more] of other) {
        const made = join(a, b);
        found.set(made, (found.get(made) ?? 0n) + ways * more);
      }
    }
    return found;
  }
  #mapped(found, map) {
    return this.#joined(found, /* @__PURE__ */ new Map([[0, 1n]]), map);
  }
  #all(rolls, join) {
    return rolls.map((each) => this.of(each)).reduce((one2, other) => this.#joined(one2, other, join));
  }
  /** Combines the outcomes that follow each outcome of a roll, weighted so that all ways are equally likely. */
  #followed(found, follow) {
    const parts = [...found].map(([outcome, ways]) => [ways, follow(outcome)]);
    const sums = parts.map(([, after]) => [...after.values()].reduce((sum, ways) => sum + ways, 0n));
    const whole = sums.reduce((product, sum) => product * sum / common(product, sum), 1n);
    const all = /* @__PURE__ */ new Map();
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
    const found = /* @__PURE__ */ new Map();
    die.faces.forEach((face, place) => {
      const ways = die.ladder ? die.ladder[place] - (place ? die.ladder[place - 1] : 0) : 1;
      found.set(face, (found.get(face) ?? 0n) + BigInt(ways));
    });
    return found;
  }
  of(roll) {
    switch (roll.is) {
      case "constant":
        return /* @__PURE__ */ new Map([[roll.value, 1n]]);
      case "variable":
        return /* @__PURE__ */ new Map([[this.names.get(roll.name), 1n]]);
      case "pool":
        return this.#repeated(this.#die(roll.die), roll.count);
      case "sum":
        return this.#all(roll.rolls, (a, b) => a + b);
      case "multiplied":
        return this.#all(roll.rolls, (a, b) => a * b);
      case "maximum":
        return this.#all(roll.rolls, Math.max);
      case "minimum":
        return this.#all(roll.rolls, Math.min);
      case "negation":
        return this.#mapped(this.of(roll.roll), (a) => 0 - a);
      case "product":
        return this.#mapped(this.of(roll.roll), (a) => roll.factor * a);
      case "absolute":
        return this.#mapped(this.of(roll.roll), Math.abs);
      case "comparison":
        return this.#joined(this.of(roll.left), this.of(roll.right), (a, b) => Number(holds(roll.operator, a, b)));
      case "quotient":
        return this.#joined(this.of(roll.left), this.of(roll.right), (a, b) => divided(a, b, roll.rounding));
      case "either":
        return this.#followed(this.of(roll.condition), (a) => this.of(a ? roll.then : roll.otherwise));
      case "several":
        return this.#followed(this.of(roll.count), (a) => a < 1 ? /* @__PURE__ */ new Map([[0, 1n]]) : this.#repeated(this.of(roll.roll), a));
      case "named":
        return roll.names.length === 1 ? this.#followed(this.of(roll.source), (a) => this.#named(roll.names, [a], () => this.of(roll.body))) : this.#followed(this.#results(roll.source), (key) => {
          const values = JSON.parse(key).sort((one2, other) => other - one2);
          return this.#named(roll.names, values, () => this.of(roll.body));
        });
      case "group":
        return roll.members.map(([times, inner]) => this.#repeated(this.of(inner), times)).reduce((one2, other) => this.#joined(one2, other, (a, b) => a + b));
      case "matching":
        return this.#mapped(this.#results(roll.pool), (key) => matched(roll.what, JSON.parse(key), roll.number));
      case "count": {
        const [[threshold]] = this.of(roll.threshold), meets = (each) => Number(holds(roll.operator, each, threshold));
        const [, low, high] = trimmed(roll.pool);
        if (!low && !high) return this.#singles(roll.pool).map((each) => this.#mapped(each, meets)).reduce((one2, other) => this.#joined(one2, other, (a, b) => a + b), /* @__PURE__ */ new Map([[0, 1n]]));
        return this.#mapped(this.#results(roll.pool), (key) => JSON.parse(key).filter(meets).length);
      }
    }
    return this.#mapped(this.#results(roll), (key) => added(JSON.parse(key)));
  }
  #repeated(one2, times) {
    let found = /* @__PURE__ */ new Map([[0, 1n]]);
    for (let each = 0; each < times; each++) found = this.#joined(found, one2, (a, b) => a + b);
    return found;
  }
  /** Returns the distribution of each separate result. */
  #singles(roll) {
    const [dice] = trimmed(roll);
    return dice.is === "pool" ? Array(dice.count).fill(this.#die(dice.die)) : dice.members.flatMap(([times, inner]) => Array(times).fill(this.of(inner)));
  }
  /** Returns the distribution of the kept separate results, each as text in ascending order. */
  #results(roll) {
    const [, low, high] = trimmed(roll), singles = this.#singles(roll);
    let found = /* @__PURE__ */ new Map([["[]", 1n]]);
    for (const single of singles) {
      found = this.#joined(found, single, (key, face) => JSON.stringify([...JSON.parse(key), face].sort((a, b) => a - b)));
    }
    return this.#mapped(found, (key) => JSON.stringify(JSON.parse(key).slice(low, singles.length - high)));
  }
};
function common(one2, other) {
  while (other) [one2, other] = [other, one2 % other];
  return one2;
}

// engine/rulewright/export/js/notation.js
function rollOf(text2, dice) {
  const reading = new Reading(text2, dice);
  const found = reading.whole();
  reading.space();
  if (reading.at < text2.length) reading.refuse();
  return found;
}
var NUMBER = /\d+/y;
var NAME = /[A-Za-z_]\w*/y;
var Reading = class {
  at = 0;
  bindings = [];
  sided = /* @__PURE__ */ new Set();
  constructor(text2, dice) {
    this.text = text2;
    this.dice = dice;
    this.names = [...dice.keys()].sort((one2, other) => other.length - one2.length);
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
      const named = (between2) => Array.from({ length: binding.count }, (_, place) => `${name}${between2}${place + 1}`);
      let between = "_";
      while (named(between).some((each) => used.includes(each))) between += "_";
      binding.dice = named(between);
    }
    const dice = binding.dice.length ? binding.dice : binding.names;
    return { is: "group", members: dice.map((each) => [1, variable(each)]) };
  }
  compared() {
    const left2 = this.sum();
    for (const operator of [">=", "<=", "==", "!=", ">", "<"]) {
      if (this.took(operator)) return { is: "comparison", operator, left: left2, right: this.sum() };
    }
    return left2;
  }
  sum() {
    const rolls = [this.product()];
    for (; ; ) {
      if (this.took("+")) rolls.push(this.product());
      else if (this.took("-")) rolls.push(negated(this.product()));
      else return rolls.length === 1 ? rolls[0] : { is: "sum", rolls: rolls.flatMap((each) => each.is === "sum" ? each.rolls : [each]) };
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
    const inside = (each) => each.is === "either" ? { ...each, then: make(each.then), otherwise: inside(each.otherwise) } : make(each);
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
    for (; ; ) {
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
    if (name === void 0) return null;
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
    const plain2 = first.is === "sum" && first.rolls.every((each) => each.is === "pool");
    if (plain2) first.rolls.forEach(add);
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
    const left2 = this.whole();
    return this.took("/") ? { is: "over", left: left2, right: this.whole() } : left2;
  }
};
var variable = (name) => ({ is: "variable", name });
var isVariable = (group) => group.members.length === 1 && group.members[0][0] === 1 && group.members[0][1].is === "variable";
function resultCount(roll) {
  if (roll.is === "pool") return roll.count;
  if (roll.is === "keep") return roll.number;
  if (roll.is === "group") return roll.members.reduce((sum, [times]) => sum + times, 0);
  return roll.is === "trim" ? resultCount(roll.pool) - roll.low - roll.high : 0;
}
function uses(roll, name) {
  if (roll.is === "variable") return roll.name === name;
  if (roll.is === "named" && roll.names.includes(name)) return uses(roll.source, name);
  return Object.values(roll).flat(2).some((part) => part !== null && typeof part === "object" && part.is !== void 0 && uses(part, name));
}
function negated(roll) {
  if (roll.is === "constant") return { is: "constant", value: -roll.value };
  if (roll.is === "negation") return roll.roll;
  return roll.is === "product" ? { ...roll, factor: -roll.factor } : { is: "negation", roll };
}

// engine/rulewright/export/js/json.js
var SAFE = BigInt(Number.MAX_SAFE_INTEGER);
function plainNumber(big) {
  return big <= SAFE && big >= -SAFE ? Number(big) : big;
}
function isWhole(value) {
  return typeof value === "bigint" || typeof value === "number" && Number.isSafeInteger(value);
}
function same(one2, other) {
  if (one2 === other) return true;
  if (one2 === null || other === null || typeof one2 !== "object" || typeof other !== "object") {
    return isWhole(one2) && isWhole(other) && BigInt(one2) === BigInt(other);
  }
  if (Array.isArray(one2) !== Array.isArray(other)) return false;
  const names = Object.keys(one2);
  return names.length === Object.keys(other).length && names.every((name) => same(one2[name], other[name]));
}
function writeJSON(value) {
  if (Array.isArray(value)) return `[${value.map(writeJSON).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${writeJSON(each)}`).join(", ")}}`;
  }
  return typeof value === "bigint" ? value.toString() : JSON.stringify(value);
}
function readJSON(text2) {
  const token = /\s*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(true|false|null))/y;
  let kind, held;
  const next = () => {
    const found2 = token.exec(text2);
    if (found2 === null) throw new SyntaxError("this is not JSON");
    kind = found2[1] ?? (found2[2] !== void 0 ? "text" : found2[3] !== void 0 ? "number" : "word");
    held = found2[0].trim();
  };
  const value = (deep) => {
    if (deep > 1e3) throw new SyntaxError("this is nested too deeply");
    if (kind === "[") {
      const found2 = [];
      next();
      if (kind === "]") return found2;
      for (; ; ) {
        found2.push(value(deep + 1));
        next();
        if (kind === "]") return found2;
        if (kind !== ",") throw new SyntaxError("this is not JSON");
        next();
      }
    }
    if (kind === "{") {
      const found2 = {};
      next();
      if (kind === "}") return found2;
      for (; ; ) {
        if (kind !== "text") throw new SyntaxError("this is not JSON");
        const name = JSON.parse(held);
        next();
        if (kind !== ":") throw new SyntaxError("this is not JSON");
        next();
        Object.defineProperty(found2, name, { value: value(deep + 1), enumerable: true, writable: true, configurable: true });
        next();
        if (kind === "}") return found2;
        if (kind !== ",") throw new SyntaxError("this is not JSON");
        next();
      }
    }
    if (kind === "number") return /^-?\d+$/.test(held) ? plainNumber(BigInt(held)) : Number(held);
    if (kind === "text" || kind === "word") return JSON.parse(held);
    throw new SyntaxError("this is not JSON");
  };
  next();
  const found = value(0);
  if (text2.slice(token.lastIndex).trim()) throw new SyntaxError("something follows the JSON");
  return found;
}
function sha256(text2) {
  const bytes = new TextEncoder().encode(text2);
  const size = (bytes.length + 8 >> 6) + 1;
  const padded = new Uint8Array(size * 64);
  padded.set(bytes);
  padded[bytes.length] = 128;
  const view = new DataView(padded.buffer);
  view.setUint32(size * 64 - 8, Math.floor(bytes.length / 536870912));
  view.setUint32(size * 64 - 4, bytes.length << 3);
  const state = Uint32Array.from(SHA_START);
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let each = 0; each < 16; each++) w[each] = view.getUint32(at + 4 * each);
    for (let each = 16; each < 64; each++) {
      const a2 = w[each - 15], b2 = w[each - 2];
      const s = (turned(a2, 7) ^ turned(a2, 18) ^ a2 >>> 3) + (turned(b2, 17) ^ turned(b2, 19) ^ b2 >>> 10);
      w[each] = w[each - 16] + w[each - 7] + s | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let each = 0; each < 64; each++) {
      const one2 = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + (e & f ^ ~e & g) + SHA_ROUNDS[each] + w[each] | 0;
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + one2 | 0, c, b, a, one2 + two | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((each, place) => {
      state[place] += each;
    });
  }
  return [...state].map((each) => each.toString(16).padStart(8, "0")).join("");
}
var turned = (word, by) => word >>> by | word << 32 - by;
var PRIMES = [...Array(312).keys()].filter((each) => each > 1 && ![...Array(each).keys()].some((d) => d > 1 && each % d === 0));
var fraction = (value) => Math.floor((value - Math.floor(value)) * 4294967296) >>> 0;
var SHA_START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
var SHA_ROUNDS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));

// engine/rulewright/export/js/wasm_module.js
var DECISION = 1;
var CHANCE = 2;
var OVER = 3;
var RECORDING = 1;
var PRESENTING = 8;
var ADDRESS = 0xffffffffn;
var MOST_OF_A_GAME = 1 << 26;
var FIRST_PLAYER = 1;
function present(type) {
  return type?.optional === void 0 ? type : present(type.optional);
}
function requireKnown(name, found) {
  if (found === void 0 || found < 0) throw new GameError(`these rules do not know \`${name}\``);
  return found;
}
var Module = class {
  #names = /* @__PURE__ */ new Map();
  #rolls = /* @__PURE__ */ new Map();
  #rollsByText = /* @__PURE__ */ new Map();
  #dice = /* @__PURE__ */ new Map();
  #diceByName = /* @__PURE__ */ new Map();
  #view = null;
  constructor(instance, data) {
    this.data = data;
    this.layout = data.layout;
    this.at = data.layout.at;
    this.calls = instance.exports;
    this.calls.keep_heap_below?.(MOST_OF_A_GAME);
    this.none = BigInt(data.layout.none);
    this.blockBit = BigInt(data.layout.block);
    this.procedures = new Map(data.procedures.map((each) => [each.id, each]));
    this.kinds = new Map(data.kinds.map((each, number) => [each.id, { ...each, number }]));
    this.rows = new Map(Object.entries(data.tables).map(([id, table]) => [id, table.rows.map((row) => row.id)]));
    this.steps = new Map(Object.entries(data.steps).map(([number, step]) => [Number(number), step]));
    this.stepNumbers = new Map([...this.steps].map(([number, step]) => [`${step.procedure}
${step.id}`, number]));
    for (const [number, word] of data.words.entries()) this.#names.set(word, number);
    for (const [at, name] of Object.entries(data.dice)) {
      const die = dieFrom(this.#plain(Number(at), 7), name, (address, count) => this.#plain(address, count));
      this.#dice.set(Number(at), die);
      this.#diceByName.set(name, { die, at: Number(at) });
    }
    for (const [at, text2] of Object.entries(data.rolls)) this.#rollsByText.set(text2, Number(at));
  }
  // -- memory --------------------------------------------------------------------------------------
  get memory() {
    const { buffer } = this.calls.memory;
    if (this.#view === null || this.#view.buffer !== buffer) this.#view = new BigInt64Array(buffer);
    return this.#view;
  }
  read(address, count) {
    return [...this.memory.subarray(address / 8, address / 8 + count)];
  }
  write(address, words) {
    const { memory } = this;
    words.forEach((word, place) => {
      memory[address / 8 + place] = BigInt(word);
    });
  }
  #plain(address, count) {
    return this.read(address, count).map(plainNumber);
  }
  get(name) {
    return this.memory[this.at[name] / 8];
  }
  set(name, word) {
    this.memory[this.at[name] / 8] = BigInt(word);
  }
  /** Returns the words of a block. */
  block(word) {
    const at = Number(word & ADDRESS);
    return this.read(at + 8, Number(this.memory[at / 8]));
  }
  newBlock(words) {
    const made = this.calls.new_block(BigInt(words.length));
    this.write(Number(made & ADDRESS) + 8, words);
    return made;
  }
  // -- values --------------------------------------------------------------------------------------
  /** Returns the value of a word of a type. Types without a value give a number. */
  value(word, type) {
    if (word === this.none) return null;
    if (type === null || type === void 0 || type === "number" || type === "nothing") return plainNumber(word);
    if (type === "truth") return word !== 0n;
    if (type === "choice" || type === "text") return this.data.words[Number(word)];
    if (type === "dice") return word & this.blockBit && word > 0n ? this.roll(word) : plainNumber(word);
    if (type === "ratio") return this.block(word).map(plainNumber);
    if (type.optional !== void 0) return this.value(word, type.optional);
    if (type.row !== void 0) return this.rows.get(type.row)[Number(word)];
    if (type.list !== void 0) return this.block(word).map((each) => this.value(each, type.list));
    if (type.map !== void 0) return this.block(word).map((each) => this.value(each, type.of));
    if (type.record !== void 0) return this.block(word).map((each, place) => this.value(each, type.parts[place][1]));
    if (type.whole !== void 0) {
      const [number, ...fields] = this.block(word);
      const declared = this.kinds.get(type.whole).fields;
      return [Number(number), ...fields.map((each, place) => this.value(each, declared[place].type))];
    }
    return plainNumber(word);
  }
  roll(word) {
    const at = Number(word & ADDRESS);
    const known = this.#rolls.get(at);
    if (known !== void 0) return known;
    const [kind, , , ...parts] = this.block(word);
    const found = rollFrom(
      this.data.kinds_of_roll[Number(kind)],
      parts.map((each) => each > 0n && each & this.blockBit ? each : plainNumber(each)),
      (each) => this.roll(each),
      (each) => this.#dice.get(each),
      (each) => this.data.words[each]
    );
    if (at < this.layout.free) this.#rolls.set(at, found);
    return found;
  }
  /** Returns the word for a value of a type. */
  word(value, type) {
    if (value === null) return this.none;
    if (typeof value === "boolean") return value ? 1n : 0n;
    if (isWhole(value)) return BigInt(value);
    const kind = present(type);
    if (typeof value === "string") {
      return BigInt(requireKnown(value, kind?.row === void 0 ? this.#names.get(value) : this.rows.get(kind.row).indexOf(value)));
    }
    if (Array.isArray(value)) {
      const inner = (place) => kind?.list ?? kind?.of ?? kind?.parts?.[place]?.[1] ?? null;
      return this.newBlock(value.map((each, place) => this.word(each, inner(place))));
    }
    return this.rollWord(value.is === void 0 ? this.rollFrom(value.dice) : value);
  }
  rollFrom(text2) {
    const at = this.#rollsByText.get(text2);
    if (at !== void 0) return this.roll(this.blockBit | BigInt(at));
    const dice = new Map([...this.#diceByName].map(([name, { die }]) => [name, die]));
    for (const [name, sides] of text2.matchAll(/(?<=\d)d(\d{1,4})/g)) {
      if (!dice.has(name) && Number(sides) > 0) dice.set(name, plainDie(name, Number(sides)));
    }
    return rollOf(text2, dice);
  }
  /** Writes a roll to memory outside of the game. Returns its word and the address after it. */
  placed(roll, free) {
    const at = this.#rollsByText.get(rollText(roll));
    if (at !== void 0) return [this.blockBit | BigInt(at), free];
    const put = (words) => {
      const address = free;
      free += 8 * words.length;
      if (free > this.layout.state) throw new GameError("too many dice");
      this.write(address, words);
      return address;
    };
    const place = (each) => {
      const [word, end] = this.placed(each, free);
      free = end;
      return word;
    };
    const die = (each) => {
      const known = this.#diceByName.get(each.name);
      if (known !== void 0) return known.at;
      const { faces, together } = each;
      const middle = put([2, faces.length + 1, 2]);
      const address = put([faces.length, 1, 1, 0, 0, together, this.blockBit | BigInt(middle)]);
      this.#dice.set(address, each);
      return address;
    };
    const parts = partsOf(roll, place, die, (name) => requireKnown(name, this.#names.get(name)));
    const made = put([3 + parts.length, this.data.kinds_of_roll.indexOf(roll.is), this.none, this.none, ...parts]);
    return [this.blockBit | BigInt(made), free];
  }
  rollWord(roll) {
    const at = this.#rollsByText.get(rollText(roll));
    if (at !== void 0) return this.blockBit | BigInt(at);
    const parts = partsOf(
      roll,
      (each) => this.rollWord(each),
      (die) => requireKnown(die.name, this.#diceByName.get(die.name)).at,
      (name) => requireKnown(name, this.#names.get(name))
    );
    return this.newBlock([this.data.kinds_of_roll.indexOf(roll.is), this.none, this.none, ...parts]);
  }
  /** Returns a value as in the JSON of a state. */
  plainValue(value) {
    if (Array.isArray(value)) return value.map((each) => this.plainValue(each));
    return value !== null && typeof value === "object" ? { dice: rollText(value) } : value;
  }
  // -- running -------------------------------------------------------------------------------------
  /** Calls a function of the module. Throws RulesFault if the rules fail. */
  call(name, ...words) {
    try {
      return this.calls[name](...words);
    } catch (trap) {
      const [reason, value, text2, row] = this.read(this.at.fault, 4);
      this.set("fault", 0n);
      if (!reason) throw trap;
      const rule = Number(this.get("rule"));
      const where = rule > 0 ? this.steps.get(rule).rule : this.data.procedures[-1 - rule]?.id;
      throw new RulesFault(where, this.#fault(Number(reason), value, Number(text2), row));
    }
  }
  #fault(reason, value, text2, row) {
    const { words, faults } = this.data;
    const said2 = {
      text: words[text2] ?? "",
      value: String(value),
      row: ""
    };
    if (faults[reason]?.includes("{row}")) said2.row = this.rows.get(words[Number(row >> 32n)])[Number(row & ADDRESS)];
    return (faults[reason] ?? "the rules are at fault").replace(/\{(\w+)\}/g, (_, name) => said2[name]);
  }
  /** Evaluates a question without changing the game's work budget. */
  ask(name, ...words) {
    const before = [this.get("work"), this.get("crowd"), this.get("rule")];
    this.set("work", BigInt(this.data.limits.work));
    try {
      return this.call(name, ...words);
    } finally {
      ["work", "crowd", "rule"].forEach((each, place) => this.set(each, before[place]));
    }
  }
  get mode() {
    return Number(this.get("mode"));
  }
  /** Writes a state to memory: objects by number, frames, and the root procedure. */
  put({ objects, frames, root, work = null }, flags = RECORDING) {
    const { layout, none } = this;
    const live = this.data.kinds.map(() => []);
    objects.forEach((thing, number) => {
      if (thing && number) live[thing[0]].push(number);
    });
    this.write(layout.state, Array(58).fill(0n));
    const crowd = Math.max(1, ...live.map((each) => Math.ceil(each.length / this.data.limits.crowd)));
    const seats = live[1].length;
    const words = {
      top: layout.heap,
      clean: layout.heap,
      limit: layout.heap + 65536,
      made: objects.length,
      seats,
      work: work ?? this.data.limits.work,
      crowd,
      root: this.data.procedures.findIndex((each) => each.id === root),
      flags
    };
    for (const [name, word] of Object.entries(words)) this.set(name, word);
    for (const name of ["options", "roll", "answer", "winners", "given", "events"]) this.set(name, none);
    this.write(layout.kept, Array(layout.kept_words).fill(0n));
    live.forEach((each, kind) => this.write(layout.live + 8 * kind, [this.newBlock(each)]));
    const values = (thing) => {
      const { fields } = this.data.kinds[thing[0]];
      return thing.slice(1).map((each, place) => this.word(each, fields[place].type));
    };
    this.write(layout.game + 8, values(objects[0]));
    const table = Array(Math.max(objects.length, 16)).fill(none);
    objects.forEach((thing, number) => {
      if (!thing || number === 0) return;
      if (number >= FIRST_PLAYER && number < FIRST_PLAYER + seats) {
        this.write(layout.players + 8 * layout.player_size * (number - FIRST_PLAYER) + 8, values(thing));
      } else {
        table[number] = this.newBlock([thing[0], ...values(thing)]);
      }
    });
    this.set("objects", this.newBlock(table));
    this.set("events", this.newBlock(Array(64).fill(0n)));
    let at = layout.frames, procedure = root;
    frames.forEach((frame, place) => {
      const { slots } = this.procedures.get(procedure);
      this.write(at, [frame[0], ...frame.slice(1).map((each, slot) => this.word(each, slots[slot + 1]))]);
      this.set("frame", at);
      at += 8 * frame.length;
      if (place + 1 < frames.length) procedure = this.steps.get(frame[0]).calls;
    });
    this.set("frames_end", at);
  }
  /** Converts a state from JSON to the arguments of `put`. */
  laidOut({ next, objects, frames, root }) {
    const found = Array(next).fill(null);
    for (const [number, [kind, ...values]] of Object.entries(objects)) found[number] = [this.kinds.get(kind).number, ...values];
    return { objects: found, frames: frames.map(({ at, values }) => [at === null ? 0 : this.stepNumbers.get(at.join("\n")), ...values]), root };
  }
  /** Starts a new game before its first step. */
  start(players, options) {
    this.write(this.layout.state, this.data.fresh[players].map(BigInt));
    this.set("flags", RECORDING);
    const [{ fields }] = this.data.kinds;
    for (const [name, choice] of Object.entries(options)) {
      const place = 1 + fields.findIndex((field) => field.name === `options.${name}`);
      this.write(this.layout.game + 8 * place, [this.word(choice, "choice")]);
    }
  }
  begin(root) {
    this.call("begin", BigInt(this.data.procedures.findIndex((each) => each.id === root)));
  }
  /** Sets the decision of frames in memory: the player who decides, and the word of the options. */
  stand(who, options) {
    for (const [name, word] of [["mode", DECISION], ["who", who], ["options", options]]) this.set(name, word);
  }
  /** Computes the stop of frames in memory. */
  present() {
    this.set("flags", BigInt(PRESENTING));
    this.call("go_on", 0n);
    this.set("flags", BigInt(RECORDING));
  }
  /** Returns the objects by number, each with its kind first; null for removed ones. */
  objects() {
    const { layout } = this;
    const made = Number(this.get("made")), seats = Number(this.get("seats"));
    const values = (kind, words) => [kind, ...words.map((each, place) => this.value(each, this.data.kinds[kind].fields[place].type))];
    const found = Array(made).fill(null);
    found[0] = values(0, this.read(layout.game + 8, layout.game_size - 1));
    for (let seat = 0; seat < seats; seat++) {
      const at = layout.players + 8 * layout.player_size * seat;
      found[FIRST_PLAYER + seat] = values(1, this.read(at + 8, layout.player_size - 1));
    }
    this.block(this.get("objects")).slice(0, made).forEach((each, number) => {
      if (each === this.none) return;
      const [kind, ...fields] = this.block(each);
      found[number] = values(Number(kind), fields);
    });
    return found;
  }
  get root() {
    return this.data.procedures[Number(this.get("root"))].id;
  }
  /** Returns the frames of running procedures, the outermost first, each with its step number first. */
  frames() {
    if (this.mode === OVER && this.get("winners") !== this.none) return [];
    const top = Number(this.get("frame")), found = [];
    let at = this.layout.frames, procedure = this.root;
    for (; ; ) {
      const { size, slots } = this.procedures.get(procedure);
      const [step, ...words] = this.read(at, size + 1);
      found.push([Number(step), ...words.map((each, place) => this.value(each, slots[place + 1]))]);
      if (at >= top) return found;
      at += 8 * (size + 1);
      procedure = this.steps.get(Number(step)).calls;
    }
  }
  /** Returns the current step and its stop. */
  standing() {
    const at = Number(this.get("frame"));
    const step = this.steps.get(Number(this.memory[at / 8]));
    const stage = step.hidden !== null && step.stops.length > 1 ? this.memory[at / 8 + step.hidden] : 0n;
    return { step, stop: step.stops[stage === this.none ? 0 : Number(stage)] };
  }
  /** Returns the new events, each as (site, details), and frees their memory. */
  events() {
    const told = Number(this.get("told")), found = [];
    const words = this.block(this.get("events"));
    for (let at = 0; at < told; ) {
      const site = this.data.events[Number(words[at])];
      const details = site.details.map((type, place) => this.value(words[at + 1 + place], type));
      found.push({ site, details });
      at += 1 + details.length;
    }
    this.set("told", 0n);
    return found;
  }
  // -- copies --------------------------------------------------------------------------------------
  /** Returns the bytes of the game. */
  copy() {
    const size = this.calls.size_of_game();
    return new Uint8Array(this.calls.memory.buffer).slice(this.layout.state, this.layout.state + size);
  }
  /** Writes the bytes of a game back to memory. */
  restore(bytes) {
    const end = this.layout.state + bytes.length;
    const pages = Math.ceil((end - this.calls.memory.buffer.byteLength) / 65536);
    if (pages > 0) this.calls.memory.grow(pages);
    new Uint8Array(this.calls.memory.buffer).set(bytes, this.layout.state);
  }
};

// engine/rulewright/export/js/phrases.js
var MINUS = "−";
var ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
var MOST_ROWS = 12;
var HIDDEN = /* @__PURE__ */ Symbol("hidden");
function phrase(...pieces3) {
  return pieces3.flatMap((piece) => Array.isArray(piece) ? piece : piece === "" ? [] : [piece]);
}
function text(said2) {
  return said2.map(partText).join("");
}
function pieces(said2) {
  const found = [];
  for (const part of leaves(said2)) {
    const dice = part.roll !== void 0 ? rollText(part.roll) : part.dice;
    if (dice !== void 0) found.push({ dice });
    else if (typeof found.at(-1) === "string") found.push(found.pop() + pieceText(part));
    else found.push(pieceText(part));
  }
  return found;
}
var pieceText = (part) => partText(part.number === void 0 ? part : { ...part, minus: MINUS });
function partText(part) {
  if (typeof part === "string") return part;
  if (part.number !== void 0) return part.number < 0 ? `${part.minus ?? "-"}${-part.number}` : String(part.number);
  if (part.roll !== void 0) return `🎲 ${rollText(part.roll)}`;
  if (part.dice !== void 0) return `🎲 ${part.dice}`;
  const said2 = text(part.name);
  return part.article ? `${part.article} ${said2}` : said2;
}
var upper = (words) => {
  const [first = ""] = words;
  return first.toUpperCase() + words.slice(first.length);
};
var lower = (words) => {
  const [first = ""] = words;
  return first.toLowerCase() + words.slice(first.length);
};
function capital(said2) {
  const [first, ...rest] = said2;
  if (typeof first === "string") return [upper(first), ...rest];
  if (first?.name !== void 0) {
    return [first.article ? { ...first, article: upper(first.article) } : { ...first, name: capital(first.name) }, ...rest];
  }
  return said2;
}
function capitalTerm(said2) {
  return said2[0]?.of?.[0] === "terms" ? capital(said2) : said2;
}
function small(said2) {
  const [first, ...rest] = said2;
  if (typeof first === "string") return [lower(first), ...rest];
  if (first?.name !== void 0 && !first.article && first.of[0] === "kinds") return [{ ...first, name: small(first.name) }, ...rest];
  return said2;
}
function listed(said2, and = "and") {
  return said2.flatMap((each, place) => place ? [place === said2.length - 1 ? ` ${and} ` : ", ", ...each] : each);
}
function leaves(said2) {
  return said2.flatMap(
    (part) => part.name === void 0 ? [part] : [...part.article ? [`${part.article} `] : [], ...leaves(part.name)]
  );
}
function isSeveral(said2) {
  const [number, words] = leaves(said2);
  return number?.number !== void 0 && typeof words === "string" && number.number >= 0 && number.number !== 1 && words.startsWith(" ");
}
function article(noun) {
  return noun && "aeio".includes(noun[0].toLowerCase()) ? "an" : "a";
}
function ended(said2) {
  return /[.!?]$/.test(text(said2)) ? said2 : phrase(said2, ".");
}
function ordinal(place) {
  if (place <= ORDINALS.length) return ORDINALS[place - 1];
  const tail = [11, 12, 13].includes(place % 100) ? "th" : { 1: "st", 2: "nd", 3: "rd" }[place % 10] ?? "th";
  return `${place}${tail}`;
}
var isNothing = (value) => value === null || value === 0 || value === false || value === "" || value === HIDDEN || Array.isArray(value) && !value.length;
var capitalized = (words) => upper(words.toLowerCase());
var spaced = (words) => words.replaceAll("_", " ");
var PhraseBuilder = class _PhraseBuilder {
  constructor(module, objects, names = {}) {
    this.module = module;
    this.names = names;
    this.data = module.data;
    this.objects = objects;
    this.gone = /* @__PURE__ */ new Set();
  }
  // -- sentences of the log ------------------------------------------------------------------------
  /** The word before the last item of a list. */
  get and() {
    return this.data.language?.and ?? "and";
  }
  /** Returns a message in the language of the rules, with phrases or parts in place of `%(name)s`. */
  build(message, parts = {}) {
    const said2 = this.data.language?.messages[message] ?? message;
    return phrase(...said2.split(/%\((\w+)\)s/).map((piece, at) => at % 2 ? parts[piece] : piece));
  }
  /** Returns a message in the language of the rules as text, with texts in place of `%(name)s`. */
  message(message, values) {
    return this.build(message, values).join("");
  }
  /** Returns an English article, or nothing in another language. */
  #article(word) {
    return this.data.language === void 0 ? word : "";
  }
  // -- words of the rules --------------------------------------------------------------------------
  /** Returns a text for readers with its placeholders filled in. */
  words(written2) {
    return this.#about(written2, null, "", []);
  }
  /** Returns a sentence with the given phrases in it, with a capital letter and a full stop. */
  sentence(written2, given) {
    return written2 ? capital(ended(this.#about(written2, null, "", [], given))) : [];
  }
  #about(written2, thing, kind, values, given = {}) {
    if (!/[{}]/.test(written2)) return written2 ? [written2] : [];
    return this.data.templates[written2].flatMap((part, place, parts) => {
      const told = part.own === void 0 ? given[part.given] : thing === null ? void 0 : this.#own(part, thing, kind, values);
      if (part.own === void 0 && part.given === void 0) return [part];
      if (told === void 0) return [part.written];
      const [first, ...rest] = told, before = parts[place - 1];
      const again = first?.name !== void 0 && typeof before === "string" && before.toLowerCase().endsWith("the ");
      return again ? [{ ...first, article: "" }, ...rest] : first === void 0 ? [] : [first, ...rest];
    });
  }
  #own(part, thing, kind, values) {
    if (!part.own) return this.thing(kind, thing);
    const [name, ...path] = part.own.split(".");
    const place = this.place(kind, name);
    if (place < 1) return [part.written];
    return this.value(...path.reduce(([value, type], each) => this.#inside(value, type, each), [values[place], this.field(kind, name).type]));
  }
  /** Returns a column of a row or a part of a record, with its type. A value that is none or hidden stays. */
  #inside(value, type, name) {
    const inner = type.optional ?? type;
    if (inner.row !== void 0 && typeof value === "string") {
      const { rows, columns } = this.data.tables[inner.row];
      return [rows.find(({ id }) => id === value).cells[name], columns[name]];
    }
    const at = inner.record !== void 0 && Array.isArray(value) ? inner.parts.findIndex(([part]) => part === name) : -1;
    return at < 0 ? [value, type] : [value[at], inner.parts[at][1]];
  }
  field(kind, name) {
    return this.module.kinds.get(kind).fields.find((field) => field.name === name);
  }
  /** Returns the index of a field in an object of a kind, or 0 if it has no such field. */
  place(kind, name) {
    return this.module.kinds.get(kind).fields.findIndex((field) => field.name === name) + 1;
  }
  term(id, form = "name") {
    return [{ name: phrase(this.data.terms[id][form]), of: ["terms", id], article: "" }];
  }
  // -- objects -------------------------------------------------------------------------------------
  player(thing) {
    const named = this.names[thing];
    return [{ name: named === void 0 ? this.build("Player %(seat)s", { seat: { number: thing } }) : [named], of: ["objects", `player-${thing}`], article: "" }];
  }
  kind(kind) {
    return this.data.terms[kind] === void 0 ? this.#oneOf(kind) : this.term(kind);
  }
  #oneOf(kind) {
    const one2 = this.module.kinds.get(kind)?.said.one;
    if (one2 !== void 0) return [{ name: this.words(one2), of: ["kinds", kind], article: "" }];
    return this.data.terms[kind] === void 0 ? [capitalized(spaced(kind))] : this.term(kind);
  }
  thing(kind, thing) {
    if (kind === "player") return this.player(thing);
    const label2 = this.#label(kind, thing, this.objects.get(thing));
    return [label2.length ? this.#labelled(kind, thing, label2) : this.#amongItsKind(kind, thing)];
  }
  /** Returns a thing on its own, such as an option: its label with a capital letter and without an article. */
  titleOf(kind, thing) {
    const label2 = kind === "player" ? [] : this.#label(kind, thing, this.objects.get(thing));
    return label2.length && articleOf(label2) ? capital(label2) : this.thing(kind, thing);
  }
  #labelled(kind, thing, label2) {
    return { name: label2, of: ["objects", `${kind}-${thing}`], article: this.#article(articleOf(label2)) };
  }
  /** Returns the phrase for a new object. */
  newThing(kind, thing) {
    const label2 = this.#label(kind, thing, this.objects.get(thing));
    return [label2.length ? this.#labelled(kind, thing, label2) : this.#one(kind, thing)];
  }
  #one(kind, thing) {
    const one2 = this.#oneOf(kind);
    return { name: one2, of: ["objects", `${kind}-${thing}`], article: this.#article(article(text(one2))) };
  }
  #amongItsKind(kind, thing) {
    const { number } = this.module.kinds.get(kind);
    const others = [...this.objects].filter(([each, held]) => held[0] === number && !this.gone.has(each)).map(([each]) => each);
    others.sort((one3, other) => one3 - other);
    const place = others.indexOf(thing);
    if (place < 0) return this.#one(kind, thing);
    const one2 = this.#oneOf(kind);
    const counted = this.data.language === void 0 ? phrase(`${ordinal(place + 1)} `, one2) : phrase(one2, ` ${place + 1}`);
    return { name: others.length === 1 ? one2 : counted, of: ["objects", `${kind}-${thing}`], article: this.#article("the") };
  }
  #label(kind, thing, values) {
    const labels = Object.entries(this.module.kinds.get(kind).labels);
    if (!labels.length || values === void 0) return [];
    for (const [name, words] of labels) {
      const place = this.place(kind, name);
      if (this.#hides(words, kind, values)) continue;
      if (!name || place < 1 || !isNothing(values[place])) return this.#about(words, thing, kind, values);
    }
    return [];
  }
  #hides(words, kind, values) {
    if (!values.includes(HIDDEN)) return false;
    return (this.data.named[words] ?? []).some((name) => values[this.place(kind, name)] === HIDDEN);
  }
  // -- values --------------------------------------------------------------------------------------
  row(table, row) {
    const { title } = this.data.tables[table].rows.find((each) => each.id === row);
    return [{ name: this.words(title), of: ["tables", table, row], article: "" }];
  }
  /** Returns the phrase for a value of a type. */
  value(value, type) {
    if (value === null) return this.build("none");
    if (value === HIDDEN) return this.build("hidden");
    if (type?.optional !== void 0) return this.value(value, type.optional);
    if (type?.thing !== void 0 && typeof value === "number") return this.thing(type.thing, value);
    if (type?.row !== void 0 && typeof value === "string") return this.row(type.row, value);
    if (type === "choice") return phrase(spaced(value));
    if (type?.list !== void 0) return this.#listed(value.map((each) => this.value(each, type.list)));
    if (type?.map !== void 0) return this.#byRow(value, type);
    if (type?.record !== void 0) return this.#record(value, type);
    if (typeof value === "boolean") return this.build(value ? "yes" : "no");
    if (typeof value === "number" || typeof value === "bigint") return [{ number: value }];
    return typeof value === "object" ? [{ roll: value }] : phrase(String(value));
  }
  #byRow(held, type) {
    const rows = this.module.rows.get(type.map).map((row, place) => [row, held[place]]);
    const told = rows.filter(([, value]) => !isNothing(value) || held.length <= MOST_ROWS);
    return this.#listed(told.map(([row, value]) => phrase(this.row(type.map, row), " ", this.value(value, type.of))));
  }
  #listed(said2) {
    return said2.length ? listed(said2, this.and) : this.build("nothing");
  }
  /** Returns the phrase for a record. A part that is none is left out, in a label together with the words before it. */
  #record(held, type) {
    const declared = this.data.records[type.record];
    const told = new Map(type.parts.map(([name, part], place) => [name, held[place] === null ? [] : this.value(held[place], part)]));
    if (declared.label !== null) {
      const parts = [];
      let before = [];
      for (const part of declared.label) {
        if (part.own === void 0) before.push(part);
        else {
          if (told.get(part.own).length) parts.push(...before, ...told.get(part.own));
          before = [];
        }
      }
      return [...parts, ...before];
    }
    const named = [...told].filter(([, said2]) => said2.length).map(([name, said2]) => phrase(this.#partName(type, name), " ", said2));
    const inside = named.flatMap((said2, place) => place ? [", ", ...said2] : said2);
    const one2 = declared.said.one ? this.words(declared.said.one) : phrase(spaced(type.record));
    return phrase(one2, " (", inside, ")");
  }
  #partName(type, name) {
    const said2 = this.data.records[type.record].called[name];
    if (said2) return this.words(said2);
    return this.data.terms[name] === void 0 ? small(this.kind(name)) : this.kind(name);
  }
  /** Returns the phrase for an option without words of its own. In another language, its words are in `called`. */
  choice(value, called2 = {}) {
    if (value in called2 && this.data.language !== void 0) return capital(this.words(called2[value]));
    return this.data.terms[value] === void 0 ? capital(phrase(spaced(value))) : capital(this.term(value));
  }
  setting(option, choice) {
    return [{ name: capitalTerm(this.words(this.data.options[option].choices[choice])), of: ["options", option, choice], article: "" }];
  }
  option(option) {
    return [{ name: capitalTerm(this.words(this.data.options[option].title)), of: ["options", option], article: "" }];
  }
  procedure(procedure) {
    const { title } = this.module.procedures.get(procedure);
    const words = title ? this.words(title) : phrase(capitalized(spaced(procedure)));
    return [{ name: capitalTerm(words), of: ["procedures", procedure], article: "" }];
  }
  /** Returns the phrase for an amount of a term, or of a field that the rules name so. */
  amount(number, name) {
    if (this.data.terms[name] === void 0) {
      return this.field("player", name) ? this.amountOf("player", name, number) : phrase({ number }, " ", spaced(name));
    }
    return phrase({ number }, " ", this.term(name, number === 1 ? "name" : "plural"));
  }
  // -- fields --------------------------------------------------------------------------------------
  fieldName(kind, name) {
    let words = this.#said(kind, name);
    if (!words.length) words = this.data.terms[name] === void 0 ? small(this.kind(name)) : this.kind(name);
    return [{ name: words, of: ["kinds", kind, name], article: "" }];
  }
  /** Returns the phrase for a field with its value, for a list of fields. */
  fieldInWords(kind, thing, name) {
    const values = this.objects.get(thing);
    if (values === void 0) return [];
    const value = values[this.place(kind, name)], named = this.fieldName(kind, name);
    if (value === HIDDEN) return this.build("hidden %(noun)s", { noun: named });
    if (value === null || Array.isArray(value) && !value.length) return this.build("no %(noun)s", { noun: named });
    if (typeof value === "boolean") return value ? named : this.build("not %(noun)s", { noun: named });
    return phrase(named, " ", this.value(value, this.field(kind, name).type));
  }
  /** Returns the phrase for the value of a field, or null if it is hidden from the viewer. */
  held(kind, thing, name) {
    const value = this.objects.get(thing)?.[this.place(kind, name)];
    return value === void 0 || value === HIDDEN ? null : this.value(value, this.field(kind, name).type);
  }
  amountOf(kind, name, number) {
    const field = this.field(kind, name);
    let unit = this.words(number === 1 ? field.one : field.unit || field.said);
    if (!unit.length) {
      const term2 = this.data.counted[name];
      unit = term2 === void 0 ? phrase(text(this.kind(name)).toLowerCase()) : this.term(term2, number === 1 ? "name" : "plural");
    }
    return phrase({ number, minus: MINUS }, " ", { name: unit, of: ["kinds", kind, name], article: "" });
  }
  counts(kind, name) {
    return Boolean(this.field(kind, name).unit) || this.data.counted[name] !== void 0;
  }
  #said(kind, name) {
    if (!this.module.kinds.has(kind)) return [];
    const field = this.field(kind, name);
    if (field === void 0) return [];
    const term2 = field.type === "number" && kind !== "game" ? this.data.counted[name] : void 0;
    const said2 = this.words(field.said);
    return said2.length || term2 === void 0 ? said2 : this.term(term2, "plural");
  }
  // -- custom sentences ------------------------------------------------------------------------------
  /** Returns the rules' own sentence for an object that is created or removed, or null. */
  told(kind, thing, way, step) {
    const words = step.words.tells ?? this.module.kinds.get(kind).tells[way];
    if (words === void 0) return null;
    return this.#told(kind, thing, this.objects.get(thing) ?? [], words, null);
  }
  /** Returns the rules' own sentence for a changed field, or null. */
  toldChange(kind, thing, name, before, value) {
    const words = this.field(kind, name).tells[isNothing(value) && value !== HIDDEN ? "fails" : "holds"];
    if (words === void 0) return null;
    const values = [...this.objects.get(thing) ?? []], known = [...values], place = this.place(kind, name);
    if (place > 0 && place < values.length) {
      values[place] = value;
      known[place] = before;
    }
    return this.#told(kind, thing, values, words, known);
  }
  #told(kind, thing, values, words, known) {
    if (!words) return [];
    const mirror = new _PhraseBuilder(this.module, new Map(this.objects).set(thing, known ?? values), this.names);
    mirror.gone = this.gone;
    return capital(ended(mirror.#about(words, thing, kind, values)));
  }
};
function identity(value, type) {
  if (value === null) return "none";
  if (type?.optional !== void 0) return identity(value, type.optional);
  if (type?.thing !== void 0) return `${type.thing}-${value}`;
  if (type?.list !== void 0) return value.map((each) => identity(each, type.list)).join("+") || "nothing";
  if (type?.record !== void 0) return value.map((each, place) => identity(each, type.parts[place][1])).join("/");
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "object" ? rollText(value) : String(value);
}
function optionLabels(values, type, say, called2 = {}) {
  const inner = type?.optional !== void 0 ? type.optional : type;
  const said2 = values.map((each) => label(each, inner, say, null, called2));
  if (new Set(said2).size === said2.length) return said2;
  const own = thingsApart(values, inner, say);
  return own.size ? values.map((each) => label(each, inner, say, own, called2)) : said2;
}
var Subset = class {
  constructor(elements, at_least, at_most, in_order) {
    Object.assign(this, { elements, at_least, at_most, ...in_order ? { in_order } : {} });
  }
  /** Returns the index of the option with these elements, by their indexes, or null if their number is wrong. */
  find(chosen) {
    const many = this.elements.length, size = chosen.length;
    if (size < this.at_least || size > this.at_most) return null;
    const ways = this.in_order ? permutations : combinations;
    let place = 0, after = 0;
    for (let fewer = this.at_least; fewer < size; fewer += 1) place += ways(many, fewer);
    if (this.in_order) {
      chosen.forEach((each, at) => {
        const skipped = each - chosen.slice(0, at).filter((earlier) => earlier < each).length;
        place += skipped * permutations(many - 1 - at, size - 1 - at);
      });
      return place;
    }
    [...chosen].sort((a, b) => a - b).forEach((each, at) => {
      for (let skipped = after; skipped < each; skipped += 1) place += combinations(many - 1 - skipped, size - 1 - at);
      after = each + 1;
    });
    return place;
  }
};
function subsetOf(values, type, say, inOrder = false) {
  const inner = type?.optional !== void 0 ? type.optional : type;
  const selections = values.filter((value) => value !== null), sizes = selections.map((value) => value.length);
  const least = sizes[0], most = sizes[sizes.length - 1], size = Math.max(least, 1);
  const same2 = selections.filter((value) => value.length === size);
  let many = size;
  const ways = inOrder ? permutations : combinations;
  while (same2.length && ways(many, size) < same2.length) many += 1;
  const elements = same2.length ? [...same2[0].slice(0, -1), ...same2.slice(0, many - size + 1).map((value) => value[size - 1])] : [];
  return new Subset(numbered(optionLabels(elements, inner.list, say), say), least, most, inOrder);
}
function permutations(many, size) {
  let result = size > many ? 0 : 1;
  for (let at = 0; at < size && result; at += 1) result *= many - at;
  return result;
}
function combinations(many, size) {
  let result = size > many ? 0 : 1;
  for (let at = 1; at <= size && result; at += 1) result = result * (many - size + at) / at;
  return result;
}
var PREPOSITIONS = ["of", "at", "in", "on", "from", "with"];
function articleOf(label2) {
  const isTerm = (part) => part?.of?.[0] === "terms", [first] = label2;
  const word = isTerm(first) ? first.name[0] : "";
  if (typeof word !== "string" || !word || word[0] === upper(word[0])) return "";
  const after = label2.find((part) => !isTerm(part) && part !== " ");
  return after === void 0 || typeof after === "string" && PREPOSITIONS.includes(after.trim().split(/\s+/)[0]) ? "the" : "";
}
function label(value, type, say, own, called2) {
  if (value === null) return text(say.build("None of these"));
  if (type === "choice") return text(say.choice(value, called2));
  if (type?.thing !== void 0) return own === null ? text(say.titleOf(type.thing, value)) : own.get(value);
  if (type?.list !== void 0) return value.map((each) => label(each, type.list, say, own, called2)).join(", ") || text(say.build("Nothing"));
  return text(say.value(value, type));
}
function thingsApart(values, type, say) {
  const inner = type?.list !== void 0 ? type.list : type;
  const found = /* @__PURE__ */ new Map();
  if (inner?.thing === void 0) return found;
  const things = [...new Set(values.flat().filter((each) => each !== null))];
  const alike = /* @__PURE__ */ new Map();
  for (const thing of things) {
    const called2 = text(say.titleOf(inner.thing, thing));
    alike.set(called2, [...alike.get(called2) ?? [], thing]);
  }
  for (const [called2, group] of alike) {
    const more = group.length > 1 ? differences(group, inner.thing, say) : [""];
    group.forEach((thing, place) => found.set(thing, more[place] ? `${called2} (${more[place]})` : called2));
  }
  return found;
}
function differences(group, kind, say) {
  const columns = [];
  for (const { name } of say.module.kinds.get(kind).fields) {
    const column = group.map((thing) => text(say.fieldInWords(kind, thing, name)));
    if (new Set(column).size > 1) columns.push(column);
  }
  const classes = (taken2) => taken2.length ? new Set(group.map((_, place) => JSON.stringify(taken2.map((each) => each[place])))).size : 1;
  const taken = [];
  while (columns.length && classes(taken) < group.length) {
    const counts2 = columns.map((column) => classes([...taken, column]));
    const best = counts2.indexOf(Math.max(...counts2));
    if (counts2[best] === classes(taken)) break;
    taken.push(...columns.splice(best, 1));
  }
  const said2 = group.map((_, place) => taken.map((column) => column[place]).filter(Boolean).join(", "));
  const counts = said2.map((each) => said2.filter((other) => other === each).length), seen = /* @__PURE__ */ new Map();
  return said2.map((each, place) => {
    if (counts[place] === 1) return each;
    seen.set(each, (seen.get(each) ?? 0) + 1);
    return [each, numeral(seen.get(each), say)].filter(Boolean).join(", ");
  });
}
function numbered(said2, say) {
  if (new Set(said2).size === said2.length) return said2;
  const counts = /* @__PURE__ */ new Map(), seen = /* @__PURE__ */ new Map();
  for (const each of said2) counts.set(each, (counts.get(each) ?? 0) + 1);
  return said2.map((each) => {
    seen.set(each, (seen.get(each) ?? 0) + 1);
    return counts.get(each) > 1 ? `${each} (${numeral(seen.get(each), say)})` : each;
  });
}
function numeral(place, say) {
  if (place <= ORDINALS.length && say.data.language === void 0) return ORDINALS[place - 1];
  return say.message("number %(place)s", { place });
}
function plain(value, type, module) {
  if (value === null) return null;
  if (type?.optional !== void 0) return plain(value, type.optional, module);
  if (type?.thing !== void 0) return identity(value, type);
  if (type?.list !== void 0) return value.map((each) => plain(each, type.list, module));
  if (type?.map !== void 0) {
    return Object.fromEntries(module.rows.get(type.map).map((row, place) => [row, plain(value[place], type.of, module)]));
  }
  if (type?.record !== void 0) {
    return Object.fromEntries(type.parts.map(([name, part], place) => [name, plain(value[place], part, module)]));
  }
  return typeof value === "object" ? rollText(value) : value;
}

// engine/rulewright/export/js/visibility.js
var Visibility = class {
  /** `within` replaces the objects in memory while it asks the module. */
  constructor(module, within) {
    this.module = module;
    this.within = within;
    this.everything = !module.data.hidden;
  }
  /** Returns whether a viewer sees a field of an object. `viewer` is null for a spectator. */
  maySee(objects, viewer, thing, kind, name) {
    return this.within(objects, () => this.#sees(objects, viewer, thing, kind, name));
  }
  #sees(objects, viewer, thing, kind, name) {
    const { fields } = this.module.kinds.get(kind);
    const field = fields.find((each) => each.name === name);
    if (!field.hidden) return true;
    if (field.viewers === null) return false;
    const shown2 = objects.get(thing)[fields.findIndex((each) => each.name === `shown.${name}`) + 1];
    if (this.includes(shown2, viewer, objects)) return true;
    try {
      const found = this.module.ask("seers_of", BigInt(field.viewers), BigInt(thing));
      return this.includes(this.module.value(found, { list: { thing: "player" } }), viewer, objects);
    } catch (error) {
      if (error instanceof RulesFault || error instanceof WebAssembly.RuntimeError) return false;
      throw error;
    }
  }
  /** Returns whether a viewer is among those who see something. A spectator is if all players are. */
  includes(seers, viewer, objects) {
    if (viewer !== null) return seers.includes(viewer);
    return [...objects].every(([number, thing]) => thing[0] !== 1 || seers.includes(number));
  }
  /** Returns the objects as a viewer sees them. */
  asSeen(objects, viewer) {
    if (this.everything) return objects;
    return this.within(objects, () => {
      const found = /* @__PURE__ */ new Map();
      for (const [number, thing] of objects) {
        const kind = this.module.data.kinds[thing[0]];
        const held = thing.map(
          (value, place) => place > 0 && kind.fields[place - 1].hidden && !this.#sees(objects, viewer, number, kind.id, kind.fields[place - 1].name) ? HIDDEN : value
        );
        found.set(number, held);
      }
      return found;
    });
  }
};

// engine/rulewright/export/js/narration_log.js
var MINUS2 = "−";
var SHOWN = "shown.";
var PLAYER = { thing: "player" };
var PLAYERS = { list: PLAYER };
var LONG_OWNER = 3;
var ASIDE = 0;
var DETAIL = 1;
var NORMAL = 2;
var MAJOR = 3;
var PLACED = ".into";
var WEIGHTS = ["aside", "detail", "normal", "major"];
var present2 = (type) => type?.optional === void 0 ? type : present2(type.optional);
var maybe = (type) => type?.optional === void 0 ? { optional: type } : type;
var procedureOf = ({ rule }) => rule.slice(0, Math.max(0, rule.lastIndexOf(".")));
var isNone = (value) => value === null || Array.isArray(value) && !value.length;
var NarrationLog = class _NarrationLog {
  constructor(module, objects, { visibility = null, viewer = null, begun = false, names = {} } = {}) {
    this.module = module;
    this.objects = new Map(objects.flatMap((thing, number) => thing === null ? [] : [[number, [...thing]]]));
    this.setUp = !begun;
    this.beganInSetUp = this.setUp;
    this.visibility = viewer === null || visibility.everything ? null : visibility;
    this.viewer = viewer === 0 ? null : viewer;
    this.seen = this.visibility === null ? this.objects : /* @__PURE__ */ new Map();
    this.say = new PhraseBuilder(module, this.seen, names);
    this.events = [];
    this.laid = [];
    this.pieces = [];
  }
  /** Adds new events. */
  read(happened) {
    for (const each of happened) this.events.push(this.#event(each));
  }
  /** The current objects by number, without removed ones. */
  get there() {
    return new Map([...this.objects].filter(([number]) => !this.say.gone.has(number)));
  }
  /** Undoes the last events. Only for a log that hides nothing. */
  rewind(happened) {
    for (const { site, details } of [...happened].reverse()) {
      if (site.event === "created") this.objects.delete(details[0]);
      else if (site.event === "removed") this.say.gone.delete(details[0]);
      else if (site.event === "written" && site.thing) this.#change(details[0], site.name, details[1], details[3]);
    }
    for (const list2 of [this.events, this.laid, this.pieces]) list2.length -= happened.length;
    this.setUp = this.events.at(-1)?.set_up ?? this.beganInSetUp;
  }
  #look() {
    this.seen.clear();
    const seen = this.visibility.asSeen(this.there, this.viewer);
    for (const [number, thing] of this.objects) this.seen.set(number, seen.get(number) ?? thing);
  }
  #change(thing, name, value, row) {
    const kind = this.module.data.kinds[this.objects.get(thing)[0]];
    const place = kind.fields.findIndex((field) => field.name === name) + 1;
    const shownField = kind.fields.findIndex((field) => field.name === `${SHOWN}${name}`) + 1;
    if (shownField) this.objects.get(thing)[shownField] = [];
    if (row === void 0) {
      this.objects.get(thing)[place] = value;
      return;
    }
    const held = [...this.objects.get(thing)[place]];
    held[this.module.rows.get(kind.fields[place - 1].type.map).indexOf(row)] = value;
    this.objects.get(thing)[place] = held;
  }
  /** Returns the details of an event with `HIDDEN` in the place of hidden values. */
  #asTold(site, details) {
    const known = site.seen ? details.slice(0, -1) : details;
    if (this.visibility === null) return known;
    this.#look();
    if (site.event === "written" && site.thing) {
      const [thing, name, old, value, ...row] = details;
      const kind = this.module.data.kinds[this.objects.get(thing)[0]].id;
      const sees2 = () => this.visibility.maySee(this.there, this.viewer, thing, kind, name);
      const before = sees2();
      this.#change(thing, name, value, ...row);
      const after = sees2();
      if (name.startsWith(SHOWN)) this.#look();
      const field = name.startsWith(SHOWN) ? name.slice(SHOWN.length) : name;
      if (site.secret && !this.visibility.maySee(this.there, this.viewer, thing, kind, field)) {
        return [HIDDEN, name, HIDDEN, HIDDEN, ...row.map(() => HIDDEN)];
      }
      if (row.length && !after) return [thing, name, HIDDEN, HIDDEN, HIDDEN];
      return [thing, name, before ? old : HIDDEN, after ? value : HIDDEN, ...row];
    }
    if (site.event === "written") {
      const [thing, name, , , ...row] = details;
      const { hidden } = this.module.procedures.get(this.module.steps.get(site.step).procedure);
      return hidden.includes(name) ? [thing, name, HIDDEN, HIDDEN, ...row.map(() => HIDDEN)] : details;
    }
    if (site.event === "created") return [details[0], this.seen.get(details[0])];
    if (site.event === "announced") return details.map((value, place) => site.secrets[place] ? HIDDEN : value);
    if (!site.seen) return details;
    const sees = this.visibility.includes(details[details.length - 1], this.viewer, this.objects);
    if (!sees && site.secret) return known.map(() => HIDDEN);
    return sees ? known : [...known.slice(0, -1), HIDDEN];
  }
  #event({ site, details: raw }) {
    const step = this.module.steps.get(site.step);
    const happened = site.event === "written" ? [...site.thing ? raw.slice(0, 1) : [null], site.name, ...raw.slice(site.thing ? 1 : 0)] : raw;
    if (site.event === "created") this.objects.set(happened[0], [...happened[1]]);
    const details = this.#asTold(site, happened);
    this.setUp = this.setUp && site.event !== "asked";
    const facts = factsOf(site, details, this.module);
    const sentence = ACCOUNTS[site.event]?.(this.say, step, site, details) ?? [];
    const data = {};
    for (const [name, value, type] of facts) if (value !== HIDDEN) data[name] = plain(value, type, this.module);
    if (site.event === "created") data.fields = this.#fields(details);
    const weight = weigh(step, site, details);
    const found = { rule: step.rule, verb: step.verb, weight: WEIGHTS[weight], set_up: this.setUp, text: text(sentence), data };
    this.pieces.push(pieces(sentence));
    this.laid.push(site.event === "created" ? site.kind : null);
    if (site.event === "removed") {
      if (this.visibility !== null) this.objects.set(happened[0], this.seen.get(happened[0]));
      this.say.gone.add(happened[0]);
    }
    if (site.event === "written" && site.thing) this.#change(happened[0], happened[1], happened[3], happened[4]);
    found.chance = site.event === "rolled" || site.event === "drawn";
    found.unseen = details.at(-1) === HIDDEN;
    found.joins = site.event !== "asked" && (!found.chance || found.unseen);
    found.several = site.event === "drawn" && site.deck && found.unseen ? "%(count)s cards are drawn, face down." : "";
    return found;
  }
  #fields([thing, values]) {
    const kind = this.module.data.kinds[values[0]];
    const held = this.seen.get(thing);
    return Object.fromEntries(
      kind.fields.map((field, place) => [field.name, held[place + 1], field.type]).filter(([, value]) => value !== HIDDEN).map(([name, value, type]) => [name, plain(value, type, this.module)])
    );
  }
  /** Returns the log as JSON data. */
  log(since = 0) {
    return this.events.slice(since).map(({ chance, unseen, joins, several, ...event }) => event);
  }
  /** Returns an independent copy. */
  copy() {
    const other = new _NarrationLog(this.module, [], { visibility: this.visibility, viewer: this.visibility === null ? null : this.viewer ?? 0, names: this.say.names });
    for (const [number, thing] of this.objects) other.objects.set(number, [...thing]);
    for (const number of this.say.gone) other.say.gone.add(number);
    other.setUp = this.setUp;
    other.events = [...this.events];
    other.laid = [...this.laid];
    other.pieces = [...this.pieces];
    return other;
  }
  /** Returns an event as a line: its text, its pieces, its step, and the number of events up to it. */
  line(place) {
    const { text: text2, rule } = this.events[place];
    return { text: text2, pieces: this.pieces[place], rule, events: place + 1 };
  }
  /** Returns the important events as lines. */
  lines(since = 0) {
    const told = [];
    const silent = this.#placing();
    let laid = /* @__PURE__ */ new Map();
    const lay = (events) => {
      const text2 = [...laid].map(([kind, count]) => this.#counted(kind, count)).join(", ");
      if (text2) {
        const line = this.say.message("On the table: %(things)s.", { things: text2 });
        told.push({ text: line, pieces: [line], rule: "", events });
      }
      laid = /* @__PURE__ */ new Map();
    };
    this.events.forEach((event, place) => {
      if (place < since) return;
      const worth = WEIGHTS.indexOf(event.weight) >= NORMAL;
      if (event.set_up) {
        const kind = this.laid[place];
        if (kind !== null) laid.set(kind, (laid.get(kind) ?? 0) + 1);
        else if (worth && !silent.has(place)) told.push(this.line(place));
        return;
      }
      lay(place);
      if (worth) told.push(this.line(place));
    });
    lay(this.events.length);
    return this.#joined(told.filter(({ text: text2 }) => text2));
  }
  /** Returns lines with the same words in one procedure as one line, except choices and visible results of chance. */
  #joined(told) {
    const lines = [];
    for (const line of told) {
      const last = lines.at(-1), event = this.events[line.events - 1];
      if (last?.event !== void 0 && event?.joins && last.event.text === line.text && procedureOf(last.event) === procedureOf(line)) {
        last.count += 1;
        last.line.events = line.events;
      } else {
        lines.push({ line, count: 1, event: line.rule ? event : void 0 });
      }
    }
    return lines.map(({ line, count, event }) => {
      if (count === 1) return line;
      const said2 = event.several ? [this.say.message(event.several, { count })] : this.say.build("%(sentence)s (%(count)s times)", { sentence: line.pieces, count: String(count) });
      return { ...line, text: event.several ? said2[0] : this.say.message("%(sentence)s (%(count)s times)", { sentence: line.text, count }), pieces: said2 };
    });
  }
  /** Returns the indexes of setup rolls and draws that the next visible event already implies. */
  #placing() {
    const found = /* @__PURE__ */ new Set();
    const after = this.events.findIndex((event) => !event.set_up);
    let next = null;
    for (let place = (after < 0 ? this.events.length : after) - 1; place >= 0; place -= 1) {
      const { weight, chance, data, text: text2 } = this.events[place];
      if (WEIGHTS.indexOf(weight) < NORMAL) continue;
      if (!chance) next = { created: this.laid[place] !== null, data, text: text2 };
      else if (next !== null && (next.created || says(next, data))) found.add(place);
    }
    return found;
  }
  #counted(kind, count) {
    const declared = this.module.kinds.get(kind);
    const term2 = this.module.data.terms[declared.term];
    const noun = count === 1 ? declared.said.one : declared.said.several;
    const bare2 = noun === void 0 ? kind.replaceAll("_", " ") : text(this.say.words(noun));
    const named = term2 === void 0 ? bare2 : count === 1 ? term2.name : term2.plural;
    return `${count} ${named}`;
  }
};
function says({ data: change, text: sentence }, chance) {
  if (!("field" in change)) return false;
  const came = chance.total ?? chance.card ?? null, before = change.before ?? null, after = change.after ?? null;
  if (Array.isArray(before) && Array.isArray(after) && countOf2(came, after) > countOf2(came, before)) return true;
  if (Array.isArray(came)) return Array.isArray(after) && came.length === after.length && came.every((each, place) => each === after[place]);
  const counts = [came, before, after].every((each) => typeof each === "number");
  if (counts && (after - before === came || before - after === came)) return (sentence.match(/[0-9]+/g) ?? []).includes(String(came));
  return came === after;
}
function countOf2(value, list2) {
  const text2 = JSON.stringify(value);
  return list2.filter((each) => JSON.stringify(each) === text2).length;
}
function factsOf(site, details, module) {
  switch (site.event) {
    case "asked":
      return [["player", details[0], PLAYER], ["chosen", details[1], site.type]];
    case "rolled": {
      const made = [["roll", details[0], "dice"], ["total", details[1], "number"]];
      if (site.table === null || details[1] === HIDDEN) return made;
      return [...made, ["row", module.data.tables[site.table].faces[details[1]], { row: site.table }]];
    }
    case "drawn":
      return [["card", details[0], site.type]];
    case "created":
      return [["object", details[0], { thing: site.kind }]];
    case "removed":
      return [["object", details[0], site.type]];
    case "written": {
      const [thing, name, old, value, row] = details, type = maybe(site.type);
      const facts = [["object", thing, maybe({ thing: site.kind })], ["field", name, "text"], ["before", old, type], ["after", value, type]];
      return row === void 0 ? facts : [...facts, ["row", row, { row: site.table }]];
    }
    case "revealed":
      return [["players", details[0], PLAYERS], ["chosen", details[1], site.type]];
    case "announced":
      return site.names.map((name, place) => [name, details[place], site.details[place]]);
    case "finished":
      return [["winners", details[0], PLAYERS]];
  }
  return [];
}
function weigh(step, site, details) {
  if (site.event === "written") {
    const [thing, name, old, value] = details;
    const known = old !== HIDDEN || value !== HIDDEN;
    const isResult = step.id.endsWith(PLACED) && !name.startsWith(SHOWN);
    const unchanged = known && same(old, value) && !isResult;
    return thing === null || thing === HIDDEN || unchanged ? ASIDE : NORMAL;
  }
  if (site.event === "called" || site.event === "ended") return DETAIL;
  return site.event === "finished" ? MAJOR : NORMAL;
}
function asked(say, step, site, [who, value]) {
  const sentence = answered(say, step, site, [who, value]);
  return phrase(saysNothing(site, value) ? question(say, step) : [], sentence);
}
function saysNothing({ type }, value) {
  return value !== HIDDEN && (isNone(value) || ["number", "truth"].includes(present2(type)));
}
function question(say, { words }) {
  const said2 = say.words(words.ask || words.title || "");
  return said2.length ? phrase(capitalTerm(ended(said2)), " ") : [];
}
function answered(say, step, site, [who, value]) {
  const player = say.player(who);
  if (value === HIDDEN) return say.build("%(who)s has chosen.", { who: player });
  const label2 = isNone(value) ? step.words.none : typeof value === "string" ? site.offers[value] : "";
  if (label2) return ended(say.build("%(who)s chooses: %(what)s", { who: player, what: capitalTerm(say.words(label2)) }));
  if (isNone(value)) return say.build("%(who)s chooses none.", { who: player });
  const type = present2(site.type);
  if (type === "choice") return ended(say.build("%(who)s chooses: %(what)s", { who: player, what: say.choice(value, say.module.procedures.get(step.procedure).called) }));
  return say.build("%(who)s chooses %(what)s.", { who: player, what: say.value(value, type) });
}
function revealed(say, step, site, [who, answers]) {
  const told = who.map((each, place) => text(answered(say, step, site.asked, [each, answers[place]])));
  const asks = answers.every((each) => saysNothing(site.asked, each)) ? question(say, step) : [];
  return told.length ? phrase(asks, say.build("All have chosen."), " ", told.join(" ")) : [];
}
function rolled(say, step, site, [roll, total]) {
  if (roll === HIDDEN) return say.build("Dice are rolled, face down.");
  const dice = say.value(roll, "dice");
  if (total === HIDDEN) return say.build("%(dice)s is rolled, face down.", { dice });
  if (site.table === null) return say.build("%(dice)s comes to %(total)s.", { dice, total: { number: total } });
  const row = say.row(site.table, say.data.tables[site.table].faces[total]);
  return say.build("%(dice)s comes to %(total)s: %(row)s.", { dice, total: { number: total }, row });
}
function drawn(say, step, site, [card]) {
  if (card === HIDDEN) return say.build(site.deck ? "A card is drawn, face down." : "Lots are drawn, face down.");
  return say.build("%(card)s is drawn.", { card: say.value(card, site.type) });
}
function created(say, step, site, [thing]) {
  const made = capital(say.newThing(site.kind, thing));
  return say.told(site.kind, thing, "comes", step) ?? say.build(isSeveral(made) ? "%(what)s come into play." : "%(what)s comes into play.", { what: made });
}
function removed(say, step, site, [thing]) {
  const gone = capital(say.value(thing, site.type));
  const words = site.type?.thing === void 0 ? null : say.told(site.type.thing, thing, "goes", step);
  return words ?? say.build(isSeveral(gone) ? "%(what)s leave play." : "%(what)s leaves play.", { what: gone });
}
function written(say, step, site, details) {
  const [thing, name, old, value, row] = details, { kind, type } = site;
  if (thing === HIDDEN) return [];
  if (name.startsWith(SHOWN)) return shown(say, site, details);
  if (value === HIDDEN) return hiddenChange(say, site, details);
  if (row !== void 0) return entry(say, step, site, details);
  if (thing === null) return noted(say, name, value, type, step.procedure);
  if (name.startsWith("options.")) {
    const setting = name.slice("options.".length);
    return phrase(say.option(setting), ": ", say.setting(setting, value), ".");
  }
  if (site.by && site.kind !== "game" && old !== HIDDEN) return moved(say, site, details);
  return changed(say, kind, thing, name, old, value, type);
}
function signOf(site, old, value) {
  const signs = [...site.by];
  return signs.find((sign) => sign === "+" ? value >= old : value <= old) ?? signs[0];
}
function entry(say, step, site, [thing, name, old, value, row]) {
  const after = say.value(value, site.type), named = say.row(site.table, row);
  if (thing === null) {
    const called2 = say.module.procedures.get(step.procedure).called[name];
    const place2 = say.build("%(value)s for %(row)s", { value: called2 ? say.words(called2) : small(say.kind(name)), row: named });
    return capital(say.build("The %(name)s becomes %(after)s.", { name: place2, after }));
  }
  const noun = say.build("%(value)s for %(row)s", { value: say.fieldName(site.kind, name), row: named });
  const who = site.kind === "game" ? [] : capital(say.thing(site.kind, thing));
  if (say.field(site.kind, name).tells.holds === "") return [];
  if (site.by && who.length && old !== HIDDEN) {
    const more = signOf(site, old, value) === "+";
    const count = more ? value - old : old - value;
    const amount = say.field(site.kind, name).unit ? say.build("%(value)s for %(row)s", { value: say.amountOf(site.kind, name, count), row: named }) : phrase({ number: count, minus: MINUS2 }, " ", named);
    return gained(say, more, who, amount, old, value);
  }
  const place = who.length ? belonging(say, who, noun) : say.build("the %(noun)s", { noun });
  return say.build("%(place)s is now %(after)s.", { place: capital(place), after });
}
function shown(say, site, [thing, name, old, value]) {
  const learnt = value.filter((player) => !old.includes(player));
  if (!learnt.length) return [];
  const field = name.slice(SHOWN.length), noun = say.fieldName(site.kind, field);
  const whose = site.kind === "game" ? say.build("the %(noun)s", { noun }) : belonging(say, say.thing(site.kind, thing), noun);
  const held = say.held(site.kind, thing, field);
  const everybody = learnt.length > 1 && [...say.objects].every(([number, [is]]) => is !== 1 || learnt.includes(number));
  const sees = everybody ? say.build("everybody sees %(what)s", { what: whose }) : say.build(learnt.length > 1 ? "%(who)s see %(what)s" : "%(who)s sees %(what)s", { who: say.value(learnt, PLAYERS), what: whose });
  return capital(held === null ? phrase(sees, ".") : phrase(sees, ": ", held, "."));
}
function hiddenChange(say, site, [thing, name, old, value]) {
  if (thing === null) return [];
  const { tells } = say.field(site.kind, name);
  if (tells.holds !== void 0 && tells.holds === tells.fails) return say.toldChange(site.kind, thing, name, old, value);
  const noun = say.fieldName(site.kind, name);
  if (site.kind === "game") return capital(say.build("The %(noun)s may have changed.", { noun }));
  return say.build("%(place)s may have changed.", { place: capital(belonging(say, say.thing(site.kind, thing), noun)) });
}
function moved(say, site, [thing, name, old, value]) {
  const words = say.toldChange(site.kind, thing, name, old, value);
  if (words !== null) return words;
  const more = signOf(site, old, value) === "+";
  const amount = say.amountOf(site.kind, name, more ? value - old : old - value);
  return gained(say, more, capital(say.thing(site.kind, thing)), amount, old, value);
}
function gained(say, more, who, amount, old, value) {
  if (old === value) return say.build(more ? "%(who)s gains nothing." : "%(who)s pays nothing.", { who });
  const message = more ? "%(who)s gains %(amount)s and now has %(new)s." : "%(who)s pays %(amount)s and has %(new)s left.";
  return say.build(message, { who, amount, new: { number: value } });
}
function announced(say, step, site, details) {
  if (details.includes(HIDDEN)) return [];
  return say.sentence(site.text, Object.fromEntries(site.names.map((name, place) => [name, say.value(details[place], site.details[place])])));
}
function finished(say, step, site, [winners]) {
  if (!winners.length) return say.build("The game is over, and nobody has won.");
  const who = winners.flatMap((winner, place) => [...place ? [` ${say.and} `] : [], ...say.player(winner)]);
  return say.build(winners.length === 1 ? "The game is over: %(who)s wins." : "The game is over: %(who)s win.", { who });
}
var ACCOUNTS = {
  asked,
  revealed,
  rolled,
  drawn,
  created,
  removed,
  written,
  announced,
  finished,
  called: (say, step, site) => phrase(say.procedure(site.procedure), ".")
};
function noted(say, name, value, type, procedure) {
  const about = procedure ? say.module.procedures.get(procedure) : null;
  const called2 = about?.called[name] ?? "";
  const place = capital(called2 ? say.build("The %(noun)s", { noun: say.words(called2) }) : say.kind(name));
  if (typeof value === "boolean") {
    const clauses = about?.clauses[name];
    if (clauses !== void 0) return phrase(capital(say.words(clauses[value ? "holds" : "fails"])), ".");
    return say.build(value ? "%(place)s now holds." : "%(place)s does not hold.", { place });
  }
  const after = say.value(value, type);
  if (type?.list !== void 0) return say.build("%(place)s, now: %(after)s.", { place, after });
  const counted = called2 ? uncounted(say.words(called2)) : [];
  if (counted.length && type === "number" && value !== 1 && value !== -1) {
    return say.build("There are %(count)s %(noun)s.", { count: after, noun: counted });
  }
  return say.build(called2 ? "%(place)s becomes %(after)s." : "%(place)s is now %(after)s.", { place, after });
}
function uncounted([first, ...rest]) {
  if (typeof first !== "string" || !first.startsWith(COUNT) || first.length + rest.length <= COUNT.length) return [];
  return first === COUNT ? rest : [first.slice(COUNT.length), ...rest];
}
var COUNT = "number of ";
function changed(say, kind, thing, name, before, value, type) {
  const words = say.toldChange(kind, thing, name, before, value);
  if (words !== null) return words;
  if (type?.list !== void 0 && Array.isArray(before) && Array.isArray(value)) return list(say, kind, thing, name, before, value, type);
  if (kind === "game") return ofTheGame(say, name, value, type);
  return capital(ofAThing(say, kind, thing, name, value, type));
}
function ofAThing(say, kind, thing, name, value, type) {
  const field = say.field(kind, name), who = say.thing(kind, thing), noun = say.fieldName(kind, name);
  if (typeof value === "boolean") return say.build(value ? "%(who)s is now %(noun)s." : "%(who)s is no longer %(noun)s.", { who, noun });
  if (value === null) return say.build("%(who)s no longer has %(noun)s.", { who, noun: one(say, noun) });
  if (field.type === "number" && say.counts(kind, name)) return say.build("%(who)s now has %(noun)s.", { who, noun: say.amountOf(kind, name, value) });
  const after = say.value(value, type);
  if (isTile(say, type)) return say.build("%(who)s goes to %(place)s.", { who, place: after });
  if (` ${text(after)}`.toLowerCase().endsWith(` ${text(noun)}`.toLowerCase())) return say.build("%(who)s now has %(noun)s.", { who, noun: one(say, noun) });
  return say.build(agreeing(say, noun), { place: belonging(say, who, noun), after });
}
function ofTheGame(say, name, value, type) {
  const field = say.field("game", name), words = say.words(field.said);
  if (typeof value === "boolean" && field.clauses.holds !== void 0) {
    return phrase(capital(say.words(field.clauses[value ? "holds" : "fails"])), ".");
  }
  if (value !== null && typeof value !== "boolean") {
    const noun = words.length ? words : say.kind(name);
    const place = words.length || say.data.terms[name] !== void 0 ? say.build("The %(noun)s", { noun }) : noun;
    return say.build(agreeing(say, noun), { place: capital(place), after: say.value(value, type) });
  }
  return noted(say, name, value, type, "");
}
function without(more, fewer) {
  const left2 = [...fewer];
  const counted = /* @__PURE__ */ new Map();
  for (const each of more) {
    const at = left2.findIndex((other) => same(each, other));
    if (at >= 0) left2.splice(at, 1);
    else counted.set(JSON.stringify(each), [...counted.get(JSON.stringify(each)) ?? [], each]);
  }
  const order = [...new Set(more.map((each) => JSON.stringify(each)))];
  return order.flatMap((key) => counted.get(key) ?? []);
}
function list(say, kind, thing, name, before, after, type) {
  const noun = say.fieldName(kind, name);
  const whose = kind === "game" ? say.build("the %(noun)s", { noun }) : belonging(say, say.thing(kind, thing), noun);
  for (const [more, fewer, messages] of [[after, before, ENTERED], [before, after, LEFT]]) {
    const found = without(more, fewer);
    if (found.length && !without(fewer, more).length) {
      const message = messages[(isPlural(say, noun) ? 0 : 2) + (found.length > 1 ? 1 : 0)];
      return say.build(message, { what: capital(say.value(found, type)), list: whose });
    }
  }
  return say.build("%(place)s, now: %(after)s.", { place: capital(whose), after: say.value(after, type) });
}
var ENTERED = [
  "%(what)s is now among %(list)s.",
  "%(what)s are now among %(list)s.",
  "%(what)s is now in %(list)s.",
  "%(what)s are now in %(list)s."
];
var LEFT = [
  "%(what)s is no longer among %(list)s.",
  "%(what)s are no longer among %(list)s.",
  "%(what)s is no longer in %(list)s.",
  "%(what)s are no longer in %(list)s."
];
function isPlural(say, noun) {
  const last = (words) => words.toLowerCase().split(" ").pop();
  const word = last(text(noun));
  return word.endsWith("s") || Object.values(say.data.terms).some(({ plural }) => last(plural) === word);
}
function agreeing(say, noun) {
  const word = text(noun).toLowerCase();
  const several = Object.values(say.data.terms).some(({ name, plural }) => plural.toLowerCase() === word && name.toLowerCase() !== word);
  return several ? "%(place)s are now %(after)s." : "%(place)s is now %(after)s.";
}
function belonging(say, owner, noun) {
  const short = text(owner).split(/\s+/).filter(Boolean).length < LONG_OWNER;
  return say.build(short ? "%(owner)s’s %(noun)s" : "the %(noun)s of %(owner)s", { owner, noun });
}
function one(say, noun) {
  const word = text(noun), small2 = word.toLowerCase();
  const alike = Object.values(say.data.terms).some((term2) => term2.name.toLowerCase() === small2 && term2.plural.toLowerCase() === small2);
  return alike ? noun : say.build(article(word) === "an" ? "an %(noun)s" : "a %(noun)s", { noun });
}
function isTile(say, type) {
  const table = type?.optional?.row ?? type?.row;
  const columns = table === void 0 ? {} : say.data.tables[table].columns;
  return ["column", "row", "neighbours"].every((column) => columns[column] !== void 0);
}

// engine/rulewright/export/js/player_view.js
var PLAYER2 = "player";
var SHOWN2 = "shown.";
var SETTING = "options.";
var MOST_LISTED = 12;
function viewOf(module, objects, say) {
  const players = [], others = [];
  for (const [number, thing] of [...objects].sort(([one2], [other]) => one2 - other)) {
    const kind = module.data.kinds[thing[0]];
    if (number === 0) continue;
    const seen = {
      number,
      kind: kind.id,
      label: text(say.titleOf(kind.id, number)),
      seat: seatOf(kind, number, thing),
      fields: fieldsOf(module, kind, thing, say)
    };
    (kind.id === PLAYER2 ? players : others).push(seen);
  }
  return { game: fieldsOf(module, module.data.kinds[0], objects.get(0), say), players, objects: others };
}
function seatOf(kind, number, thing) {
  if (kind.id === PLAYER2) return number;
  const place = kind.fields.findIndex((field) => present(field.type)?.thing === PLAYER2);
  const whose = place < 0 ? null : thing[place + 1];
  return typeof whose === "number" ? whose : null;
}
function fieldsOf(module, kind, thing, say) {
  return kind.fields.flatMap(({ name, type }, place) => {
    if (name.startsWith(SHOWN2) || name.startsWith(SETTING)) return [];
    const value = thing[place + 1], hidden = value === HIDDEN;
    const listed2 = Array.isArray(value) && present(type)?.list !== void 0 && value.length > MOST_LISTED;
    return [{
      name,
      title: text(capital(say.fieldName(kind.id, name))),
      type,
      hidden,
      value: hidden ? null : module.plainValue(value),
      text: listed2 ? "" : text(say.value(value, type))
    }];
  });
}
function touchedBy(values, type, labels, module) {
  return values.map((value, index) => {
    const things = /* @__PURE__ */ new Set(), rows = /* @__PURE__ */ new Map();
    walk(value, type, things, rows, module.data.tables);
    const found = [...rows.values()];
    return {
      index,
      things: [...things],
      tiles: found.filter(([table]) => isBoard(module.data.tables[table])),
      rows: found.filter(([table]) => !isBoard(module.data.tables[table])),
      words: labels[index]
    };
  });
}
function walk(value, type, things, rows, tables) {
  const kind = present(type);
  if (value === null || kind === null || typeof kind !== "object") return;
  if (kind.thing !== void 0) things.add(value);
  else if (kind.row !== void 0) {
    rows.set(`${kind.row}
${value}`, [kind.row, value]);
    const { placements, rows: listed2 } = tables[kind.row];
    if (placements) {
      const { piece, covers } = listed2.find(({ id }) => id === value).cells;
      for (const [table, row] of [[placements.of, piece], ...covers.map((space) => [placements.on, space])]) rows.set(`${table}
${row}`, [table, row]);
    }
  } else if (kind.list !== void 0) for (const each of value) walk(each, kind.list, things, rows, tables);
  else if (kind.map !== void 0) for (const each of value) walk(each, kind.of, things, rows, tables);
  else if (kind.record !== void 0) value.forEach((each, place) => walk(each, kind.parts[place][1], things, rows, tables));
}
var isBoard = ({ columns }) => ["column", "row", "neighbours"].every((column) => columns[column] !== void 0);

// engine/rulewright/export/js/game.js
var MOST_COPIES = 64;
var BETWEEN_COPIES = 16;
var EVERYTHING = "everything";
var RECORD_FORMAT = 1;
var SAVE_FORMAT = 2;
var STATE_FORMAT = 1;
var MEMBERS = ["ruleset", "digest", "players", "options", "seed", "stop_at_chance", "rolled", "state", "record"];
var OF_A_STATE = ["format", "digest", "root", "next", "objects", "frames", "mode", "winners", "given"];
var Game = class _Game {
  #rules;
  #module;
  #visibility;
  #generator;
  #record = [];
  #past = [];
  #happened = [];
  #first = null;
  #narration = null;
  #decision = null;
  #bytes = null;
  #moves = 0;
  #stage;
  #ends;
  /**
   * Internal: see `Rules`. `stage` is a state with a single procedure about to begin, instead of a whole game. `ends` is
   * the number of events of an example, after which its rules may fail.
   */
  constructor(rules, { players, seed, options, stopAtChance, names = {}, rolled: rolled2 = 0, stage = null, ends = null }) {
    this.#rules = rules;
    this.#module = rules.module;
    this.#visibility = new Visibility(rules.module, (objects, ask) => this.#within(objects, ask));
    this.players = players;
    this.seed = seed;
    this.options = options;
    this.stopAtChance = stopAtChance;
    this.names = names;
    this.#generator = new Generator(seed, "dice", rolled2);
    this.#stage = stage;
    this.#ends = ends;
  }
  /** Returns a new game at its first stop. */
  static begun(rules, settings) {
    const game = new _Game(rules, settings);
    rules.enter(game);
    game.#begin();
    game.#rollOn();
    return game;
  }
  #begin() {
    const module = this.#module;
    if (this.#stage === null) module.start(this.players, this.options);
    else module.put(module.laidOut(this.#stage));
    this.#first ??= module.objects();
    this.#go(() => module.begin(this.procedure ?? this.#rules.data.start));
  }
  /** The procedure that is run by itself, or null in a whole game. */
  get procedure() {
    return this.#stage?.root ?? null;
  }
  // -- state ---------------------------------------------------------------------------------------
  /** Returns the name of the player in a seat. Throws GameError for an invalid seat. */
  nameOf(seat) {
    this.#refuseSeat(seat);
    return text(new PhraseBuilder(this.#module, /* @__PURE__ */ new Map(), this.names).player(seat));
  }
  /** The current decision, or null at a chance event and at the end. */
  get decision() {
    this.#enter();
    if (this.#module.mode !== DECISION) return null;
    this.#decision ??= this.#asked();
    return this.#decision;
  }
  #asked() {
    const module = this.#module, { step, stop } = module.standing();
    const player = Number(module.get("who"));
    const objects = alive(module.objects()), frames = module.frames(), frame = frames[frames.length - 1];
    const say = new PhraseBuilder(module, this.#visibility.asSeen(objects, player), this.names);
    const values = module.value(module.get("options"), stop.options);
    const own = (value) => typeof value === "string" ? stop.offers[value] : void 0;
    const nothing = (value) => value === null || Array.isArray(value) && !value.length;
    const called2 = optionLabels(values, stop.answer, say, module.procedures.get(step.procedure).called);
    const said2 = values.map((value, place) => {
      const words = nothing(value) ? step.words.none : own(value);
      const label2 = words && text(capitalTerm(say.words(words))) || called2[place];
      const cost = this.#costs(stop, value, say);
      return cost ? `${label2} (${cost})` : label2;
    });
    const labels = numbered(said2, say);
    const options = values.map((value, index) => ({ id: identity(value, stop.answer), label: labels[index], index }));
    const subset = stop.subset ? { subset: subsetOf(values, stop.answer, say, stop.subset === "in_order") } : {};
    return { player, ask: step.ask, rule: step.rule, about: this.#about(step, frame, objects, player, say), options, ...subset };
  }
  /** What each option of the current decision affects, in the order of options. Empty without a decision. */
  get choices() {
    const { decision } = this;
    if (decision === null) return [];
    const { stop } = this.#module.standing();
    const values = this.#module.value(this.#module.get("options"), stop.options);
    return touchedBy(values, stop.answer, decision.options.map((option) => option.label), this.#module);
  }
  /** Returns the view of the player in a seat, from 1, or of a spectator (seat 0). `"everything"` hides nothing. */
  view(seat = 0) {
    const viewer = this.#viewer(seat);
    this.#enter();
    return this.#seen(alive(this.#module.objects()), viewer);
  }
  #viewer(seat) {
    if (seat === EVERYTHING) return seat;
    this.#refuseSeat(seat ?? 0, ', or "everything"');
    return seat ?? 0;
  }
  /** Internal: all objects by number, with null for those that were removed. */
  get objects() {
    this.#enter();
    return this.#module.objects();
  }
  /** Internal: the objects before the first event. */
  get first() {
    return this.#first;
  }
  /** Internal: returns the view of `objects` after the events `from` to `to` (exclusive). */
  viewAfter(objects, from, to, seat) {
    const viewer = this.#viewer(seat);
    this.#enter();
    const then = new NarrationLog(this.#module, objects);
    then.read(this.#happened.slice(from, to));
    return this.#seen(then.there, viewer);
  }
  #seen(objects, seat) {
    const seen = seat === EVERYTHING ? objects : this.#visibility.asSeen(objects, seat || null);
    return { seat, ...viewOf(this.#module, seen, new PhraseBuilder(this.#module, seen, this.names)) };
  }
  #about(step, frame, objects, player, say) {
    const told = /* @__PURE__ */ new Set([player]), found = [];
    for (const [slot, name, type] of step.about) {
      const value = frame[slot];
      if (value === null) continue;
      if (type.row !== void 0) found.push({ name, kind: type.row, id: value, label: text(say.row(type.row, value)) });
      else if (!told.has(value) && objects.has(value)) {
        told.add(value);
        found.push({ name, kind: type.thing, id: identity(value, type), label: text(say.titleOf(type.thing, value)) });
      }
    }
    return found;
  }
  #costs(stop, value, say) {
    const costs = (typeof value === "string" ? stop.costs_of[value] : void 0) ?? stop.costs;
    if (!costs.length || value === null) return "";
    const word = this.#module.word(value, stop.answer);
    return costs.map(([name, number]) => [plainNumber(this.#module.ask("cost_of", BigInt(number), word)), name]).filter(([amount]) => amount !== 0).map(([amount, name]) => text(say.amount(amount, name))).join(", ");
  }
  /** The current roll or draw, or null. Only in games that stop at chance events. */
  get chance() {
    this.#enter();
    if (this.#module.mode !== CHANCE) return null;
    const { step } = this.#module.standing();
    const { roll, cards } = this.#rolled();
    return {
      rule: step.rule,
      roll: cards === null ? rollText(roll) : "a card",
      /** Every outcome with its exact probability, `ways` of `of`. Computed on access. */
      get outcomes() {
        return outcomes(roll, cards).map(([outcome, ways, of]) => ({ outcome, ways, of, probability: Number(ways) / Number(of) }));
      }
    };
  }
  #rolled() {
    const { stop } = this.#module.standing(), word = this.#module.get("roll");
    if (stop.is === "draw") return { roll: null, cards: this.#module.value(word, stop.among), type: stop.among.list };
    return { roll: this.#module.roll(word), cards: null, type: "number" };
  }
  /** The seats of the winners, from 1, or null if the game is not over. */
  get result() {
    this.#enter();
    if (this.#module.mode !== OVER) return null;
    const winners = this.#module.get("winners");
    return { winners: winners === this.#module.none ? [] : this.#module.block(winners).map(Number) };
  }
  /** All choices and chance results so far. */
  get record() {
    return this.#record.map((entry2) => [...entry2]);
  }
  /** All events so far, each with the rule that caused it. */
  get log() {
    return this.#readLog().log();
  }
  /** Returns the log without what is hidden from the player in a seat, from 1, or from a spectator (seat 0). */
  logFor(seat) {
    return this.#narrationFor(seat).log();
  }
  /** Returns the game as the player in a seat may know it, without the seed, as JSON data. Hidden entries are null. */
  recordFor(seat) {
    const told = this.#narrationFor(seat), again = this.#again([]);
    const record = this.#record.map(([what, ...came]) => {
      const { unseen } = told.events[again.happened];
      again.#repeat([what, ...came]);
      return [what, ...unseen ? came.map(() => null) : came];
    });
    const { reference, digest } = this.#rules;
    return { format: RECORD_FORMAT, ruleset: reference, digest, players: this.players, options: { ...this.options }, seat, record, log: told.log() };
  }
  /** Returns the sentences of important events, from number `since` on. With a seat, events are those of `logFor`. */
  story(settings) {
    return this.lines(settings).map(({ text: text2 }) => text2);
  }
  /** Returns the lines of the story, each as `{text, pieces, rule, events}`. */
  lines(settings) {
    const { since = 0, seat = null } = settings ?? {};
    return (seat === null ? this.#readLog() : this.#narrationFor(seat)).lines(since);
  }
  /** Internal: returns one event as a line of the story. */
  line(number) {
    return this.#readLog().line(number);
  }
  /** Internal: the number of events so far. */
  get happened() {
    this.#remember();
    return this.#happened.length;
  }
  #readLog() {
    this.#remember();
    this.#narration ??= new NarrationLog(this.#module, this.#first, { begun: this.#stage !== null, names: this.names });
    this.#narration.read(this.#happened.slice(this.#narration.events.length));
    return this.#narration;
  }
  #narrationFor(seat) {
    this.#refuseSeat(seat);
    this.#remember();
    const found = new NarrationLog(this.#module, this.#first, { visibility: this.#visibility, viewer: seat, begun: this.#stage !== null, names: this.names });
    found.read(this.#happened);
    return found;
  }
  #refuseSeat(seat, also = "") {
    if (!Number.isInteger(seat) || seat < 0 || seat > this.players) {
      throw new GameError(`\`seat\` must be from 1 to ${this.players}, or 0 for a spectator${also}, not ${quoted(seat)}${typeof seat === "string" ? "; give a number" : ""}`);
    }
  }
  /** Restores the events of a loaded game by replaying its record. */
  #remember() {
    if (this.#first !== null) return;
    this.#enter();
    if (this.#module.root !== this.#rules.data.start) throw new GameError("this save is of a single procedure, so the game cannot be replayed from the start");
    const again = this.#again(this.#record);
    this.#first = again.#first;
    this.#happened = again.#happened;
  }
  /** Returns a game with the same settings after a record. It stops at chance events. */
  #again(record, repeat = (again, entry2) => again.#repeat(entry2)) {
    const again = _Game.begun(this.#rules, { ...this.#settings(), stopAtChance: true });
    for (const entry2 of record) repeat(again, entry2);
    return again;
  }
  // -- actions -------------------------------------------------------------------------------------
  /** Takes an option of the decision: the option itself, its id, or its index from 0. Throws GameError or RulesFault. */
  choose(option) {
    this.#enter();
    if (this.#module.mode !== DECISION) throw new GameError("no decision is pending", "not-pending");
    const index = this.#place(option);
    const id = this.#ids()[index];
    this.#step(() => {
      this.#record.push(["choose", id]);
      this.#go(() => this.#module.call("choose", BigInt(index)));
      this.#rollOn();
    });
  }
  #ids() {
    const { step, stop } = this.#module.standing();
    return this.#module.value(this.#module.get("options"), stop.options).map((value) => identity(value, step.ids));
  }
  #place(option) {
    const ids = this.#ids(), { step } = this.#module.standing();
    const refuse = (what) => {
      throw new GameError(`${this.nameOf(Number(this.#module.get("who")))} cannot choose ${what} at \`${step.rule}\`; the options are: ${ids.slice(0, 12).join(", ")}`, "illegal-choice");
    };
    const id = typeof option === "object" && option !== null ? option.id : option;
    if (typeof id === "string") {
      const numbered2 = /^#([1-9]\d*)$/.exec(id);
      if (ids.includes(id)) return ids.indexOf(id);
      return numbered2 && Number(numbered2[1]) <= ids.length ? Number(numbered2[1]) - 1 : refuse(`\`${id}\``);
    }
    if (typeof id !== "number" && typeof id !== "bigint") throw new GameError(`an option must be given as an option, an id or an index, not ${quoted(id)}`);
    return Number.isInteger(id) && id >= 0 && id < ids.length ? id : refuse(`option number ${String(id)}`);
  }
  /** Resolves the current chance event with the game's own dice. */
  roll() {
    this.#refuseWithoutChance();
    this.#step(() => {
      this.#leave();
      this.#rollOn();
    });
  }
  /** Resolves the chance event with `outcome`: a total, or the id of a card. Throws GameError if impossible. */
  resolve(outcome) {
    this.#refuseWithoutChance();
    const { roll, cards } = this.#rolled();
    if (!outcomes(roll, cards).some(([each]) => same(each, outcome))) {
      throw this.#impossible(outcome);
    }
    this.#step(() => {
      this.#resolve(outcome, null);
      this.#rollOn();
    });
  }
  #impossible(outcome) {
    return new GameError(`${quoted(outcome)} is not a possible outcome of ${this.#module.standing().step.rule}`, "impossible-outcome");
  }
  #refuseWithoutChance() {
    this.#enter();
    if (this.#module.mode !== CHANCE) throw new GameError("no chance event is pending", "not-pending");
  }
  #leave() {
    this.#resolve(...this.#drawn());
  }
  /** Returns the value and the faces that the game's own dice give for the current chance event. */
  #drawn() {
    const { roll, cards } = this.#rolled();
    if (cards !== null) return [cards[this.#generator.below(cards.length)], null];
    const { total, dice } = rollWith(roll, this.#generator);
    return [total, dice.map(({ faces }) => faces)];
  }
  #resolve(value, faces) {
    const { type } = this.#rolled();
    this.#record.push(["chance", value, faces]);
    this.#go(() => this.#module.call("go_on", this.#module.word(value, type)));
  }
  /** Internal: resolves all chance events with the game's own dice from now on. */
  goOn() {
    this.#enter();
    this.stopAtChance = false;
    this.#rollOn();
  }
  #rollOn() {
    while (this.#module.mode === CHANCE && !this.stopAtChance) this.#leave();
  }
  /** Runs the module up to the next stop. If the rules fail after the events of an example, it ends there. */
  #go(call) {
    try {
      call();
    } catch (error) {
      if (this.#ends === null || !(error instanceof RulesFault)) throw error;
      this.#note();
      if (this.#happened.length < this.#ends) throw error;
      return;
    }
    this.#note();
  }
  #note() {
    this.#decision = null;
    for (const each of this.#module.events()) this.#happened.push(each);
  }
  /** Runs an action. If it throws, the game is as it was before. */
  #step(go) {
    this.#moves += 1;
    this.#past.push(this.#moment());
    const old = this.#past.length - 1 - MOST_COPIES;
    if (old > 0 && old % BETWEEN_COPIES) this.#past[old].bytes = null;
    try {
      go();
    } catch (error) {
      this.#back();
      throw error;
    }
  }
  #moment() {
    const { length } = this.#record;
    return { bytes: this.#module.copy(), index: this.#generator.index, record: length, happened: this.#happened.length };
  }
  #back() {
    this.#moves += 1;
    const { bytes, index, record, happened } = this.#past.pop();
    this.#narration?.rewind(this.#happened.slice(happened, this.#narration.events.length));
    if (bytes === null) this.#playOn(this.#record.slice(0, record));
    else this.#module.restore(bytes);
    this.#generator.index = index;
    this.#record.length = record;
    this.#happened.length = happened;
    this.#decision = null;
  }
  /** Replays from the last remaining snapshot to the end of a record. */
  #playOn(record) {
    const { bytes, record: length, happened } = this.#past.findLast((each) => each.bytes !== null);
    this.#module.restore(bytes);
    this.#record.length = length;
    this.#happened.length = happened;
    for (const entry2 of record.slice(length)) this.#repeat(entry2);
  }
  /** Undoes the last choice, roll or result, and the dice that followed it. Returns false if there is none. */
  undo() {
    this.#enter();
    if (!this.#past.length) return false;
    this.#remember();
    this.#enter();
    this.#back();
    return true;
  }
  /** Internal: applies an entry of a record. */
  repeat(entry2) {
    this.#moves += 1;
    this.#repeat(entry2);
  }
  #repeat(entry2) {
    this.#enter();
    const [what, value, faces] = entry2;
    if (what === "choose" && this.#module.mode === DECISION) {
      const index = this.#place(value);
      this.#record.push(entry2);
      this.#go(() => this.#module.call("choose", BigInt(index)));
    } else if (what === "chance" && this.#module.mode === CHANCE) this.#resolve(value, faces);
    else throw new GameError("the record does not fit the rules");
  }
  /** Applies an entry of a record as `repeat` does. Throws GameError for a result that the dice did not or cannot give. */
  #verify(entry2, stopAtChance) {
    this.#enter();
    const [what, value, faces] = entry2;
    if (entry2.length !== 3 && !(what === "choose" && entry2.length === 2 && typeof value === "string")) throw new GameError("the record does not fit the rules");
    if (what === "chance" && this.#module.mode === CHANCE) {
      const { roll, cards } = this.#rolled();
      const rolled2 = (faces !== null || cards !== null) && same(this.#drawn(), [value, faces]);
      if (!rolled2) {
        const possible = faces === null ? outcomes(roll, cards).some(([each]) => same(each, value)) : cards === null && same(totalOf(roll, faces), value);
        if (!stopAtChance || !possible) throw this.#impossible(value);
      }
    }
    this.#repeat(entry2);
  }
  // -- copies and saves ----------------------------------------------------------------------------
  #settings() {
    return { players: this.players, seed: this.seed, options: this.options, stopAtChance: this.stopAtChance, names: this.names, stage: this.#stage };
  }
  /** Returns an independent copy, with its own dice and no undo history. */
  clone() {
    this.#enter();
    this.#remember();
    this.#enter();
    const other = new _Game(this.#rules, { ...this.#settings(), rolled: this.#generator.index });
    other.#record = this.record;
    other.#first = this.#first;
    other.#happened = [...this.#happened];
    other.#narration = this.#narration?.copy() ?? null;
    other.#bytes = this.#module.copy();
    return other;
  }
  /** Returns the state as JSON data, the same as Python's `Game.to_json`. */
  toJSON() {
    this.#enter();
    const module = this.#module, { mode } = module, objects = module.objects(), given = module.get("given");
    const plain2 = (values) => values.map((each) => module.plainValue(each));
    const { gives } = module.procedures.get(module.root);
    return {
      format: STATE_FORMAT,
      digest: this.#rules.data.digest,
      root: module.root,
      next: objects.length,
      objects: Object.fromEntries(
        [...alive(objects)].map(([number, [kind, ...values]]) => [number, [module.data.kinds[kind].id, ...plain2(values)]])
      ),
      frames: module.frames().map(([at, ...values]) => {
        const step = module.steps.get(at);
        return { at: step === void 0 ? null : [step.procedure, step.id], values: plain2(values) };
      }),
      mode,
      winners: mode === OVER && module.get("winners") !== module.none ? this.result.winners : null,
      given: given === module.none ? [] : plain2(module.block(given).map((word, place) => module.value(word, gives[place][1])))
    };
  }
  /** Returns the text of a save, which `rules.openGame` and Python's `Game.load` accept. */
  save() {
    const body = writeJSON({
      ruleset: this.#rules.data.ruleset,
      digest: this.#rules.data.digest,
      players: this.players,
      options: sorted(this.options),
      seed: this.seed,
      stop_at_chance: this.stopAtChance,
      rolled: this.#generator.index,
      state: this.toJSON(),
      record: this.#record
    });
    return `${opening(body)}${body}}
`;
  }
  /** Returns the game of a save. Throws GameError if the save is damaged or of other rules. */
  static opened(rules, saved, { refuse, names, verify }) {
    const found = readSave(saved), { data } = rules;
    if (found.digest !== data.digest) {
      const played2 = `this save was played under ${found.ruleset}, gameplay digest ${found.digest}, not under ${data.ruleset}, which has ${data.digest}`;
      throw new GameError(`${played2}. Open it with an export of ${found.ruleset}, or repeat its choices under other rules with \`migrate_save\` in Python`, "other-gameplay");
    }
    refuse(found.players, found.seed, found.options);
    const { players, seed, options, rolled: rolled2 } = found;
    const game = new _Game(rules, { players, seed, options, stopAtChance: found.stop_at_chance, names, rolled: rolled2 });
    if (verify) return game.#verified(found);
    rules.enter(game);
    try {
      game.#put(found.state);
    } catch (error) {
      throw damaged(error.message);
    }
    game.#record = found.record;
    return game;
  }
  /** Returns the game of a save after a replay of its record. Throws GameError if this does not lead to its state. */
  #verified({ record, state, rolled: rolled2, stop_at_chance: stopAtChance }) {
    let again;
    try {
      again = this.#again(record, (game, entry2) => game.#verify(entry2, stopAtChance));
    } catch (error) {
      throw damaged(error.message);
    }
    if (!same(again.toJSON(), state) || !stopAtChance && again.#generator.index !== rolled2) {
      throw damaged("replaying its moves does not give the saved state");
    }
    again.#generator.index = rolled2;
    again.stopAtChance = stopAtChance;
    return again;
  }
  #put(state) {
    const module = this.#module;
    module.put(module.laidOut(state));
    if (state.mode === DECISION || state.mode === CHANCE) {
      module.present();
      return;
    }
    module.set("mode", OVER);
    if (state.winners !== null) module.set("winners", module.newBlock(state.winners));
    else {
      const { gives } = module.procedures.get(state.root);
      module.set("given", module.newBlock(state.given.map((value, place) => module.word(value, gives[place][1]))));
    }
  }
  // -- sharing memory with other games ---------------------------------------------------------------
  #enter() {
    this.#rules.enter(this);
  }
  /** Internal: saves the game's bytes before another game uses the memory. */
  leave() {
    this.#bytes = this.#module.copy();
  }
  /** Internal: puts the game's bytes back into memory. */
  arrive() {
    if (this.#bytes !== null) this.#module.restore(this.#bytes);
    this.#bytes = null;
  }
  /** Replaces the objects in memory while `ask` runs. */
  #within(objects, ask) {
    this.#enter();
    const kept = this.#module.copy();
    const held = Array(Math.max(...objects.keys()) + 1).fill(null);
    for (const [number, thing] of objects) held[number] = thing;
    try {
      this.#module.put({ objects: held, frames: [], root: this.#module.data.start });
      return ask();
    } finally {
      this.#module.restore(kept);
    }
  }
  /** Internal: how many times the game has changed, including undo. */
  get moves() {
    return this.#moves;
  }
  /** Runs a function on the game in memory, then restores it. For bots that look ahead. */
  ahead(look) {
    this.#enter();
    const kept = this.#module.copy();
    try {
      this.#module.set("flags", 0n);
      return look();
    } finally {
      this.#module.restore(kept);
    }
  }
};
function alive(objects) {
  return new Map(objects.flatMap((thing, number) => thing === null ? [] : [[number, thing]]));
}
function outcomes(roll, cards) {
  if (cards === null) return outcomesOf(roll);
  const counts = /* @__PURE__ */ new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0n) + 1n);
  return [...counts].map(([card, count]) => [card, count, BigInt(cards.length)]);
}
function opening(body) {
  return `{"rulewright": ${SAVE_FORMAT}, "check": "${sha256(body)}", "save": `;
}
var damaged = (why) => new GameError(`this save is damaged: ${why}`, "damaged");
function readSave(saved) {
  let found = null;
  try {
    found = readJSON(String(saved).replace(/^\ufeff/, ""));
  } catch {
    if (String(saved).startsWith('{"rulewright": ')) throw damaged("it is not complete JSON");
  }
  if (typeof saved !== "string" || found?.rulewright === void 0) throw new GameError("this is not a Rulewright save", "not-a-save");
  if (found.rulewright !== SAVE_FORMAT) throw new GameError(`this is a save of format ${found.rulewright}; this program reads format ${SAVE_FORMAT}`, "other-format");
  const at = saved.indexOf('"save": ');
  const body = saved.slice(at + '"save": '.length).trimEnd().slice(0, -1);
  if (!saved.startsWith(opening(body)) && !isRewritten(found)) {
    throw new GameError("this save was changed after it was saved. If a program or a database has stored it as JSON, let it store the save as text", "damaged");
  }
  const { save } = found;
  const whole = save !== null && typeof save === "object" && MEMBERS.every((name) => name in save) && Object.keys(save).length === MEMBERS.length;
  const fits = whole && Array.isArray(save.record) && isWhole(save.players) && isWhole(save.rolled) && save.rolled >= 0 && typeof save.stop_at_chance === "boolean";
  if (!fits) throw damaged(`it must have exactly these members: ${MEMBERS.join(", ")}`);
  return save;
}
function isRewritten({ check, save }) {
  const ordered = (value, names) => Object.fromEntries(names.map((name) => [name, value[name]]));
  try {
    const { options, state } = save, frames = state.frames.map((each) => ordered(each, ["at", "values"]));
    const sortedSave = { ...ordered(save, MEMBERS), options: sorted(options), state: { ...ordered(state, OF_A_STATE), frames } };
    return [save, sortedSave].some((each) => sha256(writeJSON(each)) === check);
  } catch {
    return false;
  }
}
var sorted = (options) => Object.fromEntries(Object.entries(options).sort(([one2], [other]) => one2 < other ? -1 : 1));

// engine/rulewright/export/js/bots/bot_memory.js
var MOST_OUTCOMES = 12;
var MOST_PLACES = 64;
var MOST_BYTES = 1 << 22;
var BotMemory = class {
  #module;
  #places = /* @__PURE__ */ new Map();
  #seeds = /* @__PURE__ */ new Map();
  #taken = 0;
  #holder = null;
  constructor(module) {
    this.#module = module;
  }
  /** Takes the memory over. It belongs to the caller until somebody else claims it. */
  claim() {
    this.#holder = {};
    return this.#holder;
  }
  /** Throws GameError if somebody else has claimed the memory since. */
  refuseOthers(held) {
    if (this.#holder !== held) throw new GameError("another bot started thinking in the meantime: the bots of one `load()` must think one at a time");
  }
  /** Frees everything. */
  clear() {
    this.#module.calls.free_space();
    this.#places.clear();
    this.#seeds.clear();
    this.#taken = 0;
  }
  /** Copies bytes to memory outside of all games, and returns their address. */
  put(bytes) {
    const { calls } = this.#module, at = calls.take_space(Math.max(bytes.length, 1));
    new Uint8Array(calls.memory.buffer).set(bytes, at);
    this.#taken += bytes.length + 16;
    return at;
  }
  putWords(words) {
    return this.put(new Uint8Array(BigInt64Array.from(words).buffer));
  }
  // -- seats ---------------------------------------------------------------------------------------
  /** Seats a bot. Place 0 begins a new table. */
  place({ number, setting, weights, worths }, place) {
    this.#module.call("seat_bot", BigInt(place), BigInt(number), BigInt(setting));
    if (!worths.length) return;
    const at = this.put(new Uint8Array(Float64Array.from(worths).buffer));
    this.#module.call("tell_worths", BigInt(place), BigInt(weights), BigInt(worths.length), at);
  }
  /** Lets a bot think about the decision in memory. */
  seat(thinker, seed, seat, position) {
    if (!this.#places.size || this.#places.size >= MOST_PLACES || this.#taken > MOST_BYTES) this.clear();
    const key = `${thinker.number} ${thinker.setting} ${thinker.worths.length ? thinker.weights : ""}`;
    if (!this.#places.has(key)) {
      this.place(thinker, this.#places.size);
      this.#places.set(key, this.#places.size);
    }
    const [at, length] = this.#seed(typeof seed === "string" ? `s${seed}` : `i${seed}`);
    this.#module.call("seat_asked", BigInt(this.#places.get(key)), BigInt(seat), at, length, BigInt(position));
  }
  #seed(written2) {
    if (!this.#seeds.has(written2)) {
      const bytes = new TextEncoder().encode(written2);
      this.#seeds.set(written2, [this.put(bytes), bytes.length]);
    }
    return this.#seeds.get(written2);
  }
  /** Returns the bot's option, or null if it pauses after its share of work. */
  think(tries) {
    const module = this.#module;
    module.call("pause_after", BigInt(tries));
    for (; ; ) {
      const found = this.tried(() => module.call("think"));
      if (found !== null && found >= 0n) return Number(found);
      if (found !== null && !this.hear()) return null;
    }
  }
  /** Returns the result of a call in which bots think, or null if the rules fail in a determinized state. */
  tried(call) {
    const { calls } = this.#module, stack = calls.stack_at();
    try {
      return call();
    } catch (error) {
      if (!(error instanceof RulesFault)) throw error;
      calls.stack_back(stack);
      if (!this.#module.call("give_up")) throw error;
      return null;
    }
  }
  /** Returns how many words of its stream the bot has used. */
  get position() {
    return Number(this.#module.call("words_used"));
  }
  // -- distributions -------------------------------------------------------------------------------
  /** Sends the bot the distribution it asks for. Returns whether it asked for one. */
  hear() {
    const module = this.#module, word = module.call("asked_roll");
    if (word === 0n) return false;
    const told = weighed(module.roll(word));
    const bytes = new ArrayBuffer(16 * told.length), view = new DataView(bytes);
    told.forEach(([outcome, chance], place) => {
      view.setBigInt64(16 * place, BigInt(outcome), true);
      view.setFloat64(16 * place + 8, chance, true);
    });
    module.call("tell_outcomes", this.#copied(word), this.put(new Uint8Array(bytes)), BigInt(told.length));
    return true;
  }
  /** Copies a roll, with all its parts, to memory that is not freed. */
  #copied(word) {
    const module = this.#module;
    if (word <= 0n || !(word & module.blockBit)) return word;
    const [kind, , , ...parts] = module.block(word);
    const copied = [kind, module.none, module.none, ...parts.map((each) => this.#copied(each))];
    return module.blockBit | BigInt(this.putWords([BigInt(copied.length), ...copied]));
  }
};
function weighed(roll) {
  try {
    const found = outcomesOf(roll);
    return found.length > MOST_OUTCOMES ? [] : found.map(([outcome, ways, of]) => [outcome, ratio(ways, of)]);
  } catch (error) {
    if (error instanceof GameError) return [];
    throw error;
  }
}
function ratio(ways, of) {
  if (of <= Number.MAX_SAFE_INTEGER) return Number(ways) / Number(of);
  const bits = of.toString(2).length - ways.toString(2).length + 64;
  const scaled = ways << BigInt(bits), found = scaled / of;
  return Number(found | (scaled % of ? 1n : 0n)) / 2 ** bits;
}

// engine/rulewright/export/js/bots/bots.js
function botsOf({ data }) {
  return Object.entries(data.bots).map(([name, { does, setting, most }]) => ({ name, does, ...most ? { setting, most } : {} }));
}
function thinkerOf({ data }, name) {
  const names = Object.keys(data.bots);
  const there = `there is ${names.join(", ")}`;
  if (typeof name !== "string") throw new GameError(`a bot name must be a string such as "random", not ${String(name)}`);
  const [kind] = name.split(":", 1), found = Object.hasOwn(data.bots, kind) ? data.bots[kind] : void 0;
  if (found === void 0) throw new GameError(`there is no bot \`${kind}\` here; ${there}`);
  const { setting, judge } = partsOf2(data, found, name.slice(kind.length + 1));
  return { number: found.number, setting: settingOf(kind, found, setting), ...judged(data, judge) };
}
function partsOf2(data, { judges, learned }, rest) {
  const ways = Object.keys(data.weights);
  if (!judges) return { setting: rest, judge: null };
  const at = rest.lastIndexOf(":"), last = rest.slice(at + 1);
  if (ways.includes(last)) return { setting: rest.slice(0, Math.max(at, 0)), judge: last };
  return { setting: rest, judge: ways.length && (learned || !data.judged) ? ways[0] : null };
}
function settingOf(kind, { setting, most }, said2) {
  if (said2 === "") return setting;
  if (!most) throw new GameError(`\`${kind}\` takes no setting, so \`${kind}:${said2}\` is not valid`);
  if (/^\d+ms$/.test(said2)) throw new GameError(`only bots in Python support a time budget: write ${kind}:${setting} for a number of tries`);
  const number = /^\d+$/.test(said2) ? Number(said2) : 0;
  if (number < 1 || number > most) throw new GameError(`\`${kind}:${said2}\` is not a valid budget: write ${kind}:${setting}, or another number from 1 to ${most}`);
  return number;
}
function judged(data, judge) {
  return judge === null ? { weights: 0, worths: [] } : { weights: Object.keys(data.weights).indexOf(judge), worths: data.weights[judge] };
}
function makeBot(rules, name, seed, seat) {
  const thinker = thinkerOf(rules, name), [, most] = rules.data.players;
  if (!Number.isInteger(seat) || seat < 1 || seat > most) throw new GameError(`the seats are numbered from 1 to ${most}, so ${String(seat)} is not a seat`);
  if (typeof seed !== "string" && typeof seed !== "bigint" && !Number.isSafeInteger(seed)) {
    throw new GameError(`a seed must be a whole number or a string, not ${String(seed)}`);
  }
  const mind = thinker.number === 0 ? new Drawing(seed, seat) : new Mind(rules, thinker, seed, seat);
  const bot = (game) => {
    const thinking = mind.thinking(game);
    for (; ; ) {
      const { done, value } = thinking.next();
      if (done) return value;
    }
  };
  bot.thinking = (game, tries) => mind.thinking(game, tries);
  Object.defineProperty(bot, "name", { value: name });
  Object.defineProperty(bot, "position", {
    get: () => mind.position,
    set(position) {
      if (!Number.isSafeInteger(position) || position < 0) throw new GameError(`a stream position must be a whole number of 0 or more, not ${String(position)}`);
      mind.position = position;
    }
  });
  return bot;
}
var Drawing = class {
  #lots;
  constructor(seed, seat) {
    this.#lots = new Lots(seed, `bot ${seat}`);
  }
  get position() {
    return this.#lots.index;
  }
  set position(position) {
    this.#lots.index = position;
  }
  *thinking(game) {
    return this.#lots.below(askedOf(game).options.length);
  }
};
var AT_A_TIME = 2e4;
var Mind = class {
  position = 0;
  constructor(rules, thinker, seed, seat) {
    this.arena = rules.arena;
    this.thinker = thinker;
    this.seed = seed;
    this.seat = seat;
  }
  /** Yields after every `tries` tries, and returns the index of an option. */
  *thinking(game, tries = AT_A_TIME) {
    askedOf(game);
    if (!Number.isSafeInteger(tries) || tries < 1) throw new GameError(`a bot must pause after a whole number of tries of 1 or more, not ${String(tries)}`);
    const { arena } = this, held = arena.claim(), { moves } = game;
    for (let begun = false; ; begun = true) {
      arena.refuseOthers(held);
      if (game.moves !== moves) throw new GameError("the game changed while a bot was thinking: ask the bot again");
      const index = game.ahead(() => {
        if (!begun) arena.seat(this.thinker, this.seed, this.seat, this.position);
        const found = arena.think(tries);
        if (found !== null) this.position = arena.position;
        return found;
      });
      if (index !== null) return index;
      yield;
    }
  }
};
function askedOf(game) {
  const { decision } = game;
  if (decision === null) throw new GameError("no decision is pending, so no bot can choose");
  return decision;
}

// engine/rulewright/export/js/bots/simulation.js
var SAMPLING = 2;
var PLAYING = 4;
var STEP_BY_STEP = 64;
var END = 0;
var LENGTH = 1;
var FIGURE = 2;
var MOST_DECISIONS = 1e6;
var AT_A_TIME2 = 2e4;
var DECISIONS_A_TRY = 20;
function played(rules, { bots, players, games = 1e3, seed = 0, options = {}, most = MOST_DECISIONS, tries = AT_A_TIME2 } = {}) {
  for (const [what, number] of [["games", games], ["decisions", most], ["tries", tries]]) {
    if (!Number.isSafeInteger(number) || number < 1) throw new GameError(`the number of ${what} must be a whole number of 1 or more, not ${String(number)}`);
  }
  if (bots !== void 0 && !Array.isArray(bots)) throw new GameError(`\`bots\` must be a list with a bot name for each seat, not ${String(bots)}`);
  const count = bots?.length || (players ?? rules.data.players[0]);
  rules.refuse(count, seed, options);
  if (players !== void 0 && players !== count) throw new GameError(`there are ${count} bots for ${String(players)} players`);
  const thinkers = (bots?.length ? bots : Array(count).fill("random")).map((name) => thinkerOf(rules, name));
  return pieces2(rules, { thinkers, games, seed, most, options: { ...rules.data.simulations, ...options } }, tries);
}
function* pieces2(rules, settings, tries) {
  const series = new Series(rules, settings);
  while (!series.goOn(tries)) yield { done: series.done, games: series.games, counts: () => series.counts() };
  return series.counts();
}
var Series = class {
  #rules;
  #module;
  #held;
  #bytes = null;
  #waits = false;
  #next = 0;
  constructor(rules, { thinkers, games, seed, most, options }) {
    this.#rules = rules;
    this.#module = rules.module;
    this.games = games;
    this.most = most;
    this.places = thinkers.length;
    this.#held = rules.arena.claim();
    rules.enter(this);
    this.#lay(seed, options);
    this.thinks = thinkers.some(({ number }) => number !== 0);
    if (this.thinks) thinkers.forEach((thinker, place) => rules.arena.place(thinker, place));
  }
  /** Stores the common initial state of all games outside of them. */
  #lay(seed, options) {
    const { arena } = this.#rules, module = this.#module, { layout, data } = module;
    module.start(this.places, options);
    const size = 8 * data.fresh[this.places].length;
    const image = new Uint8Array(module.calls.memory.buffer).slice(layout.state, layout.state + size);
    arena.clear();
    module.call("clear_counts", 1);
    const written2 = new TextEncoder().encode(`s${seed}/`), dice = new TextEncoder().encode("dice");
    this.start = BigInt(data.procedures.findIndex((each) => each.id === data.start));
    this.laid = [arena.put(image), size, this.start, arena.put(written2), written2.length, arena.put(dice)];
  }
  /** Plays until the share of work is used up. Returns whether all games are over. */
  goOn(tries) {
    const { arena } = this.#rules, module = this.#module;
    arena.refuseOthers(this.#held);
    this.#rules.enter(this);
    module.call("pause_after", BigInt(tries));
    for (let left2 = tries * DECISIONS_A_TRY; left2 > 0 && this.#next < this.games; ) {
      if (this.thinks) {
        const waits = arena.tried(() => this.#waits ? module.call("play_on") : this.#play(this.games, SAMPLING));
        this.#waits = waits !== 0;
        if (waits === 1 && !arena.hear()) return false;
        if (!this.#waits) this.#next = this.games;
      } else {
        this.#play(this.#next + 1, PLAYING);
        this.#next += 1;
        left2 -= Number(module.get("decisions")) + 1;
      }
    }
    return this.#next >= this.games;
  }
  #play(last, flags) {
    const module = this.#module;
    const play = (first, end, how) => module.call("play_games", ...this.laid, BigInt(first), BigInt(end), BigInt(this.most), BigInt(how));
    try {
      return play(this.#next, last, flags);
    } catch (error) {
      if (error instanceof RulesFault && flags === PLAYING) play(this.#next, last, flags | STEP_BY_STEP);
      throw error;
    }
  }
  /** Returns how many games are over. */
  get done() {
    return this.#next === this.games || !this.thinks ? this.#next : Number(this.#module.call("playing", -1n));
  }
  /** Returns their counts. */
  counts() {
    this.#rules.arena.refuseOthers(this.#held);
    const module = this.#module, { places } = this, { data } = module;
    const found = {
      done: this.done,
      games: this.games,
      wins: Array(places).fill(0),
      wins_by_seat: Array(places).fill(0),
      draws: 0,
      unfinished: 0,
      decisions: 0,
      lengths: [],
      decided: [],
      measures: Object.fromEntries(data.measures.map((name) => [name, []])),
      series: Object.fromEntries(data.clocked.map((name) => [name, []]))
    };
    const decided = /* @__PURE__ */ new Map(), moments = new Map(data.clocked.map((name) => [name, /* @__PURE__ */ new Map()]));
    for (const [what, one2, two, three, times] of this.#rows()) {
      if (what === END) this.#end(found, decided, Number(one2), two, three, times);
      else if (what === LENGTH) {
        found.lengths.push([Number(one2), times]);
        found.decisions += Number(one2) * times;
      } else if (what === FIGURE) found.measures[data.measures[Number(one2)]].push([plainNumber(two), times]);
      else {
        const at = moments.get(data.clocked[Number(one2)]), [sum, count, squares] = at.get(two) ?? [0n, 0, 0n];
        at.set(two, [sum + three * BigInt(times), count + times, squares + three * three * BigInt(times)]);
      }
    }
    for (const [name, each] of moments) {
      found.series[name] = [...each].map(([moment, [sum, count, squares]]) => [plainNumber(moment), [plainNumber(sum), count, plainNumber(squares)]]);
    }
    found.decided = [...decided].sort(([one2], [other]) => one2 - other).map(([step, times]) => [data.steps[step]?.rule ?? null, times]);
    for (const each of [found.lengths, ...Object.values(found.measures), ...Object.values(found.series)]) {
      each.sort(([one2], [other]) => one2 < other ? -1 : Number(one2 > other));
    }
    return found;
  }
  #end(found, decided, turn, winners, step, times) {
    if (winners < 0n) {
      found.unfinished += times;
      return;
    }
    if (winners === 0n) found.draws += times;
    for (let seat = 0; seat < this.places; seat++) {
      if (!(winners & 1n << BigInt(seat))) continue;
      found.wins_by_seat[seat] += times;
      found.wins[(turn + seat) % this.places] += times;
    }
    decided.set(Number(step), (decided.get(Number(step)) ?? 0) + times);
  }
  *#rows() {
    const { calls } = this.#module, words = this.#module.read(calls.counts_address(), 5 * Number(calls.counts_rows()));
    for (let at = 0; at < words.length; at += 5) {
      const times = Number(words[at + 4]);
      if (times) yield [Number(words[at]), words[at + 1], words[at + 2], words[at + 3], times];
    }
  }
  // -- sharing memory with other games: see `Game` -------------------------------------------------
  leave() {
    this.#bytes = this.#module.copy();
  }
  arrive() {
    if (this.#bytes !== null) this.#module.restore(this.#bytes);
    this.#bytes = null;
  }
};

// engine/rulewright/export/js/ruleset.js
var FORMAT = 3;
async function read({ wasm, data }) {
  const held = await intact("rules.json", () => typeof data === "string" ? readJSON(data) : data);
  if (held?.format !== FORMAT) throw new GameError(`rules.json is of format ${String(held?.format)}; this program reads format ${FORMAT}`, "other-format");
  const instance = await intact("rules.wasm", async () => WebAssembly.instantiate(wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm)));
  return new Rules(instance, held);
}
async function intact(name, open) {
  try {
    return await open();
  } catch (error) {
    throw new GameError(`${name} is damaged: ${error.message}`, "damaged");
  }
}
var Rules = class {
  #current = null;
  constructor(instance, data) {
    this.data = data;
    this.module = new Module(instance, data);
    this.arena = new BotMemory(this.module);
  }
  get reference() {
    return this.data.ruleset;
  }
  get title() {
    return this.data.title;
  }
  get digest() {
    return this.data.digest;
  }
  /** The minimum and maximum number of players. */
  get players() {
    return [...this.data.players];
  }
  /** The settings, each with its title, its default and the labels of its choices. */
  get options() {
    return Object.fromEntries(
      Object.entries(this.data.options).map(([id, each]) => [id, {
        title: this.words(each.title),
        default: each.default,
        choices: Object.fromEntries(Object.entries(each.choices).map(([choice, words]) => [choice, this.words(words)]))
      }])
    );
  }
  /** Returns a text of `data` with its placeholders filled in. */
  words(written2) {
    return text(new PhraseBuilder(this.module, /* @__PURE__ */ new Map()).words(written2));
  }
  /** Returns a new game at its first stop. Throws GameError for an invalid number of players or setting. */
  newGame({ players = this.data.players[0], seed = 0, options = {}, stopAtChance = false, names = {} } = {}) {
    this.refuse(players, seed, options);
    return Game.begun(this, { players, seed, options: { ...options }, stopAtChance, names: called(names, players) });
  }
  /**
   * Returns the game of a save, from here or from Python. Its record is replayed to verify it; with `verify` as false,
   * only accidental damage is detected. Throws GameError.
   */
  openGame(text2, { names = {}, verify = true } = {}) {
    return Game.opened(this, text2, { refuse: (players, seed, options) => this.refuse(players, seed, options), names: called(names), verify });
  }
  /** Internal: returns a game with these settings, or of a single procedure from a `stage`. */
  begun(settings) {
    return Game.begun(this, settings);
  }
  /** Internal: returns the error for a record that does not fit these rules. */
  fault(said2) {
    return new GameError(said2);
  }
  /** The bots for these rules, each with a sentence about what it does. */
  bots() {
    return botsOf(this);
  }
  /** Returns a bot by name, such as `mcts:200`: a function from a game to the index of an option. Throws GameError. */
  bot(name, { seed = 0, seat = 1 } = {}) {
    return makeBot(this, name, seed, seat);
  }
  /** Plays games between bots. Yields the progress, and returns all counts. Throws GameError. */
  simulate(settings = {}) {
    return played(this, settings);
  }
  /** Internal: throws GameError for an invalid setting. */
  refuse(players, seed, options) {
    const [fewest, most] = this.data.players;
    if (this.data.start === null) throw new GameError(`${this.reference} has no \`start:\`, so there is no whole game to play`, "invalid-setting");
    if (!Number.isInteger(players) || players < fewest || players > most) {
      const allowed = fewest < most ? `${fewest} to ${most} players` : most === 1 ? "1 player" : `${most} players`;
      const hint = typeof players === "string" ? `; give a whole number such as ${fewest}` : "";
      throw new GameError(`${this.title} is for ${allowed}, not ${quoted(players)}${hint}`, "invalid-setting");
    }
    if (typeof seed !== "string" && typeof seed !== "bigint" && !Number.isSafeInteger(seed)) {
      throw new GameError(`a seed must be a whole number or a string, not ${String(seed)}`, "invalid-setting");
    }
    for (const [name, choice] of Object.entries(options)) {
      const option = this.data.options[name];
      if (option === void 0) throw new GameError(`there is no option ${name}; there is ${Object.keys(this.data.options).join(", ") || "none at all"}`, "invalid-setting");
      if (option.choices[choice] === void 0) {
        throw new GameError(`the option ${name} has no choice ${choice}; there is ${Object.keys(option.choices).join(", ")}`, "invalid-setting");
      }
    }
  }
  /** Internal: frees the memory for another use. */
  alone() {
    this.#current?.leave();
    this.#current = null;
  }
  /** Internal: puts this game into memory. */
  enter(game) {
    if (this.#current === game) return;
    this.#current?.leave();
    this.#current = game;
    game.arrive();
  }
};
function called(names, players = Infinity) {
  for (const [seat, name] of Object.entries(names)) {
    const fits = /^[1-9]\d*$/.test(seat) && Number(seat) <= players && typeof name === "string" && name.trim() !== "";
    if (!fits) throw new GameError(`names must be strings by seat, such as {1: "Ann"}, not ${seat}: ${String(name)}`, "invalid-setting");
  }
  return { ...names };
}

// engine/rulewright/export/js/bots/worker.js
var TRIES = 50;
var MOST_WAITING = 100;
var MOST_BOTS = 64;
function serveBots(scope, more = {}) {
  const server = new Server(scope, more);
  scope.onmessage = ({ data }) => server.hear(data);
}
var Server = class {
  #scope;
  #more;
  #rules = null;
  #seated = /* @__PURE__ */ new Map();
  #waiting = [];
  #works = false;
  // Increases with each stop. Work that began earlier is cancelled.
  #stopped = 0;
  constructor(scope, more) {
    this.#scope = scope;
    this.#more = more;
  }
  hear(message) {
    const asked2 = message !== null && typeof message === "object" ? message : {};
    if (asked2.kind === "stop") this.#stop();
    else if (!["rules", "think", "games", ...Object.keys(this.#more)].includes(asked2.kind)) {
      this.#refuse(asked2, new GameError(`the kind of a message must be rules, think, games or stop, not ${said(asked2.kind)}`));
    } else if (this.#waiting.length >= MOST_WAITING) this.#refuse(asked2, new GameError("too many requests are waiting"));
    else {
      this.#waiting.push(asked2);
      if (!this.#works) this.#work();
    }
  }
  /** Cancels all work except loading the rules, with an answer for each request. */
  #stop() {
    this.#stopped += 1;
    const waited = this.#waiting;
    this.#waiting = waited.filter(({ kind }) => kind === "rules");
    for (const asked2 of waited) if (asked2.kind !== "rules") this.#answer(asked2, { stopped: true });
  }
  async #work() {
    this.#works = true;
    while (this.#waiting.length) {
      const asked2 = this.#waiting.shift(), { kind } = asked2;
      try {
        if (kind === "rules") await this.#take(asked2);
        else if (this.#rules === null) throw new GameError("no rules have been sent yet");
        else if (Object.hasOwn(this.#more, kind)) await this.#also(asked2);
        else await (kind === "think" ? this.#think(asked2) : this.#play(asked2));
      } catch (error) {
        this.#refuse(asked2, error);
      }
    }
    this.#works = false;
  }
  async #take(asked2) {
    this.#rules = null;
    this.#seated.clear();
    if (asked2.wasm === void 0 || asked2.data === void 0) throw new GameError("send rules as `wasm`, a module or its bytes, and `data`, the text of rules.json");
    this.#rules = await read({ wasm: asked2.wasm, data: asked2.data });
    this.#answer(asked2, { ready: this.#rules.reference, bots: this.#rules.bots() });
  }
  async #think(asked2) {
    const game = this.#rules.openGame(asked2.save, { verify: false });
    const { decision } = game, { bot: name, seed = 0, seat = decision?.player ?? 1, asked: times } = asked2;
    if (times !== void 0 && (!Number.isSafeInteger(times) || times < 0)) throw new GameError(`\`asked\` must be the number of earlier choices of the bot, not ${said(times)}`);
    const sits = this.#seat(name, seed, seat);
    if (times !== void 0 && !sits.knows(times, game.record)) {
      const again = this.#again(sits, game, times);
      if (await this.#through(asked2, again) === void 0) return;
      sits.choseSoOften(times);
    }
    const index = await this.#through(asked2, sits.thinking(game));
    if (index !== void 0) this.#answer(asked2, { index });
  }
  /** Returns the bot with this name, seed and seat. */
  #seat(name, seed, seat) {
    const key = [said(name), typeof seed, String(seed), String(seat)].join("\n");
    const found = this.#seated.get(key) ?? new Seated(this.#rules.bot(name, { seed, seat }), seat);
    this.#seated.delete(key);
    this.#seated.set(key, found);
    if (this.#seated.size > MOST_BOTS) this.#seated.delete(this.#seated.keys().next().value);
    return found;
  }
  /** Asks a bot again what it was asked earlier in a game. A bot of another game starts anew. */
  *#again(sits, game, times) {
    sits.begin();
    if (!times) return true;
    const { players, options, seed } = game;
    const past = this.#rules.newGame({ players, options, seed, stopAtChance: true });
    for (const entry2 of game.record) {
      if (entry2[0] === "choose" && past.decision?.player === sits.seat) yield* sits.thinking(past);
      past.repeat(entry2);
    }
    return true;
  }
  async #play(asked2) {
    const { bots, players, games, seed, options, most } = asked2;
    let told = 0;
    const counts = await this.#through(asked2, played(this.#rules, { bots, players, games, seed, options, most, tries: TRIES }), (sofar) => {
      if (sofar.done - told < sofar.games / 100) return;
      told = sofar.done;
      this.#answer(asked2, sofar.counts());
    });
    if (counts !== void 0) this.#answer(asked2, { ...counts, over: true });
  }
  async #also(asked2) {
    const last = await this.#through(asked2, this.#more[asked2.kind](this.#rules, asked2), (sofar) => this.#answer(asked2, sofar));
    this.#seated.clear();
    if (last !== void 0) this.#answer(asked2, { ...last, over: true });
  }
  /** Runs a generator, with pauses for messages. Returns nothing if it is cancelled. */
  async #through(asked2, pieces3, tell = () => {
  }) {
    const begun = this.#stopped;
    for (; ; ) {
      const { done, value } = pieces3.next();
      if (done) return value;
      tell(value);
      await pause();
      if (this.#stopped === begun) continue;
      this.#answer(asked2, { stopped: true });
      return void 0;
    }
  }
  #answer(asked2, answer) {
    this.#scope.postMessage(asked2.id === void 0 ? answer : { id: asked2.id, ...answer });
  }
  #refuse(asked2, error) {
    const words = error instanceof GameError || error instanceof RulesFault ? error.message : `this cannot be done: ${said(error?.message ?? error)}`;
    this.#answer(asked2, { error: words, ...error instanceof RulesFault ? { rule: error.rule } : {} });
  }
};
var Seated = class {
  #bot;
  #past = [];
  #record = [];
  constructor(bot, seat) {
    this.#bot = bot;
    this.seat = seat;
    this.begin();
  }
  begin() {
    this.#bot.position = 0;
    this.#past = [{ position: 0, length: 0 }];
    this.#record = [];
  }
  /** Returns whether the bot has made this many choices on the way to a game's position, and rewinds it to that point. */
  knows(times, record) {
    const then = this.#past[times];
    if (then === void 0 || then.length > record.length) return false;
    if (writeJSON(this.#record.slice(0, then.length)) !== writeJSON(record.slice(0, then.length))) return false;
    this.#bot.position = then.position;
    this.#past.length = times + 1;
    return true;
  }
  /** Sets the number of choices made, after asking the bot again. */
  choseSoOften(times) {
    const last = this.#past[this.#past.length - 1];
    this.#past.length = times;
    this.#past[times] = last;
  }
  *thinking(game) {
    const index = yield* this.#bot.thinking(game, TRIES);
    this.#record = game.record;
    this.#past.push({ position: this.#bot.position, length: this.#record.length });
    return index;
  }
};
function said(value) {
  try {
    return String(value);
  } catch {
    return "something that has no words";
  }
}
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

// engine/rulewright/export/js/rules.js
async function load({ wasm, data } = {}) {
  const held = data ?? await near("rules.json", (answer) => answer.text());
  return read({ data: held, wasm: wasm ?? await near("rules.wasm", (answer) => answer.arrayBuffer()) });
}
async function near(name, take) {
  const place = new URL(name, import.meta.url);
  const refuse = (why) => new GameError(`${place} cannot be read: ${why}`, "missing-file");
  try {
    if (place.protocol === "file:" && globalThis.process?.versions?.node) {
      const files = "node:fs/promises";
      const { readFile } = await import(files);
      return await take({ text: () => readFile(place, "utf8"), arrayBuffer: () => readFile(place) });
    }
    const answer = await fetch(place);
    if (answer.ok) return await take(answer);
    throw refuse(answer.status);
  } catch (error) {
    throw error instanceof GameError ? error : refuse(error.message);
  }
}
export {
  Game,
  GameError,
  RulesFault,
  load,
  openExample,
  serveBots
};
