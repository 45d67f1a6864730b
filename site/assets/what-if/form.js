// The parameters of a section as fields, each beside its published value, and the settings of the game.

import { button, element } from "../play/elements.js";

/** Returns whether a parameter is one of those of a section: numbers, and whole tables. */
export function isOf(path, named) {
  return named.some((each) => path === each || path.startsWith(`${each}.`));
}

export class Form {
  #fields = new Map();
  #settings = {};
  #changed;

  /** `changed` is called after each change. `words` are the labels of the parameters by path. */
  constructor({ figures, named, words, options, changed }) {
    this.#changed = changed;
    const groups = new Map();
    for (const figure of figures.filter(({ path }) => isOf(path, named))) {
      const { group } = words[figure.path];
      groups.set(group, [...(groups.get(group) ?? []), figure]);
    }
    this.said = element("p", { class: "rw-what-if__error", role: "alert" });
    const sets = [...groups].map(([group, of]) => element("fieldset", {}, element("legend", {}, group || "Numbers"), ...of.map((each) => this.#field(each, words[each.path]))));
    const chosen = Object.entries(options).map(([id, option]) => this.#setting(id, option));
    if (chosen.length) sets.push(element("details", {}, element("summary", {}, "Settings of the game"), ...chosen));
    this.again = button("Reset all", () => this.reset(), { hidden: true });
    this.element = element("form", { class: "rw-what-if__form", onsubmit: (event) => event.preventDefault() }, ...sets, this.said, this.again);
  }

  #field({ path, published, value, dice, least, most }, { title, means }) {
    const id = `rw-what-if-${path.replaceAll(/\W/g, "-")}`;
    const box = element("input", {
      id, type: dice ? "text" : "number", value, min: dice ? null : least, max: dice ? null : most, step: dice ? null : 1, required: true,
      autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-was`, oninput: () => this.#note(),
    });
    const was = element("span", { id: `${id}-was`, class: "rw-what-if__was" }, `published: ${published}${dice ? "" : `; ${least} to ${most}`}`);
    const back = button("Reset", () => {
      box.value = published;
      this.#note();
      box.focus();
    }, { hidden: value === published, "aria-label": `Reset ${title} to ${published}` });
    this.#fields.set(path, { box, published, back });
    const label = element("label", { for: id }, title, means ? element("small", {}, means) : null);
    return element("div", { class: "rw-what-if__field" }, label, box, was, back);
  }

  #setting(id, { title, default: usual, choices }) {
    const box = element("select", { id: `rw-what-if-setting-${id}`, onchange: () => {
      if (box.value === usual) delete this.#settings[id];
      else this.#settings[id] = box.value;
      this.#note();
    } }, ...Object.entries(choices).map(([value, words]) => element("option", { value, selected: value === usual }, words)));
    return element("div", { class: "rw-what-if__field" }, element("label", { for: box.id }, title), box);
  }

  #note() {
    for (const { box, published, back } of this.#fields.values()) back.hidden = box.value.trim() === published;
    this.again.hidden = !Object.keys(this.values).length;
    this.#changed();
  }

  /** The changed parameters, by path. */
  get values() {
    const changed = [...this.#fields].filter(([, { box, published }]) => box.value.trim() !== published);
    return Object.fromEntries(changed.map(([path, { box }]) => [path, box.value.trim()]));
  }

  /** The settings that differ from their defaults. */
  get settings() { return { ...this.#settings }; }

  /** Shows why the values are invalid. */
  refuse(words) {
    this.said.textContent = words;
  }

  reset() {
    for (const { box, published } of this.#fields.values()) box.value = published;
    this.#note();
  }
}
