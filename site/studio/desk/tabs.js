// Tabs: a single tab stop with arrow keys, and panels below.

import { element, roving } from "./elements.js";

export class Tabs {
  /** `shown(name)` is called for the selected tab. Tabs with `close` can be closed. */
  constructor({ label, kind, shown, controls = null }) {
    Object.assign(this, { shown, controls });
    this.current = null;
    this.place = element("div", { class: `st-tabs st-tabs--${kind}`, role: "tablist", "aria-label": label });
    roving(this.place, () => this.#tabs(), { vertical: false, onmove: (tab) => this.choose(tab.dataset.name) });
    this.place.addEventListener("keydown", (event) => {
      const tab = event.target.closest("[role=tab]");
      if (event.key !== "Delete" || !tab?.onclose) return;
      event.preventDefault();
      tab.onclose();
    });
  }

  #tabs() {
    return [...this.place.querySelectorAll("[role=tab]")];
  }

  find(name) {
    return this.#tabs().find((tab) => tab.dataset.name === name) ?? null;
  }

  add(name, words, { close = null, title = null } = {}) {
    const tab = element("button", { type: "button", role: "tab", class: "st-tab", "data-name": name, "aria-selected": "false", "aria-controls": this.controls?.(name), id: `st-tab-${this.controls ? name : crypto.randomUUID()}`, tabindex: -1, title, onclick: () => this.choose(name) }, words);
    if (close) {
      // The close button is for pointers only. Keyboard users have Delete and the command menu.
      tab.onclose = close;
      tab.append(element("span", { class: "st-tab__close", "aria-hidden": "true", onclick: (event) => { event.stopPropagation(); close(); } }, "×"));
    }
    this.place.append(tab);
    return tab;
  }

  remove(name) {
    const all = this.#tabs();
    const at = all.findIndex((tab) => tab.dataset.name === name);
    all[at]?.remove();
    if (this.current !== name) return;
    this.current = null;
    const next = all[at + 1] ?? all[at - 1];
    if (next) this.choose(next.dataset.name);
    else this.shown(null);
  }

  choose(name) {
    const tab = this.find(name);
    if (tab === null) return;
    for (const each of this.#tabs()) {
      each.setAttribute("aria-selected", String(each === tab));
      each.tabIndex = each === tab ? 0 : -1;
    }
    tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (this.current === name) return;
    this.current = name;
    this.shown(name);
  }
}
