// The file tree: each ruleset with its files, what they change, and the layers below.

import { menuAt } from "./box.js";
import { counted, element } from "./elements.js";

const KINDS = { replaced: ["~", "changes"], added: ["+", "adds"], removed: ["−", "removes"] };

const OWN = "Right-click to rename or delete this file";

export class Tree {
  #opened = new Map();

  /** `open(path, line)` shows a file. `count(uri)` returns its number of problems. `acts(path)` returns what can be done with a file of the user. */
  constructor({ news, open, count, current, acts }) {
    Object.assign(this, { open, count, current, acts });
    this.place = element("ul", { class: "st-tree", role: "tree", "aria-label": "Files and layers" });
    this.place.addEventListener("keydown", (event) => this.#key(event));
    // The keyboard opens the menu, too, by its own key or Shift+F10.
    this.place.addEventListener("contextmenu", (event) => this.#menu(event));
    news.on("folder", (folder) => this.draw(folder));
    news.on("problems", () => this.#marks());
    news.on("shown", () => {
      this.#marks();
      this.#reveal();
    });
  }

  draw(folder) {
    const held = document.activeElement?.closest?.(".st-tree") === this.place ? document.activeElement.dataset.key : null;
    const known = new Set();
    const titles = folder.rulesets.map(({ title }) => title);
    const alike = ({ title }) => titles.indexOf(title) !== titles.lastIndexOf(title);
    const notes = (ruleset) => [ruleset.title && alike(ruleset) && ruleset.ref, ruleset.status].filter(Boolean).join(" · ") || null;
    const roots = folder.rulesets.map((ruleset) => {
      const own = ruleset.layers.filter((layer) => layer.editable);
      const below = ruleset.layers.filter((layer) => !layer.editable);
      for (const layer of own) for (const file of layer.files) known.add(file.path);
      return this.#node({
        key: `r:${ruleset.ref}`, words: ruleset.title || ruleset.ref, note: notes(ruleset), kind: "ruleset", open: true,
        inside: [
          ...own.flatMap((layer) => layer.files.map((file) => this.#file(file, ruleset.ref, ruleset.folder))),
          ...below.map((layer) => this.#node({ key: `l:${ruleset.ref}:${layer.ref}`, words: layer.title || layer.ref, note: "read-only", kind: "layer", inside: layer.files.map((file) => this.#file(file, `${ruleset.ref}:${layer.ref}`, layer.ref)) })),
        ],
      });
    });
    const rest = folder.files.filter(({ path }) => !known.has(path));
    if (rest.length) roots.push(this.#node({ key: "rest", words: "Other files", kind: "layer", inside: rest.map((file) => this.#file({ ...file, changes: [] }, "rest")) }));
    this.place.replaceChildren(...roots);
    const items = this.#items();
    const focus = items.find((item) => item.dataset.key === held);
    for (const item of items) item.tabIndex = -1;
    const first = focus ?? items[0];
    if (first) first.tabIndex = 0;
    focus?.focus();
    this.#marks();
  }

  #file(file, of, folder = "") {
    return this.#node({
      key: `f:${of}:${file.path}`, words: file.path.startsWith(`${folder}/`) ? file.path.slice(folder.length + 1) : file.path, kind: "file", path: file.path, uri: file.uri,
      own: !file.readonly, inside: (file.changes ?? []).map((change) => this.#node({
        key: `c:${of}:${file.path}:${change.path}`, words: change.title || change.path, kind: change.kind, path: file.path, line: change.line ?? 1, mark: KINDS[change.kind],
      })),
    });
  }

  #node({ key, words, note = null, kind, inside = null, path = null, uri = null, line = null, mark = null, open = false, own = false }) {
    const branch = Boolean(inside?.length);
    const expanded = branch ? (this.#opened.get(key) ?? open) : null;
    const label = element("span", { class: `st-tree__row st-tree__row--${kind}` },
      element("span", { class: "st-tree__twist", "aria-hidden": "true" }, branch ? "▸" : ""),
      mark ? element("span", { class: "st-tree__mark", title: mark[1] }, element("span", { "aria-hidden": "true" }, mark[0]), element("span", { class: "st-unseen" }, `${mark[1]} `)) : null,
      element("span", { class: "st-tree__words", title: words }, words),
      note ? element("span", { class: "st-tree__note" }, note) : null,
      element("span", { class: "st-tree__count" }));
    const item = element("li", { role: "treeitem", "aria-expanded": expanded === null ? null : String(expanded), "data-key": key, "data-path": path, "data-uri": uri, "data-line": line, "data-own": own ? "" : null, title: own ? OWN : null, tabindex: -1 }, label);
    if (branch) item.append(element("ul", { role: "group" }, ...inside));
    label.addEventListener("click", (event) => {
      const twist = event.target.classList.contains("st-tree__twist");
      if (branch && (twist || path === null)) this.#expand(item, item.getAttribute("aria-expanded") !== "true");
      if (path !== null && !twist) this.open(path, line);
      this.#focus(item, false);
    });
    return item;
  }

  /** Shows what can be done with a file. */
  #menu(event) {
    const item = event.target.closest("[role=treeitem]");
    if (item?.dataset.own === undefined) return;
    event.preventDefault();
    this.#focus(item);
    menuAt(item.firstChild.getBoundingClientRect(), "File", this.acts(item.dataset.path), item);
  }

  #items() {
    return [...this.place.querySelectorAll("[role=treeitem]")].filter((item) => item.parentElement.closest("[aria-expanded=false]") === null);
  }

  #focus(item, really = true) {
    for (const each of this.place.querySelectorAll("[role=treeitem]")) each.tabIndex = each === item ? 0 : -1;
    if (really) item.focus();
  }

  #expand(item, open) {
    if (!item.hasAttribute("aria-expanded")) return;
    item.setAttribute("aria-expanded", String(open));
    this.#opened.set(item.dataset.key, open);
  }

  #key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (item === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = this.#items();
    const at = items.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    const moves = {
      ArrowDown: () => items[at + 1] && this.#focus(items[at + 1]),
      ArrowUp: () => items[at - 1] && this.#focus(items[at - 1]),
      Home: () => this.#focus(items[0]),
      End: () => this.#focus(items.at(-1)),
      ArrowRight: () => (expanded === "false" ? this.#expand(item, true) : expanded === "true" && this.#focus(items[at + 1])),
      ArrowLeft: () => (expanded === "true" ? this.#expand(item, false) : item.parentElement.closest("[role=treeitem]") && this.#focus(item.parentElement.closest("[role=treeitem]"))),
      Enter: () => (item.dataset.path ? this.open(item.dataset.path, Number(item.dataset.line) || null) : this.#expand(item, expanded !== "true")),
      " ": () => moves.Enter(),
    };
    const letter = event.key.length === 1 && event.key !== " " && [...items.slice(at + 1), ...items.slice(0, at)].find((each) => each.querySelector(".st-tree__words").textContent.toLowerCase().startsWith(event.key.toLowerCase()));
    if (!(event.key in moves) && !letter) return;
    event.preventDefault();
    event.stopPropagation();
    if (letter) this.#focus(letter);
    else moves[event.key]();
  }

  /** Opens the branches around the current file, unless it is in sight in one of several places. */
  #reveal() {
    const places = [...this.place.querySelectorAll("[aria-current]")];
    const hidden = (item) => item.parentElement.closest("[aria-expanded=false]");
    const [first] = places;
    if (first === undefined || places.some((item) => hidden(item) === null)) return;
    for (let around = hidden(first); around !== null; around = hidden(first)) this.#expand(around, true);
    first.firstElementChild.scrollIntoView({ block: "nearest" });
  }

  /** Marks the current file, and updates the problem counts. */
  #marks() {
    for (const item of this.place.querySelectorAll("[data-path]:not([data-line])")) {
      const { path, uri } = item.dataset;
      item.toggleAttribute("aria-current", path === this.current());
      const { errors, warnings } = uri ? this.count(uri) : { errors: 0, warnings: 0 };
      const count = item.querySelector(":scope > .st-tree__row > .st-tree__count");
      count.textContent = errors || warnings || "";
      count.classList.toggle("st-tree__count--error", errors > 0);
      count.setAttribute("title", errors ? counted(errors, "error") : warnings ? counted(warnings, "warning") : "");
    }
  }
}
