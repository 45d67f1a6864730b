// The dice of the engine, in the page: the same seed shows the same faces. `engine/rulewright/dice/generator.py` and
// `pools.py` define how dice are drawn, `dice/data.py` the trees that are rolled. Values are BigInts, as Python's are.
{
  const MASK = (1n << 64n) - 1n
  const RATE = 168                 // bytes of the state that SHAKE128 reads and writes between two permutations
  const ROUNDS = 24
  const rotate = (lane, by) => ((lane << by) | (lane >> (64n - by))) & MASK

  // FIPS 202, 3.2.2: how far each lane turns, and where it goes; lane (x, y) is number x + 5y.
  const TURNS = []
  for (let step = 0, x = 1, y = 0; step < 24; step++) {
    const [toX, toY] = [y, (2 * x + 3 * y) % 5]
    TURNS.push({ from: x + 5 * y, to: toX + 5 * toY, by: BigInt((((step + 1) * (step + 2)) / 2) % 64) });
    [x, y] = [toX, toY]
  }

  // FIPS 202, 3.2.5: the constant of each round, out of a shift register.
  const CONSTANTS = []
  for (let round = 0, register = 1; round < ROUNDS; round++) {
    let constant = 0n
    for (let bit = 0; bit <= 6; bit++) {
      if (register & 1) constant |= 1n << BigInt(2 ** bit - 1)
      register <<= 1
      if (register & 256) register ^= 0x171
    }
    CONSTANTS.push(constant)
  }

  function permute(lanes) {
    for (const constant of CONSTANTS) {
      const columns = [0, 1, 2, 3, 4].map(x => lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20])
      const mixed = lanes.map((lane, place) => lane ^ columns[(place + 4) % 5] ^ rotate(columns[(place + 1) % 5], 1n))
      // Turning lane (x, y) puts it at (y, 2x + 3y).
      const moved = [...mixed]
      for (const { from, to, by } of TURNS) moved[to] = rotate(mixed[from], by)
      for (let place = 0; place < 25; place++) {
        const row = place - (place % 5)
        lanes[place] = moved[place] ^ (~moved[row + ((place + 1) % 5)] & MASK & moved[row + ((place + 2) % 5)])
      }
      lanes[0] ^= constant
    }
  }

  /** The first `length` bytes of SHAKE128 of `bytes`. */
  function shake128(bytes, length) {
    const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE)
    padded.set(bytes)
    padded[bytes.length] ^= 0x1f
    padded[padded.length - 1] ^= 0x80
    const lanes = Array(25).fill(0n)
    for (let block = 0; block < padded.length; block += RATE) {
      const view = new DataView(padded.buffer, block, RATE)
      for (let lane = 0; lane < RATE / 8; lane++) lanes[lane] ^= view.getBigUint64(8 * lane, true)
      permute(lanes)
    }
    const found = new Uint8Array(Math.ceil(length / RATE) * RATE)
    for (let block = 0; block < found.length; block += RATE) {
      if (block) permute(lanes)
      const view = new DataView(found.buffer, block, RATE)
      for (let lane = 0; lane < RATE / 8; lane++) view.setBigUint64(8 * lane, lanes[lane], true)
    }
    return found.subarray(0, length)
  }

  const utf8 = text => new TextEncoder().encode(text)
  const WORD_VALUES = 2 ** 32

  /** A stream of random words, all of it determined by its seed: a BigInt, or a text. `index` counts the words used. */
  class Generator {
    constructor(seed, stream = "dice") {
      const written = typeof seed === "bigint" ? `i${seed}` : `s${seed}`
      this.key = `rulewright:1:${utf8(written).length}:${written}${utf8(stream).length}:${stream}`
      this.index = 0
    }

    word() {
      const [block, place] = [Math.floor(this.index / 42), this.index % 42]
      if (this.block !== block) {
        this.words = new DataView(shake128(utf8(this.key + block), RATE).buffer)
        this.block = block
      }
      this.index++
      return this.words.getUint32(4 * place, true)
    }

    /** One of 0 to `number` - 1, each exactly equally likely; `number` is at most 2**32. */
    below(number) {
      const limit = WORD_VALUES - (WORD_VALUES % number)
      let word = this.word()
      while (word >= limit) word = this.word()
      return word % number
    }
  }

  const GROUP_OUTCOMES = 1296

  // Dice are drawn in groups; the first die of a group is its least significant digit.
  function draw(count, faces, generator) {
    const sides = faces.length
    let most = 1
    while (sides > 1 && sides ** (most + 1) <= GROUP_OUTCOMES) most++
    const drawn = []
    while (drawn.length < count) {
      const size = Math.min(most, count - drawn.length)
      let digits = generator.below(sides ** size)
      for (let die = 0; die < size; die++) {
        drawn.push(faces.at(digits % sides))
        digits = Math.floor(digits / sides)
      }
    }
    return drawn
  }

  // Even faces are worked out, so that a die of many sides costs nothing.
  function facesOf([, , , first, last, step]) {
    if (Array.isArray(first)) return { length: first.length, at: place => BigInt(first[place]) }
    const [low, high, by] = [first, last, step].map(BigInt)
    return { length: Number((high - low) / by) + 1, at: place => low + BigInt(place) * by }
  }

  // Of equal dice the first rolled is the one that is kept.
  function keptOf(faces, number, highest) {
    const order = faces.map((_, place) => place).sort((a, b) => (faces[a] === faces[b] ? a - b : faces[a] < faces[b] === highest ? 1 : -1))
    const chosen = new Set(order.slice(0, number))
    return faces.map((_, place) => chosen.has(place))
  }

  const sum = values => values.reduce((total, value) => total + value, 0n)
  const HOLDS = {
    ">": (a, b) => a > b, ">=": (a, b) => a >= b, "<": (a, b) => a < b, "<=": (a, b) => a <= b,
    "==": (a, b) => a === b, "!=": (a, b) => a !== b,
  }

  function evaluate(tree, generator, trace) {
    if (!Array.isArray(tree)) return BigInt(tree)
    const [node, ...parts] = tree
    const value = part => evaluate(part, generator, trace)
    switch (node) {
      case "pool":
      case "keep": {
        const pool = node === "keep" ? parts[0] : tree
        const faces = draw(pool[1], facesOf(pool), generator)
        const kept = node === "keep" ? keptOf(faces, parts[1], parts[2] === "highest") : faces.map(() => true)
        trace.push({ die: pool[2], faces, kept })
        return sum(faces.filter((_, place) => kept[place]))
      }
      case "sum": return sum(parts.map(value))
      case "negation": return -value(parts[0])
      case "product": return BigInt(parts[0]) * value(parts[1])
      case "maximum": return parts.map(value).reduce((a, b) => (b > a ? b : a))
      case "minimum": return parts.map(value).reduce((a, b) => (b < a ? b : a))
      case "comparison": {
        const [left, right] = parts.slice(1).map(value)
        return HOLDS[parts[0]](left, right) ? 1n : 0n
      }
    }
    throw new TypeError(`${node} is no roll`)
  }

  /** Rolls a tree: its total, and the dice of each pool in the order they were rolled. */
  function roll(tree, generator) {
    const trace = []
    const total = evaluate(tree, generator, trace)
    return { total, trace }
  }

  /** A seed as typed: a whole number where it reads as one. */
  const seedOf = text => (/^[+-]?\d+$/.test(text.trim()) ? BigInt(text.trim().replace("+", "")) : text)

  globalThis.rulewright = Object.freeze({ shake128, Generator, roll, seedOf })
}
