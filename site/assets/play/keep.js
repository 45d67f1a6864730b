// Storage of games: files that the terminal can open, links, and the browser's storage.

import { say } from "./say.js";

/** Prefixes of fragments: a compressed game, an uncompressed one, and an example that was taken over. */
const LINK = "g=", AT_ONCE = "k=", TAKEN = "t=";
const FORMAT = 1;

/** Returns a game as data: `{digest, players, seed, options, seats, choices}`, with choices as indexes. */
function packed({ digest, players, seed, options, seats, choices }) {
  const named = seats.map(({ name, bot }) => (bot ? [name, bot] : [name]));
  // JSON numbers are inexact for large integers, so these are stored as marked texts.
  const sown = typeof seed === "bigint" ? { whole: String(seed) } : seed;
  const head = new TextEncoder().encode(JSON.stringify([FORMAT, digest, players, sown, options, named]));
  const bytes = [...head, 0];
  for (let index of choices) {
    for (; index > 127; index >>>= 7) bytes.push((index & 127) | 128);
    bytes.push(index);
  }
  return Uint8Array.from(bytes);
}

function unpacked(bytes) {
  const end = bytes.indexOf(0);
  const [format, digest, players, sown, options, named] = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  if (format !== FORMAT) throw new SyntaxError("another format");
  const seed = typeof sown === "object" ? BigInt(sown.whole) : sown;
  const choices = [];
  for (let at = end + 1; at < bytes.length; at++) {
    let index = 0, shift = 0;
    for (; bytes[at] > 127; at++, shift += 7) index |= (bytes[at] & 127) << shift;
    choices.push(index | (bytes[at] << shift));
  }
  const seats = named.map(([name, bot = null]) => ({ name, bot }));
  if (seats.length !== players || !seats.every(({ name }) => typeof name === "string" && name.trim())) throw new SyntaxError("no seats");
  return { digest, players, seed, options, seats, choices };
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Decodes base 64, in the standard or the URL alphabet. */
function bytesOf(text) {
  const found = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(found, (each) => each.charCodeAt(0));
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/** Decodes base 85, as Python's `base64.b85encode` writes it: five characters for four bytes. */
function bytesIn85(text) {
  const values = new Uint8Array(128);
  for (let at = 0; at < DIGITS.length; at++) values[DIGITS.charCodeAt(at)] = at;
  const missing = (5 - text.length % 5) % 5, whole = text + "~".repeat(missing);
  const view = new DataView(new ArrayBuffer(whole.length / 5 * 4));
  for (let at = 0; at < whole.length; at += 5) {
    let value = 0;
    for (let each = at; each < at + 5; each++) value = value * 85 + values[whole.charCodeAt(each)];
    view.setUint32(at / 5 * 4, value);
  }
  return new Uint8Array(view.buffer, 0, view.byteLength - missing);
}

/** Decodes data of an edition's files: gzip in base 85. */
export function unzipped(text) {
  return through(new DecompressionStream("gzip"), bytesIn85(text));
}

function lettersOf(bytes) {
  const text = btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const small = (bytes) => through(new CompressionStream("deflate-raw"), bytes);
const large = (text) => through(new DecompressionStream("deflate-raw"), bytesOf(text));

const LOST = say("This link is incomplete: part of it was lost on the way. Ask for it again.");

/** Returns a game as a fragment. */
export async function fragmentOf(kept) {
  return `#${LINK}${lettersOf(await small(packed(kept)))}`;
}

/** Returns a game as an uncompressed fragment, synchronously, because compression would not finish as the page unloads. */
export function fragmentAtOnce(kept) {
  return `#${AT_ONCE}${lettersOf(packed(kept))}`;
}

/** Returns the game of a fragment, or null if it has none. Rejects with an Error for damaged data. */
export async function heldBy(fragment) {
  const text = fragment.replace(/^#/, "");
  try {
    if (text.startsWith(AT_ONCE)) return unpacked(bytesOf(text.slice(AT_ONCE.length)));
    return text.startsWith(LINK) ? unpacked(await large(text.slice(LINK.length))) : null;
  } catch {
    throw new Error(LOST);
  }
}

// -- examples that were taken over: which one, after how many steps, the seed, and the choices since --

/** Returns such an example as the text of a file: `{digest, kind, id, at, seed, choices}`. */
export function takenText(taken) {
  return `${JSON.stringify({ taken: FORMAT, ...taken })}\n`;
}

/** Returns the example in the text of a file, or null for other files. */
export function takenFrom(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  if (found?.taken !== FORMAT) return null;
  const { digest, kind, id, at, seed, choices } = found;
  const whole = (number) => Number.isSafeInteger(number) && number >= 0;
  const fits = ["examples", "samples"].includes(kind) && [digest, id].every((each) => typeof each === "string") && [at, seed].every(whole);
  if (!fits || !Array.isArray(choices) || !choices.every(whole)) throw new Error(say("This save is damaged: its data about the example is not consistent."));
  return { digest, kind, id, at, seed, choices };
}

/** Returns such an example as a fragment. */
export async function takenFragment(taken) {
  return `#${TAKEN}${lettersOf(await small(new TextEncoder().encode(takenText(taken))))}`;
}

/** Returns the example of a fragment, or null if it has none. Rejects with an Error for damaged data. */
export async function takenBy(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text.startsWith(TAKEN)) return null;
  let found;
  try {
    found = takenFrom(new TextDecoder().decode(await large(text.slice(TAKEN.length))));
  } catch {
    throw new Error(LOST);
  }
  if (found === null) throw new Error(LOST);
  return found;
}

// -- browser storage: if it is unavailable, as with files on disk in some browsers, only this is lost --------------

function shelf() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

const place = (digest) => `rulewright.play.${digest}`;

/** Stores the fragment of a game, or removes it if the fragment is empty. */
export function remember(digest, fragment) {
  try {
    if (fragment === null) shelf()?.removeItem(place(digest));
    else shelf()?.setItem(place(digest), fragment);
  } catch {
    // Storage is full or unavailable.
  }
}

/** Returns the stored fragment, or null. */
export function remembered(digest) {
  try {
    return shelf()?.getItem(place(digest)) ?? null;
  } catch {
    return null;
  }
}

/** Returns a file name for a game. */
export function fileOf(...parts) {
  return `${parts.join("-").replace(/[^\w.-]+/g, "-")}.json`;
}

/** Downloads a text as a file. */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
