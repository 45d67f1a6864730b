// Conflicts: two people have changed one file. Both texts are kept until the user chooses one or merges them.

import { EditorState, EditorView, MergeView, yaml } from "../codemirror.js";
import { button, element, say } from "./elements.js";
import { dialog } from "../dialogs/dialog.js";

export class Conflicts {
  /** The bar is shown above the editor while the current document has a conflict. */
  constructor({ news, documents, shown, trouble }) {
    Object.assign(this, { documents, shown, trouble });
    this.place = element("div", { class: "st-conflict", role: "alert" });
    news.on("state", (doc) => doc === shown() && this.draw());
    news.on("shown", () => this.draw());
  }

  draw() {
    const doc = this.shown();
    if (doc === null || doc.state !== "conflict") {
      this.place.replaceChildren();
      return;
    }
    if (this.place.childElementCount) return;
    const gone = doc.theirs.text === null;
    this.place.replaceChildren(
      element("p", {}, gone
        ? `${doc.path} was deleted outside this window while you were typing. Your version is kept here until you decide.`
        : `${doc.path} was saved outside this window while you were typing. Both versions are kept until you decide.`),
      element("div", { class: "st-buttons" },
        button("Keep my version", () => this.#settle(doc, doc.text)),
        button(gone ? "Delete it here too" : "Use the other version", () => (gone ? this.#leave(doc) : this.#settle(doc, doc.theirs.text))),
        gone ? null : button("Show both", () => this.#both(doc))));
  }

  async #settle(doc, text) {
    try {
      await this.documents.settle(doc, text);
      this.draw();
      say(`Saved ${doc.path}.`);
    } catch (error) {
      this.trouble(error);
    }
    doc.view.focus();
  }

  #leave(doc) {
    this.documents.abandon(doc);
    say(`Closed ${doc.path}.`);
  }

  /** Shows both texts side by side. The user's own can be edited, and differences taken over one by one. */
  #both(doc) {
    const host = element("div", { class: "st-merge" });
    let merge = null;
    const box = dialog({
      title: `${doc.path}: theirs and mine`,
      wide: true,
      body: [
        element("p", {}, "The other version is on the left, and yours is on the right. An arrow copies a change into your version, which you can also edit."),
        host,
      ],
      actions: [button("Save the right side", () => { const text = merge.b.state.doc.toString(); box.close(); this.#settle(doc, text); }, { class: "st-button st-button--main" })],
      closed: () => merge.destroy(),
    });
    const plain = [yaml(), EditorView.lineWrapping];
    merge = new MergeView({
      parent: host,
      a: { doc: doc.theirs.text, extensions: [...plain, EditorState.readOnly.of(true), EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "Theirs" })] },
      b: { doc: doc.text, extensions: [...plain, EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "Mine" })] },
      revertControls: "a-to-b",
      renderRevertControl: () => element("button", { type: "button", class: "st-merge__take", "aria-label": "Copy this change" }, "→"),
      collapseUnchanged: { margin: 3 },
    });
  }
}
