// The History dialog: all saved versions of a file with their changes. Each can be restored.

import { get, post } from "../desk/api.js";
import { EditorState, EditorView, MergeView, yaml } from "../codemirror.js";
import { button, element, roving, say } from "../desk/elements.js";
import { dialog } from "./dialog.js";

const FROM = { studio: "in the studio", outside: "outside the studio", git: "in Git" };

/** Shows the history of a document. `restored(files)` is called with restored files. */
export async function history({ doc, restored, trouble }) {
  const base = doc.version; // the version shown on the right; a restore is refused if the file has changed since
  const { entries } = await get("/api/history", { path: doc.path });
  let merge = null, chosen = null;
  const host = element("div", { class: "st-merge" });
  const back = button("Restore this version", () => restore(), { class: "st-button st-button--main", disabled: true });
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const options = entries.map((entry) => element("div", { role: "option", class: "st-save", tabindex: -1, "aria-selected": "false", onclick: () => show(entry) },
    element("span", { class: "st-save__words" }, entry.words), element("span", { class: "st-quiet" }, `${when.format(new Date(typeof entry.when === "number" ? entry.when * 1000 : entry.when))}, ${FROM[entry.source] ?? entry.source}`)));
  const list = element("div", { class: "st-saves", role: "listbox", "aria-label": "Saved changes" }, ...options);
  if (!entries.length) list.replaceChildren(element("p", { class: "st-hint" }, "This file has no saved versions yet."));
  roving(list, () => options, { onmove: (option) => show(entries[options.indexOf(option)]) });
  const show = async (entry) => {
    chosen = entry;
    for (const [at, option] of options.entries()) {
      option.setAttribute("aria-selected", String(entries[at] === entry));
      option.tabIndex = entries[at] === entry ? 0 : -1;
    }
    try {
      const { text } = await get("/api/history/entry", { id: entry.id, path: doc.path });
      if (chosen !== entry) return;
      merge?.destroy();
      const plain = [yaml(), EditorView.lineWrapping, EditorState.readOnly.of(true)];
      merge = new MergeView({
        parent: host, collapseUnchanged: { margin: 3 },
        a: { doc: text ?? "", extensions: [...plain, EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "Saved version" })] },
        b: { doc: doc.text, extensions: [...plain, EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "Current version" })] },
      });
      back.disabled = text === doc.text;
    } catch (error) {
      trouble(error);
    }
  };
  const restore = async () => {
    try {
      restored({ files: [await post("/api/restore", { id: chosen.id, path: doc.path, base })] });
      box.close();
      say("Restored this version.");
    } catch (error) {
      trouble(error);
    }
  };
  const box = dialog({ title: `History of ${doc.path}`, wide: true, kind: "st-dialog--history", body: [element("div", { class: "st-history" }, list, host)], actions: [back], closed: () => merge?.destroy() });
  if (options.length) {
    await show(entries[0]);
    options[0].focus();
  }
}
