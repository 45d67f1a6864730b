// The Fair panel: paired games between bots in the background, under the base rules and under these, until the change of
// balance is significant or all games are played. It also looks for what evens out an advantage.

import { post } from "../desk/api.js";
import { button, element, worded } from "../desk/elements.js";

const BUDGETS = [20, 100, 500, 2000];
const CLEAR = 40; // fewer games decide nothing
const MOST_FOLDERS = 20; // names that are tried for a new folder

/** Descriptions of bots, for people who do not know their names. */
const BOTS = {
  random: "picks at random", greedy: "looks one decision ahead", planner: "plans its turn", rollout: "plays games to the end",
  mcts: "searches deeply", solved: "plays small games perfectly", trained: "learned by self-play",
};
const option = (name, chosen = null) => element("option", { value: name, selected: name === chosen }, BOTS[name] ? `${BOTS[name]} (${name})` : name);

class Fair {
  #job = null;
  #game = null; // the edition of the results, and its gameplay digest
  #failed = null; // the gameplay digest of rules whose games could not be played, or "" for rules with errors
  #asking = false; // whether the games have been requested and the job is not known yet
  #last = null;
  #ticking = 0; // counts the seconds until the first results

  constructor(panels) {
    this.panels = panels;
    this.budget = element("select", { class: "st-field" }, ...BUDGETS.map((games) => element("option", { value: games, selected: games === BUDGETS[1] }, `at most ${games} games${games < CLEAR ? ", too few to be clear" : ""}`)));
    this.bots = element("select", { class: "st-field" }, element("option", { value: "" }, "recommended"), ...["random", "greedy"].map((name) => option(name)));
    this.start = button("Play games", () => this.#start(), { class: "st-button st-button--main" });
    this.even = button("Even it out", () => this.#start({ even: true }), { title: "Finds an advantage from the start, and what evens it out" });
    this.stop = button("Stop", () => this.#stop(), { disabled: true });
    this.progress = element("progress", { max: 1, value: 0, "aria-label": "Games played", hidden: true });
    this.hint = element("p", { class: "st-hint" });
    this.said = element("p", { class: "st-fair__said", role: "status" });
    this.by = element("p", { class: "st-hint" });
    this.other = element("p", { class: "st-fair__other", role: "status", hidden: true });
    this.change = element("div", { class: "st-fair__change", hidden: true });
    this.tables = element("div", { class: "st-fair__tables" });
    this.element = element("div", { class: "st-fair" },
      this.hint,
      element("div", { class: "st-buttons" }, element("label", { class: "st-label" }, "Bots ", this.bots), element("label", { class: "st-label" }, "Budget ", this.budget)),
      element("div", { class: "st-buttons" }, this.start, this.even, this.stop),
      this.progress, this.other, this.said, this.change, this.by, this.tables);
  }

  /** Results for older rules stay visible, marked as outdated. A failure under older rules does not. */
  async refresh() {
    const extended = this.panels.place()?.refs.find(({ ref }) => ref === this.panels.ref)?.extends;
    this.hint.textContent = extended
      ? `Bots play under the rules of ${extended} and under yours, with the same dice, and stop once the effect on balance is clear.`
      : "Bots play the game against each other. Their results show whether a seat has an advantage.";
    if (this.#asking) return; // another request would replace the one for the games
    const answer = await this.panels.ask("fair", { peek: true });
    if (answer === null) return;
    this.#compare(answer);
    if (this.#failed === null || this.#failed === answer.game || answer.stale) return;
    this.#failed = null;
    this.said.textContent = "The rules have changed since the games failed. Play games to test the current rules.";
  }

  /** Marks the results as outdated if the rules play differently now. */
  #compare({ ref, game }) {
    const now = this.#game;
    const isOther = now !== null && now.game !== game;
    this.other.hidden = !isOther;
    this.other.textContent = !isOther ? "" : now.ref === ref ? `These results are for ${ref} before your last changes. Play again to test the current rules.` : `These results are for ${now.ref}.`;
    this.element.classList.toggle("st-fair--other", isOther);
  }

  /** Offers the games, which take long, instead of starting them. */
  async offer() {
    await this.refresh();
    (this.start.disabled ? this.stop : this.start).focus();
  }

  #busy(is) {
    this.start.disabled = this.even.disabled = is;
  }

  async #start(more = {}) {
    this.#busy(true);
    this.#failed = null;
    this.change.hidden = true;
    const begun = Date.now();
    const passed = element("span", { "aria-hidden": "true" });
    this.said.replaceChildren("Playing the first games… ", passed);
    clearInterval(this.#ticking);
    this.#ticking = setInterval(() => (passed.textContent = `${Math.round((Date.now() - begun) / 1000)} s`), 1000);
    try {
      await this.panels.saved();
      this.#asking = true;
      const answer = await this.panels.ask("fair", { ...(this.bots.value ? { bots: [this.bots.value] } : {}), budget: { games: Number(this.budget.value) }, ...more });
      if (answer === null) {
        clearInterval(this.#ticking);
        const refusal = this.panels.fault.textContent;
        this.#failed = (await this.panels.ask("fair", { peek: true }))?.game ?? "";
        this.said.textContent = this.#failed || !refusal ? refusal : "The rules have errors. Fix them, and play the games again.";
        this.#busy(false);
        return;
      }
      if (answer.bots) this.#offer(answer.bots);
      this.by.replaceChildren(...worded(answer.played));
      this.#job = answer.job;
      this.#game = { ref: answer.ref, game: answer.game };
      this.#compare(answer);
      this.stop.disabled = false;
      if (document.activeElement === document.body) this.stop.focus();
      this.progress.hidden = false;
      this.progress.removeAttribute("value");
      this.tables.replaceChildren();
      if (this.#last?.id === answer.job) this.job(this.#last);
    } catch (error) {
      clearInterval(this.#ticking);
      this.#busy(false);
      this.panels.trouble(error);
    } finally {
      this.#asking = false;
    }
  }

  #offer(names) {
    const chosen = this.bots.value;
    this.bots.replaceChildren(this.bots.options[0], ...names.map((name) => option(name, chosen)));
  }

  async #stop() {
    this.stop.disabled = true;
    try {
      await post("/api/job/stop", { id: this.#job });
    } catch (error) {
      this.panels.trouble(error);
    }
  }

  /** Handles the progress of a job. */
  job(job) {
    // Progress may arrive before the response with the job's id. The last message only says that it is the last.
    job = this.#last?.id === job.id ? { ...this.#last, ...job } : job;
    this.#last = job;
    if (job.id !== this.#job) return;
    const { done, of, words, clear, ended, error } = job;
    clearInterval(this.#ticking);
    this.progress.max = of || 1;
    this.progress.value = done ?? 0;
    this.said.replaceChildren(...worded(error?.message ?? words ?? (ended ? "Stopped before a game was over, so there are no results." : "")));
    if (error) this.#failed = this.#game.game;
    if (ended && !done) [this.#game, this.progress.hidden, this.other.hidden] = [null, true, true];
    if (job.change && this.change.hidden) this.#propose(job);
    if (job.before || job.after) this.tables.replaceChildren(this.#table(job));
    this.element.dataset.done = String(done ?? 0);
    if (ended ?? (clear || done >= of)) {
      this.#busy(false);
      if (document.activeElement === this.stop) this.start.focus();
      this.stop.disabled = true;
      this.element.dataset.ended = job.id;
    }
  }

  /** Shows the change that evens the game out, with a button that opens it as house rules. */
  #propose({ ref, change }) {
    const open = button("Open as house rules", async () => {
      open.disabled = true;
      try {
        this.panels.made(await this.#create(ref, change));
      } catch (error) {
        open.disabled = false;
        this.panels.trouble(error);
      }
    }, { class: "st-button st-button--main" });
    this.change.replaceChildren(element("pre", {}, change), element("div", { class: "st-buttons" }, open));
    this.change.hidden = false;
  }

  /** Creates a folder with the change, under the first free name. */
  async #create(ref, change) {
    const base = `${ref.replace(/^.*\/|@.*$/g, "")}-even`;
    for (let count = 1; ; count++) {
      const folder = count === 1 ? base : `${base}-${count}`;
      try {
        return await post("/api/start", { id: `change:${ref}`, folder, title: "", rules: change });
      } catch (error) {
        if (error.status !== 409 || count === MOST_FOLDERS) throw error;
      }
    }
  }

  /** Renders the metrics of both sides, row by row. */
  #table({ before, after, difference, interval }) {
    const rows = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((key) => key !== "ref");
    const cell = (value) => (value !== null && typeof value === "object" ? Object.entries(value).map(([name, each]) => `${name} ${each}`).join(", ") : String(value ?? "–"));
    const sides = [[before, "Before"], [after, "Now"]].filter(([side]) => side);
    return element("table", { class: "st-table" },
      element("caption", {}, `${before ? "Before and now" : "Statistics"}${difference === undefined || difference === null ? "" : `: ${cell(difference)}`}${interval ? ` (${cell(interval)})` : ""}, with ranges in brackets that very likely contain the true values`),
      element("thead", {}, element("tr", {}, element("td", {}), ...sides.map(([side, words]) => element("th", { scope: "col" }, side.ref ?? words)))),
      element("tbody", {}, ...rows.map((key) => element("tr", {}, element("th", { scope: "row" }, key), ...sides.map(([side]) => element("td", { class: "st-figure" }, cell(side[key])))))));
  }
}

export const panel = { name: "fair", title: "Fair", make: (panels) => new Fair(panels) };
