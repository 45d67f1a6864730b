// The Odds panel: exact odds of the entry at the cursor, beside those of the edition below.

import { button, element, worded } from "../desk/elements.js";
import { StartFields } from "./start_fields.js";

function bars(rows, side, most) {
  return rows.map(({ label, words, chance, percent, share }) => element("tr", {},
    element("th", { scope: "row" }, words ?? label),
    element("td", { class: "st-odds__bar" }, element("span", { class: `st-share st-share--${side}`, style: `--share: ${(100 * share) / most}%` })),
    element("td", { class: "st-figure", title: chance }, percent)));
}

function table(words, { ref, mean, rows }, side, most) {
  return element("table", { class: "st-table st-odds" },
    element("caption", {}, words, element("span", { class: "st-quiet" }, mean === null || mean === undefined ? ` ${ref}` : ` ${ref}, ${mean} on average`)),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Result"), element("td", {}), element("th", { scope: "col", class: "st-figure" }, "Chance"))),
    element("tbody", {}, ...bars(rows, side, most)));
}

/** Renders both in one table if they have the same results. */
function beside(before, after, most) {
  const labels = [...new Set([...before.rows, ...after.rows].map(({ label }) => label))];
  const find = (side, label) => side.rows.find((row) => row.label === label) ?? { percent: "–", share: 0, chance: "0" };
  const mean = (side) => (side.mean === null || side.mean === undefined ? "" : `, ${side.mean} on average`);
  return element("table", { class: "st-table st-odds" },
    element("caption", {},
      element("span", { class: "st-legend st-legend--before" }, `before (${before.ref}${mean(before)})`), " ",
      element("span", { class: "st-legend st-legend--after" }, `now (${after.ref}${mean(after)})`)),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Result"), element("td", {}), element("th", { scope: "col", class: "st-figure" }, "Before"), element("th", { scope: "col", class: "st-figure" }, "Now"))),
    element("tbody", {}, ...labels.map((label) => {
      const [old, now] = [find(before, label), find(after, label)];
      return element("tr", { class: old.chance === now.chance ? null : "st-moved" },
        element("th", { scope: "row" }, now.words ?? old.words ?? label),
        element("td", { class: "st-odds__bar" },
          element("span", { class: "st-share st-share--before", style: `--share: ${(100 * old.share) / most}%` }),
          element("span", { class: "st-share st-share--after", style: `--share: ${(100 * now.share) / most}%` })),
        element("td", { class: "st-figure", title: old.chance }, old.percent),
        element("td", { class: "st-figure", title: now.chance }, now.percent));
    })));
}

/** Returns the elements of the odds of one question. */
function shown({ before, after, words }) {
  const shares = [before, after].flatMap((side) => side?.rows?.map(({ share }) => share) ?? []);
  const most = Math.max(...shares, 1e-9);
  const same = before && after && JSON.stringify(before.rows) === JSON.stringify(after.rows);
  return [
    ...(words ? [element("p", { class: "st-hint" }, ...worded(words))] : []),
    ...(after && before && !same ? [beside(before, after, most)] : after ? [table("", after, "after", most)] : []),
    ...(same ? [element("p", { class: "st-quiet" }, `The same as in ${before.ref}.`)] : []),
  ];
}

class Odds {
  constructor(panels) {
    this.panels = panels;
    this.start = new StartFields(panels, () => this.refresh().catch(panels.trouble));
    this.example = element("p");
    this.told = element("div");
    this.element = element("div", { class: "st-chances" }, this.start.element, this.example, this.told);
  }

  async refresh() {
    const answer = await this.panels.ask("odds", this.start.request());
    if (answer === null) return;
    if (this.start.follow(answer)) return void (await this.refresh());
    this.start.draw(answer);
    const { after, words, example } = answer;
    this.example.replaceChildren(...(example ? [button("Go to the example", () => this.panels.go(example.path, example.line, example.column), { class: "st-link" })] : []));
    this.told.replaceChildren(...[answer, ...(answer.further ?? [])].flatMap(shown));
    if (!after && !words) this.told.append(element("p", { class: "st-hint" }, "Put the cursor on dice, on a roll table, or in a procedure."));
  }
}

export const panel = { name: "odds", title: "Odds", make: (panels) => new Odds(panels) };
