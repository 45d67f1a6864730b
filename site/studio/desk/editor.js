// The text editor. The language server knows the rules.

import {
  acceptCompletion, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, closeCompletion, completionStatus, Compartment, currentCompletions, Decoration, defaultKeymap, drawSelection, dropCursor, EditorState,
  EditorView, foldGutter, foldKeymap, highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, HighlightStyle,
  history, historyKeymap, indentLess, indentMore, indentOnInput, indentService, indentUnit, keymap, lineNumbers, lintGutter, moveCompletionSelection, Prec, search, searchKeymap, selectedCompletion, startCompletion, StateEffect,
  syntaxHighlighting, tags, tooltips, Transaction, ViewPlugin, WidgetType, yaml,
} from "../codemirror.js";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--st-key)" },
  { tag: [tags.string, tags.content, tags.attributeValue], color: "var(--rw-ink)" },
  { tag: [tags.lineComment, tags.comment], color: "var(--rw-quiet)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.bool, tags.null], color: "var(--rw-special)" },
  { tag: [tags.number], color: "var(--rw-reminder)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--rw-quiet)" },
]);

const looks = EditorView.theme({
  "&": { height: "100%", color: "var(--rw-ink)", backgroundColor: "var(--rw-raised)", fontSize: ".875rem" },
  ".cm-scroller": { fontFamily: "var(--st-mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--rw-accent)", padding: ".5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--rw-accent)", borderLeftWidth: "2px" },
  "&.cm-focused": { outline: "none" },
  ".cm-gutters": { color: "var(--rw-quiet)", backgroundColor: "var(--rw-paper)", borderRight: "1px solid var(--rw-line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--rw-mark) 32%, transparent)" },
  ".cm-activeLineGutter": { color: "var(--rw-ink)", backgroundColor: "var(--rw-mark)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--rw-bar) 35%, transparent)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--rw-bar) 22%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--rw-mark)", outline: "1px solid var(--rw-bar)" },
  ".cm-tooltip": { color: "var(--rw-ink)", backgroundColor: "var(--rw-raised)", border: "1px solid var(--rw-bar)", borderRadius: "var(--rw-radius)", boxShadow: "0 .2rem .8rem rgb(0 0 0 / .2)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--st-mono)", maxHeight: "16em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: ".1em .5em", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--rw-ink)", backgroundColor: "var(--rw-mark)" },
  ".cm-completionDetail": { color: "var(--rw-quiet)", fontStyle: "normal", marginLeft: "1em" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--rw-accent)" },
  ".cm-tooltip.cm-completionInfo": { maxWidth: "26rem", padding: ".4rem .6rem", fontFamily: "var(--rw-sans)" },
  ".cm-panels": { color: "var(--rw-ink)", backgroundColor: "var(--rw-paper)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--rw-line)" },
  ".cm-textfield": { color: "var(--rw-ink)", backgroundColor: "var(--rw-raised)", border: "1px solid var(--rw-quiet)", borderRadius: "var(--rw-radius)" },
  ".cm-button": { color: "var(--rw-ink)", background: "var(--rw-raised)", border: "1px solid var(--rw-quiet)", borderRadius: "var(--rw-radius)" },
  ".cm-foldPlaceholder": { color: "var(--rw-quiet)", backgroundColor: "transparent", border: "1px solid var(--rw-line)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--st-error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--st-warning)" },
});

/** Groups changes of several files, so that undoing one of them undoes all. */
export const together = StateEffect.define();

/**
 * Returns the indentation of the next line: deeper below a key without a value, otherwise as before.
 *
 * Below an empty line it is none, because a new section begins there.
 */
const deeper = indentService.of((context, at) => {
  const { text } = context.lineAt(at, -1);
  if (!text.trim()) return 0;
  const own = /^\s*/.exec(text)[0].length;
  if (/(?::|[|>][-+]?)\s*(?:#.*)?$/.test(text)) return own + (/^\s*- /.test(text) ? 4 : 2);
  return /^\s*- [\w.]+:\s/.test(text) ? own + 2 : own;
});

/** Keeps tooltips between the bar and the footer. Longer ones scroll. */
const space = tooltips({ tooltipSpace: () => {
  const [bar, foot] = ["bar", "foot"].map((name) => document.getElementById(`st-${name}`).getBoundingClientRect());
  return { top: bar.bottom, left: 0, bottom: foot.top, right: innerWidth };
} });

/** Shows a note in place of the schema line, which only other editors need. */
class SchemaNote extends WidgetType {
  toDOM() {
    const note = document.createElement("span");
    note.className = "st-inlay";
    note.title = "This line tells other text editors which keys a rules file can have. The studio does not need it.";
    note.textContent = "a note for other editors (keep this line)";
    return note;
  }
}

const NOTED = Decoration.replace({ widget: new SchemaNote() });
const schema = ViewPlugin.define((view) => ({ decorations: note(view), update({ docChanged, view: now }) { if (docChanged) this.decorations = note(now); } }), {
  decorations: (plugin) => plugin.decorations,
  provide: (plugin) => EditorView.atomicRanges.of((view) => view.plugin(plugin)?.decorations ?? Decoration.none),
});

function note({ state }) {
  const { from, to, text } = state.doc.line(1);
  return /^# yaml-language-server: \$schema=\S+$/.test(text) ? Decoration.set(NOTED.range(from, to)) : Decoration.none;
}

/** Wrapped lines continue with a small indentation. */
const hanging = ViewPlugin.define((view) => ({
  decorations: hang(view),
  update(update) {
    if (update.docChanged || update.viewportChanged) this.decorations = hang(update.view);
  },
}), { decorations: (plugin) => plugin.decorations });

function hang(view) {
  const found = [];
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at);
      const deep = /^\s*(?:- )?/.exec(line.text)[0].length + 2;
      found.push(Decoration.line({ attributes: { style: `padding-left: calc(6px + ${deep}ch); text-indent: -${deep}ch` } }).range(line.from));
      at = line.to + 1;
    }
  }
  return Decoration.set(found);
}

// Tab accepts a suggestion. While the list is being updated, it accepts as soon as the update arrives. If a word has no
// suggestions yet, Tab does nothing: the user wants a suggestion, and indenting the line instead would change the rules.
const taking = new WeakSet();
const take = (view) => {
  if (acceptCompletion(view)) return true;
  if (completionStatus(view.state) !== "pending") return false;
  if (view.dom.ownerDocument.querySelector(".cm-tooltip-autocomplete") !== null) {
    taking.add(view);
    return true;
  }
  const { doc, selection: { main } } = view.state;
  return main.empty && /\w/.test(doc.sliceString(Math.max(0, main.head - 1), main.head));
};

// Tab accepts suggestions that appear during typing. Enter accepts one if the user has opened the list or moved in it, or
// if it completes a word that is not a name itself. Otherwise Enter inserts a line break, so that ending a line does not
// insert a suggestion.
const wanted = new WeakSet();
const completes = ({ state }) => {
  const { head } = state.selection.main;
  const typed = /\w*$/.exec(state.sliceDoc(state.doc.lineAt(head).from, head))[0];
  const labels = currentCompletions(state).map(({ label }) => label);
  return typed !== "" && !labels.includes(typed) && Boolean(selectedCompletion(state)?.label.startsWith(typed));
};
const want = (run) => (view) => {
  const did = run(view);
  if (did) wanted.add(view);
  return did;
};
const completing = [
  { key: "Ctrl-Space", run: want(startCompletion) },
  { key: "Alt-i", run: want(startCompletion) },
  { key: "Escape", run: closeCompletion },
  { key: "ArrowDown", run: want(moveCompletionSelection(true)) },
  { key: "ArrowUp", run: want(moveCompletionSelection(false)) },
  { key: "PageDown", run: want(moveCompletionSelection(true, "page")) },
  { key: "PageUp", run: want(moveCompletionSelection(false, "page")) },
  { key: "Enter", run: (view) => (completes(view) ? take(view) : wanted.has(view) && acceptCompletion(view)) },
  { key: "Tab", run: take },
];
const unwanted = EditorView.updateListener.of(({ state, view, docChanged }) => {
  if (docChanged) taking.delete(view);
  const status = completionStatus(state);
  if (status === null) wanted.delete(view);
  if (status !== "pending" && taking.delete(view) && status === "active") setTimeout(() => acceptCompletion(view));
});

// Tab indents, as in other code editors. Escape and then Tab moves focus. CodeMirror supports this too, but only if
// Escape has closed nothing, and for two seconds. If Tab has brought focus here, it also moves on, until typing or a
// click shows that the text is meant.
export const LEAVE = "Esc then Tab, or F6, leaves the editor.";
let lastKey = null, keyBefore = null;
addEventListener("keydown", ({ key }) => {
  if (!["Shift", "Control", "Alt", "Meta"].includes(key)) [keyBefore, lastKey] = [lastKey, key];
}, { capture: true });
addEventListener("pointerdown", () => (keyBefore = lastKey = null), { capture: true });
const passing = new WeakSet();
const arriving = EditorView.domEventHandlers({
  focus: (event, view) => { if (lastKey === "Tab") passing.add(view); },
  blur: (event, view) => { passing.delete(view); },
  pointerdown: (event, view) => { passing.delete(view); },
});
const typing = EditorView.updateListener.of(({ transactions, view }) => {
  if (transactions.some((each) => each.isUserEvent("input") || each.isUserEvent("delete"))) passing.delete(view);
});
const indents = (view) => !passing.has(view) && keyBefore !== "Escape";
const indenting = [
  { key: "Tab", run: (view) => indents(view) && indentMore(view), shift: (view) => indents(view) && indentLess(view) },
];

export class Editor {
  #more = new Compartment();
  #past = new Compartment();

  /** `extensions` are those of a document. `keys` are commands of the desk that override those of CodeMirror. */
  constructor({ extensions, keys, typed, moved }) {
    Object.assign(this, { extensions, keys, typed, moved });
  }

  /** Forgets the changes of a view, which no longer fit a text that was replaced as a whole. */
  forget(view) {
    view.dispatch({ effects: this.#past.reconfigure([]) });
    view.dispatch({ effects: this.#past.reconfigure(history()) });
  }

  create(doc, text) {
    return new EditorView({
      state: EditorState.create({
        doc: text,
        extensions: [
          Prec.highest(keymap.of(this.keys)),
          lineNumbers(), foldGutter(), lintGutter(), highlightSpecialChars(), this.#past.of(history()), drawSelection(), dropCursor(),
          highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches({ minSelectionLength: 3 }), bracketMatching(), closeBrackets(),
          indentOnInput(), indentUnit.of("  "), deeper, search({ top: false }),
          yaml(), syntaxHighlighting(colours), looks, EditorView.lineWrapping, hanging, schema, space, arriving, typing,
          EditorState.readOnly.of(Boolean(doc.readonly)),
          EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `${doc.path}${doc.readonly ? ", read-only" : ""}`, "aria-description": LEAVE, spellcheck: "false", autocapitalize: "off" }),
          autocompletion({ icons: false, activateOnTypingDelay: 60, interactionDelay: 0, defaultKeymap: false }), unwanted,
          Prec.high(keymap.of(completing)),
          keymap.of([...closeBracketsKeymap, ...searchKeymap, ...foldKeymap, ...historyKeymap, ...indenting, ...defaultKeymap]),
          EditorView.updateListener.of((update) => this.#updated(doc, update)),
          this.#more.of(this.extensions(doc)),
        ],
      }),
    });
  }

  #updated(doc, update) {
    if (update.docChanged) {
      const outside = update.transactions.every((each) => each.annotation(Transaction.remote) === true);
      const group = update.transactions.flatMap((each) => each.effects).find((each) => each.is(together))?.value ?? null;
      const acted = update.transactions.some((each) => each.isUserEvent("input.edit"));
      this.typed(doc, { outside, group, acted });
    }
    if (update.docChanged || update.selectionSet || update.focusChanged) this.moved(doc, update);
  }
}

/** Returns the position of the cursor, with lines and columns from 1, and columns in code points. */
export function placeOf(view) {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  return { line: line.number, column: [...line.text.slice(0, head - line.from)].length + 1 };
}

/** Returns the offset of a line and column in code points. */
export function offsetOf(view, line, column = 1) {
  const { doc } = view.state;
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return found.from + [...found.text].slice(0, column - 1).join("").length;
}

/** Scrolls to the cursor. An editor that was hidden is at its top again. */
export function showCursor(view) {
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: "center" }) });
}

/** Moves the cursor to a position and scrolls to it. */
export function putCursor(view, line, column = 1) {
  const at = offsetOf(view, line, column);
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
}

/** Moves the cursor and the focus to a position and scrolls to it. */
export function goTo(view, line, column = 1) {
  putCursor(view, line, column);
  view.focus();
}
