// Who wants to know what happens on this desk: names of events, and what is done at each.

export class News {
  #listeners = new Map();

  /** Have something done whenever `name` happens; the answer ends that. */
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
