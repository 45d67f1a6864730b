// The dice of the engine, in the page: the same seed shows the same faces. `engine/rulewright/dice/sampling/random_generator.py` and
// `rolling/pools.py` define how dice are drawn, `dice/data.py` the trees that are rolled. Values are BigInts, as Python's are.
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

  // A number below one that may be beyond 2**32: words joined, the first the least significant.
  function belowLarge(number, generator) {
    if (number <= BigInt(WORD_VALUES)) return BigInt(generator.below(Number(number)))
    let [count, values] = [0, 1n]
    while (values < number) [count, values] = [count + 1, values << 32n]
    const limit = values - (values % number)
    for (;;) {
      let value = 0n
      for (let place = 0; place < count; place++) value |= BigInt(generator.word()) << BigInt(32 * place)
      if (value < limit) return value % number
    }
  }

  // Dice whose faces have weights are drawn one by one, by the number of a way.
  function drawWeighted(count, faces, weights, generator) {
    const ways = sum(weights)
    return Array.from({ length: count }, () => {
      let [way, place] = [belowLarge(ways, generator), 0]
      while (way >= weights[place]) way -= weights[place++]
      return faces.at(place)
    })
  }

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

  // Where results stand that are kept without the lowest and the highest; of equal ones, the first.
  function keptPlaces(values, low, high) {
    const order = values.map((_, place) => place).sort((a, b) => (values[a] === values[b] ? a - b : values[a] < values[b] ? 1 : -1))
    const chosen = new Set(order.slice(high, values.length - low))
    return values.map((_, place) => chosen.has(place))
  }

  function drawPool(pool, choose, generator, trace) {
    const [, count, die, , weights] = pool
    const faces = Array.isArray(weights) ? drawWeighted(count, facesOf(pool), weights.map(BigInt), generator) : draw(count, facesOf(pool), generator)
    const kept = choose(faces)
    trace.push({ die, faces, kept })
    return faces.filter((_, place) => kept[place])
  }

  const severalOf = (times, pool) => [pool[0], times * pool[1], ...pool.slice(2)]

  // Results side by side, those that are kept; the dice of what is dropped are dropped in the trace.
  function resultsOf(tree, generator, trace, names, low = 0, high = 0) {
    const [node, ...parts] = tree
    if (node === "trim") return resultsOf(parts[0], generator, trace, names, parts[1], parts[2])
    if (node === "keep") return drawPool(parts[0], faces => keptOf(faces, parts[1], parts[2] === "highest"), generator, trace)
    if (node === "pool") return drawPool(tree, faces => keptPlaces(faces, low, high), generator, trace)
    const [found, places] = [[], []]
    for (const [times, roll] of parts) {
      const single = roll[0] === "pool" && roll[1] === 1
      for (let time = 0; time < (single ? 1 : times); time++) {
        const before = trace.length
        const rolled = single ? resultsOf(severalOf(times, roll), generator, trace, names) : [evaluate(roll, generator, trace, names)]
        rolled.forEach((value, place) => {
          found.push(value)
          places.push([before, trace.length, single ? place : null])
        })
      }
    }
    const kept = keptPlaces(found, low, high)
    places.forEach(([from, to, place], at) => {
      if (kept[at]) return
      for (let pool = from; pool < to; pool++) trace[pool].kept = trace[pool].kept.map((stays, die) => stays && place !== null && die !== place)
    })
    return found.filter((_, at) => kept[at])
  }

  function divide(left, right, rounding) {
    const whole = left / right // BigInts drop the fraction
    if (left % right === 0n || rounding === "truncate") return whole
    const [below, twice] = [left < 0n !== right < 0n, 2n * (left % right)]
    const [half, by] = [twice < 0n ? -twice : twice, right < 0n ? -right : right]
    if (rounding === "nearest") return half < by ? whole : below ? whole - 1n : whole + 1n
    if (rounding === "down") return below ? whole - 1n : whole
    return below ? whole : whole + 1n
  }

  function matching(what, values, number) {
    const often = new Map()
    for (const value of values) often.set(value, (often.get(value) ?? 0) + 1)
    if (what === "alike") return Math.max(...often.values())
    if (what === "sets") return [...often.values()].filter(count => count >= number).length
    if (what === "different") return often.size
    let longest = 0
    for (const value of often.keys()) {
      let length = 0
      while (often.has(value + BigInt(length))) length++
      longest = Math.max(longest, length)
    }
    return longest
  }

  function evaluate(tree, generator, trace, names = {}) {
    if (!Array.isArray(tree)) return BigInt(tree)
    const [node, ...parts] = tree
    const value = part => evaluate(part, generator, trace, names)
    const results = part => resultsOf(part, generator, trace, names)
    switch (node) {
      case "pool":
      case "keep":
      case "trim":
      case "group": return sum(results(tree))
      case "variable": return names[parts[0]]
      case "absolute": {
        const found = value(parts[0])
        return found < 0n ? -found : found
      }
      case "multiplied": return parts.map(value).reduce((a, b) => a * b)
      case "quotient": {
        const [left, right] = parts.slice(1).map(value)
        return divide(left, right, parts[0])
      }
      case "either": return value(parts[0]) !== 0n ? value(parts[1]) : value(parts[2])
      case "named": {
        const [given, source, body] = parts
        const rolled = given.length === 1 ? [value(source)] : results(source).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
        return evaluate(body, generator, trace, { ...names, ...Object.fromEntries(given.map((name, place) => [name, rolled[place]])) })
      }
      case "several": {
        const times = Number(value(parts[0]))
        const roll = parts[1]
        if (Array.isArray(roll) && roll[0] === "pool") return times * roll[1] < 1 ? 0n : value(severalOf(times, roll))
        let total = 0n
        for (let time = 0; time < times; time++) total += value(roll)
        return total
      }
      case "count": {
        const shown = results(parts[0])
        const threshold = value(parts[2])
        return BigInt(shown.filter(face => HOLDS[parts[1]](face, threshold)).length)
      }
      case "matching": return BigInt(matching(parts[0], results(parts[1]), parts[2]))
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
