// The Try panel runs the procedure at the cursor on its own. The user sets dice and choices, and can save the run as an
// example, which then tests the rule.

import { button, element, say, worded } from "../desk/elements.js";
import { dialog } from "../dialogs/dialog.js";
import { capital, StartFields } from "./start_fields.js";

class Try {
  #inputs = [];
  #left = new Map(); // what was entered for other procedures, to continue there

  constructor(panels) {
    this.panels = panels;
    this.start = new StartFields(panels, () => this.#ask().catch(panels.trouble));
    this.told = element("ol", { class: "st-try__told", "aria-label": "Events" });
    this.waits = element("div", { class: "st-try__waits", role: "group", "aria-live": "polite" });
    this.hint = element("p", { class: "st-hint", hidden: true }, "Put the cursor in a procedure.");
    this.bar = element("div", { class: "st-buttons" });
    this.element = element("div", { class: "st-try" }, this.hint, this.start.element, this.told, this.waits, this.bar);
  }

  async refresh() {
    await this.#ask();
  }

  #request() {
    return { ...this.start.request(), dice: this.#inputs.flatMap(({ dice = [] }) => dice), choose: this.#inputs.flatMap(({ choose = [] }) => choose) };
  }

  /** Plays the rest at random. The results are then kept as if the user had entered them. */
  async roll() {
    await this.#ask();
    const answer = await this.panels.ask("try", { ...this.#request(), seed: crypto.getRandomValues(new Uint32Array(1))[0] });
    if (answer === null) return;
    const laid = this.#request();
    this.#inputs.push({ dice: answer.dice.slice(laid.dice.length), choose: answer.choose.slice(laid.choose.length) });
    this.#draw(answer);
  }

  async #ask() {
    const answer = await this.panels.ask("try", this.#request());
    if (answer === null) return;
    const { of } = this.start;
    const isKnown = this.start.follow(answer);
    if (answer.of !== of) {
      this.#left.set(of, this.#inputs);
      this.#inputs = this.#left.get(answer.of) ?? [];
      if (isKnown || this.#inputs.length) {
        await this.#ask();
        return;
      }
    }
    this.#keep(answer);
    this.#draw(answer);
  }

  /** Keeps only the results that fit the start and the rules, and adds those of an example. */
  #keep({ waits, dice, choose }) {
    if (!waits?.dropped) return;
    const laid = () => this.#request();
    while (this.#inputs.length && (laid().dice.length > dice.length || laid().choose.length > choose.length)) this.#inputs.pop();
    const more = { dice: dice.slice(laid().dice.length), choose: choose.slice(laid().choose.length) };
    if (more.dice.length || more.choose.length) this.#inputs.push(more);
  }

  #input(input) {
    this.#inputs.push(input);
    this.#ask().catch(this.panels.trouble);
  }

  #draw(answer) {
    const shown = answer.procedure !== null && answer.procedure !== undefined;
    this.hint.hidden = shown;
    for (const each of [this.start.element, this.told, this.waits, this.bar]) each.hidden = !shown;
    if (!shown) return;
    this.start.draw(answer);
    const skipped = Map.groupBy(answer.skipped, ({ after }) => after);
    const lines = [...answer.events.map((each) => this.#line(each)), null];
    this.told.replaceChildren(...lines.flatMap((line, at) => [...(skipped.get(at) ?? []).map((each) => this.#line(each, "st-try__skipped")), ...(line ? [line] : [])]));
    this.#drawWaits(answer);
    const pressed = this.bar.contains(document.activeElement) ? document.activeElement.textContent : null;
    this.bar.replaceChildren(
      button("Finish at random", () => this.roll().catch(this.panels.trouble), { disabled: answer.waits?.kind !== "dice" && answer.waits?.kind !== "choice" }),
      button("Back one step", () => { this.#inputs.pop(); this.#ask().catch(this.panels.trouble); }, { disabled: !this.#inputs.length }),
      button("Start over", () => { this.#inputs = []; this.#ask().catch(this.panels.trouble); }, { disabled: !this.#inputs.length }),
      button("Save as an example…", () => this.#record(answer), { disabled: answer.waits?.kind !== "end" }));
    const able = [...this.bar.querySelectorAll("button:enabled")];
    if (pressed !== null) (able.find((each) => each.textContent === pressed) ?? able.at(-1))?.focus();
  }

  #line({ text, place, title }, kind = null) {
    return element("li", { class: kind },
      element("span", {}, text),
      place ? element("button", { type: "button", class: "st-link st-try__rule", title: "Go to this step", onclick: () => this.panels.go(place.path, place.line, place.column) }, title) : null);
  }

  #drawWaits({ waits }) {
    const held = this.waits.contains(document.activeElement);
    this.waits.dataset.kind = waits?.kind ?? "";
    this.waits.replaceChildren(element("p", { class: "st-try__asked" }, ...worded(waits?.words ?? waits?.message ?? "")));
    if (waits?.dropped) this.waits.prepend(element("p", { class: "st-hint" }, `The earlier result is not possible from this start. ${waits.kind === "dice" ? "Roll" : "Choose"} again.`));
    for (const each of waits?.diagnostics ?? []) this.waits.append(...this.#explain(each));
    if (waits?.kind === "dice") this.waits.append(this.#hand(waits));
    if (waits?.kind === "choice") {
      this.waits.append(element("div", { class: "st-try__choices" }, ...waits.options.map(({ id, text, index }) => button(text ?? id, () => this.#input({ choose: [id ?? index] })))));
    }
    if (held) (this.waits.querySelector("button, input, select") ?? this.bar.querySelector("button:not(:disabled)"))?.focus();
  }

  /** Returns where a fault is, what to do about it, and why. */
  #explain({ path, line, column, help, why }) {
    return [
      path ? element("button", { type: "button", class: "st-link", onclick: () => this.panels.go(path, line, column) }, `${path}, line ${line}`) : null,
      ...[help, why].filter(Boolean).map((words) => element("p", {}, ...worded(sentence(words)))),
    ].filter(Boolean);
  }

  /** Renders the possible results: a sum for dice of several kinds, or every die. */
  #hand({ dice, faces, pools, labels = {} }) {
    const any = () => this.#input({ dice: [thrown(pools, faces)] });
    const isNumber = faces.every((face) => typeof face === "number");
    const roll = button(isNumber ? "Roll" : "Draw at random", any, { class: "st-button st-button--main" });
    if (faces.length <= 24) return element("div", { class: "st-try__dice", "aria-label": dice }, ...faces.map((face) => button(labels[face] ? `${face}: ${labels[face]}` : String(face), () => this.#input({ dice: [face] }), { class: "st-button st-face" })), roll);
    if (!isNumber) {
      const drawn = element("select", { class: "st-field", "aria-label": `Result of ${dice}`, onchange: () => this.#input({ dice: [drawn.value] }) },
        element("option", { value: "", selected: true, disabled: true }, "Choose the result…"), ...faces.map((face) => element("option", { value: face }, labels[face] ?? String(face))));
      return element("div", { class: "st-buttons" }, drawn, roll);
    }
    const input = element("input", { class: "st-field", type: "number", min: faces[0], max: faces.at(-1), placeholder: `${faces[0]} to ${faces.at(-1)}`, "aria-label": `Result of ${dice}` });
    return element("form", { class: "st-buttons", onsubmit: (event) => { event.preventDefault(); if (input.value !== "") this.#input({ dice: [Number(input.value)] }); } }, input, button("Set", null, { type: "submit" }), roll);
  }

  #record(answer) {
    const name = element("input", { class: "st-field", value: `${answer.title}, as it was played`, required: true, autofocus: true });
    const refused = element("p", { class: "st-refused", role: "alert" });
    const keep = async (event) => {
      event.preventDefault();
      const kept = await this.panels.ask("try", { ...this.#request(), record: true, title: name.value });
      if (kept === null) {
        refused.textContent = this.panels.fault.textContent || "The example could not be saved.";
        return;
      }
      box.close();
      say(`Saved in ${kept.path}.`);
      this.panels.go(kept.path, kept.line, 1);
    };
    const form = element("form", { onsubmit: keep },
      element("p", {}, "Every check will run the example again and report if the rules behave differently."),
      element("label", { class: "st-label" }, "Title of the example ", name),
      element("pre", { class: "st-code", tabindex: "0", role: "region", "aria-label": "Preview" }, answer.example ?? ""),
      refused,
      element("div", { class: "st-buttons" }, button("Save", null, { type: "submit", class: "st-button st-button--main" })));
    const box = dialog({ title: "Save this run as an example", body: [form] });
  }
}

const sentence = (words) => `${capital(words)}${/[.!?…:`]$/.test(words) ? "" : "."}`;

/** Returns a random roll with the odds of its dice, in order, or any card of a deck. */
function thrown(pools, faces) {
  const any = (all) => all[crypto.getRandomValues(new Uint32Array(1))[0] % all.length];
  const dice = pools.flatMap(({ count, faces: of }) => Array.from({ length: count }, () => any(of)));
  return dice.length > 1 ? dice : (dice[0] ?? any(faces));
}

export const panel = { name: "try", title: "Try", make: (panels) => new Try(panels) };
