// Checks that a WebAssembly module from a link has no imports, starts nothing and has limited memory.

const TYPES = 1, TABLE = 4, MEMORY = 5;
const FUNCTION_TYPE = 0x60, NUMBER_TYPES = new Set([0x7f, 0x7e, 0x7d, 0x7c]);
// Modules of this project have one table of 16 functions. Tables also use memory of the page.
const MOST_ENTRIES = 64, FUNCTIONS = 0x70;
// Types, functions, tables, memory, globals, exports, elements, code and data: the sections of this project's modules
// (`engine/rulewright/engine/wasm_backend/codegen/binary_encoder.py`). Imports (2) and the start function (8) are refused.
const ALLOWED = new Set([TYPES, 3, TABLE, MEMORY, 6, 7, 9, 10, 11]);
const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** Returns the module with memory limited to `pages` of 64 KiB, and a fixed table. Throws an Error for others. */
export function bounded(bytes, most) {
  if (!HEAD.every((each, at) => bytes[at] === each)) throw new Error("they are not a WebAssembly module");
  const parts = [bytes.subarray(0, HEAD.length)];
  let memories = 0;
  for (let at = HEAD.length; at < bytes.length;) {
    const kind = bytes[at], [size, begins] = number(bytes, at + 1), ends = begins + size;
    if (!ALLOWED.has(kind) || ends > bytes.length) throw new Error("they need more of this page than rules may use");
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

/** Throws an Error for types that are not functions of numbers: arrays and structs can use unlimited memory of the page. */
function checkTypes(section) {
  const refuse = () => { throw new Error("they need more of this page than rules may use"); };
  let [left, at] = number(section, 0);
  for (; left > 0; left -= 1) {
    if (section[at++] !== FUNCTION_TYPE) refuse();
    for (let list = 0; list < 2; list += 1) { // parameters, then results
      const [count, first] = number(section, at);
      at = first + count;
      if (at > section.length || !section.subarray(first, at).every((each) => NUMBER_TYPES.has(each))) refuse();
    }
  }
}

/** Returns the memory section, with one memory whose maximum is at most the limit. */
function memoryOf(section, most) {
  const [count, first] = number(section, 0), bounds = section[first];
  const [least] = number(section, first + 1);
  // Shared and 64-bit memories have a different first byte.
  if (count !== 1 || bounds !== 1 || least > most) throw new Error("they need more memory than rules may use");
  const content = [1, 1, ...written(least), ...written(most)];
  return [MEMORY, ...written(content.length), ...content];
}

/** Checks the table section: one table of functions with a fixed size. */
function tableOf(section) {
  const [count, first] = number(section, 0);
  if (section[first] !== FUNCTIONS || section[first + 1] !== 1) throw new Error("they need more of this page than rules may use");
  const [least] = number(section, first + 2);
  if (count !== 1 || least > MOST_ENTRIES) throw new Error("they need more memory than rules may use");
  const content = [1, FUNCTIONS, 1, ...written(least), ...written(least)];
  return [TABLE, ...written(content.length), ...content];
}

/** Reads a LEB128 number. Returns it with the offset after it. */
function number(bytes, at) {
  let found = 0;
  for (let place = 0; place < 5; place++) {
    const byte = bytes[at + place];
    if (byte === undefined) break;
    found += (byte & 127) * 2 ** (7 * place);
    if (byte < 128) return [found, at + place + 1];
  }
  throw new Error("they are not a WebAssembly module");
}

function written(value) {
  const found = [];
  for (; value > 127; value = Math.floor(value / 128)) found.push((value & 127) | 128);
  return [...found, value];
}
