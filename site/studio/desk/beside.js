// Code lenses, inlay hints and semantic colours. The language server sends them after each check.

import { Decoration, EditorView, StateEffect, StateField, WidgetType } from "../codemirror.js";
import { element, plain } from "./elements.js";

const put = StateEffect.define();

/** Decorations that keep their positions during typing until new ones arrive. Block widgets need a state field. */
const shown = StateField.define({
  create: () => Decoration.none,
  update: (before, { changes, effects }) => effects.find((each) => each.is(put))?.value ?? before.map(changes),
  provide: (field) => EditorView.decorations.from(field),
});

/** Code lenses above a line. The keyboard reaches them through the menu of actions at the cursor. */
class Lenses extends WidgetType {
  constructor(lenses, indent, take) {
    super();
    Object.assign(this, { lenses, indent, take });
  }

  get key() {
    return `${this.indent} ${JSON.stringify(this.lenses.map(({ command }) => command))}`;
  }

  eq(other) {
    return other.key === this.key;
  }

  toDOM() {
    const parts = this.lenses.flatMap((lens, at) => [
      ...(at ? [element("span", { "aria-hidden": "true" }, " · ")] : []),
      element("button", { type: "button", class: "st-lens", tabindex: -1, onmousedown: (event) => event.preventDefault(), onclick: () => this.take(lens) }, lens.command.title),
    ]);
    return element("div", { class: "st-lenses", style: `padding-left: calc(6px + ${this.indent}ch)` }, ...parts);
  }

  get estimatedHeight() {
    return 18;
  }

  ignoreEvent() {
    return true;
  }
}

class Hint extends WidgetType {
  constructor({ label, tooltip }) {
    super();
    this.words = typeof label === "string" ? label : label.map(({ value }) => value).join("");
    this.more = typeof tooltip === "string" ? tooltip : (tooltip?.value ?? "");
  }

  eq(other) {
    return other.words === this.words && other.more === this.more;
  }

  toDOM() {
    return element("span", { class: "st-inlay", title: plain(this.more) || null }, this.words);
  }
}

export class Beside {
  #lenses = new Map();

  /** `shown()` returns the current document. `take(lens)` runs a lens. */
  constructor({ news, language, current, take }) {
    Object.assign(this, { language, current, take });
    for (const name of ["checked", "shown", "language"]) news.on(name, () => this.#look(current()));
    news.on("closed", (doc) => this.#lenses.delete(doc));
  }

  get extension() {
    return shown;
  }

  /** Returns the lenses of a document above its first line, and of the entry around a position. */
  at(doc, offset) {
    const lenses = this.#lenses.get(doc) ?? [];
    const line = doc.view.state.doc.lineAt(offset).number - 1;
    const above = lenses.filter(({ command, range }) => command.arguments[1] && range.start.line <= line);
    const nearest = above.at(-1)?.range.start.line;
    return [...above.filter(({ range }) => range.start.line === nearest), ...lenses.filter(({ command }) => !command.arguments[1])];
  }

  async #look(doc) {
    if (doc === null || !doc.uri || !this.language.here) return;
    const text = doc.view.state.doc;
    const whole = { start: { line: 0, character: 0 }, end: { line: text.lines, character: 0 } };
    // Requests to a server that stops are lost. After reconnecting, they are sent again.
    const ask = (method, more) => this.language.ask(method, doc, more).catch(() => null);
    const [lenses, hints, tokens] = await Promise.all([ask("textDocument/codeLens"), ask("textDocument/inlayHint", { range: whole }), ask("textDocument/semanticTokens/full")]);
    if (doc.view.state.doc !== text || [lenses, hints, tokens].includes(null)) return; // the text has changed, so another check follows
    this.#lenses.set(doc, lenses);
    doc.view.dispatch({ effects: put.of(Decoration.set([...this.#above(text, lenses), ...this.#behind(text, hints), ...this.#within(text, tokens)], true)) });
  }

  #above(text, lenses) {
    return [...Map.groupBy(lenses, ({ range }) => range.start.line)].filter(([line]) => line < text.lines).map(([line, those]) => {
      const { from, text: words } = text.line(line + 1);
      const indent = those[0].command.arguments[1] ? /^\s*/.exec(words)[0].length : 0;
      return Decoration.widget({ widget: new Lenses(those, indent, this.take), block: true, side: -1 }).range(from);
    });
  }

  #behind(text, hints) {
    return hints.filter(({ position }) => position.line < text.lines).map((hint) => {
      const line = text.line(hint.position.line + 1);
      return Decoration.widget({ widget: new Hint(hint), side: 1 }).range(Math.min(line.from + hint.position.character, line.to));
    });
  }

  #within(text, { data = [] }) {
    const sorts = this.language.client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
    const found = [];
    for (let at = 0, line = 0, start = 0; at < data.length; at += 5) {
      start = data[at] ? data[at + 1] : start + data[at + 1];
      line += data[at];
      if (line >= text.lines) break;
      const { from, to } = text.line(line + 1);
      if (from + start + data[at + 2] > to) continue;
      found.push(Decoration.mark({ class: `st-sort st-sort--${sorts[data[at + 3]]}` }).range(from + start, from + start + data[at + 2]));
    }
    return found;
  }
}
