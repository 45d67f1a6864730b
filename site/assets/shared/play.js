// The rules of a link for the page Play of the edition that they stand on: its own, with what the link says is different.
//
// A link may have been made by anybody. What of it can be run is a module that reaches nothing but its own memory; all else
// is words and numbers that the page draws as such. Pictures and what leads anywhere are the edition's alone.

import { applied } from "./delta.js";
import { PLAYED, Refused, coded, read } from "./link.js";
import { bounded } from "./module.js";

const MOST = 4 * 1024 * 1024;
const PAGES = 4096;
const NEVER = new Set(["__proto__", "constructor", "prototype"]);
const OTHER = "The book on this site is of another state than the one that these rules were laid over, so that nobody can play by them here.";

/** JSON whose keys are names alone: none of them reaches what objects are made of. */
export function plain(text) {
  return JSON.parse(text, (key, value) => {
    if (NEVER.has(key)) throw new Refused("The rules in this link have names that no rules have.");
    return value;
  });
}

async function sumOf(parts) {
  if (!globalThis.crypto?.subtle) throw new Refused("Rules of a link are played only where this site comes by a safe way (https), for they are compared with what the link says of them.");
  const found = await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer());
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What a page is to play by: `{wasm, data, table, title, ref, base, sum, coded}`, of a fragment and the edition's `{wasm, data, table}` as bytes. Rejects with an Error in words. */
export async function playable(fragment, edition) {
  const text = coded(fragment, PLAYED), { play, title, ref, base } = await read(text);
  if (play === null) throw new Refused("There is nothing in this link that can be played, only rules to read.");
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
  // Games are told apart by this, so that none of a link passes for one of the edition.
  if (held.digest === plain(words(edition.data)).digest) throw new Refused("These rules play as the edition does that they stand on: play that.");
  const { pictures, homes, seats } = published;
  return { wasm: module, data: words(data), table: { ...shown, pictures, homes, seats, guides: {} }, title, ref, base, sum: play.sum, coded: text };
}

globalThis.rulewrightShared = playable;
