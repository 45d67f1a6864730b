// Games between bots under the published and the changed rules, with the same dice: win rates and length.

import { button, counted, element, pretty } from "../play/elements.js";
import { wilson } from "../../../engine/rulewright/export/js/figures/wilson_interval.js";
import { OFTEN, difference, figure, meanOf, moved, percent } from "./reckoning.js";
import { botsOf, usualBot } from "../play/thinking.js";

const BUDGETS = [200, 1000, 5000], FIRST_LOOK = 50, MOST_DECISIONS = 50_000, SEED = "what if";

export class Games {
  #sides;
  #counts = [null, null];
  #under = false;
  #next = FIRST_LOOK;

  /** `wanted()` returns a promise of the settings for the games. */
  constructor({ engine, rules, sides, measures, wanted }) {
    this.#sides = sides;
    this.measures = measures;
    this.wanted = wanted;
    const [fewest, most] = rules.players, bots = botsOf(engine, rules);
    const usual = bots.find(([name]) => name === usualBot(engine, rules));
    const select = (id, label, choices, chosen) => {
      const box = element("select", { id }, ...choices.map(([value, words]) => element("option", { value, selected: String(value) === String(chosen) }, words)));
      return [box, element("div", { class: "rw-what-if__field" }, element("label", { for: id }, label), box)];
    };
    const seats = Array.from({ length: most - fewest + 1 }, (_, at) => [fewest + at, counted(fewest + at, "player")]);
    const [players, playersField] = select("rw-what-if-players", "Players", seats, Math.max(fewest, Math.min(2, most)));
    const [bot, botField] = select("rw-what-if-bot", "Every player is a bot that", bots, usual?.[0]);
    const [budget, budgetField] = select("rw-what-if-budget", "At most", BUDGETS.map((each) => [each, `${each} games each`]), BUDGETS[1]);
    Object.assign(this, { players, bot, budget });
    this.play = button("Play", () => (this.#under ? this.stop("Stopped.") : this.#begin()), { class: "rw-play__button rw-play__button--main" });
    this.bar = element("progress", { max: 1, value: 0, "aria-label": "Games played", hidden: true });
    this.status = element("p", { class: "rw-what-if__status", role: "status" });
    this.place = element("div", {});
    this.element = element("section", { hidden: rules.data.start === null }, element("h3", {}, "Who wins, and how long it takes"),
      element("div", { class: "rw-what-if__form" }, playersField, botField, budgetField, element("div", { class: "rw-what-if__buttons" }, this.play, this.bar)), this.status, this.place);
  }

  async #begin() {
    const count = Number(this.players.value), games = Number(this.budget.value);
    this.#under = true;
    this.#counts = [null, null];
    this.#next = FIRST_LOOK;
    this.play.textContent = "Stop";
    this.bar.hidden = false;
    this.bar.value = 0;
    this.status.textContent = "Playing…";
    this.place.replaceChildren();
    this.why = undefined;
    const played = { kind: "games", bots: Array(count).fill(this.bot.value), games, seed: SEED, most: MOST_DECISIONS };
    try {
      const options = await this.wanted();
      if (!this.#under) return;
      const all = await Promise.all(this.#sides.map((side, at) => side.ask({ ...played, options: at ? options : {} }, (counts) => this.#note(at, counts, games))));
      if (!this.#under) return;
      if (all.includes(null)) this.#finish(this.why ?? "Stopped.");
      else {
        this.#counts = all;
        this.#finish(this.#clear() ? "The difference is clear." : "No clear difference in who wins after this many games.");
      }
    } catch (error) {
      this.stop();
      this.#finish(`These games cannot be played: ${error.message}`);
    }
  }

  #note(at, counts, games) {
    if (!this.#under) return;
    this.#counts[at] = counts;
    const done = Math.min(...this.#counts.map((each) => each?.done ?? 0));
    this.bar.value = done / games;
    if (done < this.#next) return;
    this.#next = Math.ceil(done * 1.5);
    this.#draw();
    if (this.#clear()) this.stop("The difference is clear.");
  }

  /** Returns whether the win rate of any seat has changed significantly. */
  #clear() {
    const [was, is] = this.#counts;
    return was.wins_by_seat.some((won, seat) => {
      const [low, high] = difference([won, was.done], [is.wins_by_seat[seat], is.done], OFTEN);
      return low > 0 || high < 0;
    });
  }

  /** Stops the games. */
  stop(why = "") {
    if (!this.#under) return;
    this.why = why;
    for (const side of this.#sides) side.stop();
  }

  #finish(words) {
    this.#under = false;
    this.play.textContent = "Play";
    this.bar.hidden = true;
    const [was, is] = this.#counts;
    this.status.textContent = was && is ? `${words} ${counted(was.done, "game")} under the published rules, ${counted(is.done, "game")} under yours.` : words;
    if (was && is) this.#draw();
  }

  #draw() {
    const [was, is] = this.#counts;
    const share = (won, of) => `${percent(of ? won / of : 0)} (${wilson(won, of).map(percent).join(" to ")})`;
    const row = (name, one, other, by) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, one), element("td", {}, other), element("td", {}, by));
    const shared = (name, one, other) => {
      const [low, high] = difference([one, was.done], [other, is.done]);
      return row(name, share(one, was.done), share(other, is.done), `${moved(low, high, (each) => (each * 100).toFixed(1))} points`);
    };
    const meant = (name, one, other) => {
      const [before, after] = [meanOf(one), meanOf(other)];
      if (!before.count || !after.count) return null;
      const said = ({ mean, within }) => `${figure(mean)}${Number.isFinite(within) ? ` ± ${figure(within)}` : ""}`;
      const apart = after.mean - before.mean, about = Math.hypot(before.within, after.within);
      return row(name, said(before), said(after), Number.isFinite(about) ? moved(apart - about, apart + about, figure) : "");
    };
    const rows = [
      ...was.wins_by_seat.map((won, seat) => shared(`Player ${seat + 1} wins`, won, is.wins_by_seat[seat])),
      was.draws || is.draws ? shared("Nobody wins", was.draws, is.draws) : null,
      was.unfinished || is.unfinished ? shared("Unfinished", was.unfinished, is.unfinished) : null,
      meant("Decisions per game", was.lengths, is.lengths),
      ...Object.keys(was.measures).map((name) => meant(this.measures[name] ?? pretty(name), was.measures[name], is.measures[name])),
    ];
    const head = ["", "Published", "Yours", "Change"].map((words) => (words ? element("th", { scope: "col" }, words) : element("td", {})));
    this.place.replaceChildren(
      element("div", { class: "rw-what-if__figures", tabindex: 0, role: "region", "aria-label": "Games as published and as yours" },
        element("table", { class: "rw-table" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows.filter((each) => each !== null)))),
      element("p", { class: "rw-what-if__small" }, "Both sides play with the same dice. In 19 of 20 cases the true figure lies in the range beside each."),
    );
  }
}
