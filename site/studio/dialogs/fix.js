// The Fix dialog: all automatic fixes of an edition, with a preview of the changes.

import { EditorState, EditorView, MergeView, yaml } from "../codemirror.js";
import { get, post } from "../desk/api.js";
import { button, counted, element, refuse, say, worded } from "../desk/elements.js";
import { dialog } from "./dialog.js";

/** Shows the changes to an edition, and applies them after confirmation, as a single undo step. */
export async function fix({ ref, written }) {
  say("Looking for fixes…");
  const { edits, words } = await post("/api/fix", { ref });
  if (!edits.length) {
    say(`Nothing in ${ref} can be fixed automatically.`);
    return;
  }
  const before = await Promise.all(edits.map(({ path }) => get("/api/file", { path })));
  const refused = element("p", { class: "st-refused", role: "alert" });
  const does = `Apply ${counted(words.length, "fix", "fixes")}`;
  const yes = button(does, () => write(), { class: "st-button st-button--main", autofocus: true });
  const hosts = edits.map(() => element("div", { class: "st-merge" }));
  const merges = [];
  const write = async () => {
    yes.disabled = true;
    yes.textContent = "Applying…";
    refused.textContent = "";
    try {
      const { made } = await post("/api/fix", { ref, write: edits });
      box.close();
      say(`Made ${counted(made, "change")}. Undo in the toolbar reverts ${made > 1 ? "them" : "it"}.`);
      written();
    } catch (error) {
      refuse(refused, error);
      yes.disabled = false;
      yes.textContent = does;
    }
  };
  const box = dialog({
    title: `Available fixes in ${ref}`,
    wide: true,
    kind: "st-dialog--fix",
    body: [element("ul", {}, ...words.map((each) => element("li", {}, ...worded(each)))), ...edits.flatMap(({ path }, at) => [element("h3", {}, path), hosts[at]]), refused],
    actions: [yes, button("Cancel", () => box.close())],
    closed: () => merges.forEach((merge) => merge.destroy()),
  });
  const side = (text, label) => ({ doc: text, extensions: [yaml(), EditorView.lineWrapping, EditorState.readOnly.of(true), EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label })] });
  for (const [at, { path, text }] of edits.entries()) {
    merges.push(new MergeView({ parent: hosts[at], collapseUnchanged: { margin: 3 }, a: side(before[at].text, `Current version of ${path}`), b: side(text, `Fixed version of ${path}`) }));
  }
}
