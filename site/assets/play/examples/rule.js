// The text of a rule beside the table: its numbered steps as in the book, with the current one highlighted.

export class RuleText {
  #procedure = null;

  /** `rules` are the procedures by id, each with its title and the book's HTML of its steps. */
  constructor(place, rules, { element }) {
    this.rules = rules;
    this.head = element("h2", { class: "rw-play__head", id: "rw-play-rule" });
    this.text = element("div", { class: "rw-play__steps", role: "region", "aria-labelledby": "rw-play-rule", tabindex: "0" });
    place.replaceChildren(this.head, this.text);
    this.place = place;
  }

  /** Shows a procedure, or highlights one of its steps. */
  show(rule) {
    const procedure = rule in this.rules ? rule : rule.slice(0, rule.lastIndexOf(".")), found = this.rules[procedure];
    this.place.hidden = found === undefined;
    if (found === undefined) return;
    if (procedure !== this.#procedure) {
      this.#procedure = procedure;
      this.head.textContent = found.title;
      const held = document.createElement("template");
      held.innerHTML = found.steps;
      this.text.replaceChildren(held.content);
      this.text.scrollTop = 0;
    }
    let lit = null;
    for (const each of this.text.querySelectorAll("li[id], .rw-only")) {
      const here = each.id === rule;
      each.classList.toggle("rw-play__lit", here);
      if (here) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
      if (here) lit = each;
    }
    if (lit === null) return;
    const above = lit.getBoundingClientRect().top - this.text.getBoundingClientRect().top;
    if (above < 0 || above > this.text.clientHeight * 0.7) this.text.scrollTop += above - this.text.clientHeight * 0.25;
  }
}
