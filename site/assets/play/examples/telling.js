// An example or recorded game on the table: step forward and back, and take over by choosing differently.

import { openingExample } from "../../../../engine/rulewright/export/js/examples/example_player.js";
import { RuleText } from "./rule.js";
import { wonBy } from "../ending.js";
import { say } from "../say.js";

/** The number of entries to replay before the page may render and handle input. */
const SLICE = 12;

const anySeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

class Telling {
  #example = null;
  #found = null;
  #at = 0;
  #shown = null;
  #events = 0;
  #free = null;
  #keys = false;
  #openings = 0;

  /**
   * `parts` are those of the page. `keep` saves and links an example that was taken over. `leave()` is called to go back,
   * and `playOn(game)` to continue a whole game on the Play page.
   */
  constructor(place, { parts, rules, table, texts, keep, leave, playOn }) {
    const { button, element } = this.parts = parts;
    this.place = place;
    this.rules = rules;
    this.playOn = playOn;
    const part = (name, attributes = {}) => element("div", { class: `rw-play__${name}`, ...attributes });
    this.title = element("h2", { class: "rw-play__turn", id: "rw-play-turn", tabindex: "-1" });
    this.about = part("about");
    this.counter = element("p", { class: "rw-play__small" });
    this.sentence = element("ul", { class: "rw-play__now" });
    this.hint = element("p", { class: "rw-play__hint" });
    this.said = element("p", { class: "rw-play__error", role: "alert" });
    this.question = element("h3", { class: "rw-play__question", id: "rw-play-question" });
    this.options = part("choices", { role: "group", "aria-labelledby": "rw-play-question" });
    this.results = part("results");
    this.top = part("top", { role: "region", "aria-label": say("The table") });
    this.rule = element("section", { class: "rw-play__rules" });
    this.story = part("story", { role: "region", "aria-labelledby": "rw-play-story", tabindex: "0" });
    this.heard = element("div", { class: "rw-sr", role: "status", "aria-live": "polite" });
    this.back = button(say("Back"), () => this.#back());
    this.on = button(say("Forward"), () => this.#forward(), { class: "rw-play__button rw-play__button--main" });
    this.end = button(say("To the end"), () => this.#go(this.#example.steps.length));
    this.over = button(say("Take over"), () => this.#takeOver());
    this.again = button(say("Back to the story"), () => this.#return());
    this.freely = button(say("Play on freely"), () => this.playOn(this.#free?.game ?? this.#example.leave(this.#at)));
    this.book = element("a", { class: "rw-play__home" }, say("In the book"));
    this.linked = part("linked", { hidden: true });
    this.save = button(say("Save as a file"), () => keep.save(this.#taken));
    this.link = button(say("Share a link"), () => keep.link(this.linked, this.#taken));
    const bar = part("buttons", { role: "group", "aria-label": say("The example") });
    bar.classList.add("rw-play__buttons--told");
    bar.append(this.back, this.on, this.end, this.over, this.again, this.freely, this.save, this.link, button(say("New game"), () => { this.stop(); leave(); }), this.book);
    const game = part("game", {});
    game.classList.add("rw-play__game--told");
    game.append(
      element("section", { class: "rw-play__ask", "aria-labelledby": "rw-play-turn" },
        this.title, this.about, this.counter, this.sentence, this.said, this.question, this.hint, this.options, this.results),
      this.top,
      this.rule,
      element("section", { class: "rw-play__told" }, element("h2", { class: "rw-play__head", id: "rw-play-story" }, say("What happened")), this.story),
    );
    this.shown = [bar, this.linked, game, this.heard];
    this.choices = new parts.Choices(this.options, { rules, take: (index) => this.#take(index), point: (index) => this.#point(index) });
    this.tabletop = new parts.Tabletop(this.top, { rules, table, pick: (indexes) => this.#picked(indexes), point: (index) => this.#point(index) });
    this.text = new RuleText(this.rule, texts, parts);
    this.log = new parts.Log(this.story, table.homes);
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", () => { this.#keys = false; });
  }

  /** Starts a recording from the page's data, or resumes one that was `taken` over. `guide` marks a game to follow.
   * Throws GameError. */
  async open(found, { id, guide, taken }) {
    const opening = openingExample(this.rules, found.data), mine = ++this.#openings;
    let step = opening.next();
    for (let count = 1; !step.done; count++) {
      if (count % SLICE === 0) await this.parts.breath();
      // The reader has chosen something else in the meantime.
      if (mine !== this.#openings) return;
      step = opening.next();
    }
    this.id = id;
    this.#example = step.value;
    this.#found = found;
    this.#at = 0;
    this.#events = 0;
    this.#free = null;
    this.guide = guide;
    // Tell the table that the same game continues.
    this.#shown = { view: (seat) => this.#example.view(this.#at, seat), decision: null, choices: [], record: [] };
    this.title.textContent = found.title;
    this.about.replaceChildren(...(guide ? [this.parts.element("p", {}, say("This is a recorded game. Make the same choices and see what happens: the dice fall as they did then."))] : []), ...(found.text ? [this.#html("p", found.text)] : []), ...(found.given?.length ? [this.#html("p", `${found.given.join(". ")}.`)] : []));
    this.book.href = found.home;
    this.book.hidden = !found.home;
    this.place.replaceChildren(...this.shown);
    this.log.show([]);
    if (guide) this.#at = this.#next(0, true);
    this.#show([]);
    if (taken !== null) this.#takeUp(taken);
    this.title.focus({ preventScroll: true });
  }

  #html(name, text, attributes = {}) {
    const made = this.parts.element(name, attributes);
    made.innerHTML = text;
    return made;
  }

  stop() {
    this.#openings += 1;
    this.#example = this.#free = null;
    this.linked.hidden = true;
    for (const name of ["state", "step", "steps"]) delete this.place.dataset[name];
  }

  // -- position ---------------------------------------------------------------------------------------

  /** Returns the step after the current one. In a game that waits for its reader, it is the next decision. */
  #next(from, here = false) {
    const last = this.#example.steps.length;
    if (!this.guide) return Math.min(from + 1, last);
    let at = here ? from : from + 1;
    while (at < last && this.#example.at(at).decision === null) at += 1;
    return Math.min(at, last);
  }

  #before(from) {
    if (!this.guide) return Math.max(from - 1, 0);
    let at = from - 1;
    while (at > 0 && this.#example.at(at).decision === null) at -= 1;
    return Math.max(at, this.#next(0, true));
  }

  #forward() {
    if (this.#free === null && this.#at < this.#example.steps.length) this.#go(this.#next(this.#at));
  }

  #back() {
    if (this.#free !== null) {
      this.linked.hidden = true;
      this.#free.choices.pop();
      if (!this.#free.game.undo() || this.#free.game.record.length <= this.#free.record) this.#return();
      else this.#showFree();
    } else if (this.#at > 0) this.#go(this.#before(this.#at));
  }

  #go(place) {
    const from = this.#at;
    this.#at = place;
    this.#show(place > from ? this.#example.steps.slice(from, place) : []);
  }

  #return() {
    this.#free = null;
    this.linked.hidden = true;
    this.#events = 0;
    this.#show([]);
    this.#focus();
  }

  // -- rendering ---------------------------------------------------------------------------------------

  #show(fresh) {
    const example = this.#example, at = this.#at, { steps } = example, last = at === steps.length;
    const moment = example.at(at), { decision, chance, entry } = moment;
    const inside = this.options.contains(document.activeElement);
    Object.assign(this.#shown, { decision, choices: moment.choices, record: example.record(moment.chosen) });
    const events = fresh.length && moment.events > this.#events ? example.events(this.#events, moment.events) : [];
    this.#events = moment.events;
    const now = this.guide ? fresh : steps.slice(Math.max(at - 1, 0), at);
    this.said.replaceChildren();
    this.counter.textContent = this.guide ? "" : at === 0 ? say("Before the first of %(count)s steps", { count: steps.length }) : say("Step %(step)s of %(count)s", { step: at, count: steps.length });
    this.#tell(now);
    this.tabletop.show({ game: this.#shown, seat: null, decision, events });
    this.#ask(decision);
    const wanted = entry !== null && decision !== null ? decision.options.find(({ id }) => id === entry[1]) : undefined;
    this.hint.replaceChildren(...this.#hints(wanted, chance, last));
    for (const each of this.options.querySelectorAll("[data-index]")) each.classList.toggle("rw-play__wanted", Number(each.dataset.index) === wanted?.index);
    this.about.hidden = at > (this.guide ? this.#next(0, true) : 0);
    this.results.replaceChildren(...(last && this.#found.results?.length ? this.#found.results.map((each) => this.#html("div", each, { class: "rw-result" })) : []));
    this.text.show(decision?.rule ?? steps[at - 1]?.rule ?? steps[0]?.rule ?? example.procedure ?? "");
    this.log.show(steps.slice(0, at));
    this.#buttons(last);
    this.#stand(last ? "over" : decision !== null ? "asked" : "told");
    this.#say([...now.map(({ text }) => text), decision?.ask ?? "", this.hint.textContent]);
    if (inside || this.#lost()) this.#focus();
  }

  #tell(lines) {
    const { dice, element } = this.parts;
    this.sentence.hidden = !lines.length;
    this.sentence.replaceChildren(...lines.map(({ pieces }) => element("li", {}, ...pieces.map((piece) => (typeof piece === "string" ? piece : dice(piece))))));
  }

  #ask(decision) {
    this.question.hidden = this.options.hidden = decision === null;
    this.question.textContent = decision === null ? "" : `${say("Player %(seat)s", { seat: decision.player })}: ${decision.ask}`;
    this.choices.show(decision, { marks: false });
  }

  #hints(wanted, chance, last) {
    if (last) return [this.guide ? say("That is the end of the story. You can play on freely from here.") : say("That is the end of the example. Go back, or take over and see what comes next.")];
    if (wanted !== undefined) return [
      this.guide ? say("In the story, the choice is:") : say("In the example, the choice is:"), " ", this.parts.element("b", {}, wanted.label), ". ",
      this.guide ? say("Do the same, on the table or in the list.") : say("To take over, choose something else."),
    ];
    if (chance !== null) return [say("Next, the dice fall as they did in the example. If you take over, they are rolled again.")];
    return [];
  }

  #showFree() {
    const { game } = this.#free, { decision, result } = game;
    const inside = this.options.contains(document.activeElement);
    const events = game.log, fresh = game.lines({ since: Math.min(this.#free.seen, events.length) });
    this.said.replaceChildren();
    this.counter.textContent = "";
    this.#tell(fresh);
    this.tabletop.show({ game, seat: null, decision, events: events.slice(Math.min(this.#free.seen, events.length)) });
    this.#free.seen = events.length;
    this.#ask(decision);
    const over = result === null ? "" : `${wonBy(game)} `;
    this.hint.replaceChildren(this.#free.chosen === ""
      ? `${over}${say("You have taken over: choose as you like, with new dice. You can go back at any time.")}`
      : `${over}${say("You chose “%(option)s” instead. You can go back at any time.", { option: this.#free.chosen })}`);
    this.results.replaceChildren();
    this.text.show(decision?.rule ?? events[events.length - 1]?.rule ?? "");
    this.log.show(game.lines());
    this.#buttons(false);
    this.#stand(result === null ? "free" : "done");
    this.#say([...fresh.map(({ text }) => text), this.hint.textContent, decision?.ask ?? ""]);
    if (inside || this.#lost()) this.#focus();
  }

  #buttons(last) {
    const free = this.#free !== null, first = this.guide ? this.#next(0, true) : 0;
    this.on.textContent = this.guide ? say("Do it for me") : say("Forward");
    this.again.textContent = this.guide ? say("Back to the story") : say("Back to the example");
    this.back.disabled = !free && this.#at <= first;
    this.on.disabled = last;
    this.end.disabled = last;
    this.on.hidden = free;
    this.end.hidden = free || this.guide;
    this.over.hidden = free || this.guide;
    this.again.hidden = this.save.hidden = this.link.hidden = !free;
    this.freely.hidden = !this.guide;
  }

  #stand(state) {
    Object.assign(this.place.dataset, { state, step: String(this.#at), steps: String(this.#example.steps.length) });
  }

  #say(lines) {
    this.heard.textContent = lines.filter(Boolean).join(" ");
  }

  /** Whether the focused element has been removed. */
  #lost() {
    const { activeElement } = document;
    return activeElement === null || activeElement === document.body || activeElement.disabled || activeElement.hidden;
  }

  #focus() {
    if (this.#keys && !this.options.hidden && this.options.querySelector("button")) this.choices.focus();
    else (this.on.hidden || this.on.disabled ? this.back : this.on).focus({ preventScroll: true });
    // The result is shown above the table, which may be outside the screen on a phone.
    if (this.question.getBoundingClientRect().top < 0) this.sentence.scrollIntoView({ block: "start" });
  }

  // -- actions -----------------------------------------------------------------------------------------

  #take(index) {
    try {
      if (this.#free !== null) {
        this.linked.hidden = true;
        this.#choose(index);
        this.#showFree();
        return;
      }
      const { decision, entry } = this.#example.at(this.#at), option = decision.options[index];
      if (entry?.[1] === option.id && this.#at < this.#example.steps.length) this.#forward();
      else this.#leave(option);
    } catch (error) {
      // The rules failed, and the game is unchanged.
      this.said.replaceChildren(error.message);
    }
  }

  #leave(option) {
    this.#begin(anySeed(), option?.label);
    if (option !== undefined) this.#choose(option.index);
    else this.#free.seen = Math.min(this.#events, this.#free.seen);
    this.#showFree();
  }

  #begin(seed, chosen = "") {
    const game = this.#example.leave(this.#at, { seed });
    this.#free = { game, seed, choices: [], seen: game.log.length, record: game.record.length, chosen };
  }

  #choose(index) {
    const { game, choices } = this.#free;
    game.choose(index);
    choices.push(index);
  }

  /** Returns how the example was taken over: the position, the dice, and the choices since. */
  get #taken() {
    const { seed, choices } = this.#free;
    return { kind: this.guide ? "samples" : "examples", id: this.id, at: this.#at, seed, choices: [...choices] };
  }

  #takeUp({ at, seed, choices }) {
    this.#go(at);
    const { decision } = this.#example.at(at);
    this.#begin(seed, decision?.options[choices[0]]?.label);
    for (const index of choices) this.#choose(index);
    this.#showFree();
  }

  #takeOver() {
    try {
      this.#leave();
    } catch (error) {
      this.said.replaceChildren(error.message);
    }
  }

  #picked(indexes) {
    if (indexes.length === 1) this.#take(indexes[0]);
    else if (indexes.length) this.choices.only(indexes);
  }

  #point(index) {
    this.tabletop.mark(index);
    for (const each of this.options.querySelectorAll("[data-index]")) each.classList.toggle("rw-play__pointed", Number(each.dataset.index) === index);
  }

  #key(event) {
    if (this.#example === null || event.defaultPrevented) return;
    this.#keys = true;
    if (event.target.matches("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    const act = { ArrowRight: () => this.#forward(), ArrowLeft: () => this.#back() }[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act();
    } else if (/^[1-9]$/.test(event.key) && this.choices.key(Number(event.key))) event.preventDefault();
  }
}

globalThis.rulewrightTelling = Telling;
