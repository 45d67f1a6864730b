// Actions at the cursor: a small menu of changes that fix, override, sign or rename, and a field for names.

import { EditorSelection, jumpToDefinition, LSPPlugin } from "../codemirror.js";
import { boxAt, menuAt } from "./box.js";
import { byFile } from "./edits.js";
import { button, element, plain, refuse, say } from "./elements.js";

const LATE = 400; // milliseconds before telling the user that the actions wait for a check

/** Returns the rectangle of the cursor of an editor. */
const whereIn = (view) => view.coordsAtPos(view.state.selection.main.head) ?? view.dom.getBoundingClientRect();

/** Asks for a text at the cursor. `give(text)` uses it, and the box stays open while it throws. `closed` is called at the end. */
function askAt(view, { words, does, value, wide = false }, give, closed = () => {}) {
  const input = element("input", { class: "st-field", value, "aria-label": words, spellcheck: "false" });
  const refused = element("p", { class: "st-refused", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    try {
      await give(input.value);
      close();
    } catch (error) {
      refuse(refused, error);
    }
  };
  const form = element("form", { class: `st-menu st-menu--form${wide ? " st-menu--wide" : ""}`, onsubmit: send }, element("label", {}, `${words} `, input), button(does, null, { type: "submit" }), refused);
  const close = boxAt(whereIn(view), form, view, closed);
  input.select();
}

function replaceLast(text, old, put) {
  const at = text.lastIndexOf(old);
  return at < 0 ? text : text.slice(0, at) + put + text.slice(at + old.length);
}

/** Returns a value as YAML between braces, with quotes if YAML would misread it. A value that replaces a list or mapping is used as typed. */
function written(text, inherited) {
  const asItIs = /^[[{]/.test(inherited) || /^(".*"|'.*')$/s.test(text);
  return !asItIs && /[[\]{},]|:(\s|$)|\s#|^[&*!|>%@`"'#]|^[-?](\s|$)/.test(text) ? JSON.stringify(text) : text;
}

const REVIEWS = ["text-outdated", "text-unreviewed"];
const isLast = ({ kind }) => kind === "quickfix.disable";

export class Offers {
  #asked = null;

  /** `writable(uri)` says whether a file can be changed. `reveal(doc, {from, to})` shows inserted text. `review(ref, name)` compares a text with its rules. */
  constructor({ language, beside, edits, writable, reveal, review, trouble }) {
    Object.assign(this, { language, beside, edits, writable, reveal, review, trouble });
  }

  /** Shows the actions at a position of a document, or at its cursor. For a problem, which may be in another file, shows only its fixes. */
  async show(doc, from = null, problem = null, uri = doc.uri) {
    const { view } = doc;
    if (from !== null) view.dispatch({ selection: EditorSelection.cursor(from) });
    const { doc: text, selection } = view.state;
    const asked = (this.#asked = {});
    let told = false;
    const waiting = setTimeout(() => { told = true; say("Looking for actions…"); }, LATE);
    const asking = problem ? [this.fixes(uri, problem), []] : [this.at(doc), this.#ofName(doc)];
    const [found, names] = await Promise.all(asking).finally(() => clearTimeout(waiting));
    if (told) say("");
    // The response waits for a check. If the user has moved on, no menu is shown.
    if (this.#asked !== asked || view.state.doc !== text || !view.state.selection.eq(selection)) return;
    const lenses = problem ? [] : this.beside.at(doc, view.state.selection.main.head);
    if (!found.length && !lenses.length && !names.length) {
      say(problem ? "This problem has no automatic fix." : "There are no actions here. Put the cursor on a name, a number or a text.");
      return;
    }
    const act = (action) => ({ title: action.title, run: () => (action.run ? action.run() : this.take(action, doc)) });
    const first = found.filter((action) => !isLast(action));
    // Actions that suppress a problem instead of fixing it are set apart.
    const last = found.filter(isLast).map((action, at) => ({ ...act(action), apart: at === 0 }));
    const items = [
      ...first.map(act),
      ...lenses.map((lens) => ({ title: `${lens.command.title}${lens.command.arguments[2] ? ` \`${lens.command.arguments[2]}\`` : ""}`, run: () => this.beside.take(lens) })),
      ...names.map(act),
      ...last,
    ];
    menuAt(whereIn(view), problem ? "Fixes" : "Actions", items, view, Math.max(0, first.findIndex((action) => action.isPreferred)));
  }

  /** Returns the code actions at the cursor, fixes first. */
  async at(doc) {
    const plugin = LSPPlugin.get(doc.view);
    const { from, to } = doc.view.state.selection.main;
    const range = { start: plugin.toPosition(from), end: plugin.toPosition(to) };
    return this.#ask(doc.uri, range);
  }

  /** Returns what can be done with the name at the cursor of a document, if there is one. */
  async #ofName(doc) {
    const { view } = doc;
    const position = LSPPlugin.get(view).toPosition(view.state.selection.main.head);
    const ask = (method) => this.language.ask(`textDocument/${method}`, doc, { position }).catch(() => null);
    const [name, declared] = await Promise.all([ask("prepareRename"), ask("definition")]);
    if (!name) return [];
    const [there = null] = [declared ?? []].flat();
    const quoted = `\`${name.placeholder}\``;
    const isHere = there !== null && there.uri === doc.uri && there.range.start.line === position.line;
    return [
      { title: `Show all uses of ${quoted}`, run: () => this.language.uses(doc).catch(this.trouble) },
      ...(there !== null && !isHere ? [{ title: `Go to the definition of ${quoted}`, run: () => { view.focus(); jumpToDefinition(view); } }] : []),
      ...(this.writable(there?.uri ?? doc.uri) ? [{ title: `Rename ${quoted} everywhere…`, run: () => this.rename(doc) }] : []),
    ];
  }

  /** Returns the actions that fix a problem in a file, which need not be open. */
  async fixes(uri, { range: { start }, message, code, data }) {
    const same = (each) => each.message === message && each.range.start.line === start.line && each.range.start.character === start.character;
    const found = await this.#ask(uri, { start, end: start });
    const fixes = found.filter(({ kind, diagnostics }) => kind.startsWith("quickfix") && (!diagnostics?.length || diagnostics.some(same)));
    if (!fixes.length || !REVIEWS.includes(code)) return fixes;
    // The release dialog shows the text beside its rules.
    const [, name] = message.split("`");
    return [...(data?.editions ?? []).map((ref) => ({ title: `Compare the text with the rules of ${ref}, then edit it or mark it as reviewed…`, isPreferred: true, run: () => this.review(ref, name) })), ...fixes];
  }

  async #ask(uri, range) {
    this.language.client.sync();
    const found = (await this.language.client.request("textDocument/codeAction", { textDocument: { uri }, range, context: { diagnostics: [] } })) ?? [];
    const weight = ({ isPreferred, diagnostics }) => 2 * Number(Boolean(isPreferred)) + Number(Boolean(diagnostics?.length));
    // Leave out actions that would change read-only files.
    const possible = (action) => !action.disabled && !(action.command && !this.writable(uri)) && byFile(action.edit ?? {}).every(([file]) => this.writable(file));
    return found.filter(possible).sort((a, b) => weight(b) - weight(a));
  }

  /** Runs an action of a document. If it inserts a value, asks for another one first. */
  async take(action, doc) {
    try {
      const whole = action.edit || action.command ? action : await this.language.client.request("codeAction/resolve", action);
      const { value } = whole.data ?? {};
      if (!value) return void (await this.#do(whole, doc));
      // A fix may confirm the inherited value. For an override, that would be a mistake.
      const confirms = whole.kind?.startsWith("quickfix");
      const asked = confirms ? { words: /^\d+$/.test(value) ? "Value" : "New text", does: "Write", value: /^"/.test(value) ? JSON.parse(value) : value } : { words: `New value, instead of ${value}`, does: "Override", value };
      askAt(doc.view, { ...asked, wide: confirms }, (text) => {
        if (text.trim() === value && !confirms) throw new Error("This is the inherited value. Enter a different one.");
        return this.#do(JSON.parse(JSON.stringify(whole), (key, each) => (key === "newText" ? replaceLast(each, value, written(text.trim(), asked.value)) : each)), doc);
      });
    } catch (error) {
      this.trouble(error);
    }
  }

  async #do(action, doc) {
    const made = action.edit ? await this.edits.apply(action.edit, action.data?.select) : [];
    // Text that was inserted in another file is shown there, selected for editing.
    if (made.length && (action.data?.select || made.every((each) => each.doc !== doc))) this.reveal(made[0].doc, made[0].word);
    const command = typeof action.command === "string" ? action : action.command;
    if (command) await this.language.client.request("workspace/executeCommand", { command: command.command, arguments: command.arguments });
    say(`Done: ${plain(action.title)}`);
  }

  /** Asks for a new name of the entry at the cursor, and renames it in all files. */
  async rename(doc) {
    const { view } = doc;
    const plugin = LSPPlugin.get(view);
    const position = plugin.toPosition(view.state.selection.main.head);
    try {
      const found = await this.language.ask("textDocument/prepareRename", doc, { position });
      if (!found) {
        say("There is nothing to rename here.");
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
