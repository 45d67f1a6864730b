// Edits to several files, as proposed by the language server. All or none are applied, and they are undone together.

import { isolateHistory, redo, redoDepth, undo, undoDepth } from "../codemirror.js";
import { together } from "./editor.js";

function spanOf(doc, { start, end }) {
  const at = ({ line, character }) => {
    if (line >= doc.lines) return doc.length;
    const found = doc.line(line + 1);
    return Math.min(found.from + character, found.to);
  };
  return { from: at(start), to: at(end) };
}

/** Returns the changes of a WorkspaceEdit by file. */
export function byFile(edit) {
  const found = new Map(Object.entries(edit.changes ?? {}));
  for (const each of edit.documentChanges ?? []) {
    if (each.textDocument) found.set(each.textDocument.uri, [...(found.get(each.textDocument.uri) ?? []), ...each.edits]);
  }
  return [...found].filter(([, edits]) => edits.length);
}

export class Edits {
  #groups = [];

  /** `open` opens a file by URI, and creates missing ones. */
  constructor(open) {
    this.open = open;
  }

  /** Applies a WorkspaceEdit. Returns each changed document, and the position of `select` in the inserted text, or of its last word. */
  async apply(edit, select = "") {
    const wanted = [];
    for (const [uri, edits] of byFile(edit)) wanted.push([await this.open(uri), edits]);
    const locked = wanted.find(([doc]) => doc.readonly);
    if (locked) throw new Error(`${locked[0].path} is read-only. Override its rules in your own file.`);
    const group = wanted.length > 1 ? crypto.randomUUID() : null;
    const members = [];
    for (const [doc, edits] of wanted) {
      const { doc: text } = doc.view.state;
      const changes = doc.view.state.changes(edits.map(({ range, newText }) => ({ ...spanOf(text, range), insert: newText })));
      doc.view.dispatch({
        changes,
        annotations: isolateHistory.of("full"),
        effects: group === null ? [] : [together.of(group)],
        userEvent: "input.edit",
      });
      let word = null;
      changes.iterChanges((fromA, toA, fromB, toB, put) => {
        const text = put.toString();
        const [from, length] = select ? [text.lastIndexOf(select), select.length] : [text.search(/\S*$/), text.length];
        word = { from: fromB + Math.max(0, from), to: Math.min(toB, fromB + from + length) };
      });
      members.push({ doc, word, depth: undoDepth(doc.view.state) });
    }
    if (group !== null) this.#groups.push(members);
    return members;
  }

  /** Undoes the last change of a document, with its parts in other files. Returns false if there is none. */
  undo(doc) {
    if (!undoDepth(doc.view.state)) return false;
    for (const each of this.#group(doc, undoDepth)) undo(each.view);
    return true;
  }

  redo(doc) {
    if (!redoDepth(doc.view.state)) return false;
    for (const each of this.#group(doc, (state) => undoDepth(state) + 1)) redo(each.view);
    return true;
  }

  #group(doc, depthOf) {
    const depth = depthOf(doc.view.state);
    const group = this.#groups.find((members) => members.some((each) => each.doc === doc && each.depth === depth));
    const rest = (group ?? []).filter((each) => each.doc !== doc && depthOf(each.doc.view.state) === each.depth);
    return [doc, ...rest.map((each) => each.doc)];
  }
}
