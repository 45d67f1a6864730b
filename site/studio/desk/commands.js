// All commands, with their names and keys.

import { formatDocument, jumpToDefinition, nextDiagnostic, openSearchPanel } from "../codemirror.js";
import { MOD } from "./elements.js";
import { PANELS } from "../panels/panels.js";

const ofEditor = (desk, run) => () => {
  if (desk.doc === null) return;
  desk.doc.view.focus();
  run(desk.doc.view);
};

/** Returns the commands for the menu. */
export function commandsOf(desk) {
  return [
    { title: "Start new rules…", note: "from scratch, an edition, an example or a recipe", run: () => desk.start() },
    { title: "Show actions at the cursor…", keys: `${MOD}+.`, run: () => desk.offer() },
    { title: "Fix everything that can be fixed…", note: "with a preview of the changes", run: () => desk.fix() },
    { title: "Rename this name everywhere…", keys: "F2", run: () => desk.rename() },
    { title: "Go to the definition", keys: "F12", run: ofEditor(desk, jumpToDefinition) },
    { title: "Show all uses", keys: "Shift+F12", run: () => desk.uses() },
    { title: "Next problem", keys: "F8", run: ofEditor(desk, nextDiagnostic) },
    { title: "Search in this file", keys: `${MOD}+F`, run: ofEditor(desk, openSearchPanel) },
    { title: "Format this file", keys: "Shift+Alt+F", run: ofEditor(desk, formatDocument) },
    { title: "Undo the last save in any file", keys: `${MOD}+Alt+Z`, run: () => desk.undo("undo", true) },
    { title: "Redo the last undone save", keys: `${MOD}+Alt+Y`, run: () => desk.undo("redo", true) },
    { title: "History of this file…", keys: `${MOD}+Alt+H`, run: () => desk.history() },
    { title: "New file…", run: () => desk.newFile() },
    { title: "Rename this file…", run: () => desk.renameFile() },
    { title: "Delete this file…", run: () => desk.deleteFile() },
    { title: "Close this file", keys: "Alt+W", run: () => desk.close() },
    ...PANELS.map(({ panel }, at) => ({ title: `Panel: ${panel.title}`, keys: `Alt+${at + 1}`, run: () => desk.showPanel(panel.name) })),
    { title: "Release…", run: () => desk.release() },
    { title: "Share or import…", run: () => desk.share() },
    { title: "Help…", note: "for the cursor and the current panel", run: () => desk.help() },
    { title: "Switch between light and dark", run: () => desk.turn() },
    { title: "Go to the next column", keys: "F6", run: () => desk.next(1) },
    { title: "Start the tour", note: "two minutes", run: () => desk.tour.begin() },
  ];
}

const done = (run) => () => {
  run();
  return true;
};

/** Key bindings of the editor that override those of CodeMirror. */
export function keysOf(desk) {
  return [
    { key: "Mod-z", run: () => desk.undo("undo"), preventDefault: true },
    { key: "Mod-y", mac: "Mod-Shift-z", run: () => desk.undo("redo"), preventDefault: true },
    { key: "Mod-Shift-z", run: () => desk.undo("redo"), preventDefault: true },
    { key: "F2", run: done(() => desk.rename()), preventDefault: true },
    { key: "F12", run: jumpToDefinition, preventDefault: true },
    { key: "Shift-F12", run: done(() => desk.uses()), preventDefault: true },
    { key: "Shift-Alt-f", run: formatDocument, preventDefault: true },
    { key: "F8", run: nextDiagnostic, preventDefault: true },
    { key: "Mod-s", run: done(() => desk.documents.save(desk.doc)), preventDefault: true },
  ];
}

/** Key bindings of the whole page, in each of its windows, because a frame does not pass on its key events. */
export function listen(desk, window = globalThis.window) {
  window.addEventListener("keydown", (event) => {
    const mod = MOD === "⌘" ? event.metaKey : event.ctrlKey;
    const key = event.key.toLowerCase();
    const one = [
      [mod && !event.altKey && !event.shiftKey && key === "k", () => desk.commands()],
      [event.key === "F1", () => desk.commands()],
      [event.key === "F6", () => desk.next(event.shiftKey ? -1 : 1)],
      [mod && !event.altKey && key === ".", () => desk.offer()],
      [mod && event.altKey && key === "z", () => desk.undo("undo", true)],
      [mod && event.altKey && key === "y", () => desk.undo("redo", true)],
      [mod && event.altKey && key === "h", () => desk.history()],
      [event.altKey && !mod && key === "w", () => desk.close()],
      [event.altKey && !mod && /^[1-6]$/.test(key), () => desk.showPanel(PANELS[Number(key) - 1].panel.name)],
    ].find(([wanted]) => wanted);
    if (one === undefined || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    event.stopPropagation();
    one[1]();
  }, { capture: true });
}
