// Actions at the cursor: a small menu of changes that fix, override, sign or rename, and a field for names.

import { EditorSelection, LSPPlugin } from "../codemirror.js";
import { button, element, plain, roving, say, worded } from "./elements.js";

/** Opens a box at a position of an editor. It closes when it loses focus. */
function boxAt(view, at, box, closed = () => {}) {
  const where = view.coordsAtPos(at) ?? view.dom.getBoundingClientRect();
  document.body.append(box);
  let open = true;
  const close = (back = true) => {
    if (!open) return;
    open = false; // removing it takes its focus, which would close it again
    box.remove();
    if (back) view.focus();
    closed();
  };
  box.style.left = `${Math.max(8, Math.min(where.left, innerWidth - box.offsetWidth - 8))}px`;
  const below = where.bottom + 4;
  box.style.top = `${below + box.offsetHeight > innerHeight ? Math.max(8, where.top - box.offsetHeight - 4) : below}px`;
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Tab") return;
    event.preventDefault();
    close();
  });
  box.addEventListener("focusout", (event) => !box.contains(event.relatedTarget) && close(false));
  return close;
}

/** Asks for a text at the cursor. `give(text)` uses it, and the box stays open while it throws. `closed` is called at the end. */
function askAt(view, { words, does, value }, give, closed = () => {}) {
  const input = element("input", { class: "st-field", value, "aria-label": words, spellcheck: "false" });
  const refused = element("p", { class: "st-refused", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    try {
      await give(input.value);
      close();
    } catch (error) {
      refused.textContent = error.message;
    }
  };
  const form = element("form", { class: "st-menu st-menu--form", onsubmit: send }, element("label", {}, `${words} `, input), button(does, null, { type: "submit" }), refused);
  const close = boxAt(view, view.state.selection.main.head, form, closed);
  input.select();
}

function replaceLast(text, old, put) {
  const at = text.lastIndexOf(old);
  return at < 0 ? text : text.slice(0, at) + put + text.slice(at + old.length);
}

export class Offers {
  #asked = null;

  /** `reveal(doc, {from, to})` shows inserted text. */
  constructor({ language, beside, edits, reveal, trouble }) {
    Object.assign(this, { language, beside, edits, reveal, trouble });
  }

  /** Shows the actions at a position of a document, or at its cursor. */
  async show(doc, from = null) {
    const { view } = doc;
    if (from !== null) view.dispatch({ selection: EditorSelection.cursor(from) });
    const { doc: text, selection } = view.state;
    const asked = (this.#asked = {});
    const found = await this.at(doc);
    // The answer waits for a check. If the user has moved on, no menu is shown.
    if (this.#asked !== asked || view.state.doc !== text || !view.state.selection.eq(selection)) return;
    const lenses = this.beside.at(doc, view.state.selection.main.head);
    if (!found.length && !lenses.length) {
      say("Nothing is offered here.");
      return;
    }
    const item = (words, run) => element("button", { type: "button", role: "menuitem", class: "st-menu__item", tabindex: -1, onclick: () => { close(); run(); } }, ...worded(words));
    const items = [
      ...found.map((action) => item(action.title, () => this.take(action, doc))),
      ...lenses.map((lens) => item(`${lens.command.title}${lens.command.arguments[2] ? ` \`${lens.command.arguments[2]}\`` : ""}`, () => this.beside.take(lens))),
    ];
    const menu = element("div", { class: "st-menu", role: "menu", "aria-label": "What can be done here" }, ...items);
    const close = boxAt(view, view.state.selection.main.head, menu);
    const go = roving(menu, () => items);
    go(items[Math.max(0, found.findIndex((action) => action.isPreferred))]);
  }

  /** Returns the code actions at the cursor, fixes first. */
  async at(doc) {
    const plugin = LSPPlugin.get(doc.view);
    const { from, to } = doc.view.state.selection.main;
    const range = { start: plugin.toPosition(from), end: plugin.toPosition(to) };
    const found = (await this.language.ask("textDocument/codeAction", doc, { range, context: { diagnostics: [] } })) ?? [];
    const weight = ({ isPreferred, diagnostics }) => 2 * Number(Boolean(isPreferred)) + Number(Boolean(diagnostics?.length));
    // What would be written into this file is not offered where nothing can be written.
    return found.filter((action) => !action.disabled && !(doc.readonly && action.command)).sort((a, b) => weight(b) - weight(a));
  }

  /** Runs an action of a document. */
  async take(action, doc) {
    try {
      const { client } = this.language;
      const whole = await this.#valued(action.edit || action.command ? action : await client.request("codeAction/resolve", action), doc);
      if (whole === null) return;
      const made = whole.edit ? await this.edits.apply(whole.edit) : [];
      // Text that was inserted in another file is shown there, selected for editing.
      if (made.length && made.every((each) => each.doc !== doc)) this.reveal(made[0].doc, made[0].word);
      const command = typeof whole.command === "string" ? whole : whole.command;
      if (command) await client.request("workspace/executeCommand", { command: command.command, arguments: command.arguments });
      say(`Done: ${plain(action.title)}`);
    } catch (error) {
      this.trouble(error);
    }
  }

  /** Returns an action with the value that the user wants it to insert, or null if the user closes the box. An override with
   * the same value would be an error until it is changed. */
  #valued(action, doc) {
    const { value } = action.data ?? {};
    if (!value) return action;
    return new Promise((done) => askAt(doc.view, { words: `New value, instead of ${value}`, does: "Override", value }, (text) => {
      if (text.trim() === value) throw new Error("This is the inherited value: type another one.");
      done(JSON.parse(JSON.stringify(action), (key, each) => (key === "newText" ? replaceLast(each, value, text.trim()) : each)));
    }, () => done(null)));
  }

  /** Asks for a new name of the entry at the cursor, and renames it in all files. */
  async rename(doc) {
    const { view } = doc;
    const plugin = LSPPlugin.get(view);
    const position = plugin.toPosition(view.state.selection.main.head);
    try {
      const found = await this.language.ask("textDocument/prepareRename", doc, { position });
      if (!found) {
        say("There is no name here that could be another.");
        return;
      }
      askAt(view, { words: "New name", does: "Rename", value: found.placeholder ?? "" }, async (newName) => {
        const edit = await this.language.ask("textDocument/rename", doc, { position, newName });
        const docs = edit ? await this.edits.apply(edit) : [];
        say(`Renamed in ${docs.length} ${docs.length === 1 ? "file" : "files"}.`);
      });
    } catch (error) {
      this.trouble(error);
    }
  }
}
