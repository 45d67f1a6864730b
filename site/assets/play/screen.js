// The screen of a running game: table, decision, preview and log.

import { Bar } from "./bar.js";
import { Choices } from "./choices.js";
import { button, element, mayFocus } from "./elements.js";
import { ending, wonBy } from "./ending.js";
import { Hotseat } from "./hotseat.js";
import { download, fileOf, fragmentAtOnce, fragmentOf, remember } from "./keep.js";
import { showLink } from "./links.js";
import { Log } from "./log.js";
import { drawnOutlook, outlookOf } from "./outlook.js";
import { Tabletop } from "./tabletop.js";
import { botInWords } from "./thinking.js";
import { say, sayCount } from "./say.js";

/** The hover time before a preview, in milliseconds. */
const LINGER = 60;
const MOST_SAID = 6;
/** The minimum time that a position is shown if bots move without delay, in milliseconds. */
const GLANCE = 200;

const LOOK = say("Point at an option, or move focus to it, to see its effect.");
const TAP = say("Tap an option, or a space on the table, to see its effect.");
const SECRET = say("The effect depends on hidden information, so it is shown only after you choose.");

export class Screen {
  #session = null;
  #seen = 0;
  #pointed = null;
  #waits = 0;
  #keys = false;
  #shownAt = 0;
  #armed = null;
  #touched = matchMedia("(hover: none)").matches;

  /**
   * `shelf` is the storage key of games. Games under rules from a link (`linked`) have no link of their own. `leave()` is called
   * for another game, and `again(session, same)` to play again.
   */
  constructor(place, { rules, table, shelf, linked, leave, again }) {
    this.rules = rules;
    this.shelf = shelf;
    this.table = table;
    this.leaves = () => { this.stop(); leave(); };
    this.again = (same) => { const session = this.#session; this.stop(); again(session, same); };
    const part = (name, attributes = {}) => element("div", { class: `rw-play__${name}`, ...attributes });
    this.turn = element("h2", { class: "rw-play__turn", id: "rw-play-turn", tabindex: "-1" });
    this.about = element("p", { class: "rw-play__about" });
    this.options = part("choices", { role: "group", "aria-labelledby": "rw-play-turn" });
    this.outlook = part("outlook", { id: "rw-play-outlook" });
    this.top = part("top", { role: "region", "aria-label": say("The table") });
    this.story = part("story", { role: "region", "aria-labelledby": "rw-play-story", tabindex: "0" });
    this.said = element("p", { class: "rw-play__error", role: "alert" });
    this.linked = part("linked", { hidden: true });
    this.heard = element("div", { class: "rw-sr", role: "status", "aria-live": "polite" });
    this.bar = new Bar({
      back: () => this.#undo(),
      save: () => this.#save(),
      link: linked ? null : () => this.#link(),
      another: this.leaves,
      pace: (pause) => { this.#session.pause = pause; },
    });
    const cover = part("cover", { hidden: true });
    this.shown = part("game", {});
    this.shown.classList.add("rw-play__game--sat");
    this.ended = part("ended");
    this.tabletop = new Tabletop(this.top, { rules, table, pick: (indexes) => this.#picked(indexes), point: (index) => this.#point(index) });
    this.shown.append(
      part("side"),
      this.top,
    );
    this.ask = element("section", { class: "rw-play__ask", "aria-labelledby": "rw-play-turn" }, this.turn, this.about, this.said, this.ended, this.tabletop.bar, this.options, this.outlook);
    this.shown.firstChild.append(
      this.ask,
      element("section", { class: "rw-play__told" }, element("h2", { class: "rw-play__head", id: "rw-play-story" }, say("What happened")), this.story),
    );
    this.place = place;
    this.parts = [this.bar.element, this.linked, cover, this.shown, this.heard];
    this.choices = new Choices(this.options, { rules, take: (index) => this.#chosen(index), point: (index) => this.#point(index) });
    this.hotseat = new Hotseat(cover, this.shown);
    this.log = new Log(this.story, table.homes);
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", ({ pointerType }) => {
      this.#keys = false;
      this.#touched = pointerType === "touch";
    }, { capture: true });
  }

  /** The current game, or null. */
  get session() {
    return this.#session;
  }

  /** Shows a game and lets it continue. */
  play(session) {
    this.place.replaceChildren(...this.parts);
    this.#session = session;
    this.#seen = 0;
    session.pause = this.bar.pace;
    this.bar.paced.hidden = session.people.length === session.seats.length;
    session.changed = (what) => this.#changed(session, what);
    this.hotseat.leave();
    this.linked.hidden = true;
    this.log.show([]);
    this.#say([]);
    session.go();
    // A new game moves focus to its first decision.
    scrollTo({ top: 0, behavior: "instant" });
    if (mayFocus()) this.turn.focus({ preventScroll: true });
  }

  /** Leaves the game and stops its bots. */
  stop() {
    this.#session?.leave();
    this.#session = null;
    delete this.place.dataset.state;
  }

  #changed(session, what) {
    if (session !== this.#session) return;
    this.#keep(session);
    if (what === "thinking") this.#show();
    else if (what === "taken" && session.asked === null && session.game.decision !== null) this.#glance();
    else if (what !== "taken") this.#show({ focus: true });
  }

  /** Redraws between moves of bots, but not more often than visible. */
  #glance() {
    const now = performance.now();
    if (!this.#session.pause && now - this.#shownAt < GLANCE) return;
    this.#show();
    this.#shownAt = performance.now();
  }

  get #viewer() {
    if (!this.rules.data.hidden || this.#session.game.result !== null) return null;
    return this.hotseat.viewer(this.#session);
  }

  #show({ focus = false } = {}) {
    const session = this.#session, { game } = session;
    const lost = !document.activeElement || document.activeElement === document.body || this.shown.contains(document.activeElement);
    this.bar.back.disabled = !session.canUndo;
    this.#armed = null;
    if (this.rules.data.hidden && this.hotseat.turn(session, () => this.#show({ focus: true }))) {
      this.#stand("covered");
      this.#say([say("Hand the screen to %(name)s", { name: session.name(session.asked.player) })]);
      return;
    }
    if (this.hotseat.covered) this.hotseat.lift();
    this.#stand(session.failed !== null ? "failed" : game.result !== null ? "over" : session.asked !== null ? "asked" : "thinking");
    const seat = this.#viewer, decision = session.asked;
    const events = seat === null ? game.log : game.logFor(seat);
    const fresh = this.log.show(game.lines({ seat }));
    this.said.replaceChildren();
    this.turn.textContent = this.#title();
    this.about.textContent = decision === null ? "" : this.#about(decision);
    this.tabletop.show({ game, seat, decision, events: events.slice(Math.min(this.#seen, events.length)) });
    this.#seen = events.length;
    this.choices.show(decision, {
      focus: focus && this.#keys, drawn: (index) => this.tabletop.reaches(index), touches: (index) => this.tabletop.touches(index),
      turn: session.length,
    });
    this.#point(this.options.contains(document.activeElement) ? Number(document.activeElement.dataset.index) : null);
    this.ended.replaceChildren(...(game.result === null ? [] : ending(game, {
      table: this.table, home: (rule) => this.log.link(rule), again: this.again, link: () => this.#link(), another: this.leaves,
    })));
    if (decision !== null) this.tabletop.uncover(this.ask);
    // If the focused element was redrawn or removed, move focus to the decision.
    if (lost && document.activeElement === document.body && mayFocus()) this.turn.focus({ preventScroll: true });
    if (session.failed !== null) this.#refuse(session.failed.message, button(say("Try again"), () => session.go()));
    this.log.toEnd();
    this.#say(fresh.map(({ text }) => text));
  }

  /** Returns the subjects of a decision, each by name and label, unless the label contains the name. */
  #about({ rule, about }) {
    const { procedure } = Object.values(this.rules.data.steps).find((each) => each.rule === rule);
    const { called } = this.rules.data.procedures.find(({ id }) => id === procedure);
    const said = new Map(about.map(({ name, kind, label }) => {
      // With several players, a label alone is ambiguous.
      const words = Object.hasOwn(called, name) ? this.rules.words(called[name]) : kind === "player" && this.rules.data.language === undefined ? name.replaceAll("_", " ") : "";
      if (words === "player") return [label, label];
      return [label, words && (kind === "player" || !label.toLowerCase().includes(words.toLowerCase())) ? `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${label}` : label];
    }));
    return [...said.values()].join(" · ");
  }

  /** Publishes the state of the page for styles and programs: the number of choices, and what comes next. */
  #stand(state) {
    this.place.dataset.state = state;
    this.place.dataset.choices = this.#session.length;
  }

  #title() {
    const session = this.#session, { game } = session, { decision, result } = game;
    if (result !== null) return wonBy(game);
    const who = game.nameOf(decision.player);
    if (session.bot(decision.player)) return say("%(who)s (%(bot)s) is thinking…", { who, bot: botInWords(session.bot(decision.player)) });
    // A question about another player could be meant for that player.
    const isAboutOthers = decision.about.some(({ kind, label }) => kind === "player" && label !== who);
    return session.people.length === 1 && !isAboutOthers ? decision.ask : `${who}: ${decision.ask}`;
  }

  /** Announces events and the decision to screen readers. */
  #say(lines) {
    const session = this.#session;
    const said = lines.length > MOST_SAID ? [say("%(count)s more lines are in the log.", { count: lines.length - MOST_SAID }), ...lines.slice(-MOST_SAID)] : [...lines];
    if (!this.hotseat.covered) {
      // If focus is on the decision, screen readers read it from there.
      if (document.activeElement !== this.turn && !this.options.contains(document.activeElement)) said.push(this.turn.textContent);
      if (session.asked !== null) said.push(sayCount(session.asked.options.length, say("%(count)s option."), say("%(count)s options.")));
    }
    this.heard.textContent = said.join(" ");
  }

  #refuse(words, ...more) {
    this.said.replaceChildren(words, " ", ...more);
  }

  // -- actions -----------------------------------------------------------------------------------------

  #take(index) {
    this.linked.hidden = true;
    try {
      this.#session.take(index);
    } catch (error) {
      // The rules failed, and the game is unchanged.
      this.#refuse(error.message);
    }
  }

  /** Handles a chosen option. Touch cannot hover, so the first tap shows the preview. */
  #chosen(index) {
    if (!this.#touched || this.bar.takesAtOnce || this.#armed === index) {
      this.#take(index);
      return;
    }
    this.#armed = index;
    this.#point(index);
    this.outlook.querySelector("button")?.focus({ preventScroll: true });
  }

  #picked(indexes, sure = false) {
    if (sure) this.#take(indexes[0]);
    else if (indexes.length === 1) this.#chosen(indexes[0]);
    else if (indexes.length) this.choices.only(indexes);
  }

  #point(index) {
    // A finger that moves to the button leaves the selected space.
    if (index === null && this.#armed !== null) return;
    this.#pointed = index;
    clearTimeout(this.#waits);
    this.tabletop.mark(index);
    const session = this.#session, decision = session?.asked ?? null;
    for (const each of this.options.querySelectorAll("[data-index]")) each.classList.toggle("rw-play__pointed", Number(each.dataset.index) === index);
    this.outlook.hidden = decision === null;
    if (this.#armed !== index) this.#armed = null;
    this.ask.classList.toggle("rw-play__ask--armed", this.#armed !== null);
    if (decision === null || index === null || Number.isNaN(index)) {
      this.outlook.replaceChildren(element("p", { class: "rw-play__small" }, this.#touched ? TAP : LOOK));
      return;
    }
    const said = [element("p", { class: "rw-play__leads" }, `${decision.options[index].label}:`)];
    if (this.#armed === index) {
      said.push(element("p", { class: "rw-play__buttons" },
        button(say("Choose it"), () => this.#take(index), { class: "rw-play__button rw-play__button--main rw-play__take", "aria-label": say("Choose it: %(option)s", { option: decision.options[index].label }) }),
        button(say("Cancel"), () => { this.#armed = null; this.#point(null); this.choices.focus(); })));
    }
    if (this.rules.data.hidden) {
      this.outlook.replaceChildren(...said, element("p", { class: "rw-play__small" }, SECRET));
      return;
    }
    const draw = () => this.outlook.replaceChildren(...said, ...drawnOutlook(outlookOf(this.rules, session.game, index)));
    // Without a delay, because the sheet grows upwards and would move the button away from the finger.
    if (this.#armed === index) draw();
    else this.#waits = setTimeout(() => session === this.#session && session.asked === decision && this.#pointed === index && draw(), LINGER);
  }

  #undo() {
    if (this.#session.undo()) {
      this.#seen = 0;
      this.hotseat.lift();
      this.#session.go();
    }
  }

  #key(event) {
    // A game that was started from the keyboard continues with the keyboard.
    this.#keys = true;
    this.#touched = false;
    if (this.#session === null || this.bar.help.open) return;
    if (event.target.matches("input, select, textarea") || event.altKey || this.hotseat.covered) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "z" && !this.bar.back.disabled) {
        event.preventDefault();
        this.#undo();
      }
    } else if (event.key === "?") {
      event.preventDefault();
      this.bar.help.showModal();
    } else if (/^[0-9]$/.test(event.key) && this.choices.key(Number(event.key))) event.preventDefault();
  }

  // -- storage -----------------------------------------------------------------------------------------

  #keep(session) {
    if (!session.follows) return;
    if (session.game.result !== null) remember(this.shelf, null);
    else if (session.length) remember(this.shelf, fragmentAtOnce(session.kept));
  }

  #save() {
    const session = this.#session;
    download(fileOf(this.rules.reference, session.length), session.game.save());
  }

  async #link() {
    const session = this.#session;
    if (!session.follows) {
      this.#refuse(say("This game continues a save whose dice do not follow from its seed, so a link cannot contain it. Save it as a file."));
      return;
    }
    const fragment = await fragmentOf(session.kept);
    if (session !== this.#session) return;
    showLink(this.linked, fragment, say("The link opens the game in its current state, with its whole history, and others can play on. It includes hidden information."));
  }
}
