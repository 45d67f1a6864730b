// Diagnostics: squiggles in open files, and a list for all files below the editor.

import { LSPPlugin, setDiagnostics } from "../codemirror.js";
import { button, counted, element, worded } from "./elements.js";

const SEVERITIES = { 1: "error", 2: "warning", 3: "info", 4: "hint" };
const WORDS = { error: "Error", warning: "Warning", info: "Note", hint: "Hint" };

export class Problems {
  #found = new Map();
  #checked = false;

  /** `fix(doc, from)` opens the actions at a position, and `mend(uri, line, character)` those of a file to be shown. `go` shows a position. `versions()` returns those of the open files. */
  constructor({ news, documents, names, fix, mend, go, versions }) {
    Object.assign(this, { news, documents, names, fix, mend, go, versions });
    this.list = element("ol", { class: "st-problems__list" });
    this.again = element("p", { class: "st-problems__again" }, "checking … these results are of the previous text");
    this.place = element("section", { class: "st-problems", "aria-label": "Problems", hidden: true }, this.again, this.list);
    news.on("problems", () => this.place.classList.toggle("st-problems--old", !this.#checked));
    news.on("textDocument/publishDiagnostics", ({ uri, diagnostics }) => this.#take(uri, diagnostics));
    news.on("rulewright/checked", ({ versions: checked }) => this.#done(checked));
    for (const name of ["typed", "opened"]) news.on(name, () => this.#forget());
    news.on("language", (here) => !here && this.#forget());
    news.on("opened", (doc) => queueMicrotask(() => this.#squiggle(doc.uri)));
  }

  /** Returns the number of errors and warnings in a file, by URI, or in all files. */
  count(uri = null) {
    const found = uri === null ? [...this.#found.values()].flat() : (this.#found.get(uri) ?? []);
    return { errors: found.filter(({ severity }) => severity === 1).length, warnings: found.filter(({ severity }) => severity === 2).length };
  }

  get checked() {
    return this.#checked;
  }

  #forget() {
    if (!this.#checked) return;
    this.#checked = false;
    this.news.tell("problems", this);
  }

  #take(uri, diagnostics) {
    if (diagnostics.length) this.#found.set(uri, diagnostics);
    else this.#found.delete(uri);
    this.#squiggle(uri);
    this.#list();
  }

  /** Handles the end of a check with the versions it is for. If one is outdated, another check follows. */
  #done(checked) {
    if (![...this.versions()].every(([uri, version]) => checked[uri] === version)) return;
    this.#checked = true;
    this.news.tell("checked", this);
    this.news.tell("problems", this);
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
      actions: [{ name: "Fix …", apply: (view, from) => this.fix(doc, from) }],
    }));
    doc.view.dispatch(setDiagnostics(doc.view.state, shown));
  }

  #list() {
    const rank = ([uri, found]) => [found.some(({ severity }) => severity === 1) ? 0 : 1, uri];
    const files = [...this.#found].sort((a, b) => (String(rank(a)) < String(rank(b)) ? -1 : 1));
    this.list.replaceChildren(...files.flatMap(([uri, found]) => found.map((each) => this.#row(uri, each))));
    this.place.hidden = !files.length;
    this.news.tell("problems", this);
  }

  #row(uri, each) {
    const { line, character } = each.range.start;
    const severity = SEVERITIES[each.severity ?? 1];
    const [words] = each.message.split("\n");
    const where = `${this.names(uri)}:${line + 1}`;
    return element("li", { class: `st-problem st-problem--${severity}` },
      element("button", { type: "button", class: "st-problem__go", onclick: () => this.go(uri, line, character) },
        element("span", { class: "st-problem__kind" }, WORDS[severity]),
        element("span", { class: "st-problem__words" }, ...worded(words)),
        element("span", { class: "st-problem__where" }, where)),
      button("Fix …", () => this.mend(uri, line, character), { class: "st-button st-problem__fix", "aria-label": `Fix … (${where})` }));
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

/** Formats counts: `2 errors, 1 warning`, or that everything is valid. */
export function inWords({ errors, warnings }) {
  const parts = [errors && counted(errors, "error"), warnings && counted(warnings, "warning")].filter(Boolean);
  return parts.length ? parts.join(", ") : "valid";
}
