// Reads the fragment of a link. It is untrusted, so a link whose data has an unknown shape is refused.

/** The keys of rules in the fragment of an address, and of rules to play. */
export const KEY = "rules";
export const PLAYED = "shared";

const VERSION = "1.", MOST_BYTES = 8 * 1024 * 1024, MOST_FILES = 500, MOST_CHANGES = 200, MOST_PIECES = 200_000, MANIFEST = "ruleset.yaml";
const KINDS = [".yaml", ".yml", ".svg", ".md", ".txt"];
const DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
const CHANGE = /^[+-]?[a-z][a-z0-9_]*\.[A-Za-z0-9_][A-Za-z0-9_.-]{0,150}$/;
const SUM = /^[0-9a-f]{64}$/, CODED = /^1\.[A-Za-z0-9_-]+=*$/;
const DAMAGED = "This link is damaged: it was probably cut off while copying.";
const utf8 = new TextEncoder();

/** Why a link is refused, in words for the reader. */
export class Refused extends Error {}

// Files of a zip must stay inside its folder on every system.
function isName(path) {
  if (path.length > 1000 || path.isWellFormed?.() === false || /[\x00-\x1f\x7f<>:"|?*\\]/.test(path)) return false;
  const sound = (part) => part !== "" && !part.startsWith(".") && part === part.trim() && !part.endsWith(".") && !DEVICES.test(part) && utf8.encode(part).length <= 200;
  return KINDS.some((kind) => path.endsWith(kind)) && path.split("/").every(sound);
}

// Limits the unpacked size, whatever the stream claims.
async function unpacked(packed) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    size += value.length;
    if (size > MOST_BYTES) {
      reader.cancel().catch(() => {});
      throw new Refused("The rules in this link are larger than this page allows.");
    }
    parts.push(value);
  }
}

/** Returns the value of a key in a fragment: letters only, or an empty string. */
export function coded(fragment, key = KEY) {
  const found = fragment.replace(/^#/, "").split("&").map((part) => [part.split("=", 1)[0], part.slice(part.indexOf("=") + 1)]);
  return found.filter(([name]) => name === key).at(-1)?.[1] ?? "";
}

/** Returns whether a value can be part of another address of this site: it has no special characters. */
export function isCoded(text) {
  return CODED.test(text);
}

const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const word = (value) => (typeof value === "string" ? value.slice(0, 200) : "");

/** Returns `{files, ref, title, base, changes, play}`, as `bundle.py` documents. Rejects with `Refused`. */
export async function read(text) {
  if (!text.startsWith(VERSION)) throw new Refused("There are no rules in this link.");
  let said;
  try {
    const binary = atob(text.slice(VERSION.length).replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/"));
    said = JSON.parse(await unpacked(Uint8Array.from(binary, (each) => each.charCodeAt(0))));
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(DAMAGED);
  }
  if (!isMapping(said) || !isMapping(said.files)) throw new Refused("This link is not valid: the data in it are not rules.");
  const files = Object.entries(said.files).sort(([a], [b]) => (a < b ? -1 : 1));
  if (files.length > MOST_FILES) throw new Refused("This link contains more files than this page allows.");
  if (!files.every(([path, content]) => isName(path) && typeof content === "string")) throw new Refused("This link contains files that do not belong in a rules folder.");
  if (new Set(files.map(([path]) => path.toLowerCase())).size < files.length) throw new Refused("Two of the files in this link have the same name.");
  if (!files.some(([path]) => path.split("/").at(-1) === MANIFEST)) throw new Refused("This link contains no ruleset.yaml, so it is not a ruleset.");
  return { files, ref: word(said.ref), title: word(said.title), base: word(said.base), changes: changesOf(said.changes), play: playOf(said.play) };
}

function changesOf(said) {
  return Array.isArray(said) ? said.slice(0, MOST_CHANGES).filter((each) => typeof each === "string" && CHANGE.test(each)) : [];
}

/** Returns the data to play with, if it has the right shape, or null. */
function playOf(said) {
  if (!isMapping(said) || typeof said.sum !== "string" || !SUM.test(said.sum)) return null;
  const parts = [said.wasm, said.data, said.table];
  if (!parts.every((each) => Array.isArray(each) && each.length <= MOST_PIECES)) return null;
  return { on: word(said.on), sum: said.sum, wasm: said.wasm, data: said.data, table: said.table };
}
