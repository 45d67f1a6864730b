// Panels about the rules at the cursor: one is shown at a time, and updated when the cursor comes to rest or a file is
// saved.

import { Gone, post, Refused } from "../desk/api.js";
import { button, element, worded } from "../desk/elements.js";
import { Tabs } from "../desk/tabs.js";
import * as changes from "./changes.js";
import * as fair from "./fair.js";
import * as odds from "./odds.js";
import * as play from "./play.js";
import * as read from "./read.js";
import * as rows from "./rows.js";
import * as tried from "./try.js";

export const PANELS = [read, tried, odds, play, fair, changes, rows];

const REST = 150; // milliseconds until a cursor counts as resting
const MOST_LATE = 20;
const LATE = 400; // milliseconds before content for another place is marked
const OF_PLACE = ["read", "try", "odds"]; // the panels about the rule at the cursor
const KEPT = "rulewright-studio-panel";

export class Panels {
  #made = new Map();
  #asked = 0;
  #left = null; // the panel that another one may replace
  #timer = 0;
  #acting = false;
  #of = ""; // the line that the content is about
  #late = 0; // the number of consecutive responses for a text older than the last save

  /** `place()` returns `{path, line, column, refs}` of the cursor, or null, and `shown()` the document. `go(path, line, column)` shows a position, and `made({ref, open})` new rules. */
  constructor({ news, place, shown, go, trouble, saved, made }) {
    Object.assign(this, { news, place, shown, go, trouble, saved, made });
    this.ref = null;
    this.starts = new Map(); // the starting values that were set, by procedure and edition
    this.tabs = new Tabs({ label: "The rules and their effects", kind: "panels", controls: () => "st-panel", shown: (name) => this.#show(name) });
    this.about = element("p", { class: "st-about", id: "st-about" });
    this.editions = element("select", { class: "st-field st-editions", "aria-label": "Edition", hidden: true, onchange: () => { this.ref = this.editions.value; this.refresh(); } });
    this.changed = element("p", { class: "st-panel__changed", hidden: true });
    this.fault = element("div", { class: "st-fault", role: "status" });
    this.again = element("p", { class: "st-panel__again", hidden: true });
    this.body = element("div", { class: "st-panel", id: "st-panel", role: "tabpanel", tabindex: -1 });
    for (const { panel } of PANELS) this.tabs.add(panel.name, panel.title);
    for (const name of ["saved", "checked"]) news.on(name, () => this.refresh());
    news.on("typed", () => this.#old(true));
    news.on("moved", () => this.refresh());
    news.on("shown", () => this.refresh());
    news.on("folder", () => {
      const { ref } = this;
      this.#offerEditions();
      if (this.ref !== ref) this.refresh(); // the edition has another name, such as a new version
    });
    news.on("job", (job) => this.#made.get(job.panel)?.job?.(job));
  }

  elements() {
    return [this.tabs.place, element("div", { class: "st-panel__head" }, this.about, this.editions), this.again, this.changed, this.fault, this.body];
  }

  begin() {
    this.tabs.choose(localStorage.getItem(KEPT) ?? PANELS[0].panel.name);
    if (this.tabs.current === null) this.tabs.choose(PANELS[0].panel.name);
  }

  get current() {
    return this.#made.get(this.tabs.current) ?? null;
  }

  /** Marks the content as outdated or as current. */
  #old(is, words = "Checking… This is for the previous text.") {
    this.again.hidden = !is;
    this.again.textContent = is ? words : "";
    this.body.classList.toggle("st-panel--old", is);
  }

  #show(name) {
    localStorage.setItem(KEPT, name);
    const { panel } = PANELS.find((each) => each.panel.name === name);
    if (!this.#made.has(name)) this.#made.set(name, panel.make(this));
    if (this.#left !== this.current) this.#left?.leave?.();
    this.#left = this.current;
    this.body.replaceChildren(this.current.element);
    this.body.setAttribute("aria-labelledby", this.tabs.find(name).id);
    this.body.dataset.panel = name;
    this.#now();
  }

  /** Updates the current panel as soon as the cursor rests. */
  refresh() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#now(), REST);
  }

  /** Shows a panel for the cursor and runs an action in it, without an update in between. */
  async act(name, what = null) {
    this.#acting = true;
    try {
      this.tabs.choose(name);
      this.#offerEditions();
      await (what === null ? this.current.refresh() : this.current[what]());
    } finally {
      this.#acting = false;
    }
  }

  #offerEditions() {
    const refs = this.place()?.refs ?? [];
    this.editions.hidden = refs.length < 2;
    if (!refs.some(({ ref }) => ref === this.ref)) this.ref = refs[0]?.ref ?? null;
    this.editions.replaceChildren(...refs.map(({ ref, title }) => element("option", { value: ref, selected: ref === this.ref }, title || ref)));
  }

  async #now() {
    clearTimeout(this.#timer);
    this.#offerEditions();
    if (this.#acting || this.current === null || this.place() === null) return;
    const asked = this.#asked;
    try {
      await this.current.refresh();
      if (asked === this.#asked) this.#old(this.shown().dirty); // a panel that requests nothing is never outdated
    } catch (error) {
      this.trouble(error);
    }
  }

  /** Requests the data of a panel for the cursor. Returns null if a newer request or text has replaced it, or if the rules
   * have an error, which is shown above the previous content. */
  async ask(name, more = {}) {
    const place = this.place();
    if (place === null) return null;
    const asked = ++this.#asked;
    const doc = this.shown();
    const { text, kept } = doc;
    this.body.setAttribute("aria-busy", "true");
    const { path, line, column } = place;
    const isElsewhere = OF_PLACE.includes(name) && this.#of !== `${path}:${line}`;
    const late = setTimeout(() => {
      if (isElsewhere && asked === this.#asked && this.again.hidden) this.#old(true, "Checking… This is for the rule where the cursor was.");
    }, LATE);
    try {
      const answer = await post(`/api/panel/${name}`, { path, line, column, ...(this.ref === null ? {} : { ref: this.ref }), ...more });
      if (asked !== this.#asked) return null;
      // The user has typed since, so another response follows the save.
      if (doc.text !== text || doc.kept !== kept) return null;
      const isLate = Boolean(answer.version) && answer.version !== (await versionOf(kept)) && this.#late++ < MOST_LATE;
      this.#old(isLate || doc.dirty);
      if (isLate) {
        this.refresh();
        return null;
      }
      this.#late = 0;
      this.#of = `${path}:${line}`;
      if (answer.error) this.#refused(answer.error);
      else this.#told(answer);
      return answer.error ? null : answer;
    } catch (error) {
      if (asked !== this.#asked || error instanceof Gone) return null;
      if (!(error instanceof Refused)) throw error;
      this.#old(doc.dirty);
      this.#refused(error.body?.error ?? { message: error.message });
      return null;
    } finally {
      clearTimeout(late);
      if (asked === this.#asked) this.body.setAttribute("aria-busy", "false");
    }
  }

  #told({ thing, stale = false, diagnostics = [], changed_at: there = null }) {
    this.changed.hidden = there === null;
    this.changed.replaceChildren(...(there === null ? [] : [`${there.layer} changes this. `, button("Go there", () => this.go(there.path, there.line, there.column), { class: "st-link" })]));
    if (stale) this.#faulty({ message: "This shows the rules as they were before the latest error.", diagnostics });
    else {
      this.fault.replaceChildren();
      this.body.classList.remove("st-panel--stale");
    }
    this.about.textContent = thing?.title ?? "";
  }

  /** Shows why there is no content. The messages of errors in the rules are listed below the text already. */
  #refused({ message, diagnostics = [] }) {
    this.#faulty({ message: diagnostics.length ? "This can be shown once the errors in the rules are fixed. The first is:" : message, diagnostics });
  }

  #faulty({ message, diagnostics = [] }) {
    this.body.classList.add("st-panel--stale");
    this.fault.replaceChildren(
      element("p", {}, ...worded(message)),
      ...diagnostics.slice(0, 1).map((each) => element("button", { type: "button", class: "st-link", onclick: () => this.go(each.path ?? each.file, each.line, each.column) }, ...worded(`${each.message} (line ${each.line})`))));
  }
}

/** Returns the version of a text, as responses contain it. */
async function versionOf(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((each) => each.toString(16).padStart(2, "0")).join("");
}
