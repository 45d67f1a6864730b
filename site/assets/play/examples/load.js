// Loads the examples of the edition and the script that shows them, on demand. Works from disk.

import { unzipped } from "../keep.js";
import { script } from "../script.js";
import { say } from "../say.js";

let asked = null;

/** Returns `{examples, samples, rules}`: recorded runs by id, the steps of their procedures, and `Telling`, the class that
 * shows them. */
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
  await Promise.all(["examples.js", new URL("told.js", own).href].map((src) => script(src, say("the examples of this edition"))));
  return { ...JSON.parse(new TextDecoder().decode(await unzipped(packed))), Telling: globalThis.rulewrightTelling };
}
