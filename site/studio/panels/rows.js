// The Rows panel: cells pasted from a spreadsheet become rows of a table. The changes are shown first, then written.

import { button, counted, element, say, worded } from "../desk/elements.js";

const MOST = 100; // rows shown for each kind of change
const REST = 300; // milliseconds after typing

class Rows {
  #table = null;
  #cursor = null;
  #file = null;
  #timer = 0;
  #written = false; // whether the panel shows the result of a write, which stays until cells are pasted

  constructor(panels) {
    this.panels = panels;
    this.hint = element("p", { class: "st-hint", hidden: true }, ...worded("These rules have no table with columns. Write one in a rules file, such as `tables: {prices: {title: Prices, columns: {cost: int}, rows: {bread: {cost: 1}}}}`, and its rows can be pasted here."));
    this.choice = element("select", { class: "st-field", onchange: () => { this.#table = this.choice.value; this.#ask(); } });
    this.copy = button("Copy for a spreadsheet", () => this.#copy());
    this.columns = element("p", { class: "st-hint" });
    this.now = element("div", { class: "st-rows__now", tabindex: 0, role: "region", "aria-label": "The rows of the table" });
    this.cells = element("textarea", {
      class: "st-field st-rows__cells", rows: 6, spellcheck: "false", wrap: "off", placeholder: "Paste cells here, including the row of column names.",
      oninput: () => { this.#forgetFile(); this.#written = false; clearTimeout(this.#timer); this.#timer = setTimeout(() => this.#ask(), REST); },
    });
    this.file = element("input", { class: "st-rows__file", type: "file", accept: ".csv,.tsv,.txt,.tab", onchange: () => this.#read().catch(this.panels.trouble) });
    this.remove = element("input", { type: "checkbox", onchange: () => this.#ask() });
    this.write = button("Write", () => this.#ask(true), { class: "st-button st-button--main", disabled: true });
    this.gist = element("p", { class: "st-rows__gist", role: "status" });
    this.result = element("div");
    this.parts = element("div", {},
      element("div", { class: "st-buttons" }, element("label", { class: "st-label" }, "Table ", this.choice), this.copy),
      this.now,
      element("label", { class: "st-label st-rows__label" }, "Cells from a spreadsheet", this.cells),
      this.columns,
      element("div", { class: "st-buttons" },
        element("label", { class: "st-label" }, "Or a CSV file ", this.file)),
      element("label", { class: "st-rows__remove" }, this.remove, " Remove rows that are not in the sheet"),
      element("div", { class: "st-buttons" }, this.write),
      this.gist, this.result);
    this.element = element("div", { class: "st-rows" }, this.hint, this.parts);
  }

  async refresh() {
    await this.#ask();
  }

  async #ask(write = false) {
    clearTimeout(this.#timer);
    try {
      // The changes are based on the shown text, so save it before writing them.
      if (write) await this.panels.saved();
      const answer = await this.panels.ask("rows", {
        ...(this.#table === null ? {} : { table: this.#table }), sheet: this.cells.value, ...this.#file, removal: this.remove.checked, ...(write ? { write: true } : {}),
      });
      if (answer === null) return;
      // A table that the cursor moves into replaces the chosen one.
      const moved = answer.at_cursor !== this.#cursor;
      this.#cursor = answer.at_cursor;
      if (moved && answer.at_cursor !== null && answer.at_cursor !== answer.table?.id) {
        this.#table = answer.at_cursor;
        return void (await this.#ask());
      }
      this.#draw(answer);
    } catch (error) {
      this.panels.trouble(error);
    }
  }

  async #read() {
    const [file] = this.file.files;
    if (file === undefined) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = "";
    for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    this.#file = { file: btoa(binary), name: file.name };
    this.cells.value = "";
    this.#written = false;
    await this.#ask();
  }

  #forgetFile() {
    this.#file = null;
    this.file.value = "";
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.sheet);
      say("Copied. Paste it into a spreadsheet.");
    } catch {
      // If the browser blocks the clipboard, the user can copy the selected text.
      this.#forgetFile();
      this.cells.value = this.sheet;
      this.cells.select();
      say("Selected. Copy it with the keyboard.");
    }
  }

  #draw({ table, tables, update, written }) {
    this.hint.hidden = table !== null;
    this.parts.hidden = table === null;
    if (table === null) return;
    this.#table = table.id;
    this.sheet = table.sheet;
    this.choice.replaceChildren(...tables.map(({ id, title }) => element("option", { value: id, selected: id === table.id }, title === id ? id : `${title} (${id})`)));
    this.now.replaceChildren(sheet(table.cells));
    this.columns.replaceChildren("Columns: ", ...table.columns.flatMap(({ header, required }, at) => [at ? ", " : "", element(required ? "strong" : "span", {}, header)]), table.columns.some(({ required }) => required) ? ". Every new row needs the columns in bold." : ".");
    if (written.length) {
      this.#forgetFile();
      this.cells.value = "";
      this.remove.checked = false;
      this.write.disabled = true;
      this.#written = true;
      this.gist.textContent = `Written to ${written.join(", ")}. ${update.summary}.`;
      this.result.replaceChildren();
      return;
    }
    this.write.disabled = !update?.writes;
    if (update === null && this.#written) return;
    const faults = update?.diagnostics.length ?? 0;
    const gist = update === null ? "" : faults ? `Nothing can be written yet because the sheet has ${counted(faults, "error")}.` : `${update.summary}.`;
    // Do not announce the same text again.
    if (gist !== this.gist.textContent) this.gist.textContent = gist;
    this.result.replaceChildren(...(update === null ? [] : changes(update)));
  }
}

/** Renders the rows of a table as they are now. */
function sheet([headers, ...rows]) {
  return element("table", { class: "st-table" },
    element("thead", {}, element("tr", {}, ...headers.map((words) => element("th", { scope: "col" }, words)))),
    element("tbody", {}, ...rows.map(([id, ...cells]) => element("tr", {}, element("th", { scope: "row" }, id), ...cells.map((words) => element("td", {}, words))))));
}

/** Renders what a sheet changes, or what is wrong in it. */
function changes({ assumed, added, changed, removed, missing, diagnostics, consequences }) {
  if (diagnostics.length) {
    return [
      element("ul", { class: "st-rows__faults" }, ...diagnostics.map(({ message, help }) => element("li", {}, element("span", { class: "st-refused" }, ...worded(message)), element("br"), element("span", { class: "st-hint" }, ...worded(help))))),
    ];
  }
  return [
    ...(assumed.length ? [element("p", { class: "st-hint" }, "Assumed: ", ...worded(assumed.join("; ")), ".")] : []),
    ...(consequences.length ? [
      element("p", { class: "st-refused" }, `With these rows, the rules have ${counted(consequences.length, "new problem")}:`),
      element("ul", { class: "st-rows__faults" }, ...consequences.slice(0, MOST).map(({ message }) => element("li", {}, ...worded(message))))] : []),
    ...listed("Added", "add", added, ({ id, cells }) => [element("strong", {}, id), ...cells.flatMap(({ column, after }) => [" ", element("span", { class: "st-hint" }, column), " ", element("ins", {}, after)])]),
    ...listed("Changed", "change", changed, ({ id, cells }) => [element("strong", {}, id), ...cells.flatMap(({ column, before, after, cell }) => [" ", element("span", { class: "st-hint", title: cell }, column), " ", ...(before ? [element("del", {}, before), " "] : []), ...(after ? [element("ins", {}, after)] : [])])]),
    ...listed("Removed", "remove", removed, (id) => [element("del", {}, id)]),
    ...listed("Kept, although not in the sheet", "keep", missing, (id) => [id]),
  ];
}

function listed(title, kind, rows, shown) {
  if (!rows.length) return [];
  const more = rows.length - MOST;
  return [
    element("h3", {}, title),
    element("ul", { class: `st-rows__list st-rows__list--${kind}` }, ...rows.slice(0, MOST).map((row) => element("li", {}, ...shown(row))), ...(more > 0 ? [element("li", { class: "st-hint" }, `and ${more} more`)] : [])),
  ];
}

export const panel = { name: "rows", title: "Rows", make: (panels) => new Rows(panels) };
