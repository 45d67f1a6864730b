// The decision as a list of buttons: by groups, by number keys and arrows, with a box to find one where there are many.

import { button, counted, element, pretty } from "./elements.js";

/** From so many options on there is a box to find one; and from so many on those that can be pointed out on the table
 * stay out of the way until they are asked for. */
const MANY = 14, CROWD = 20;
/** Of more options than these, the rest are listed when words leave no more of them: the page is to stay quick. */
const MOST_LISTED = 300;
const BY_KEY = 9;

export class Choices {
  #buttons = [];
  #only = null;
  #open = false;
  #folded = false;

  /** `take(index)` is called for the option that is taken, `point(index|null)` for the one that is pointed at. */
  constructor(place, { rules, take, point }) {
    this.rules = rules;
    this.take = take;
    this.point = point;
    this.place = place;
    place.addEventListener("keydown", (event) => this.#moved(event));
    place.addEventListener("pointerleave", () => point(null));
  }

  /** Show a decision, or that there is none for now. Of an option, by its index, `drawn` says whether it can be pointed out
   * on the table, and `touches` the first of several things that it touches. */
  show(decision, { focus = false, drawn = () => false, touches = () => null } = {}) {
    this.decision = decision;
    this.drawn = drawn;
    this.touches = touches;
    this.#only = null;
    // Whoever goes by keys has the list at hand.
    this.#open ||= focus;
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
    if (decision === null) {
      this.#buttons = [];
      this.place.replaceChildren();
      return;
    }
    const options = decision.options.filter(({ index }) => this.#only === null || this.#only.has(index));
    const onTable = new Set(options.filter(({ index }) => this.drawn(index)));
    this.#folded = !this.#open && this.#only === null && onTable.size >= CROWD;
    const parts = [], listed = element("div", {});
    if (this.#folded) parts.push(this.#unfolding(onTable.size));
    else if (options.length >= MANY) parts.push(this.#finder(options, listed));
    parts.push(listed);
    if (this.#only !== null) parts.push(button(`Show all ${decision.options.length} options`, () => { this.#only = null; this.#lay(); this.focus(); }));
    this.#list(listed, options, (option) => this.#folded && onTable.has(option));
    this.place.replaceChildren(...parts);
  }

  /** List options by their groups; those that are `away` are there, and are not seen. */
  #list(place, options, away = () => false) {
    this.#buttons = [];
    const groups = this.#grouped(options.slice(0, MOST_LISTED));
    place.replaceChildren(...[...groups].map(([name, inside]) => {
      const list = element("ul", { class: "rw-play__options", "aria-label": name || "Options" }, ...inside.map((option) => element("li", { hidden: away(option) }, this.#button(option))));
      return element("div", { class: "rw-play__group", hidden: inside.every(away) }, groups.size > 1 && name ? element("p", { class: "rw-play__group-name", "aria-hidden": "true" }, name) : null, list);
    }));
    this.#number();
  }

  /** What stands there for options that are pointed out on the table. */
  #unfolding(many) {
    const open = button(`List all ${many}`, () => { this.#open = true; this.#lay(); this.focus(); }, { class: "rw-play__button rw-play__unfold" });
    return element("p", { class: "rw-play__finder" }, element("span", {}, "Choose on the table: what can be chosen is green there."), open);
  }

  #button(option) {
    const made = element("button", {
      type: "button", class: "rw-play__option", "data-index": option.index, "aria-describedby": "rw-play-outlook",
      onclick: () => this.take(option.index), onfocus: () => this.point(option.index), onpointerenter: () => this.point(option.index),
    }, element("span", { class: "rw-play__key", "aria-hidden": "true" }), element("span", {}, option.label));
    this.#buttons.push(made);
    return made;
  }

  /** What options are of: so many things together, or, where each touches several, the first that it touches. */
  #grouped(options) {
    const groups = new Map();
    const put = (name, option) => groups.set(name, [...(groups.get(name) ?? []), option]);
    const list = this.#listed();
    for (const option of options) {
      if (list !== null) put(this.#together(option, list), option);
      else put(this.touches(option.index) ?? "", option);
    }
    return options.length > 3 && groups.size < options.length ? groups : new Map([["", options]]);
  }

  /** The type of what is chosen, where it is a list; null else. */
  #listed() {
    const step = Object.values(this.rules.data.steps).find(({ rule }) => rule === this.decision.rule);
    return step?.stops?.[0]?.answer?.list ?? null;
  }

  #together({ id }, { thing }) {
    if (id === "nothing" || id === "none") return "";
    const many = id.split("+").length;
    return thing === undefined ? counted(many, "at once", "at once") : counted(many, this.#called(thing), this.#plural(thing));
  }

  #called(kind) {
    return this.#term(kind)?.name ?? pretty(kind).toLowerCase();
  }

  #plural(kind) {
    return this.#term(kind)?.plural ?? `${pretty(kind)}s`;
  }

  #term(kind) {
    const { term } = this.rules.data.kinds.find(({ id }) => id === kind) ?? {};
    return this.rules.data.terms[term];
  }

  #finder(options, listed) {
    const rest = (found) => (found > MOST_LISTED ? `the first ${MOST_LISTED} of them are listed` : "");
    const told = element("span", { class: "rw-play__small", "aria-live": "polite" }, rest(options.length));
    const box = element("input", {
      type: "search", class: "rw-play__find", placeholder: `Find one of ${options.length}`, "aria-label": "Find an option", autocomplete: "off",
      oninput: () => {
        const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = options.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
        if (options.length > MOST_LISTED) this.#list(listed, found);
        else {
          const left = new Set(found.map(({ index }) => index));
          for (const each of this.#buttons) each.parentElement.hidden = !left.has(Number(each.dataset.index));
          this.#number();
        }
        told.textContent = [words.length ? `${counted(found.length, "option")} left` : "", rest(found.length)].filter(Boolean).join(": ");
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
