// Unsaved text, stored by the browser, so that closing a window or losing the server loses nothing.
//
// Each window stores its own drafts under a name on which it holds a lock. Drafts of closed windows are found by the next
// window.

const HEAD = "rulewright-studio-draft";

/** Holds a name until the window closes. Returns false if another window holds it. */
function hold(name) {
  return new Promise((done, failed) => {
    navigator.locks.request(`${HEAD}:${name}`, { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock === null ? null : new Promise(() => {}); // held until the window closes
    }).catch(failed);
  });
}

/** Returns the name of this window: the same after a reload, and unique among open windows. */
async function ownName() {
  const held = sessionStorage.getItem(HEAD);
  for (const name of [held, crypto.randomUUID()]) {
    if (name === null || !(await hold(name))) continue;
    sessionStorage.setItem(HEAD, name);
    return name;
  }
  throw new Error("two windows have the same name");
}

export class Drafts {
  /** `folder` separates drafts of folders that are served at the same address at different times. */
  static async open(folder) {
    return new Drafts(folder, await ownName());
  }

  constructor(folder, name) {
    this.folder = folder;
    this.name = name;
  }

  #key(path, name = this.name) {
    return [HEAD, this.folder, name, path].join("\n");
  }

  /** Stores the text of a file, the version it is based on, and the texts sent to the server. Returns false if the browser
   * has no space. */
  keep(path, draft) {
    try {
      localStorage.setItem(this.#key(path), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  drop(path) {
    localStorage.removeItem(this.#key(path));
  }

  /** Returns the drafts of this window before its reload, and of closed windows, possibly several of a file. They stay
   * stored until `taken`. */
  async left() {
    const found = [];
    const gone = new Map([[this.name, true]]);
    for (const key of Object.keys(localStorage)) {
      const [head, folder, name, ...path] = key.split("\n");
      if (head !== HEAD || folder !== this.folder) continue;
      if (!gone.has(name)) gone.set(name, await hold(name)); // hold it, so that no other window restores it too
      if (gone.get(name)) found.push({ ...JSON.parse(localStorage.getItem(key)), path: path.join("\n"), key });
    }
    return found.sort((one, other) => this.#foreign(one) - this.#foreign(other));
  }

  #foreign({ key, path }) {
    return key !== this.#key(path);
  }

  /** Removes drafts of a window that are stored elsewhere or no longer needed. */
  taken(draft) {
    if (this.#foreign(draft)) localStorage.removeItem(draft.key);
  }
}
