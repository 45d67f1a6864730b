// The layout: the bar, the three columns and the footer.

import { EditorView } from "../codemirror.js";
import { button, element, worded } from "./elements.js";
import { listen } from "./commands.js";
import { LEAVE, placeOf } from "./editor.js";
import { inWords } from "./problems.js";
import { splitter } from "./split.js";

const VIEWS = { side: "Files", middle: "Text", panels: "Panels" };
const STATES = { saved: "Saved", unsaved: "Not saved yet", saving: "Saving…", conflict: "Conflict: two versions" };

export class Layout {
  #gone = false;

  constructor(desk) {
    this.desk = desk;
    const find = (name) => document.getElementById(`st-${name}`);
    this.notices = find("notices");
    this.work = find("work");
    this.columns = ["side", "middle", "panels"].map(find);
    const [side, middle, panels] = this.columns;

    find("bar").replaceChildren(
      element("h1", { class: "st-bar__name" }, element("img", { src: "/assets/shield.svg", alt: "", width: 20, height: 20 }), element("span", {}, "Studio"), element("span", { class: "st-bar__folder" }, desk.folder.name)),
      element("div", { class: "st-bar__buttons", role: "toolbar", "aria-label": "Actions" },
        button("Start…", () => desk.start()),
        button("Undo", () => desk.undo("undo", true), { title: "Undo the last save in any file" }),
        button("Redo", () => desk.undo("redo", true)),
        button("History", () => desk.history()),
        button("Share", () => desk.share()),
        button("Release", () => desk.release()),
        button("Commands", () => desk.commands(), { title: `${desk.mod}+K or F1`, "aria-keyshortcuts": "F1 Control+K" }),
        button("Help", () => desk.help(), { title: "Help for the cursor and the current panel" }),
        button("◐", () => desk.turn(), { "aria-label": "Switch between light and dark", title: "Switch between light and dark" })));

    side.append(element("div", { class: "st-side__head" }, element("h2", { class: "st-label" }, "Files"), button("New file…", () => desk.newFile(), { class: "st-button st-button--quiet" })), desk.tree.place);
    this.editor = element("div", { class: "st-editor", id: "st-editor", role: "tabpanel", tabindex: -1 });
    this.empty = element("div", { class: "st-empty" },
      element("h2", {}, "Write rules and see their effect"),
      element("p", {}, "Start from scratch, from an edition, or from a recipe. Or open a file on the left."),
      element("div", { class: "st-buttons" }, button("Start…", () => desk.start(), { class: "st-button st-button--main" }), button("Start the tour", () => desk.tour.begin(), { class: "st-button st-empty__tour" })));
    this.editor.append(this.empty);
    middle.append(desk.tabs.place, desk.conflicts.place, this.editor, desk.problems.place);
    panels.append(...desk.panels.elements());

    // A window without room for three columns shows one of them.
    this.views = Object.entries(VIEWS).map(([name, words]) => button(words, () => this.view(name), { "data-view": name }));
    this.work.before(element("div", { class: "st-views", role: "group", "aria-label": "Visible column" }, ...this.views));
    this.view("middle");

    middle.prepend(splitter({ host: this.work, name: "side", words: "Width of the file list", grows: 1, usual: () => Math.min(260, innerWidth * 0.18) }));
    middle.append(splitter({ host: this.work, name: "panels", words: "Width of the panels", grows: -1, usual: () => innerWidth * (innerWidth < 1200 ? 0.33 : 0.38) }));

    this.state = element("span", { class: "st-foot__state" }, "");
    this.problems = button("", () => desk.problems.place.querySelector("button")?.focus(), { class: "st-foot__problems st-link" });
    this.where = element("span", { class: "st-foot__where" });
    this.link = element("span", { class: "st-foot__link", role: "status" });
    const leave = element("span", { class: "st-foot__leave" }, LEAVE);
    find("foot").append(this.state, this.problems, this.link, leave, this.where);

    const { news } = desk;
    news.on("state", () => this.#state());
    news.on("shown", () => this.#state());
    news.on("cursor", () => this.#where());
    for (const name of ["problems", "opened", "shown"]) news.on(name, () => this.#sound());
    news.on("language", (here) => this.#linked("language", here));
    news.on("here", () => this.#linked("server", true));
    news.on("gone", () => this.#linked("server", false));
    listen(desk);
    this.#keepCursorInSight();
    this.#sound();
  }

  show(doc) {
    for (const each of [...this.editor.children]) each.remove();
    this.editor.append(doc === null ? this.empty : doc.view.dom);
    if (doc === null) {
      this.editor.removeAttribute("aria-labelledby");
      return;
    }
    this.editor.setAttribute("aria-labelledby", this.desk.tabs.find(doc.path).id);
    doc.view.requestMeasure();
    this.#where();
    document.title = `${doc.path} – Studio`;
  }

  #state() {
    const { doc } = this.desk;
    this.state.textContent = doc === null ? "" : doc.readonly ? "Read-only" : STATES[doc.state];
    this.state.dataset.state = doc?.state ?? "";
    const all = this.desk.documents.all;
    document.documentElement.dataset.unsaved = String(all.filter((each) => each.dirty).length);
  }

  #where() {
    const { doc } = this.desk;
    if (doc === null) return;
    const { line, column } = placeOf(doc.view);
    this.where.textContent = `Line ${line}, column ${column}`;
  }

  #sound() {
    const { problems } = this.desk;
    const [count, others] = problems.split();
    const elsewhere = others.errors + others.warnings ? `, ${inWords(others)} in other rulesets` : "";
    // Without open files, nothing is being checked.
    const asked = this.desk.documents.all.length > 0;
    this.problems.hidden = !asked;
    this.problems.textContent = problems.checked ? `${inWords(count)}${elsewhere}` : "Checking…";
    this.problems.classList.toggle("st-foot__problems--old", !problems.checked);
    this.problems.dataset.sound = String(problems.checked && count.errors === 0);
    this.problems.dataset.errors = String(count.errors);
    document.documentElement.dataset.checked = String(problems.checked);
  }

  /** Keeps the cursor's line visible when the editor shrinks, as when problems are listed below it. */
  #keepCursorInSight() {
    let before = this.editor.clientHeight;
    new ResizeObserver(() => {
      const [now, view] = [this.editor.clientHeight, this.desk.doc?.view];
      const { top } = this.editor.getBoundingClientRect();
      const line = now < before ? view?.coordsAtPos(view.state.selection.main.head) : null;
      if (line && line.top >= top && line.bottom <= top + before && line.bottom > top + now) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { yMargin: 48 }) });
      before = now;
    }).observe(this.editor);
  }

  #linked(what, here) {
    if (what === "server") this.#gone = !here;
    this.link.textContent = this.#gone ? "The studio is not responding. Your changes are kept here and will be saved when it is back." : "";
    document.documentElement.dataset[what] = here ? "here" : "gone";
  }

  /** Shows an error until it is dismissed. */
  notice(words) {
    for (const each of this.notices.children) if (each.dataset.words === words) return;
    const made = element("div", { class: "st-notice", role: "alert", "data-words": words }, element("p", {}, ...worded(words)), button("Dismiss", () => made.remove(), { class: "st-button st-button--quiet" }));
    this.notices.append(made);
  }

  /** Shows a column where there is room for only one. */
  view(name) {
    this.work.dataset.view = name;
    for (const each of this.views) each.setAttribute("aria-pressed", String(each.dataset.view === name));
    this.desk.doc?.view.requestMeasure();
  }

  next(step) {
    const now = this.columns.findIndex((column) => column.contains(document.activeElement));
    const to = this.columns[(now + step + this.columns.length) % this.columns.length];
    this.view(to.id.replace("st-", ""));
    const target = to.id === "st-middle" ? (to.querySelector(".cm-content") ?? to.querySelector("button")) : to.querySelector("[tabindex='0']:not([role=separator])");
    target?.focus();
  }
}
