// Rules from a link for the Play page of the edition they extend: the edition's files with the differences in the link.
//
// Links are untrusted. Their code is a module that only reaches its own memory. All else is words and numbers that the
// page renders as such. Pictures and addresses come from the edition only.

import { applied } from "./delta.js";
import { PLAYED, Refused, coded, read } from "./link.js";
import { bounded } from "./module.js";

const MOST = 4 * 1024 * 1024;
const PAGES = 4096;
const NEVER = new Set(["__proto__", "constructor", "prototype"]);
const OTHER = "These rules extend another version of this book, so they cannot be played here.";

/** Parses JSON, and refuses keys that could change prototypes. */
export function plain(text) {
  return JSON.parse(text, (key, value) => {
    if (NEVER.has(key)) throw new Refused("The rules in this link contain names that are not allowed.");
    return value;
  });
}

async function sumOf(parts) {
  if (!globalThis.crypto?.subtle) throw new Refused("Rules from a link can be played only over a secure connection (https), because they are checked against the link's digest.");
  const found = await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer());
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Returns the files to play with, `{wasm, data, table, title, ref, base, sum, coded}`, from a fragment and the edition's
 * `{wasm, data, table}` as bytes. Rejects with an Error.
 */
export async function playable(fragment, edition) {
  const text = coded(fragment, PLAYED), { play, title, ref, base } = await read(text);
  if (play === null) throw new Refused("The rules in this link can be read but not played.");
  let wasm, data, table;
  try {
    wasm = applied(play.wasm, edition.wasm, MOST);
    data = applied(play.data, edition.data, MOST);
    table = applied(play.table, edition.table, MOST);
  } catch (error) {
    throw new Refused(`The rules in this link cannot be played: ${error.message}.`);
  }
  if ((await sumOf([wasm, data, table])) !== play.sum) throw new Refused(OTHER);
  const words = (bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes), published = JSON.parse(words(edition.table));
  let held, shown, module;
  try {
    held = plain(words(data));
    shown = plain(words(table));
    module = bounded(wasm, PAGES);
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(`The rules in this link cannot be played: ${error.message}.`);
  }
  // The digest separates saves, so that no game from a link passes for one of the edition.
  if (held.digest === plain(words(edition.data)).digest) throw new Refused("These rules play exactly like the edition that they extend. Play that edition instead.");
  const { pictures, homes, seats } = published;
  return { wasm: module, data: words(data), table: { ...shown, pictures, homes, seats, guides: {} }, title, ref, base, sum: play.sum, coded: text };
}

globalThis.rulewrightShared = playable;
