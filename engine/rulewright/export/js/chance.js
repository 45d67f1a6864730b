// Random numbers: words for dice (SHAKE128, FIPS 202) and bytes for bots (BLAKE2b, RFC 7693). The same seed and stream
// give the same words as the engine's own generators.

const MASK = (1n << 64n) - 1n;
const left = (word, by) => ((word << by) | (word >> (64n - by))) & MASK;
const WORD_VALUES = 0x100000000;

const KECCAK_ROUNDS = [
  0x0000000000000001n, 0x0000000000008082n, 0x800000000000808an, 0x8000000080008000n, 0x000000000000808bn,
  0x0000000080000001n, 0x8000000080008081n, 0x8000000000008009n, 0x000000000000008an, 0x0000000000000088n,
  0x0000000080008009n, 0x000000008000000an, 0x000000008000808bn, 0x800000000000008bn, 0x8000000000008089n,
  0x8000000000008003n, 0x8000000000008002n, 0x8000000000000080n, 0x000000000000800an, 0x800000008000000an,
  0x8000000080008081n, 0x8000000000008080n, 0x0000000080000001n, 0x8000000080008008n,
];

function permute(lanes) {
  for (const constant of KECCAK_ROUNDS) {
    const column = [0, 1, 2, 3, 4].map((x) => lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20]);
    for (let x = 0; x < 5; x++) {
      const mixed = column[(x + 4) % 5] ^ left(column[(x + 1) % 5], 1n);
      for (let y = 0; y < 25; y += 5) lanes[x + y] ^= mixed;
    }
    let x = 1, y = 0, held = lanes[1];
    for (let step = 0; step < 24; step++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = lanes[x + 5 * y];
      lanes[x + 5 * y] = left(held, BigInt((((step + 1) * (step + 2)) / 2) % 64));
      held = next;
    }
    for (let row = 0; row < 25; row += 5) {
      const line = lanes.slice(row, row + 5);
      for (let each = 0; each < 5; each++) lanes[row + each] = line[each] ^ (~line[(each + 1) % 5] & MASK & line[(each + 2) % 5]);
    }
    lanes[0] ^= constant;
  }
}

/** Returns the first 168 bytes of SHAKE128 of a key, as 42 words. */
export function shake(key) {
  const lanes = Array(25).fill(0n);
  const padded = new Uint8Array((Math.floor(key.length / 168) + 1) * 168);
  padded.set(key);
  padded[key.length] ^= 0x1f;
  padded[padded.length - 1] ^= 0x80;
  const view = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += 168) {
    for (let lane = 0; lane < 21; lane++) lanes[lane] ^= view.getBigUint64(at + 8 * lane, true);
    permute(lanes);
  }
  return lanes.slice(0, 21).flatMap((lane) => [Number(lane & 0xffffffffn), Number(lane >> 32n)]);
}

/** Returns the prefix of the keys of a stream. */
function keyOf(beginning, seed, stream) {
  const bytes = (text) => new TextEncoder().encode(text);
  const written = bytes(typeof seed === "string" ? `s${seed}` : `i${seed}`), name = bytes(stream);
  return [...bytes(`${beginning}${written.length}:`), ...written, ...bytes(`${name.length}:`), ...name];
}

/** A stream of random words, determined by seed, stream and index alone. */
export class Generator {
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
      this.#words.length = 42 - (index % 42);
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
    const limit = WORD_VALUES - (WORD_VALUES % number);
    let found = this.word();
    while (found >= limit) found = this.word();
    return found % number;
  }

  #belowLarge(number) {
    const count = Math.ceil((number - 1n).toString(2).length / 32);
    const values = 1n << BigInt(32 * count), limit = values - (values % number);
    for (;;) {
      let found = 0n;
      for (let place = 0; place < count; place++) found |= BigInt(this.word()) << BigInt(32 * place);
      if (found < limit) return found % number;
    }
  }
}

const BLAKE_START = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n, 0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const BLAKE_ORDER = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4], [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13], [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11], [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5], [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const BLAKE_MIXED = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
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
          v[a] = (v[a] + v[b] + message[order[2 * each + place]]) & MASK;
          v[d] = left(v[d] ^ v[a], first);
          v[c] = (v[c] + v[d]) & MASK;
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

const LOT_BYTES = 64;

/** Picks options for a random bot, from a stream of bytes of its own. */
export class Lots {
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
    const values = 256 ** size, limit = values - (values % number);
    for (;;) {
      let found = 0;
      for (let place = 0; place < size; place++) found += this.#byte() * 256 ** place;
      if (found < limit) return found % number;
    }
  }
}
