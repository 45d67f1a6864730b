// Loads a script of the site on demand. Works from disk.

/** Loads a script. If loading fails, the error message names the script's content, `what`. */
export function script(src, what) {
  return new Promise((done, fail) => {
    const made = document.createElement("script");
    made.src = src;
    made.onload = done;
    made.onerror = () => fail(new Error(`${what} could not be loaded`));
    document.head.append(made);
  });
}
