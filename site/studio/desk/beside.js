// Code lenses, inlay hints and semantic colours. The language server sends them after each check.

import { Decoration, EditorView, StateEffect, StateField, WidgetType } from "../codemirror.js";
import { element, plain } from "./elements.js";

const put = StateEffect.define();

/** Code lenses: those of an entry behind its first line, and those of the file above its text, where they have room from
 * the start, so that no line moves when they arrive. The keyboard reaches them through the menu of actions at the cursor. */
class Lenses extends WidgetType {
  constructor(lenses, take, isAbove) {
    super();
    Object.assign(this, { lenses, take, isAbove });
  }

  get key() {
    return `${this.isAbove} ${JSON.stringify(this.lenses.map(({ command }) => command))}`;
  }

  eq(other) {
    return other.key === this.key;
  }

  toDOM() {
    const parts = this.lenses.flatMap((lens, at) => [
      ...(at ? [element("span", { "aria-hidden": "true" }, " · ")] : []),
      element("button", { type: "button", class: "st-lens", tabindex: -1, onmousedown: (event) => event.preventDefault(), onclick: () => this.take(lens) }, lens.command.title),
    ]);
    return element(this.isAbove ? "div" : "span", { class: this.isAbove ? "st-lenses st-lenses--above" : "st-lenses" }, ...parts);
  }

  get estimatedHeight() {
    return this.isAbove ? 18 : -1;
  }

  ignoreEvent() {
    return true;
  }
}

const above = (lenses, take) => Decoration.widget({ widget: new Lenses(lenses, take, true), block: true, side: -1 }).range(0);

/** Decorations that keep their positions during typing until new ones arrive. Block widgets need a state field. */
const shown = StateField.define({
  create: () => Decoration.set(above([], () => {})),
  update: (before, { changes, effects }) => effects.find((each) => each.is(put))?.value ?? before.map(changes),
  provide: (field) => EditorView.decorations.from(field),
});

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
    // Hints may wrap a line. The line of the cursor stays in sight.
    const { head } = doc.view.state.selection.main;
    const [at, { top, bottom }] = [doc.view.coordsAtPos(head), doc.view.scrollDOM.getBoundingClientRect()];
    const keep = at !== null && at.top >= top && at.bottom <= bottom ? [EditorView.scrollIntoView(head)] : [];
    doc.view.dispatch({ effects: [...keep, put.of(Decoration.set([...this.#lensed(text, lenses), ...this.#behind(text, hints), ...this.#within(text, tokens)], true))] });
  }

  #lensed(text, lenses) {
    const [ofFile, ofEntries] = [lenses.filter(({ command }) => !command.arguments[1]), lenses.filter(({ command }) => command.arguments[1])];
    const lines = [...Map.groupBy(ofEntries, ({ range }) => range.start.line)].filter(([line]) => line < text.lines);
    return [above(ofFile, this.take), ...lines.map(([line, those]) => Decoration.widget({ widget: new Lenses(those, this.take, false), side: 1 }).range(text.line(line + 1).to))];
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
