// The odds of procedures before and after a change: bars, and a table of the same numbers.

import { counted, element, pretty } from "../play/elements.js";
import { figure, percent } from "./reckoning.js";

/** Renders odds of both sides. `words` has the title and the question of each. */
export class Chances {
  #sides;
  #odds;
  #asked = 0;

  constructor({ sides, odds, words }) {
    this.#sides = sides;
    this.status = element("p", { class: "rw-what-if__status", role: "status" });
    this.#odds = odds.map(({ id }) => ({ id, words: words[id], place: element("div", {}) }));
    const shown = this.#odds.map(({ words: { title, link }, place }) => element("section", { class: "rw-what-if__odds" },
      element("h4", {}, link ? element("a", { href: link }, title) : title), place));
    this.element = element("section", { hidden: !odds.length }, element("h3", {}, "Odds"), this.status, ...shown);
  }

  /** Computes the odds again with other settings. A later call cancels this one. */
  async show(options, changed) {
    const mine = ++this.#asked;
    this.status.textContent = this.#odds.length ? "Computing the odds…" : "";
    let moved = 0;
    for (const { id, words, place } of this.#odds) {
      const [before, after] = await Promise.all(this.#sides.map((side, at) => side.ask({ kind: "odds", of: id, options: at ? options : {} }, () => {}).catch((error) => error)));
      if (mine !== this.#asked || before === null || after === null) return;
      const wrong = [before, after].find((each) => each instanceof Error);
      if (wrong !== undefined) place.replaceChildren(element("p", { class: "rw-what-if__error" }, `These odds cannot be worked out: ${wrong.message}`));
      else {
        moved += Number(differ(before, after));
        place.replaceChildren(...before.answers.map((each, at) => answers(words.title, words.asked[at], each, after.answers[at], before, after)));
      }
    }
    if (mine !== this.#asked) return;
    this.status.textContent = !this.#odds.length ? "" : changed ? `The odds of ${moved} of ${counted(this.#odds.length, "question")} have changed.` : "Published odds. Change a number to see yours beside them.";
  }
}

function differ(before, after) {
  const told = ({ answers: all }) => JSON.stringify(all.map(({ outcomes }) => outcomes.map(({ id, probability }) => [id, probability])));
  return told(before) !== told(after);
}

function answers(of, { title, names }, before, after, wasOf, isOf) {
  const shares = (answer) => new Map(answer.outcomes.map((each) => [each.id, each]));
  const was = shares(before), is = shares(after), truth = [...was.keys(), ...is.keys()].every((id) => id === "yes" || id === "no");
  const ids = truth ? ["yes"] : [...new Set([...was.keys(), ...is.keys()])];
  if (!truth && ids.every((id) => /^-?\d+$/.test(id))) ids.sort((one, other) => one - other);
  const most = Math.max(...ids.flatMap((id) => [was.get(id)?.probability ?? 0, is.get(id)?.probability ?? 0]), truth ? 1 : 0);
  const cell = (found, kind) => {
    const share = found?.probability ?? 0;
    const within = found?.interval ? ` (${percent(found.interval[0])} to ${percent(found.interval[1])})` : "";
    return element("td", {}, element("span", { class: `rw-what-if__bar rw-what-if__bar--${kind}`, style: `--share:${((share / (most || 1)) * 100).toFixed(2)}%`, "aria-hidden": "true" }), `${percent(share)}${within}`);
  };
  const rows = ids.slice(0, 40).map((id) => element("tr", {}, element("th", { scope: "row" }, truth ? "Chance" : names?.[id] ?? pretty(id)), cell(was.get(id), "was"), cell(is.get(id), "is")));
  if (before.mean !== null && after.mean !== null && !truth) {
    rows.push(element("tr", {}, element("th", { scope: "row" }, "On average"), element("td", {}, figure(before.mean)), element("td", {}, figure(after.mean))));
  }
  const sampled = [wasOf, isOf].filter(({ exact }) => !exact);
  return element("div", { class: "rw-what-if__answers" },
    element("div", { class: "rw-what-if__figures", tabindex: 0, role: "region", "aria-label": `${of}: ${title}` },
      element("table", { class: "rw-table" }, element("caption", {}, title),
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Answer"), element("th", { scope: "col" }, "Published"), element("th", { scope: "col" }, "Yours"))),
        element("tbody", {}, ...rows))),
    sampled.length ? element("p", { class: "rw-what-if__small" }, `Too many ways to follow each: these are shares of ${sampled.map(({ samples }) => samples).join(" and ")} runs, with the range in which they lie in 19 of 20 cases.`) : null);
}
