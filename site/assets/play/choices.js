// The decision as a list of buttons: in groups, with number keys and arrow keys, and a search box for long lists.

import { button, element, mayFocus, pretty } from "./elements.js";
import { say } from "./say.js";

/** The numbers of options above which there is a search box, and above which options that are on the table are
 * collapsed. */
const MANY = 14, CROWD = 20;
/** The maximum number of options in the list. The search box reaches the others, so that the page stays fast. */
const MOST_LISTED = 300;
const BY_KEY = 9;

export class Choices {
  #buttons = [];
  #only = null;
  #open = false;
  #folded = false;
  #listsAll = false;
  #asked = "";

  /** `take(index)` is called when an option is taken, and `point(index|null)` when it is hovered or focused. */
  constructor(place, { rules, take, point }) {
    this.rules = rules;
    this.take = take;
    this.point = point;
    this.place = place;
    place.addEventListener("keydown", (event) => this.#moved(event));
    place.addEventListener("pointerleave", () => point(null));
  }

  /** Shows a decision, or that there is none. `drawn` says whether an option, by index, can be chosen on the table, and
   * `touches` returns the first of several objects that it affects. With `marks`, a long list of combinations becomes a list
   * of their elements. `turn` is the number of choices so far. */
  show(decision, { focus = false, drawn = () => false, touches = () => null, marks = true, turn = null } = {}) {
    // The page may be drawn again, also without a decision, before the decision is made.
    const asked = decision === null ? this.#asked : JSON.stringify([turn, decision.rule, decision.player]);
    if (this.#asked !== asked) {
      this.#asked = asked;
      this.chosen = new Set();
      this.#listsAll = !marks;
      this.canMark = marks;
    }
    this.decision = decision;
    this.drawn = drawn;
    this.touches = touches;
    this.#only = null;
    // Keyboard users need the list.
    this.#open ||= focus;
    this.#lay();
    if (focus) this.focus();
  }

  /** Shows only some options, by index. */
  only(indexes) {
    this.#only = new Set(indexes);
    this.#lay();
    this.focus();
  }

  focus() {
    if (mayFocus()) this.#shown()[0]?.focus({ preventScroll: true });
  }

  /** Number keys take the options with these numbers: of a choice of numbers, those themselves. */
  key(digit) {
    const found = this.#shown().find((each, at) => this.#digit(each, at) === digit);
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
    if (this.#marks) {
      this.#layElements();
      return;
    }
    const options = decision.options.filter(({ index }) => this.#only === null || this.#only.has(index));
    const onTable = new Set(options.filter(({ index }) => this.drawn(index)));
    this.#folded = !this.#open && this.#only === null && onTable.size >= CROWD;
    const parts = [], listed = element("div", {});
    if (this.#folded) parts.push(this.#unfolding(onTable.size));
    else if (options.length >= MANY) parts.push(this.#finder(options, listed));
    parts.push(listed);
    if (decision.subset && this.canMark && this.#only === null && this.#isLong) parts.push(this.#switch(say("Select items one by one"), true));
    if (this.#only !== null) parts.push(button(say("Show all %(count)s options", { count: decision.options.length }), () => { this.#only = null; this.#lay(); this.focus(); }));
    this.#list(listed, options, (option) => this.#folded && onTable.has(option));
    this.place.replaceChildren(...parts);
  }

  get #isLong() {
    return this.decision.options.length >= MANY;
  }

  /** Returns whether the list shows the elements to select, instead of the options, which are selections of them. */
  get #marks() {
    return this.decision.subset !== undefined && this.#isLong && this.#only === null && !this.#listsAll;
  }

  #switch(words, marks) {
    return button(words, () => { this.#listsAll = !marks; this.#lay(); this.focus(); }, { class: "rw-play__button rw-play__unfold" });
  }

  /** Lists the elements to select from. Each is a button that selects it. */
  #layElements() {
    const { subset, options } = this.decision, { elements, at_least, at_most } = subset;
    const range = at_least === at_most ? at_least : say("%(low)s to %(high)s", { low: at_least, high: at_most });
    const size = subset.in_order ? say("%(size)s in order", { size: range }) : range;
    const told = element("span", { role: "status", class: "rw-play__small" });
    const take = button(say("Choose these"), () => this.take(this.#meant), { class: "rw-play__button rw-play__button--main" });
    this.#buttons = [];
    const none = options.slice(-1).filter(({ id }) => id === "none").map((option) => element("li", {}, this.#button(option)));
    const marks = elements.map((label, at) => {
      const made = element("button", { type: "button", class: "rw-play__option", "data-element": at }, element("span", {}, label), element("span", { class: "rw-play__key", "aria-hidden": "true" }));
      made.addEventListener("click", () => {
        if (!this.chosen.delete(at)) this.chosen.add(at);
        refresh();
        this.point(this.#meant);
      });
      return made;
    });
    const refresh = () => {
      const meant = this.#meant;
      const inOrder = [...this.chosen];
      marks.forEach((each, at) => {
        each.setAttribute("aria-pressed", String(this.chosen.has(at)));
        if (subset.in_order) each.firstElementChild.textContent = this.chosen.has(at) ? `${inOrder.indexOf(at) + 1}. ${elements[at]}` : elements[at];
      });
      told.textContent = `${say("Selected: %(count)s of %(size)s.", { count: this.chosen.size, size })}${meant === null ? "" : ` ${options[meant].label}`}`;
      take.disabled = meant === null;
    };
    const list = element("ul", { class: "rw-play__options", "aria-label": say("Select %(size)s", { size }) }, ...marks.map((each) => element("li", {}, each)), ...none);
    this.#buttons = [...marks, ...this.#buttons];
    this.place.replaceChildren(list, element("p", { class: "rw-play__finder" }, take, told), this.#switch(say("List all %(count)s combinations", { count: options.length }), false));
    refresh();
    this.#number();
  }

  /** The index of the option with the selected elements, or null if their number is wrong. */
  get #meant() {
    return this.decision.subset.find([...this.chosen]);
  }

  /** Lists options in groups. Options that are `away` are hidden. */
  #list(place, options, away = () => false) {
    this.#buttons = [];
    const groups = this.#grouped(options.slice(0, MOST_LISTED));
    place.replaceChildren(...[...groups].map(([name, inside]) => {
      const list = element("ul", { class: "rw-play__options", "aria-label": name || say("Options") }, ...inside.map((option) => element("li", { hidden: away(option) }, this.#button(option))));
      return element("div", { class: "rw-play__group", hidden: inside.every(away) }, groups.size > 1 && name ? element("p", { class: "rw-play__group-name", "aria-hidden": "true" }, name) : null, list);
    }));
    this.#number();
  }

  /** Shows a note in place of options that can be chosen on the table. */
  #unfolding(many) {
    const open = button(say("List all %(count)s", { count: many }), () => { this.#open = true; this.#lay(); this.focus(); }, { class: "rw-play__button rw-play__unfold" });
    return element("p", { class: "rw-play__finder" }, element("span", {}, say("Choose on the table, where options are green.")), open);
  }

  #button(option) {
    const made = element("button", {
      type: "button", class: "rw-play__option", "data-index": option.index, "aria-describedby": "rw-play-outlook",
      onclick: () => this.take(option.index), onfocus: () => this.point(option.index), onpointerenter: () => this.point(option.index),
    }, element("span", {}, option.label), element("span", { class: "rw-play__key", "aria-hidden": "true" }));
    this.#buttons.push(made);
    return made;
  }

  /** Returns the heading of a group: how many objects an option has, or the first one that it affects. */
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

  /** Returns the element type if options are lists, or null. */
  #listed() {
    const step = Object.values(this.rules.data.steps).find(({ rule }) => rule === this.decision.rule);
    return step?.stops?.[0]?.answer?.list ?? null;
  }

  #together({ id }, { thing }) {
    if (id === "nothing" || id === "none") return "";
    const many = id.split("+").length;
    return thing === undefined ? say("%(count)s at once", { count: many }) : `${many} ${many === 1 ? this.#called(thing) : this.#plural(thing)}`;
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
    const rest = (found) => (found > MOST_LISTED ? say("the first %(count)s are listed", { count: MOST_LISTED }) : "");
    const told = element("span", { class: "rw-play__small", "aria-live": "polite" }, rest(options.length));
    const box = element("input", {
      type: "search", class: "rw-play__find", placeholder: say("Find one of %(count)s", { count: options.length }), "aria-label": say("Find an option"), autocomplete: "off",
      oninput: () => {
        const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = options.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
        if (options.length > MOST_LISTED) this.#list(listed, found);
        else {
          const left = new Set(found.map(({ index }) => index));
          for (const each of this.#buttons) each.parentElement.hidden = !left.has(Number(each.dataset.index));
          this.#number();
        }
        told.textContent = [words.length ? say("%(count)s options are left.", { count: found.length }) : "", rest(found.length)].filter(Boolean).join(": ");
      },
    });
    return element("p", { class: "rw-play__finder" }, box, told);
  }

  #shown() {
    return this.#buttons.filter((each) => !each.parentElement.hidden);
  }

  #number() {
    for (const each of this.#buttons) each.lastElementChild.textContent = "";
    this.#shown().forEach((each, at) => { each.lastElementChild.textContent = this.#digit(each, at) ?? ""; });
  }

  /** Returns the digit of a shown option, or null if it has none. */
  #digit({ dataset: { index } }, at) {
    const { options } = this.decision;
    const ofNumbers = index !== undefined && options.every(({ id }) => /^\d+$/.test(id));
    const number = ofNumbers ? Number(options.find((each) => each.index === Number(index)).id) : at + 1;
    return number <= BY_KEY ? number : null;
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
