// The preview of an option: tried on a copy of the game, up to the next roll, which is shown with its exact odds.

import { dice, element, pretty } from "./elements.js";
import { figure, say } from "./say.js";

/** The maximum number of lines about certain effects. Others are counted. */
const MOST_LINES = 6;
/** The maximum number of bars. Other outcomes are only in the table. */
const MOST_BARS = 24;

/** Returns the preview of an option: `{lines, roll, odds, then, fault}`. The game stays unchanged. */
export function outlookOf(rules, game, index) {
  const tried = game.clone();
  tried.stopAtChance = true;
  const { length } = tried.log, { rule } = game.decision;
  try {
    tried.choose(index);
  } catch (error) {
    return { lines: [], roll: null, odds: null, then: "", fault: error.message };
  }
  // The first line repeats the choice, which the reader is pointing at.
  const lines = tried.lines({ since: length });
  const first = tried.log[length];
  if (lines.length && first.rule === rule && lines[0].text === first.text) lines.shift();
  const { chance, decision } = tried;
  return {
    lines: lines.map(({ pieces }) => pieces),
    roll: chance?.roll ?? null,
    card: chance !== null && typeof outcomesOf(chance)?.[0]?.outcome === "string",
    odds: chance === null ? null : oddsOf(rules, chance),
    then: decision === null || decision.rule === rule ? "" : say("Then %(who)s decides: %(question)s", { who: game.nameOf(decision.player), question: decision.ask }),
    fault: "",
  };
}

/** Returns the outcomes of a roll, `[{words, ways, of}]`, by rows if it is on a table. Null if there are too many to
 * list. */
function oddsOf(rules, chance) {
  const outcomes = outcomesOf(chance);
  if (outcomes === null) return null;
  const table = tableOf(rules, chance.rule);
  if (table === null) return outcomes.map(({ outcome, ways, of }) => ({ words: worded(rules, outcome), ways, of }));
  const rows = new Map();
  for (const { outcome, ways, of } of outcomes) {
    const row = table.faces[outcome] ?? String(outcome);
    const before = rows.get(row) ?? { words: titleOf(rules, table, row), ways: 0n, of };
    rows.set(row, { ...before, ways: before.ways + (ways * before.of) / of });
  }
  return [...rows.values()];
}

/** Returns the outcomes of a chance event, or null if there are too many to list. */
function outcomesOf(chance) {
  try {
    return chance.outcomes;
  } catch {
    return null;
  }
}

function titleOf(rules, table, row) {
  const title = table.rows.find(({ id }) => id === row)?.title;
  return title ? rules.words(title) : pretty(row);
}

function tableOf(rules, rule) {
  const { events, steps, tables } = rules.data;
  const site = events.find(({ step, event }) => event === "rolled" && steps[step].rule === rule);
  return site?.table ? tables[site.table] : null;
}

/** Returns an outcome in words: a number, or the title of a card. */
function worded(rules, outcome) {
  if (typeof outcome !== "string") return figure(outcome);
  for (const { rows } of Object.values(rules.data.tables)) {
    const row = rows.find(({ id, title }) => id === outcome && title);
    if (row !== undefined) return rules.words(row.title);
  }
  return outcome;
}

const percent = (ways, of) => {
  const tenths = Number((ways * 2000n + of) / (2n * of));
  if (tenths === 0 && ways > 0n) return say("under %(chance)s %%", { chance: figure("0.1") });
  return `${figure((tenths / 10).toFixed(1))} %`;
};

const divisor = (a, b) => (b ? divisor(b, a % b) : a);
const fraction = (ways, of) => {
  const by = divisor(ways, of);
  return of === by ? String(ways / by) : `${ways / by}/${of / by}`;
};

/** Renders a preview as elements. */
export function drawnOutlook(found) {
  if (found.fault) return [element("p", {}, found.fault)];
  const parts = [];
  if (found.lines.length) {
    const shown = found.lines.slice(0, MOST_LINES), left = found.lines.length - shown.length;
    parts.push(element("ul", { class: "rw-play__certain" }, ...[...shown, ...(left ? [[say("… and %(count)s more", { count: left })]] : [])].map((line) => element("li", {}, ...line.map((piece) => (typeof piece === "string" ? piece : dice(piece)))))));
  }
  if (found.roll !== null) {
    parts.push(element("p", {}, found.lines.length ? say("Then comes") : say("Next comes"), " ", element("strong", {}, found.card ? found.roll : dice({ dice: found.roll })), found.odds === null ? say(", with too many outcomes to list.") : ":"));
    if (found.odds !== null) parts.push(oddsTable(found.odds));
  }
  if (found.then) parts.push(element("p", {}, found.then));
  return parts.length ? parts : [element("p", {}, say("Nothing else happens immediately."))];
}

function oddsTable(odds) {
  const most = odds.reduce((found, { ways, of }) => Math.max(found, Number(ways) / Number(of)), 0);
  return element("table", { class: "rw-play__odds" },
    element("caption", { class: "rw-sr" }, say("How likely each outcome is")),
    element("thead", { class: "rw-sr" }, element("tr", {}, ...[say("Outcome"), say("Chance"), say("Exactly")].map((words) => element("th", { scope: "col" }, words)))),
    element("tbody", {}, ...odds.map(({ words, ways, of }) => element("tr", {},
      element("th", { scope: "row" }, words),
      element("td", {}, odds.length > MOST_BARS ? null : element("span", { class: "rw-play__bar-of", "aria-hidden": "true", style: `--share:${((100 * Number(ways)) / Number(of) / most).toFixed(1)}%` }), percent(ways, of)),
      element("td", {}, fraction(ways, of)),
    ))),
  );
}
