// The Read panel: the page of the book for the entry at the cursor. Clicking a sentence shows its YAML, and moving the
// cursor in YAML shows its sentence.

import { button, element, waiting, worded } from "../desk/elements.js";
import { dark } from "../desk/scheme.js";

const AGAIN = 1000; // milliseconds before a page that was not there is requested again

class Read {
  #shown = null;
  #places = {};
  #page = null;
  #behind = []; // the chosen pages, or null for that of the cursor, from which links led here
  #chosen = null; // the page that was turned to, and the line of the cursor then

  constructor(panels) {
    this.panels = panels;
    this.pages = element("select", { class: "st-field", "aria-label": "Page of the book", onchange: () => this.#turn(0) });
    const [before, after] = [["‹", "Previous page", -1], ["›", "Next page", 1]].map(([sign, words, step]) => button(sign, () => this.#turn(step), { "aria-label": words, title: words }));
    Object.assign(this, { before, after });
    this.back = button("Back", () => this.#goBack().catch(this.panels.trouble), { title: "Back to the page with the link", hidden: true });
    this.bar = element("div", { class: "st-read__bar", hidden: true }, before, this.pages, after, this.back);
    this.note = element("p", { class: "st-hint", hidden: true });
    this.empty = element("p", { class: "st-hint" }, "Put the cursor on a rule that is in the book.");
    this.waits = waiting("The page is being written…");
    this.empty.hidden = panels.place() !== null;
    this.waits.hidden = !this.empty.hidden;
    this.frames = element("div", { class: "st-frames" }, this.empty, this.waits);
    this.element = element("div", { class: "st-read" }, this.bar, this.note, this.frames);
  }

  /** Shows the chosen page of the book, or one of its neighbours. */
  #turn(step) {
    const to = this.pages.options[this.pages.selectedIndex + step];
    if (to) this.refresh({ page: to.value }).catch(this.panels.trouble);
  }

  /** Shows the page from which the last link led here. */
  async #goBack() {
    const page = this.#behind.pop();
    if (page === null) this.#chosen = null;
    await this.refresh({ page });
  }

  #offer({ pages, name, note }) {
    const known = [...this.pages.options].map(({ value, text }) => `${value} ${text}`).join("\n");
    if (known !== pages.map(({ page, title }) => `${page} ${title}`).join("\n")) this.pages.replaceChildren(...pages.map(({ page, title }) => element("option", { value: page }, title)));
    this.pages.value = name;
    this.bar.hidden = pages.length < 2;
    this.before.disabled = this.pages.selectedIndex === 0;
    this.after.disabled = this.pages.selectedIndex === pages.length - 1;
    this.back.hidden = !this.#behind.length;
    this.note.hidden = !note;
    this.note.replaceChildren(...worded(note));
  }

  /** Shows the page for the cursor, or a chosen one until the cursor moves to another line. */
  async refresh({ page = null } = {}) {
    const { path, line } = this.panels.place() ?? {};
    const here = [path, line, this.panels.ref].join("\n");
    if (page !== null) this.#chosen = { page, here };
    else if (this.#chosen?.here !== here) {
      this.#chosen = null;
      this.#behind = [];
    }
    this.empty.hidden = true;
    this.waits.hidden = this.#shown !== null;
    const answer = await this.panels.ask("read", { dark: dark(), ...(this.#chosen === null ? {} : { page: this.#chosen.page }) });
    if (answer === null) return;
    if (this.#chosen !== null) this.#chosen.page = answer.name; // without an anchor, so that the page is scrolled to it once
    this.#places = answer.places ?? {};
    this.#offer(answer);
    if (answer.page === this.#page) this.#scroll(answer.anchor);
    else await this.#load(answer);
    this.frames.dataset.answered = answer.thing?.title ?? "";
  }

  /** Loads a page behind the current one and swaps them when it is ready, without flicker. */
  async #load({ page, anchor, title }) {
    const frame = element("iframe", { class: "st-frame", title: `The book: ${title ?? ""}`, "aria-hidden": "true" });
    const before = this.#shown;
    const same = before !== null && before.src.split("?")[0] === new URL(page, location.href).href.split("?")[0];
    const top = same ? before.contentWindow.scrollY : 0;
    this.#page = page;
    await new Promise((done) => {
      frame.addEventListener("load", done, { once: true });
      frame.src = page;
      this.frames.append(frame);
    });
    if (this.#page !== page) {
      frame.remove();
      return;
    }
    // The edition may have another version since the response. What the server says then is no page of the book.
    if (frame.contentDocument?.contentType !== "text/html") {
      frame.remove();
      this.#page = null;
      setTimeout(() => this.panels.refresh(), AGAIN);
      return;
    }
    this.#dress(frame);
    this.#shown = frame;
    frame.removeAttribute("aria-hidden");
    frame.classList.add("st-frame--shown");
    before?.remove();
    this.waits.hidden = true;
    if (same) frame.contentWindow.scrollTo(0, top);
    this.#scroll(anchor);
  }

  #dress(frame) {
    const book = frame.contentDocument;
    this.panels.dress(book);
    book.head.append(Object.assign(book.createElement("style"), { textContent: `
      .st-here { outline: 2px solid var(--rw-bar); outline-offset: .25em; border-radius: 3px; }
      [data-st-place] { cursor: pointer; }
      [data-st-place]:focus-visible { outline: 3px solid var(--rw-gold); outline-offset: .2em; }` }));
    const known = [...book.querySelectorAll("[id]")].filter(({ id }) => Object.hasOwn(this.#places, id));
    for (const [at, each] of known.entries()) {
      each.dataset.stPlace = "";
      if (each.tabIndex < 0) each.tabIndex = at === 0 ? 0 : -1;
    }
    book.addEventListener("click", (event) => this.#click(event));
    book.addEventListener("keydown", (event) => {
      const at = known.indexOf(book.activeElement);
      if (at < 0) return;
      if (event.key === "Enter") this.#go(known[at].id);
      else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        const next = known[at + (event.key === "ArrowDown" ? 1 : -1)];
        if (next) [known[at].tabIndex, next.tabIndex] = [-1, 0];
        next?.focus();
      } else return;
      event.preventDefault();
    });
  }

  #click(event) {
    const link = event.target.closest("a[href]");
    if (link !== null) {
      event.preventDefault();
      const [page, anchor] = link.href.split("#");
      const own = this.#shown.contentWindow.location.href.split("#")[0];
      if (page.split("?")[0] === own.split("?")[0]) this.#scroll(decodeURIComponent(anchor ?? ""), true);
      else if (new URL(page).origin === location.origin) {
        this.#behind.push(this.#chosen?.page ?? null);
        this.refresh({ page: new URL(page).pathname + (anchor ? `#${anchor}` : "") });
      }
      return;
    }
    if (event.target.closest("summary, button, input, select")) return;
    if (this.#shown.contentWindow.getSelection()?.toString()) return; // the user is selecting text
    for (let each = event.target; each; each = each.parentElement) {
      if (!each.id || !Object.hasOwn(this.#places, each.id)) continue;
      const row = event.target.closest("tbody > tr");
      if (row !== null && each.contains(row) && this.#places[each.id].thing.startsWith("tables.")) this.#goCell(this.#places[each.id], row, event.target).catch(this.panels.trouble);
      else this.#go(each.id);
      return;
    }
    // Texts of a section belong to its heading.
    const before = [...this.#shown.contentDocument.querySelectorAll(":is(h1, h2, h3, h4)[id]")].filter((heading) =>
      Object.hasOwn(this.#places, heading.id) && heading.compareDocumentPosition(event.target) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (event.target.closest("p, li, blockquote") && before.length) this.#go(before.at(-1).id);
  }

  #go(anchor) {
    const { path, line, column } = this.#places[anchor];
    this.panels.go(path, line, column);
  }

  /** Goes to the row of a table in the rules, and to the value of a cell. Names, faces and chances belong to the row. */
  async #goCell({ thing, ...table }, row, target) {
    const at = [...row.parentElement.children].indexOf(row);
    const column = [...row.querySelectorAll("td[data-label]")].indexOf(target.closest("td"));
    const answer = await this.panels.ask("read", { cell: [thing.slice("tables.".length), at, ...(column < 0 ? [] : [column])] });
    const { path, line, column: place } = answer?.place ?? table;
    this.panels.go(path, line, place);
  }

  #scroll(anchor, quietly = false) {
    const book = this.#shown?.contentDocument;
    const found = anchor && book?.getElementById(anchor);
    for (const each of book?.querySelectorAll(".st-here") ?? []) each.classList.remove("st-here");
    if (!found) return;
    for (let each = found; each; each = each.parentElement) if (each.localName === "details") each.open = true;
    if (!quietly) found.classList.add("st-here");
    found.scrollIntoView({ block: "center", behavior: "instant" });
  }
}

export const panel = { name: "read", title: "Read", make: (panels) => new Read(panels) };
