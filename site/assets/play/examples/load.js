// The examples of the edition, and what shows them: two scripts, which the page asks for only where it needs them, and
// which work from disk.

import { unzipped } from "../keep.js";
import { script } from "../script.js";

let asked = null;

/** `{examples, samples, rules}`: what can be gone through, by id, and the steps of the procedures that this is about; with
 * `Telling`, what shows them. */
export function loadExamples() {
  asked ??= loaded().catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

async function loaded() {
  let packed = null;
  globalThis.rulewrightExamples = (text) => { packed = text; };
  const [own] = [...document.scripts].map(({ src }) => src).filter((src) => /\/play\.js$/.test(src) && /\/assets\//.test(src));
  await Promise.all(["examples.js", new URL("told.js", own).href].map((src) => script(src, "the examples of this edition")));
  return { ...JSON.parse(new TextDecoder().decode(await unzipped(packed))), Telling: globalThis.rulewrightTelling };
}
