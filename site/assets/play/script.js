// A script of the site that a page asks for only where it needs it, and which works from disk.

/** Read a script; `what` it holds is told to whoever reads, where it cannot be read. */
export function script(src, what) {
  return new Promise((done, fail) => {
    const made = document.createElement("script");
    made.src = src;
    made.onload = done;
    made.onerror = () => fail(new Error(`${what} cannot be read`));
    document.head.append(made);
  });
}
