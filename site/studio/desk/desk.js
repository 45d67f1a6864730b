// The desk: state of the studio and all actions, assembled from the modules beside this file.

import { EditorView, redoDepth } from "../codemirror.js";
import { history as showHistory } from "../dialogs/history.js";
import { askFor, confirm } from "../dialogs/dialog.js";
import { fix } from "../dialogs/fix.js";
import { help } from "../dialogs/help.js";
import { palette } from "../dialogs/palette.js";
import { release } from "../dialogs/release.js";
import { share, take } from "../dialogs/share.js";
import { start } from "../dialogs/start.js";
import { seen, Tour } from "../dialogs/tour.js";
import { Panels } from "../panels/panels.js";
import { Gone, get, post, put, Refused } from "./api.js";
import { commandsOf, keysOf, listen } from "./commands.js";
import { Beside } from "./beside.js";
import { Conflicts } from "./conflict.js";
import { Connection } from "./connection.js";
import { Documents } from "./documents.js";
import { Edits } from "./edits.js";
import { Editor, goTo, putCursor, placeOf, showCursor } from "./editor.js";
import { MOD, say } from "./elements.js";
import { invite, stay } from "./keyboard.js";
import { Language } from "./language.js";
import { Layout } from "./layout.js";
import { News } from "./news.js";
import { Offers } from "./offers.js";
import { Problems } from "./problems.js";
import { dress, turn } from "./scheme.js";
import { Tabs } from "./tabs.js";
import { Tree } from "./tree.js";

/** The panel for each kind of code lens, and its action there. */
const LENSES = {
  "rulewright.run": { panel: "try", act: "roll" },
  "rulewright.odds": { panel: "odds" },
  "rulewright.play": { panel: "play", act: "here" },
  "rulewright.simulate": { panel: "fair", act: "offer" },
};

const SHOWN = "rulewright-studio-tabs";

export class Desk {
  mod = MOD;
  doc = null;
  changed = false;
  typed = false; // whether a change was typed, and not made by an action
  #moved = "";
  #begun = false; // whether the tabs of the last time are open again
  #wanted = null; // the last request to show a file
  #fetching = null;

  constructor({ folder, drafts }) {
    const news = (this.news = new News());
    this.folder = folder;
    this.drafts = drafts;
    this.trouble = (error) => this.#trouble(error);
    const open = (path, line) => this.go(path, line);
    const editor = new Editor({ extensions: (doc) => [this.language.extensions(doc), this.beside.extension], keys: keysOf(this), typed: (doc, how) => this.#typed(doc, how), moved: (doc) => this.#cursor(doc) });
    this.documents = new Documents({ news, drafts, editor });
    this.edits = new Edits((uri) => this.#target(uri));
    this.language = new Language({ news, root: folder.uri, desk: { open: (uri) => this.#byUri(uri), show: (uri) => this.#showUri(uri) }, apply: (edit) => this.edits.apply(edit) });
    this.beside = new Beside({ news, language: this.language, current: () => this.doc, take: (lens) => this.click(lens) });
    this.offers = new Offers({ language: this.language, beside: this.beside, edits: this.edits, writable: (uri) => this.#writable(uri), reveal: (doc, word) => this.#reveal(doc, word), review: (ref, name) => this.release(ref, name), trouble: this.trouble });
    this.problems = new Problems({ news, documents: this.documents, names: (uri) => this.pathOf(uri) ?? decodeURIComponent(uri.split("/").slice(-2).join("/")), fix: (doc, from, problem) => this.offers.show(doc, from, problem), mend: (uri, problem) => this.#mend(uri, problem), fixes: (uri, problem) => this.offers.fixes(uri, problem), open: () => this.place()?.refs.map(({ ref }) => ref) ?? [], go: (uri, line, character) => this.goUri(uri, line, character), versions: () => this.language.versions() });
    this.tree = new Tree({ news, open, count: (uri) => this.problems.count(uri), current: () => this.doc?.path ?? null, acts: (path) => this.#actsOn(path) });
    this.tabs = new Tabs({ label: "Open files", kind: "files", controls: () => "st-editor", shown: (path) => this.#shown(path) });
    this.conflicts = new Conflicts({ news, documents: this.documents, shown: () => this.doc, trouble: this.trouble });
    this.panels = new Panels({ news, place: () => this.place(), shown: () => this.doc, go: (path, line, column) => this.go(path, line, column), trouble: this.trouble, saved: () => this.documents.saveAll(), made: (made) => this.#made(made) });
    this.panels.dress = (book) => {
      dress(book);
      listen(this, book.defaultView);
      invite(book.defaultView);
    };
    stay();
    this.tour = new Tour(this, news);
    this.layout = new Layout(this);
    news.on("closed", (doc) => this.tabs.remove(doc.path));
    news.on("opened", (doc) => this.#opened(doc));
    for (const name of ["changed", "listed"]) news.on(name, () => this.reload());
    news.on("saved", () => this.reload());
    news.on("here", ({ again }) => again && this.reload());
    news.on("trouble", this.trouble);
    news.on("state", (doc) => this.tabs.find(doc.path)?.classList.toggle("st-tab--dirty", doc.dirty));
  }

  async begin() {
    this.news.tell("folder", this.folder);
    for (const draft of await this.drafts.left()) await this.documents.takeUp(draft).catch(this.trouble);
    const { shown, open } = this.#kept();
    for (const [path, head] of open) {
      const view = (await this.documents.open(path).catch(() => null))?.view;
      view?.dispatch({ selection: { anchor: Math.min(head, view.state.doc.length) }, scrollIntoView: true });
    }
    this.#begun = true;
    const first = shown ?? this.documents.all[0]?.path ?? this.folder.rulesets.flatMap((each) => each.layers).find((layer) => layer.editable)?.files.find((file) => !file.path.endsWith("ruleset.yaml"))?.path;
    if (first && this.#wanted === null) {
      const { line = null, column } = this.documents.find(first) ? placeOf(this.documents.find(first).view) : {};
      // The focus stays at the top of the page: whoever walks through the page by Tab must not change the text.
      await this.go(first, line, column, false).catch(this.trouble);
    }
    this.connection = new Connection(this.news);
    this.panels.begin();
    document.documentElement.dataset.begun = "";
    if (location.hash.startsWith("#rules=")) {
      const fragment = location.hash;
      history.replaceState(null, "", "/");
      take({ fragment, taken: (made) => this.#made(made) });
    } else if (this.folder.tour && !seen()) this.tour.begin();
  }

  // -- files --------------------------------------------------------------------------------

  /** Returns the position of the cursor and the editions that read the file, or null if no file is shown. */
  place() {
    if (this.doc === null) return null;
    const { path } = this.doc;
    const refs = this.folder.rulesets.filter((ruleset) => ruleset.layers.some((layer) => layer.files.some((file) => file.path === path)));
    return { path, ...placeOf(this.doc.view), refs };
  }

  /** Returns the ruleset of the current file, or the first of the folder, or null if there is none. */
  get ref() {
    return this.panels.ref ?? this.folder.rulesets[0]?.ref ?? null;
  }

  get sound() {
    return this.problems.checked && this.problems.count().errors === 0 && this.documents.all.every((doc) => !doc.dirty);
  }

  pathOf(uri) {
    const known = this.documents.byUri(uri)?.path ?? this.#files().find((file) => file.uri === uri)?.path;
    if (known) return known;
    const head = `${this.folder.uri}/`;
    return uri.startsWith(head) ? decodeURIComponent(uri.slice(head.length)) : null;
  }

  #files() {
    return [...this.folder.rulesets.flatMap((ruleset) => ruleset.layers.flatMap((layer) => layer.files)), ...this.folder.files];
  }

  #writable(uri) {
    const known = this.documents.byUri(uri) ?? this.#files().find((file) => file.uri === uri);
    return known ? !known.readonly : uri.startsWith(`${this.folder.uri}/`);
  }

  async #byUri(uri) {
    return this.documents.open(this.pathOf(uri), uri);
  }

  async #showUri(uri) {
    const doc = await this.#byUri(uri);
    this.#show(doc);
    return doc.view;
  }

  /** Returns the document of a change. Creates files that do not exist in the folder. */
  async #target(uri) {
    try {
      return await this.#byUri(uri);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error;
      const path = this.pathOf(uri);
      await put("/api/file", { path, text: "", base: null });
      return this.documents.open(path);
    }
  }

  /** Shows a file and a position in it. Returns null if it cannot be opened, or if another one was requested meanwhile. */
  async go(path, line = null, column = 1, focus = true) {
    const wanted = (this.#wanted = {});
    try {
      const doc = await this.documents.open(path);
      if (this.#wanted !== wanted) return null;
      this.#show(doc);
      if (line !== null) putCursor(doc.view, line, column);
      if (focus) doc.view.focus();
      return doc;
    } catch (error) {
      this.#trouble(error);
      return null;
    }
  }

  #reveal(doc, { from, to }) {
    this.#show(doc);
    doc.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    doc.view.focus();
  }

  async goUri(uri, line, character) {
    const view = await this.#showUri(uri);
    const found = view.state.doc.line(Math.min(line + 1, view.state.doc.lines));
    goTo(view, found.number, [...found.text.slice(0, character)].length + 1);
  }

  /** Shows a problem and what fixes it. For a file that cannot be changed, the text and the panels stay where they are. */
  async #mend(uri, problem) {
    const { line, character } = problem.range.start;
    await this.#try(async () => {
      if (this.#writable(uri) || this.doc === null) await this.goUri(uri, line, character);
      await this.offers.show(this.doc, null, problem, uri);
    });
  }

  #opened(doc) {
    const name = doc.path.split("/").at(-1);
    const alike = this.documents.all.filter((each) => each.path.endsWith(`/${name}`)).length > 1;
    this.tabs.add(doc.path, alike ? doc.path : name, { title: doc.path, close: () => this.close(doc) });
    this.tabs.find(doc.path).classList.toggle("st-tab--locked", Boolean(doc.readonly));
    this.#keep();
  }

  #show(doc) {
    this.tabs.choose(doc.path);
    this.layout.view("middle");
  }

  #shown(path) {
    this.doc = path === null ? null : this.documents.find(path);
    this.layout.show(this.doc);
    if (this.doc !== null) showCursor(this.doc.view);
    this.#keep();
    this.news.tell("shown", this.doc);
  }

  async close(doc = this.doc) {
    if (doc === null) return;
    await this.documents.save(doc);
    if (!this.documents.close(doc)) say(`${doc.path} is not saved yet.`);
    this.#keep();
  }

  #keep() {
    const open = this.documents.all.map(({ path, view }) => [path, view.state.selection.main.head]);
    if (this.#begun) sessionStorage.setItem(SHOWN, JSON.stringify({ shown: this.doc?.path ?? null, open }));
  }

  #kept() {
    return JSON.parse(sessionStorage.getItem(SHOWN)) ?? { shown: null, open: [] };
  }

  #typed(doc, how) {
    this.documents.typed(doc, how);
    if (!how.outside && !doc.readonly) this.changed = true;
    if (!how.outside && !how.acted && !doc.readonly) this.typed = true;
    this.news.tell("typed", doc);
  }

  /** Panels follow the cursor to other lines. Within a line, they wait until text is saved. */
  #cursor(doc) {
    if (doc !== this.doc) return;
    this.news.tell("cursor", doc);
    const { path, line, column } = this.place();
    const place = `${path}:${line}:${column}`;
    if (place === this.#moved) return;
    this.#moved = place;
    this.#keep();
    if (!doc.dirty) this.news.tell("moved", doc);
  }

  /** Whether the cursor is at a number. From one beside it, the cursor moves onto the number, where it has actions. */
  toNumber() {
    const { view } = this.doc ?? {};
    if (!view) return false;
    const { doc, selection: { main: { head } } } = view.state;
    const isNumber = (at) => at >= 0 && at <= doc.length && /\d/.test(doc.sliceString(view.state.wordAt(at)?.from ?? 0, view.state.wordAt(at)?.to ?? 0));
    const at = [head, head + 1, head - 1].find(isNumber);
    if (at !== undefined && at !== head) queueMicrotask(() => view.dispatch({ selection: { anchor: at } }));
    return at !== undefined;
  }

  /** Reloads the folder. Calls during a reload cause only one more. */
  reload() {
    if (this.#fetching !== null) {
      this.#fetching.again = true;
      return this.#fetching.promise;
    }
    const fetching = (this.#fetching = { again: false });
    fetching.promise = (async () => {
      do {
        fetching.again = false;
        try {
          const folder = await get("/api/folder");
          if (JSON.stringify(folder) !== JSON.stringify(this.folder)) {
            this.folder = folder;
            this.news.tell("folder", folder);
          }
        } catch (error) {
          if (!(error instanceof Gone)) this.#trouble(error);
        }
      } while (fetching.again);
      this.#fetching = null;
    })();
    return fetching.promise;
  }

  // -- actions ------------------------------------------------------------------------------

  async start(chosen = null) {
    await this.#try(() => start({ folder: this.folder, begun: (made) => this.#made(made), chosen }));
  }

  async #made({ ref, open }) {
    await this.reload();
    this.panels.ref = ref ?? this.panels.ref;
    if (open) await this.go(open);
    say(`Created ${ref}.`);
  }

  offer() {
    if (this.doc !== null) this.#try(() => this.offers.show(this.doc));
  }

  /** Runs a code lens in its panel. */
  click({ command: { command, arguments: [uri, section] }, range }) {
    const { panel, act } = LENSES[command] ?? {};
    if (panel === undefined) return;
    this.#try(async () => {
      await this.documents.saveAll();
      if (section) await this.go(this.pathOf(uri), range.start.line + 1, range.start.character + 1);
      this.layout.view("panels");
      await this.panels.act(panel, act);
    });
  }

  showPanel(name) {
    this.panels.tabs.choose(name);
    this.layout.view("panels");
  }

  rename() {
    if (this.doc !== null) this.#try(() => this.offers.rename(this.doc));
  }

  /** Explains what is at the cursor, and shows matching pages of the documentation. */
  help() {
    this.#try(async () => {
      const { doc } = this;
      const { line = 1 } = this.place() ?? {};
      const above = doc === null ? [] : doc.view.state.doc.toString().split("\n").slice(0, line);
      const section = above.findLast((each) => /^\w+:/.test(each))?.split(":")[0] ?? "";
      const problems = doc === null ? [] : this.problems.at(doc.uri, line);
      const here = doc === null ? "" : await this.language.hover(doc);
      await help({ section, panel: this.panels.tabs.current, problems, here, render: (markdown) => this.language.render(markdown) });
    });
  }

  uses() {
    if (this.doc !== null) this.#try(() => this.language.uses(this.doc));
  }

  history() {
    if (this.doc === null || this.doc.readonly) return;
    this.#try(async () => {
      await this.documents.save(this.doc);
      await showHistory({ doc: this.doc, restored: (made) => this.#back(made), trouble: this.trouble });
    });
  }

  #back({ files = [] }) {
    for (const { path, version, text } of files) {
      const doc = this.documents.find(path);
      if (doc !== null && text !== null) this.documents.put(doc, text, version);
    }
    this.reload();
  }

  /** Undoes the last change in the editor, with its parts in other files, or if there is none, the last save if it changed this file. */
  undo(way = "undo", saved = false) {
    if (!saved && this.doc !== null) {
      if (this.edits[way](this.doc)) return true;
      if (way === "redo" || redoDepth(this.doc.view.state) || !this.documents.undoes(this.doc)) {
        say(`There is nothing more to ${way} here. Undo and Redo in the toolbar apply to saved changes in any file.`);
        return true;
      }
    }
    this.#try(async () => {
      const { files, words } = await this.documents.undo(way);
      this.reload();
      say(files.length ? `${way === "undo" ? "Undone" : "Redone"}: ${words}` : words);
      const left = files.filter(({ text }) => text !== null).map(({ path }) => path);
      if (left.length && !left.includes(this.doc?.path)) await this.go(left[0]);
    });
    return true;
  }

  /** Opens the release of an edition, at a text to be reviewed if one is named. */
  release(ref = this.ref, text = null) {
    this.#try(async () => {
      await this.documents.saveAll();
      if (ref === null) say("There are no rules here yet. Create some first.");
      else await release({ ref, text, go: (path, line, column) => this.go(path, line, column), changed: () => { this.news.tell("released"); this.reload(); }, news: this.news, trouble: this.trouble, rendered: (markdown) => this.language.render(markdown) });
    });
  }

  fix() {
    this.#try(async () => {
      await this.documents.saveAll();
      if (this.ref === null) say("There are no rules here yet. Create some first.");
      else await fix({ ref: this.ref, written: () => this.reload() });
    });
  }

  share() {
    this.#try(async () => {
      await this.documents.saveAll();
      await share({ ref: this.ref, taken: (made) => this.#made(made) });
    });
  }

  /** Returns what can be done with a file of the user. It is shown first, so that it is clear what changes. */
  #actsOn(path) {
    const shown = (act) => async () => (await this.go(path)) && act();
    return [{ title: "Open", run: shown(() => {}) }, { title: "Rename…", run: shown(() => this.renameFile()) }, { title: "Delete…", run: shown(() => this.deleteFile()), apart: true }];
  }

  async newFile() {
    const home = this.doc && !this.doc.readonly ? this.doc.path.split("/").slice(0, -1).join("/") : (this.folder.rulesets[0]?.folder ?? "");
    const create = async (name) => {
      const path = /\.[^/]*$/.test(name) ? name : `${name}.yaml`;
      await put("/api/file", { path, text: "", base: null });
      return path;
    };
    const path = await askFor("New file", "Name", create, { value: `${home ? `${home}/` : ""}more.yaml`, does: "Create" });
    if (path !== null) await this.#try(async () => { await this.reload(); await this.go(path); });
  }

  async renameFile() {
    if (this.doc === null || this.doc.readonly) return;
    const { doc } = this;
    const rename = async (to) => {
      if (to === doc.path) return null;
      await this.documents.save(doc);
      await post("/api/file/rename", { path: doc.path, to, base: doc.version });
      return to;
    };
    const to = await askFor("Rename this file", "Name", rename, { value: doc.path, does: "Rename" });
    if (to === null) return;
    await this.#try(async () => {
      this.documents.close(doc);
      await this.reload();
      await this.go(to);
    });
  }

  async deleteFile() {
    if (this.doc === null || this.doc.readonly) return;
    const { doc } = this;
    if (!(await confirm("Delete this file?", `This deletes ${doc.path} from the disk. Its history is kept, and Undo restores it.`, "Delete"))) return;
    await this.#try(async () => {
      await this.documents.save(doc);
      await post("/api/file/delete", { path: doc.path, base: doc.version });
      this.documents.close(doc);
      await this.reload();
    });
  }

  turn() {
    turn();
  }

  commands() {
    const more = async (words) => {
      const found = await this.language.client.request("workspace/symbol", { query: words }).catch(() => []);
      return (found ?? []).slice(0, 20).map(({ name, containerName, location: { uri, range } }) => ({ title: name, note: `${containerName ?? ""}, in ${this.pathOf(uri) ?? uri}`, run: () => this.goUri(uri, range.start.line, range.start.character) }));
    };
    const files = this.#files().filter(({ path }, at, all) => all.findIndex((file) => file.path === path) === at);
    palette({ commands: [...commandsOf(this), ...files.map(({ path, readonly }) => ({ title: path, note: readonly ? "file, read-only" : "file", run: () => this.go(path) }))], look: more });
  }

  /** Moves focus between the three columns. */
  next(step) {
    this.layout.next(step);
  }

  // -- errors -------------------------------------------------------------------------------

  async #try(action) {
    try {
      return await action();
    } catch (error) {
      return this.#trouble(error);
    }
  }

  #trouble(error) {
    if (error instanceof Gone) say("The studio is not responding. Your changes are kept here and will be saved when it is back.");
    else {
      this.layout.notice(error.message);
      if (!(error instanceof Refused)) console.error(error);
    }
    return null;
  }
}
