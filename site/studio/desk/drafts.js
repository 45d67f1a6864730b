// What is typed and not saved yet, kept by the browser: a window that goes, or a server that is gone, takes nothing along.
//
// Each window keeps its own, under a name that it holds a lock on as long as it lives. What a window that is no more has
// left is found by the next one.

const HEAD = "rulewright-studio-draft";

/** Hold a name as long as this window lives; false where a window holds it already. */
function hold(name) {
  return new Promise((done, failed) => {
    navigator.locks.request(`${HEAD}:${name}`, { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock === null ? null : new Promise(() => {}); // held until the window goes
    }).catch(failed);
  });
}

/** Whatever window this is: the same after it is loaded anew, and another than that of any window beside it. */
async function ownName() {
  const held = sessionStorage.getItem(HEAD);
  for (const name of [held, crypto.randomUUID()]) {
    if (name === null || !(await hold(name))) continue;
    sessionStorage.setItem(HEAD, name);
    return name;
  }
  throw new Error("two windows of one name");
}

export class Drafts {
  /** `folder` tells folders apart that are served at one address, one after another. */
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

  /** Keep the text of a file, the version that it was typed over, and what of it was sent to be saved. False if the browser
   * has no room for it. */
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

  /** What this window has left before it was loaded anew, and then what windows have left that are gone: several of one
   * file, where several had it open. Each stays where it is until it is `taken`. */
  async left() {
    const found = [];
    const gone = new Map([[this.name, true]]);
    for (const key of Object.keys(localStorage)) {
      const [head, folder, name, ...path] = key.split("\n");
      if (head !== HEAD || folder !== this.folder) continue;
      if (!gone.has(name)) gone.set(name, await hold(name)); // held, so that no other window takes it up as well
      if (gone.get(name)) found.push({ ...JSON.parse(localStorage.getItem(key)), path: path.join("\n"), key });
    }
    return found.sort((one, other) => this.#foreign(one) - this.#foreign(other));
  }

  #foreign({ key, path }) {
    return key !== this.#key(path);
  }

  /** What a window had left is kept elsewhere now, or not needed any more. */
  taken(draft) {
    if (this.#foreign(draft)) localStorage.removeItem(draft.key);
  }
}
