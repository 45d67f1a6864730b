// The examples of the edition, which the page asks for only where it needs them: a script beside it, that works from disk.

import { unzipped } from "../keep.js";

let asked = null;

/** `{examples, samples, rules}`: what can be gone through, by id, and the steps of the procedures that this is about. */
export function loadExamples() {
  asked ??= new Promise((done, fail) => {
    globalThis.rulewrightExamples = async (text) => {
      try {
        done(JSON.parse(new TextDecoder().decode(await unzipped(text))));
      } catch (error) {
        fail(error);
      }
    };
    const script = document.createElement("script");
    script.src = "examples.js";
    script.onerror = () => {
      asked = null;
      fail(new Error("the examples of this edition cannot be read"));
    };
    document.head.append(script);
  });
  return asked;
}
