// Open files. Edits are stored in the browser immediately and saved after a pause, based on the version from which they
// began. If somebody else has saved in between, changes of different lines are merged. Otherwise, both texts are kept until
// the user decides.

import { EditorView, Transaction } from "../codemirror.js";
import { Gone, get, put, post, Refused } from "./api.js";

const PAUSE = 200; // milliseconds without typing before a save
const LATER = 1000; // milliseconds before a save is repeated if the server did not respond

/** Returns the smallest change between two texts or lists, so that cursors and marks stay in position. */
export function changeTo(from, to) {
  let start = 0;
  const most = Math.min(from.length, to.length);
  while (start < most && from[start] === to[start]) start++;
  let end = 0;
  while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}

/** Returns `base` with the changes of two others, or null if they change the same or neighbouring lines. */
function merge(base, mine, theirs) {
  const lines = base.split("\n");
  const [first, second] = [mine, theirs].map((text) => changeTo(lines, text.split("\n"))).sort((one, other) => one.from - other.from);
  if (first.to >= second.from) return null;
  return [...lines.slice(0, first.from), ...first.insert, ...lines.slice(first.to, second.from), ...second.insert, ...lines.slice(second.to)].join("\n");
}

/** An open file: the text of its editor, and `state`: saved, unsaved, saving or conflict. */
class Doc {
  theirs = null;
  timer = 0;
  group = null;
  saving = null;
  left = []; // drafts from other windows, to be opened once this file is saved
  sent = new Set(); // texts sent to the server that it has not confirmed yet

  constructor({ path, uri, version, readonly, text }, editor) {
    Object.assign(this, { path, uri, version, readonly, kept: text });
    this.state = "saved";
    this.view = editor.create(this, text);
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Returns whether this window sent a text that is now on disk, although the server's response was lost. */
  wrote(text) {
    return this.sent.has(text);
  }

  get dirty() {
    return this.state !== "saved";
  }
}

export class Documents {
  #open = new Map();
  #opening = new Map();
  #undoing = Promise.resolve();
  #steps = null; // the last known undo and redo steps

  constructor({ news, drafts, editor }) {
    Object.assign(this, { news, drafts, editor });
    news.on("changed", ({ files, steps }) => {
      this.#steps = steps ?? this.#steps;
      for (const file of files) this.#outside(file);
    });
    news.on("folder", ({ steps }) => (this.#steps ??= steps));
    news.on("here", ({ again }) => again && this.#again());
    addEventListener("beforeunload", (event) => {
      // The browser offers its stored drafts again. Only texts that it had no space for would be lost.
      if ([...this.#open.values()].some((doc) => doc.dirty && doc.homeless)) event.preventDefault();
    });
  }

  get all() {
    return [...this.#open.values()];
  }

  find(path) {
    return this.#open.get(path) ?? null;
  }

  byUri(uri) {
    return this.all.find((doc) => doc.uri === uri) ?? null;
  }

  /** Opens a file by path, or by URI if it may belong to a layer below. */
  async open(path, uri = null) {
    const known = path === null ? this.byUri(uri) : this.find(path);
    if (known !== null) return known;
    const key = path ?? uri;
    if (!this.#opening.has(key)) this.#opening.set(key, this.#read(path, uri).finally(() => this.#opening.delete(key)));
    return this.#opening.get(key);
  }

  async #read(path, uri) {
    const file = await get("/api/file", path === null ? { uri } : { path });
    const known = this.find(file.path);
    if (known !== null) return known;
    const doc = new Doc(file, this.editor);
    this.#open.set(doc.path, doc);
    this.news.tell("opened", doc);
    return doc;
  }

  close(doc) {
    if (doc.dirty) return false;
    this.#open.delete(doc.path);
    this.news.tell("closed", doc);
    doc.view.destroy();
    return true;
  }

  /** Closes a file that was deleted externally, and drops its text. */
  abandon(doc) {
    this.drafts.drop(doc.path);
    doc.left = []; // the browser still stores these drafts
    this.#become(doc, "saved");
    this.close(doc);
  }

  /** Restores drafts of a window. If two windows left drafts of a file, saves the first before the second. */
  async takeUp(draft) {
    const { path, text, base, sent = [] } = draft;
    let doc;
    try {
      doc = await this.open(path);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error;
      await put("/api/file", { path, text, base: null });
      this.drafts.drop(path);
      this.drafts.taken(draft);
      return this.open(path);
    }
    if (doc.dirty && doc.text !== text) await this.save(doc);
    if (doc.text === text) {
      if (!doc.dirty) this.drafts.drop(path);
      this.drafts.taken(draft);
      return doc;
    }
    if (doc.dirty) {
      doc.left.push(draft);
      return doc;
    }
    const there = { version: doc.version, text: doc.text };
    doc.sent = new Set(sent);
    const ours = there.version === base || doc.wrote(there.text);
    doc.version = ours ? there.version : base; // the version that the draft was based on
    doc.view.dispatch({ changes: changeTo(there.text, text), userEvent: "input.draft" });
    if (!ours) this.#conflict(doc, there);
    if (!doc.homeless) this.drafts.taken(draft);
    return doc;
  }

  // -- saving -------------------------------------------------------------------------------

  /** Handles a changed text of an editor. `outside` is a change from disk. */
  typed(doc, { outside = false, group = null } = {}) {
    if (outside || doc.readonly) return;
    this.#draft(doc);
    doc.group = group ?? null;
    if (doc.state === "conflict") return;
    this.#become(doc, "unsaved");
    clearTimeout(doc.timer);
    doc.timer = setTimeout(() => this.save(doc), PAUSE);
  }

  /** Stores unsaved text in the browser, with the texts that may be saved already. */
  #draft(doc) {
    doc.homeless = !this.drafts.keep(doc.path, { text: doc.text, base: doc.version, sent: [...doc.sent] });
  }

  /** Saves a file if it has unsaved text. Waits for all pending saves. */
  async save(doc) {
    clearTimeout(doc.timer);
    while (doc.saving !== null) await doc.saving;
    if (doc.state !== "unsaved") return;
    doc.saving = this.#save(doc).finally(() => (doc.saving = null));
    await doc.saving;
  }

  async saveAll() {
    await Promise.all(this.all.map((doc) => this.save(doc)));
  }

  async #save(doc) {
    const { text, group } = doc;
    this.#become(doc, "saving");
    doc.sent.add(text);
    this.#draft(doc);
    try {
      const { version, steps } = await put("/api/file", { path: doc.path, text, base: doc.version, ...(group === null ? {} : { group }) });
      this.#steps = steps;
      this.#saved(doc, text, version);
    } catch (error) {
      if (error instanceof Refused && error.status === 409) this.#refused(doc, text, error.body);
      else {
        this.#become(doc, "unsaved");
        // If the server did not respond, saving is repeated, at the latest when it is back. Other errors are shown.
        if (error instanceof Gone) doc.timer = setTimeout(() => this.save(doc), LATER);
        else this.news.tell("trouble", error);
      }
    }
  }

  #saved(doc, text, version) {
    doc.version = version;
    doc.kept = text;
    doc.sent.clear();
    if (doc.text === text) {
      this.drafts.drop(doc.path);
      this.#become(doc, "saved");
    } else {
      this.#draft(doc);
      this.#become(doc, "unsaved");
      doc.timer = setTimeout(() => this.save(doc), PAUSE);
    }
    this.news.tell("saved", doc);
  }

  /** Handles a save by somebody else. If the texts are equal or can be merged, there is no conflict. */
  #refused(doc, text, { version, text: there }) {
    if (there === text || doc.wrote(there)) return void this.#saved(doc, there, version);
    const both = there === null ? null : merge(doc.kept, doc.text, there);
    if (both === null) return void this.#conflict(doc, { version, text: there });
    this.#take(doc, both, "Changes from another window were merged with yours.");
    doc.version = version;
    doc.kept = there;
    this.#draft(doc);
    this.#become(doc, "unsaved");
    doc.timer = setTimeout(() => this.save(doc));
  }

  /** Replaces the text of an editor with one from outside. */
  #take(doc, text, words) {
    doc.view.dispatch({
      changes: changeTo(doc.text, text),
      annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)],
      effects: EditorView.announce.of(words),
    });
  }

  #conflict(doc, theirs) {
    clearTimeout(doc.timer);
    doc.theirs = theirs;
    this.#become(doc, "conflict");
  }

  /** Resolves a conflict: `text` replaces the other version. */
  async settle(doc, text) {
    const { version, text: there } = doc.theirs;
    doc.theirs = null;
    doc.version = version;
    doc.kept = there ?? "";
    if (doc.text !== text) doc.view.dispatch({ changes: changeTo(doc.text, text), userEvent: "input.settle" });
    clearTimeout(doc.timer);
    if (text === there) {
      this.drafts.drop(doc.path);
      this.#become(doc, "saved");
      this.news.tell("saved", doc);
      return;
    }
    this.#draft(doc);
    this.#become(doc, "unsaved");
    await this.save(doc);
  }

  #become(doc, state) {
    doc.state = state;
    this.news.tell("state", doc);
    if (state === "saved" && doc.left.length) this.takeUp(doc.left.shift()).catch((error) => this.news.tell("trouble", error));
  }

  // -- external changes ---------------------------------------------------------------------

  async #outside({ path, version }) {
    const doc = this.find(path);
    if (doc === null || doc.version === version) return;
    if (doc.dirty) return; // saving detects the conflict
    try {
      const file = await get("/api/file", { path });
      this.put(doc, file.text, file.version);
    } catch (error) {
      if (error instanceof Refused && error.status === 404 && !doc.dirty) this.close(doc);
    }
  }

  /** Replaces the text with the one on disk: after undo, a restored version, or an external change. */
  put(doc, text, version) {
    if (doc.dirty && doc.text !== text) return; // the newer edits stay, and saving them detects the conflict
    doc.version = version;
    doc.kept = text;
    if (doc.text !== text) {
      this.#take(doc, text, "This file was changed outside this window.");
      this.editor.forget(doc.view);
      this.news.tell("taken", doc);
    }
    this.news.tell("saved", doc);
  }

  /** After reconnecting, saves pending text and loads external changes. */
  #again() {
    for (const doc of this.all) {
      if (doc.state === "unsaved") this.save(doc);
      else if (doc.state === "saved") this.#outside({ path: doc.path, version: null });
    }
  }

  /** Whether the last save, as far as it is known, changed this file. */
  undoes(doc) {
    return !this.#steps?.undo || this.#steps.undo.paths.includes(doc.path);
  }

  /** Undoes or redoes the last save in any file, after earlier requests have finished. */
  undo(way) {
    const turn = this.#undoing.then(() => this.#undo(way));
    this.#undoing = turn.catch(() => {});
    return turn;
  }

  async #undo(way) {
    await this.saveAll();
    if (this.#steps !== null && !this.#steps[way]) return { files: [], words: `There is nothing to ${way === "undo" ? "undo" : "redo"}.` };
    const seen = this.#steps?.[way]?.id;
    let made;
    try {
      made = await post(`/api/${way}`, seen ? { step: seen } : {});
    } catch (error) {
      // Another window has just saved. Another attempt uses the new state.
      if (error instanceof Refused && error.body?.steps) this.#steps = error.body.steps;
      throw error;
    }
    const { files, words } = made;
    this.#steps = made.steps;
    for (const { path, version, text } of files) {
      const doc = this.find(path);
      if (doc === null) continue;
      if (text === null) this.close(doc);
      else this.put(doc, text, version);
    }
    return { files, words };
  }
}
