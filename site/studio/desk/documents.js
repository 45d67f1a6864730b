// The open files. What is typed is kept by the browser at once, and saved by itself after a pause, over the version that
// it began from; where somebody else has saved meanwhile, both are kept until whoever types has said which.

import { EditorView, Transaction } from "../codemirror.js";
import { Gone, get, put, post, Refused } from "./api.js";

const PAUSE = 200; // milliseconds without a key before what is typed is saved
const LATER = 1000; // milliseconds until a save that nobody answered is tried again

/** The smallest change that makes one text of another, so that cursors and marks stay where they are. */
export function changeTo(from, to) {
  let start = 0;
  const most = Math.min(from.length, to.length);
  while (start < most && from[start] === to[start]) start++;
  let end = 0;
  while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}

/** A file that is open: its text is that of its editor, and `state` is saved, unsaved, saving or conflict. */
class Doc {
  theirs = null;
  timer = 0;
  group = null;
  saving = null;
  left = []; // what other windows have left of it, until this is saved
  sent = new Set(); // texts that were sent to be saved, and of which nobody has said that they are

  constructor({ path, uri, version, readonly, text }, editor) {
    Object.assign(this, { path, uri, version, readonly, kept: text });
    this.state = "saved";
    this.view = editor.create(this, text);
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Whether a text on the disk is one of ours: its answer was lost with the server that wrote it. */
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
  #steps = null; // what would be undone and done again, as it was told last

  constructor({ news, drafts, editor }) {
    Object.assign(this, { news, drafts, editor });
    news.on("changed", ({ files, steps }) => {
      this.#steps = steps ?? this.#steps;
      for (const file of files) this.#outside(file);
    });
    news.on("folder", ({ steps }) => (this.#steps ??= steps));
    news.on("here", ({ again }) => again && this.#again());
    addEventListener("beforeunload", (event) => {
      // What the browser could keep is offered again; only what it had no room for would be lost.
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

  /** Open a file by its path, or by its URI where it may be one of a layer below. */
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

  /** Close a file whose text here is not wanted any more: it was deleted outside. */
  abandon(doc) {
    this.drafts.drop(doc.path);
    doc.left = []; // the browser has it still
    this.#become(doc, "saved");
    this.close(doc);
  }

  /** Take up what a window has left unsaved. Where two have left one file, the first is saved before the second meets it. */
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
    doc.version = ours ? there.version : base; // over which it was typed
    doc.view.dispatch({ changes: changeTo(there.text, text), userEvent: "input.draft" });
    if (!ours) this.#conflict(doc, there);
    if (!doc.homeless) this.drafts.taken(draft);
    return doc;
  }

  // -- saving -------------------------------------------------------------------------------

  /** The editor of a file has another text than before. `outside` is a change that came from the disk. */
  typed(doc, { outside = false, group = null } = {}) {
    if (outside || doc.readonly) return;
    this.#draft(doc);
    doc.group = group ?? null;
    if (doc.state === "conflict") return;
    this.#become(doc, "unsaved");
    clearTimeout(doc.timer);
    doc.timer = setTimeout(() => this.save(doc), PAUSE);
  }

  /** Have the browser keep what is unsaved, and what of it may be saved already. */
  #draft(doc) {
    doc.homeless = !this.drafts.keep(doc.path, { text: doc.text, base: doc.version, sent: [...doc.sent] });
  }

  /** Save a file now, if anything of it is unsaved. Waits for all that is on its way. */
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
        // Where nobody answered it is tried again, at the latest when the server is back; another answer is for people.
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

  /** Somebody has saved in between. Where it is what we were about to save, nothing is lost. */
  #refused(doc, text, { version, text: there }) {
    if (there === text || doc.wrote(there)) this.#saved(doc, there, version);
    else this.#conflict(doc, { version, text: there });
  }

  #conflict(doc, theirs) {
    clearTimeout(doc.timer);
    doc.theirs = theirs;
    this.#become(doc, "conflict");
  }

  /** End a conflict: `text` is what holds from now on, over what the other has saved. */
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

  // -- what others do -----------------------------------------------------------------------

  async #outside({ path, version }) {
    const doc = this.find(path);
    if (doc === null || doc.version === version) return;
    if (doc.dirty) return; // saving it tells whether they meet
    try {
      const file = await get("/api/file", { path });
      this.put(doc, file.text, file.version);
    } catch (error) {
      if (error instanceof Refused && error.status === 404 && !doc.dirty) this.close(doc);
    }
  }

  /** A text that is on the disk already: an undo, a restored version, what somebody else wrote. */
  put(doc, text, version) {
    if (doc.dirty && doc.text !== text) return; // typed meanwhile: saving it will tell
    doc.version = version;
    doc.kept = text;
    if (doc.text !== text) {
      doc.view.dispatch({
        changes: changeTo(doc.text, text),
        annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)],
        effects: EditorView.announce.of("This file was changed outside of this window."),
      });
      this.news.tell("taken", doc);
    }
    this.news.tell("saved", doc);
  }

  /** The server is back: what was typed meanwhile is saved, and what it has meanwhile is looked at. */
  #again() {
    for (const doc of this.all) {
      if (doc.state === "unsaved") this.save(doc);
      else if (doc.state === "saved") this.#outside({ path: doc.path, version: null });
    }
  }

  /** Take back, or make again, what was saved last, in whatever file. */
  async undo(way) {
    await this.saveAll();
    if (this.#steps !== null && !this.#steps[way]) return { files: [], words: `There is nothing to ${way === "undo" ? "undo" : "do again"}.` };
    const seen = this.#steps?.[way]?.id;
    let made;
    try {
      made = await post(`/api/${way}`, seen ? { step: seen } : {});
    } catch (error) {
      // Another window saved just now. Who asks again has been told of it.
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
