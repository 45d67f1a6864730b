// The starting values of a procedure, which panels share: what is set in one of them counts in the others.

import { element } from "../desk/elements.js";

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

export class StartFields {
  /** `changed` is called when the user has set a value. */
  constructor(panels, changed) {
    Object.assign(this, { panels, changed });
    this.of = ""; // the procedure and edition for which the values were entered
    this.values = {};
    this.element = element("div", { class: "st-given" });
  }

  /** Returns the part of a request that has the values. */
  request() {
    return { of: this.of, start: this.values };
  }

  /** Takes the values of the procedure that a response is about. Returns whether it was asked for without them. */
  follow({ of = "" }) {
    if (of === this.of) return false;
    this.of = of;
    this.values = this.panels.starts.get(of) ?? {};
    this.panels.starts.set(of, this.values);
    return Object.keys(this.values).length > 0;
  }

  /** Renders an input for each value of the start: those with a type, and those that are written in YAML. */
  draw({ parameters = [], fields = [] }) {
    const typing = this.element.contains(document.activeElement) ? document.activeElement : null;
    const written = parameters.filter(({ input }) => input === "text");
    const opened = this.element.querySelector("details")?.open ?? !fields.length;
    const typed = [...parameters.filter(({ input }) => input !== "text").map((each) => ({ ...each, path: each.name, text: capital(each.words) })), ...fields];
    const nodes = [
      ...(typed.length + written.length ? [element("p", { class: "st-label" }, "Starting values")] : []),
      ...typed.map((each) => element("label", { class: "st-label" }, `${each.text} `, this.#field(each))),
      ...(written.length ? [element("details", { open: opened }, element("summary", { class: "st-label" }, "More values, in YAML"),
        ...written.map(({ name, type, value }) => element("label", { class: "st-label" }, `${name} `, this.#control(name, element("input", { class: "st-field", value, placeholder: type, title: type, spellcheck: "false" })))))] : []),
    ];
    const same = (node) => node.querySelector?.("[data-start]")?.dataset.start;
    const kept = [...this.element.children].find((each) => each.localName === "label" && each.contains(typing));
    const at = kept ? nodes.findIndex((node) => node.localName === "label" && same(node) === same(kept)) : -1;
    if (at < 0) {
      this.element.replaceChildren(...nodes);
      const again = typing && this.element.querySelector(`[data-start="${CSS.escape(typing.dataset.start)}"]`);
      if (again) {
        again.value = typing.value;
        again.focus();
      }
      return;
    }
    // Keep the control in use, because a new one would lose the letters typed so far.
    for (const each of [...this.element.children]) if (each !== kept) each.remove();
    kept.before(...nodes.slice(0, at));
    kept.after(...nodes.slice(at + 1));
  }

  #field({ path, input, value, least = null, choices = [] }) {
    return this.#control(path, input === "number"
      ? element("input", { class: "st-field", type: "number", min: least, value })
      : element("select", { class: "st-field" }, ...choices.map((each) => element("option", { value: each.value, selected: each.value === value }, each.text))));
  }

  /** Sets a value of the start when the user changes it, and begins again. */
  #control(path, control) {
    control.dataset.start = path;
    control.addEventListener("change", () => {
      if (control.value.trim()) this.values[path] = control.value.trim();
      else delete this.values[path];
      // A collection that is written as a whole replaces the fields of its objects.
      for (const other of Object.keys(this.values)) if (other.startsWith(`${path}.`)) delete this.values[other];
      this.changed();
    });
    return control;
  }
}
