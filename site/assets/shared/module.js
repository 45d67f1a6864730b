// A module of WebAssembly from a link: it may ask the page for nothing, begin nothing, and have only so much memory.

const TYPES = 1, TABLE = 4, MEMORY = 5;
const FUNCTION_TYPE = 0x60, NUMBER_TYPES = new Set([0x7f, 0x7e, 0x7d, 0x7c]);
// The modules of this project have one table of 16 functions, which takes memory of the page as well.
const MOST_ENTRIES = 64, FUNCTIONS = 0x70;
// Types, functions, tables, memory, globals, exports, elements, code and data: what the modules of this project have
// (`engine/rulewright/engine/wasm_backend/codegen/binary_encoder.py`). Imports (2) and a function that starts by itself (8) are not among them.
const ALLOWED = new Set([TYPES, 3, TABLE, MEMORY, 6, 7, 9, 10, 11]);
const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** The module with a memory of at most so many pages of 64 KiB, and a table that cannot grow. Throws an Error for what is none, or wants more. */
export function bounded(bytes, most) {
  if (!HEAD.every((each, at) => bytes[at] === each)) throw new Error("they are no module");
  const parts = [bytes.subarray(0, HEAD.length)];
  let memories = 0;
  for (let at = HEAD.length; at < bytes.length;) {
    const kind = bytes[at], [size, begins] = number(bytes, at + 1), ends = begins + size;
    if (!ALLOWED.has(kind) || ends > bytes.length) throw new Error("they want more of this page than rules may");
    if (kind === TYPES) checkTypes(bytes.subarray(begins, ends));
    if (kind === MEMORY) {
      memories += 1;
      parts.push(memoryOf(bytes.subarray(begins, ends), most));
    } else if (kind === TABLE) parts.push(tableOf(bytes.subarray(begins, ends)));
    else parts.push(bytes.subarray(at, ends));
    at = ends;
  }
  if (memories !== 1) throw new Error("they have no memory of their own");
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    made.set(part, place);
    place += part.length;
  }
  return made;
}

/** Throw an Error for a type that is no function of numbers: arrays and structures take memory of the page, without bounds. */
function checkTypes(section) {
  const refuse = () => { throw new Error("they want more of this page than rules may"); };
  let [left, at] = number(section, 0);
  for (; left > 0; left -= 1) {
    if (section[at++] !== FUNCTION_TYPE) refuse();
    for (let list = 0; list < 2; list += 1) {  // parameters, then results
      const [count, first] = number(section, at);
      at = first + count;
      if (at > section.length || !section.subarray(first, at).every((each) => NUMBER_TYPES.has(each))) refuse();
    }
  }
}

/** The section with one memory, whose most is at most what is allowed. */
function memoryOf(section, most) {
  const [count, first] = number(section, 0), bounds = section[first];
  const [least] = number(section, first + 1);
  // A memory that others share, or of 64 bits, has another first byte.
  if (count !== 1 || bounds !== 1 || least > most) throw new Error("they want more memory than rules may");
  const content = [1, 1, ...written(least), ...written(most)];
  return [MEMORY, ...written(content.length), ...content];
}

/** The section with one table of functions, which has no room to grow. */
function tableOf(section) {
  const [count, first] = number(section, 0);
  if (section[first] !== FUNCTIONS || section[first + 1] !== 1) throw new Error("they want more of this page than rules may");
  const [least] = number(section, first + 2);
  if (count !== 1 || least > MOST_ENTRIES) throw new Error("they want more memory than rules may");
  const content = [1, FUNCTIONS, 1, ...written(least), ...written(least)];
  return [TABLE, ...written(content.length), ...content];
}

/** A number as modules write it (LEB128), and where what follows begins. */
function number(bytes, at) {
  let found = 0;
  for (let place = 0; place < 5; place++) {
    const byte = bytes[at + place];
    if (byte === undefined) break;
    found += (byte & 127) * 2 ** (7 * place);
    if (byte < 128) return [found, at + place + 1];
  }
  throw new Error("they are no module");
}

function written(value) {
  const found = [];
  for (; value > 127; value = Math.floor(value / 128)) found.push((value & 127) | 128);
  return [...found, value];
}
