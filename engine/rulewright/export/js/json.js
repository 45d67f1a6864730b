// Numbers, JSON and SHA-256 as Python has them, with integers of any size.

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns an integer as a Number if that is exact, otherwise as a BigInt. */
export function plainNumber(big) {
  return big <= SAFE && big >= -SAFE ? Number(big) : big;
}

export function isWhole(value) {
  return typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));
}

/** Returns whether two values of the rules are equal. */
export function same(one, other) {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") {
    return isWhole(one) && isWhole(other) && BigInt(one) === BigInt(other);
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => same(one[name], other[name]));
}

/** Formats JSON as Python's `json.dumps(value, ensure_ascii=False)` does. */
export function writeJSON(value) {
  if (Array.isArray(value)) return `[${value.map(writeJSON).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${writeJSON(each)}`).join(", ")}}`;
  }
  return typeof value === "bigint" ? value.toString() : JSON.stringify(value);
}

/** Parses JSON with integers of any size. Throws SyntaxError. */
export function readJSON(text) {
  const token = /\s*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(true|false|null))/y;
  let kind, held;
  const next = () => {
    const found = token.exec(text);
    if (found === null) throw new SyntaxError("this is not JSON");
    kind = found[1] ?? (found[2] !== undefined ? "text" : found[3] !== undefined ? "number" : "word");
    held = found[0].trim();
  };
  const value = (deep) => {
    if (deep > 1000) throw new SyntaxError("this is nested too deeply");
    if (kind === "[") {
      const found = [];
      next();
      if (kind === "]") return found;
      for (;;) {
        found.push(value(deep + 1));
        next();
        if (kind === "]") return found;
        if (kind !== ",") throw new SyntaxError("this is not JSON");
        next();
      }
    }
    if (kind === "{") {
      const found = {};
      next();
      if (kind === "}") return found;
      for (;;) {
        if (kind !== "text") throw new SyntaxError("this is not JSON");
        const name = JSON.parse(held);
        next();
        if (kind !== ":") throw new SyntaxError("this is not JSON");
        next();
        Object.defineProperty(found, name, { value: value(deep + 1), enumerable: true, writable: true, configurable: true });
        next();
        if (kind === "}") return found;
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
  if (text.slice(token.lastIndex).trim()) throw new SyntaxError("something follows the JSON");
  return found;
}

/** Returns the SHA-256 of a text in hexadecimal digits (FIPS 180-4). */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const size = ((bytes.length + 8) >> 6) + 1;
  const padded = new Uint8Array(size * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size * 64 - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(size * 64 - 4, bytes.length << 3);
  const state = Uint32Array.from(SHA_START);
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let each = 0; each < 16; each++) w[each] = view.getUint32(at + 4 * each);
    for (let each = 16; each < 64; each++) {
      const a = w[each - 15], b = w[each - 2];
      const s = (turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)) + (turned(b, 17) ^ turned(b, 19) ^ (b >>> 10));
      w[each] = (w[each - 16] + w[each - 7] + s) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let each = 0; each < 64; each++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + SHA_ROUNDS[each] + w[each]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((each, place) => { state[place] += each; });
  }
  return [...state].map((each) => each.toString(16).padStart(8, "0")).join("");
}

const turned = (word, by) => (word >>> by) | (word << (32 - by));

// The constants are the leading bits of roots of the first primes.
const PRIMES = [...Array(312).keys()].filter((each) => each > 1 && ![...Array(each).keys()].some((d) => d > 1 && each % d === 0));
const fraction = (value) => Math.floor((value - Math.floor(value)) * 0x100000000) >>> 0;
const SHA_START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const SHA_ROUNDS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));
