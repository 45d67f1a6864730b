// Loads a script of the site on demand. Works from disk.

import { say } from "./say.js";

/** Loads a script. If loading fails, the error message names the script's content, `what`. */
export function script(src, what) {
  return new Promise((done, fail) => {
    const made = document.createElement("script");
    made.src = src;
    made.onload = done;
    made.onerror = () => fail(new Error(say("%(what)s could not be loaded", { what })));
    document.head.append(made);
  });
}
