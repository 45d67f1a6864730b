// The decision as a list of buttons: by groups, by number keys and arrows, with a box to find one where there are many.

import { button, counted, element, pretty } from "./elements.js";

/** From so many options on there is a box to find one. */
const MANY = 10;
const BY_KEY = 9;

export class Choices {
  #buttons = [];
  #only = null;

  /** `take(index)` is called for the option that is taken, `point(index|null)` for the one that is pointed at. */
  constructor(place, { rules, take, point }) {
    this.rules = rules;
    this.take = take;
    this.point = point;
    this.place = place;
    place.addEventListener("keydown", (event) => this.#moved(event));
    place.addEventListener("pointerleave", () => point(null));
  }

  /** Show a decision, or that there is none for now. */
  show(decision, { game = null, focus = false } = {}) {
    this.decision = decision;
    this.game = game;
    this.#only = null;
    this.#lay();
    if (focus) this.focus();
  }

  /** Show some options alone, by their indexes. */
  only(indexes) {
    this.#only = new Set(indexes);
    this.#lay();
    this.focus();
  }

  focus() {
    this.#shown()[0]?.focus({ preventScroll: true });
  }

  /** The number keys take the options that they stand with. */
  key(digit) {
    const found = this.#shown()[digit - 1];
    if (found !== undefined) found.click();
    return found !== undefined;
  }

  #lay() {
    const { decision } = this;
    this.#buttons = [];
    if (decision === null) {
      this.place.replaceChildren();
      return;
    }
    const options = decision.options.filter(({ index }) => this.#only === null || this.#only.has(index));
    const groups = new Map();
    for (const option of options) {
      const name = options.length > 3 ? this.#group(option) : "";
      groups.set(name, [...(groups.get(name) ?? []), option]);
    }
    const parts = [];
    if (options.length >= MANY) parts.push(this.#finder());
    for (const [name, inside] of groups) {
      const made = inside.map((option) => this.#button(option));
      const list = element("ul", { class: "rw-play__options", "aria-label": name || "Options" }, ...made.map((each) => element("li", {}, each)));
      parts.push(element("div", { class: "rw-play__group" }, groups.size > 1 && name ? element("p", { class: "rw-play__group-name", "aria-hidden": "true" }, name) : null, list));
    }
    if (this.#only !== null) parts.push(button(`Show all ${decision.options.length} options`, () => { this.#only = null; this.#lay(); this.focus(); }));
    this.place.replaceChildren(...parts);
    this.#number();
  }

  #button(option) {
    const made = element("button", {
      type: "button", class: "rw-play__option", "data-index": option.index, "aria-describedby": "rw-play-outlook",
      onclick: () => this.take(option.index), onfocus: () => this.point(option.index), onpointerenter: () => this.point(option.index),
    }, element("span", { class: "rw-play__key", "aria-hidden": "true" }), element("span", {}, option.label));
    this.#buttons.push(made);
    return made;
  }

  /** What an option is of: of one kind of thing, from one table, or so many things together. */
  #group({ id }) {
    const { rules, decision } = this;
    const step = Object.values(rules.data.steps).find(({ rule }) => rule === decision.rule);
    const answer = step?.stops?.[0]?.answer;
    if (answer?.list === undefined || id === "nothing" || id === "none") return "";
    return counted(id.split("+").length, answer.list.thing !== undefined ? this.#called(answer.list.thing) : "at once", answer.list.thing !== undefined ? `${this.#called(answer.list.thing)}s` : "at once");
  }

  #called(kind) {
    const { term } = this.rules.data.kinds.find(({ id }) => id === kind) ?? {};
    return this.rules.data.terms[term]?.name ?? pretty(kind).toLowerCase();
  }

  #finder() {
    const told = element("span", { class: "rw-play__small", "aria-live": "polite" });
    const box = element("input", {
      type: "search", class: "rw-play__find", placeholder: `Find one of ${this.decision.options.length}`, "aria-label": "Find an option", autocomplete: "off",
      oninput: () => {
        const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        for (const each of this.#buttons) {
          const label = this.decision.options[each.dataset.index].label.toLowerCase();
          each.parentElement.hidden = !words.every((word) => label.includes(word));
        }
        this.#number();
        told.textContent = words.length ? `${counted(this.#shown().length, "option")} left` : "";
      },
    });
    return element("p", { class: "rw-play__finder" }, box, told);
  }

  #shown() {
    return this.#buttons.filter((each) => !each.parentElement.hidden);
  }

  #number() {
    for (const each of this.#buttons) each.firstElementChild.textContent = "";
    this.#shown().slice(0, BY_KEY).forEach((each, at) => { each.firstElementChild.textContent = String(at + 1); });
  }

  #moved(event) {
    const shown = this.#shown(), at = shown.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    const typing = event.target.matches("input");
    if (next === undefined || !shown.length || (typing && event.key !== "ArrowDown")) return;
    event.preventDefault();
    shown[(next + shown.length) % shown.length].focus();
  }
}
