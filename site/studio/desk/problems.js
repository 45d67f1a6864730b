// Diagnostics: squiggles in open files, and a list below the editor for the rulesets that are open.

import { LSPPlugin, setDiagnostics } from "../codemirror.js";
import { button, counted, element, worded } from "./elements.js";

const MOST_HELP = 120; // characters of help that the list has room for
const SEVERITIES = { 1: "error", 2: "warning", 3: "info", 4: "hint" };
const WORDS = { error: "Error", warning: "Warning", info: "Note", hint: "Hint" };

export class Problems {
  #found = new Map();
  #checked = false;
  #fixable = new WeakSet();
  #sought = 0;
  #all = false; // whether the problems of other rulesets are listed, too

  /** `fix(doc, from, problem)` opens the fixes of a problem. `mend(uri, problem)` shows its file first. `fixes(uri, problem)` returns them. `go` shows a position. `versions()` returns the versions of the open files. `open()` returns the ids of the editions that read the shown file. */
  constructor({ news, documents, names, fix, mend, fixes, go, versions, open }) {
    Object.assign(this, { news, documents, names, fix, mend, fixes, go, versions, open });
    this.list = element("ol", { class: "st-problems__list" });
    this.more = button("", () => { this.#all = !this.#all; this.#list(); }, { class: "st-link st-problems__more" });
    this.again = element("p", { class: "st-problems__again" }, "Checking… These are the problems of the previous text.");
    this.place = element("section", { class: "st-problems", "aria-label": "Problems", hidden: true }, this.again, this.list, this.more);
    news.on("problems", () => this.place.classList.toggle("st-problems--old", !this.#checked));
    news.on("textDocument/publishDiagnostics", ({ uri, diagnostics }) => this.#take(uri, diagnostics));
    news.on("rulewright/checked", ({ versions: checked }) => this.#done(checked));
    for (const name of ["typed", "opened"]) news.on(name, () => this.#forget());
    for (const name of ["shown", "folder"]) news.on(name, () => this.#list());
    news.on("language", (here) => (here ? this.#renew() : this.#forget()));
    news.on("opened", (doc) => queueMicrotask(() => this.#squiggle(doc.uri)));
  }

  /** Returns the number of errors and warnings in a file, by URI, or in all files. */
  count(uri = null) {
    return tally(uri === null ? this.#each().map(([, each]) => each) : (this.#found.get(uri) ?? []));
  }

  /** Returns the diagnostics on a line of a file, counted from 1. */
  at(uri, line) {
    return (this.#found.get(uri) ?? []).filter(({ range }) => range.start.line + 1 <= line && line <= range.end.line + 1);
  }

  /** Returns the number of errors and warnings of the rules that are open, and of all other rules. */
  split() {
    const all = this.#each();
    const here = all.filter(([, each]) => this.#isHere(each));
    return [here, all.filter((each) => !here.includes(each))].map((those) => tally(those.map(([, each]) => each)));
  }

  get checked() {
    return this.#checked;
  }

  #each() {
    return [...this.#found].flatMap(([uri, found]) => found.map((each) => [uri, each]));
  }

  /** Whether the rules that are open have a problem. True for all problems if no ruleset is open, and for problems outside every ruleset. */
  #isHere({ data }) {
    const [refs, having] = [this.open(), data?.editions ?? []];
    return !refs.length || !having.length || having.some((ref) => refs.includes(ref));
  }

  #forget() {
    if (!this.#checked) return;
    this.#checked = false;
    this.news.tell("problems", this);
  }

  /** Clears the problems that another server found: a new one names only those that there are. */
  #renew() {
    for (const uri of [...this.#found.keys()]) this.#take(uri, []);
  }

  #take(uri, diagnostics) {
    if (diagnostics.length) this.#found.set(uri, diagnostics);
    else this.#found.delete(uri);
    this.#squiggle(uri);
    this.#list();
  }

  /** Handles the end of a check with the versions it is for. If one is outdated, another check follows. */
  #done(checked) {
    const versions = [...this.versions()];
    // A file that has just been opened is not among them yet.
    if (versions.length < this.documents.all.filter(({ uri }) => uri).length || !versions.every(([uri, version]) => checked[uri] === version)) return;
    this.#checked = true;
    this.news.tell("checked", this);
    this.news.tell("problems", this);
    this.#seek();
  }

  /** Finds out which problems have a fix, one after the other, until something changes. */
  async #seek() {
    const sought = ++this.#sought;
    const changed = new Set();
    this.place.setAttribute("aria-busy", "true");
    for (const [uri, each] of this.#each()) {
      const fixes = await this.fixes(uri, each).catch(() => []);
      if (sought !== this.#sought || !this.#checked) break;
      if (fixes.length > 0 === this.#fixable.has(each)) continue;
      this.#fixable[fixes.length ? "add" : "delete"](each);
      changed.add(uri);
    }
    for (const uri of changed) this.#squiggle(uri);
    if (changed.size) this.#list();
    if (sought === this.#sought) this.place.setAttribute("aria-busy", "false");
  }

  #squiggle(uri) {
    const doc = this.documents.byUri(uri);
    const plugin = doc && LSPPlugin.get(doc.view);
    if (!plugin) return;
    const at = (position) => {
      const text = plugin.syncedDoc;
      const line = text.line(Math.min(position.line + 1, text.lines));
      return plugin.unsyncedChanges.mapPos(Math.min(line.from + position.character, line.to));
    };
    const shown = (this.#found.get(uri) ?? []).map((each) => ({
      from: at(each.range.start),
      to: Math.max(at(each.range.start), at(each.range.end)),
      severity: SEVERITIES[each.severity ?? 1],
      message: each.message,
      renderMessage: () => told(each),
      actions: this.#fixable.has(each) ? [{ name: "Fix…", apply: (view, from) => this.fix(doc, from, each) }] : [],
    }));
    doc.view.dispatch(setDiagnostics(doc.view.state, shown));
  }

  #list() {
    const rank = ([uri, found]) => [found.some(({ severity }) => severity === 1) ? 0 : 1, uri];
    const files = [...this.#found].sort((a, b) => (String(rank(a)) < String(rank(b)) ? -1 : 1));
    // In each file, errors come before warnings.
    const all = files.flatMap(([uri, found]) => found.toSorted((a, b) => (a.severity ?? 1) - (b.severity ?? 1)).map((each) => [uri, each]));
    const here = all.filter(([, each]) => this.#isHere(each));
    const others = all.filter((each) => !here.includes(each));
    const name = (each) => each.getAttribute("aria-label") ?? each.textContent;
    const held = this.list.contains(document.activeElement) ? name(document.activeElement) : null;
    this.list.replaceChildren(...[...here, ...(this.#all ? others : [])].map(([uri, each]) => this.#row(uri, each)));
    this.more.hidden = !others.length;
    this.more.textContent = `${this.#all ? "Hide" : "Show"} ${inWords(tally(others.map(([, each]) => each)))} in other rulesets`;
    this.place.hidden = !all.length;
    if (held !== null) [...this.list.querySelectorAll("button")].find((each) => name(each) === held)?.focus();
    this.news.tell("problems", this);
  }

  #row(uri, each) {
    const { line, character } = each.range.start;
    const severity = SEVERITIES[each.severity ?? 1];
    const [words, ...help] = each.message.split("\n");
    const having = (each.data?.editions ?? []).filter((ref) => !this.open().includes(ref) || this.open().length > 1);
    const where = `${this.names(uri)}:${line + 1}${having.length ? `, in ${having.join(", ")}` : ""}`;
    return element("li", { class: `st-problem st-problem--${severity}` },
      element("button", { type: "button", class: "st-problem__go", onclick: () => this.go(uri, line, character) },
        element("span", { class: "st-problem__kind" }, WORDS[severity]),
        element("span", { class: "st-problem__words" }, ...worded(words), " ", help.length === 1 && help[0].length <= MOST_HELP ? element("span", { class: "st-problem__help" }, ...worded(help[0])) : null, element("span", { class: "st-problem__where" }, where))),
      this.#fixable.has(each) ? button("Fix…", () => this.mend(uri, each), { class: "st-button st-problem__fix", "aria-label": `Fix… (${where})` }) : element("span", { class: "st-button st-problem__fix st-problem__fix--none", "aria-hidden": "true" }, "Fix…"));
  }
}

/** Renders a diagnostic at its position: what is wrong, how to fix it, and why. */
function told(each) {
  const [first, ...help] = each.message.split("\n");
  return element("div", { class: "st-told" },
    element("p", { class: "st-told__what" }, ...worded(first)),
    help.length ? element("p", { class: "st-told__help" }, ...worded(help.join("\n"))) : null,
    each.data?.why ? element("p", { class: "st-told__why" }, ...worded(each.data.why)) : null);
}

function tally(found) {
  return { errors: found.filter(({ severity }) => severity === 1).length, warnings: found.filter(({ severity }) => severity === 2).length };
}

/** Formats counts: `2 errors, 1 warning`, or that everything is valid. */
export function inWords({ errors, warnings }) {
  const parts = [errors && counted(errors, "error"), warnings && counted(warnings, "warning")].filter(Boolean);
  return parts.length ? parts.join(", ") : "valid";
}
