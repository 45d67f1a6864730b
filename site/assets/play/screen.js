// The screen on which a game is played: the table, what is asked, what it leads to, and what happened.

import { Choices } from "./choices.js";
import { button, counted, element } from "./elements.js";
import { Hotseat } from "./hotseat.js";
import { download, fragmentOf, remember } from "./keep.js";
import { Log } from "./log.js";
import { drawnOutlook, outlookOf } from "./outlook.js";
import { Tabletop } from "./tabletop.js";
import { botInWords } from "./thinking.js";

/** How long bots wait before they move, in milliseconds, so that people can follow. */
const PACES = [["to follow", 450], ["at once", 0]];
/** How long something is pointed at before it is tried, in milliseconds. */
const LINGER = 60;
const MOST_SAID = 6;
/** How long a position stands for at least where bots move at once, in milliseconds. */
const GLANCE = 200;

const LOOK = "Point at an option, or move to it, to see what it leads to.";
const SECRET = "What it leads to depends on what is hidden, so that only choosing it tells.";

export class Screen {
  #session = null;
  #seen = 0;
  #pointed = null;
  #waits = 0;
  #keys = false;
  #shownAt = 0;
  #pace = PACES[0][1];

  /** `leave()` is called when another game is wanted. */
  constructor(place, { rules, table, leave }) {
    this.rules = rules;
    const part = (name, attributes = {}) => element("div", { class: `rw-play__${name}`, ...attributes });
    this.turn = element("h2", { class: "rw-play__turn", id: "rw-play-turn", tabindex: "-1" });
    this.about = element("p", { class: "rw-play__about" });
    this.options = part("choices", { role: "group", "aria-labelledby": "rw-play-turn" });
    this.outlook = part("outlook", { id: "rw-play-outlook" });
    this.top = part("top", { role: "region", "aria-label": "The table" });
    this.story = part("story", { role: "region", "aria-labelledby": "rw-play-story", tabindex: "0" });
    this.said = element("p", { class: "rw-play__error", role: "alert" });
    this.linked = part("linked", { hidden: true });
    this.heard = element("div", { class: "rw-sr", role: "status", "aria-live": "polite" });
    this.back = button("Take back", () => this.#undo());
    const cover = part("cover", { hidden: true });
    this.shown = part("game");
    const pace = element("select", { id: "rw-play-pace", onchange: ({ target }) => this.#paced(Number(target.value)) },
      ...PACES.map(([words, value]) => element("option", { value }, words)));
    this.paced = element("span", { class: "rw-play__field" }, element("label", { for: "rw-play-pace" }, "Bots move"), pace);
    this.bar = element("div", { class: "rw-play__buttons", role: "group", "aria-label": "The game" },
      this.back,
      button("Save as a file", () => this.#save()),
      button("As a link", () => this.#link()),
      button("Another game", () => { this.stop(); leave(); }),
      this.paced,
    );
    this.shown.append(
      element("section", { class: "rw-play__ask", "aria-labelledby": "rw-play-turn" }, this.turn, this.about, this.said, this.options, this.outlook),
      this.top,
      element("section", { class: "rw-play__told" }, element("h2", { class: "rw-play__head", id: "rw-play-story" }, "What happened"), this.story),
    );
    this.place = place;
    this.parts = [this.bar, this.linked, cover, this.shown, this.heard];
    this.choices = new Choices(this.options, { rules, take: (index) => this.#take(index), point: (index) => this.#point(index) });
    this.tabletop = new Tabletop(this.top, { rules, table, pick: (indexes) => this.#picked(indexes), point: (index) => this.#point(index) });
    this.hotseat = new Hotseat(cover, this.shown);
    this.log = new Log(this.story, table.homes);
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", () => { this.#keys = false; });
  }

  /** Show a game, and let it go on. */
  play(session) {
    this.place.replaceChildren(...this.parts);
    this.#session = session;
    this.#seen = 0;
    session.pause = this.#pace;
    this.paced.hidden = session.people.length === session.seats.length;
    session.changed = (what) => this.#changed(session, what);
    this.hotseat.leave();
    this.log.show([]);
    this.#say([]);
    session.go();
    // Beginning a game is answered by its first question.
    this.turn.focus({ preventScroll: true });
  }

  /** Leave the game; its bots think no further. */
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

  /** Show how it stands between two moves of bots; where they move at once, not more often than one can see. */
  #glance() {
    const now = performance.now();
    if (!this.#pace && now - this.#shownAt < GLANCE) return;
    this.#show();
    this.#shownAt = performance.now();
  }

  get #viewer() {
    if (!this.rules.data.hidden || this.#session.game.result !== null) return null;
    return this.hotseat.viewer(this.#session);
  }

  #show({ focus = false } = {}) {
    const session = this.#session, { game } = session;
    this.back.disabled = !session.canUndo;
    this.linked.hidden = true;
    if (this.rules.data.hidden && this.hotseat.turn(session, () => this.#show({ focus: true }))) {
      this.#stand("covered");
      this.#say([`Hand the screen to ${session.name(session.asked.player)}.`]);
      return;
    }
    if (this.hotseat.covered) this.hotseat.lift();
    this.#stand(session.failed !== null ? "failed" : game.result !== null ? "over" : session.asked !== null ? "asked" : "thinking");
    const seat = this.#viewer, decision = session.asked;
    const events = seat === null ? game.log : game.told(seat);
    const fresh = this.log.show(game.lines({ seat }));
    this.said.replaceChildren();
    this.turn.textContent = this.#title();
    this.about.textContent = decision === null ? "" : decision.about.map(({ label }) => label).join(" · ");
    this.tabletop.show({ game, seat, decision, events: events.slice(Math.min(this.#seen, events.length)) });
    this.#seen = events.length;
    this.choices.show(decision, { game, focus: focus && this.#keys });
    this.#point(this.options.contains(document.activeElement) ? Number(document.activeElement.dataset.index) : null);
    if (session.failed !== null) this.#refuse(session.failed.message, button("Try again", () => session.go()));
    this.#say(fresh.map(({ text }) => text));
  }

  /** What the page stands at, for looks and for programs: how many have chosen, and what comes next. */
  #stand(state) {
    this.place.dataset.state = state;
    this.place.dataset.choices = this.#session.length;
  }

  #title() {
    const session = this.#session, { game } = session, { decision, result } = game;
    if (result !== null) {
      const names = result.winners.map((seat) => this.#named(seat));
      return names.length ? `The game is over: ${names.join(" and ")} ${names.length > 1 ? "win" : "wins"}` : "The game is over, and nobody has won";
    }
    const who = this.#named(decision.player);
    if (session.bot(decision.player)) return `${who} (${botInWords(session.bot(decision.player))}) is thinking …`;
    return session.people.length === 1 ? decision.ask : `${who}: ${decision.ask}`;
  }

  /** A player as the story calls them, and by the name that they gave themselves. */
  #named(seat) {
    const name = this.#session.name(seat), called = `Player ${seat}`;
    return name === called ? called : `${name} (${called})`;
  }

  /** Say to screen readers what happened and what is asked. */
  #say(lines) {
    const session = this.#session;
    const said = lines.length > MOST_SAID ? [`${lines.length - MOST_SAID} more lines stand in the story.`, ...lines.slice(-MOST_SAID)] : [...lines];
    if (!this.hotseat.covered) {
      said.push(this.turn.textContent);
      if (session.asked !== null) said.push(`${counted(session.asked.options.length, "option")}.`);
    }
    this.heard.textContent = said.join(" ");
  }

  #refuse(words, ...more) {
    this.said.replaceChildren(words, " ", ...more);
  }

  // -- what a reader does ----------------------------------------------------------------------------

  #take(index) {
    try {
      this.#session.take(index);
    } catch (error) {
      // The rules are at fault, and the game is as it was.
      this.#refuse(error.message);
    }
  }

  #picked(indexes) {
    if (indexes.length === 1) this.#take(indexes[0]);
    else if (indexes.length) this.choices.only(indexes);
  }

  #point(index) {
    this.#pointed = index;
    clearTimeout(this.#waits);
    this.tabletop.mark(index);
    const session = this.#session, decision = session?.asked ?? null;
    for (const each of this.options.querySelectorAll("[data-index]")) each.classList.toggle("rw-play__pointed", Number(each.dataset.index) === index);
    this.outlook.hidden = decision === null;
    if (decision === null || index === null || Number.isNaN(index)) {
      this.outlook.replaceChildren(element("p", { class: "rw-play__small" }, LOOK));
      return;
    }
    if (this.rules.data.hidden) {
      this.outlook.replaceChildren(element("p", { class: "rw-play__small" }, SECRET));
      return;
    }
    this.#waits = setTimeout(() => {
      if (session !== this.#session || session.asked !== decision || this.#pointed !== index) return;
      this.outlook.replaceChildren(element("p", { class: "rw-play__leads" }, `${decision.options[index].label}:`), ...drawnOutlook(outlookOf(this.rules, session.game, index)));
    }, LINGER);
  }

  #undo() {
    if (this.#session.undo()) {
      this.#seen = 0;
      this.hotseat.lift();
      this.#session.go();
    }
  }

  #paced(pause) {
    this.#pace = pause;
    this.#session.pause = pause;
  }

  #key(event) {
    if (this.#session === null) return;
    this.#keys = true;
    if (event.target.matches("input, select, textarea") || event.altKey || this.hotseat.covered) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "z" && !this.back.disabled) {
        event.preventDefault();
        this.#undo();
      }
    } else if (/^[1-9]$/.test(event.key) && this.choices.key(Number(event.key))) event.preventDefault();
  }

  // -- what is kept ------------------------------------------------------------------------------------

  async #keep(session) {
    if (!session.follows) return;
    const { digest } = this.rules;
    if (session.game.result !== null) remember(digest, null);
    else if (session.length) remember(digest, await fragmentOf(session.kept));
  }

  #save() {
    const session = this.#session;
    download(`${this.rules.reference.replace(/[^\w.-]+/g, "-")}-${session.length}.json`, session.game.save());
  }

  async #link() {
    const session = this.#session;
    if (!session.follows) {
      this.#refuse("This game went on from a save whose dice are not those of its seed, so that no link can hold it. Save it as a file.");
      return;
    }
    const address = `${location.href.split("#")[0]}${await fragmentOf(session.kept)}`;
    const box = element("input", { type: "text", readonly: true, value: address, id: "rw-play-link", "aria-label": "The address of this game", onfocus: () => box.select() });
    const told = element("span", { role: "status" });
    const copy = button("Copy", async () => {
      box.select();
      try {
        await navigator.clipboard.writeText(address);
      } catch {
        document.execCommand("copy");
      }
      told.textContent = "Copied.";
    });
    this.linked.replaceChildren(element("p", { class: "rw-play__field" }, box, copy, button("Close", () => { this.linked.hidden = true; }), told),
      element("p", { class: "rw-play__small" }, "Whoever opens it sees the game as it stands, with everything that happened, and can play on. It holds what is hidden, too."));
    this.linked.hidden = false;
    box.focus();
  }
}
