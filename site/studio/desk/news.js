// An event emitter for the desk.

export class News {
  #listeners = new Map();

  /** Adds a listener for `name`. Returns a function that removes it. */
  on(name, listener) {
    const all = this.#listeners.get(name) ?? new Set();
    all.add(listener);
    this.#listeners.set(name, all);
    return () => all.delete(listener);
  }

  tell(name, what) {
    for (const listener of this.#listeners.get(name) ?? []) listener(what);
  }
}
