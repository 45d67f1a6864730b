// Loads a script of the site on demand. Works from disk.

/** Loads a script. If that fails, the error message names its content, `what`. */
export function script(src, what) {
  return new Promise((done, fail) => {
    const made = document.createElement("script");
    made.src = src;
    made.onload = done;
    made.onerror = () => fail(new Error(`${what} cannot be read`));
    document.head.append(made);
  });
}
